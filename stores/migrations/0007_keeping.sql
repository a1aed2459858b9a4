-- How long memories are kept: until when, how often they were of use, and where those are that were archived.

-- From then on it is in no answer, and the next upkeep erases it.
alter table perdure.statements add column expires_at timestamptz;
alter table perdure.facts add column expires_at timestamptz;
alter table perdure.episodes add column expires_at timestamptz;
create index statements_expiring on perdure.statements (tenant, user_id, expires_at) where expires_at is not null;
create index episodes_expiring on perdure.episodes (tenant, user_id, expires_at) where expires_at is not null;

-- What was shown to a reply has been of use.
create table perdure.uses (
    tenant text not null,
    user_id text not null,
    memory uuid not null,
    uses integer not null check (uses > 0),
    last_used_at timestamptz not null,
    last_message text not null,
    primary key (tenant, user_id, memory)
);

-- Files of rows that are no longer in the database. The path is relative to the folder of archives.
create table perdure.archives (
    tenant text not null,
    user_id text not null,
    name text not null,
    id uuid not null,
    kind text not null check (kind in ('thread', 'faded')),
    path text not null,
    sha256 text not null,
    bytes bigint not null,
    rows jsonb not null,
    model text not null,
    archived_at timestamptz not null,
    state text not null check (state in ('copied', 'archived', 'restored')),
    restored_at timestamptz,
    primary key (tenant, user_id, name)
);
