-- Core memory: blocks of text that always stand in the prompt. Every version is kept; the newest is the block, and an
-- agent's own goes before the one that all agents share. `edit` is the id of what made it: a retry changes nothing.

create table perdure.core_blocks (
    tenant text not null,
    user_id text not null,
    agent text not null,
    label text not null,
    version integer not null check (version > 0),
    content text not null,
    char_limit integer not null check (char_limit > 0),
    description text not null,
    removed boolean not null,
    edit uuid not null,
    action text not null check (action in ('core_append', 'core_replace', 'set', 'remove', 'restore')),
    thread text not null,
    message text not null,
    author text not null,
    recorded_at timestamptz not null,
    -- With its moment: the newest of many versions is found without reading their texts.
    primary key (tenant, user_id, agent, label, version) include (recorded_at),
    unique (tenant, user_id, edit),
    check (char_length(content) <= char_limit)
);
create index core_blocks_recorded on perdure.core_blocks (tenant, user_id, recorded_at);
