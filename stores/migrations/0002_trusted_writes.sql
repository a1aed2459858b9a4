-- What a write may be taken for (another saying of a stored value), who decides about it, and what tenants call things.

alter table perdure.statements add column said text not null default '';

-- What values have in common that may be one value in other words. Facts of before get it by `perdure rebuild`.
alter table perdure.facts add column likeness uuid;
create index facts_alike on perdure.facts (tenant, user_id, likeness) where known_to is null;

alter table perdure.episodes drop constraint episodes_kind_check;
alter table perdure.episodes add constraint episodes_kind_check
    check (kind in ('exchange', 'session', 'task', 'decision', 'tool_result', 'event'));

-- The newest version of the narrowest scope is in force; an empty user or agent stands for all of them.
create table perdure.policies (
    tenant text not null,
    user_id text not null,
    agent text not null,
    version integer not null check (version > 0),
    policy jsonb not null,
    author text not null,
    recorded_at timestamptz not null,
    primary key (tenant, user_id, agent, version)
);

-- A tenant's own attributes, its aliases for built-in ones, and learned names that were merged into others.
create table perdure.attributes (
    tenant text not null,
    name text not null,
    cardinality text not null check (cardinality in ('single', 'many')),
    kind text not null,
    english text[] not null,
    korean text[] not null,
    merged_into text not null default '',
    author text not null,
    recorded_at timestamptz not null,
    primary key (tenant, name)
);
