-- Statements are the truth, facts are their projection. Tenant leads every key.

create table perdure.embedder (
    only_row boolean primary key default true check (only_row),
    model text not null,
    dimension integer not null
);

create table perdure.statements (
    tenant text not null,
    user_id text not null,
    agent text not null,
    id uuid not null,
    slot uuid not null,
    action text not null check (action in ('assert', 'confirm', 'correct', 'end', 'retract')),
    subject text not null,
    attribute text not null,
    cardinality text not null check (cardinality in ('single', 'many')),
    value text not null,
    content text not null,
    kind text not null,
    importance smallint not null check (importance between 1 and 10),
    confidence double precision not null check (confidence between 0 and 1),
    trust text not null check (trust in ('user', 'assistant', 'tool', 'document')),
    valid_from timestamptz not null,
    dated boolean not null,
    stated_to timestamptz,
    recorded_at timestamptz not null,
    ordinal integer not null,
    targets uuid[] not null,
    thread text not null,
    message text not null,
    author text not null,
    evidence text not null,
    primary key (tenant, user_id, id),
    check (stated_to > valid_from)
);
create index statements_slot on perdure.statements (tenant, user_id, slot);
create index statements_recorded on perdure.statements (tenant, user_id, recorded_at);

-- A row is an interval as it was believed during [known_from, known_to). Rows that are no longer believed stay, so that
-- a read as known at an earlier moment is the same statement with another moment.
create table perdure.facts (
    tenant text not null,
    user_id text not null,
    agent text not null,
    id uuid not null,
    slot uuid not null,
    subject text not null,
    attribute text not null,
    cardinality text not null,
    value text not null,
    content text not null,
    kind text not null,
    importance smallint not null,
    confidence double precision not null,
    trust text not null,
    valid_from timestamptz not null,
    dated boolean not null,
    valid_to timestamptz,
    known_from timestamptz not null,
    known_to timestamptz,
    corroboration integer not null,
    version integer not null,
    thread text not null,
    message text not null,
    embedding vector(:dimension) not null,
    terms integer[] not null,
    length integer not null,
    primary key (tenant, user_id, id, known_from),
    check (valid_to > valid_from),
    constraint one_value_at_a_time exclude using gist (
        tenant with =, slot with =, tstzrange(valid_from, valid_to) with &&
    ) where (known_to is null)
);
create index facts_believed on perdure.facts (tenant, user_id) where known_to is null;
create index facts_slot on perdure.facts (tenant, user_id, slot);

create table perdure.episodes (
    tenant text not null,
    user_id text not null,
    agent text not null,
    id uuid not null,
    kind text not null check (kind in ('exchange', 'session', 'task', 'decision', 'tool_result')),
    content text not null,
    occurred_at timestamptz not null,
    thread text not null,
    message text not null,
    details jsonb not null,
    extracted boolean not null,
    valid_from timestamptz not null,
    valid_to timestamptz,
    recorded_at timestamptz not null,
    invalidated_because text not null default '',
    embedding vector(:dimension) not null,
    terms integer[] not null,
    length integer not null,
    primary key (tenant, user_id, id),
    check (valid_to >= valid_from)
);
create index episodes_time on perdure.episodes (tenant, user_id, thread, occurred_at);
create index episodes_unextracted on perdure.episodes (tenant, user_id, occurred_at) where not extracted;

-- Vectors by model and text: the cache of the embedder, and where facts find the vector of an older statement.
create table perdure.embeddings (
    tenant text not null,
    user_id text not null,
    model text not null,
    text_hash bytea not null,
    embedding vector not null,
    primary key (tenant, user_id, model, text_hash)
);
