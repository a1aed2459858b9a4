-- What was erased, and how far: whoever is killed half-way goes on, and the receipt has the counts of all its runs. Of
-- whom and of what is a hash only: nothing here says whose memory it was.
create table perdure.erasures (
    tenant text not null,
    id uuid not null default gen_random_uuid(),
    subject bytea not null,
    counts jsonb not null,
    runs integer not null,
    started_at timestamptz not null,
    finished_at timestamptz,
    primary key (tenant, id)
);
create unique index erasures_unfinished on perdure.erasures (tenant, subject) where finished_at is null;
