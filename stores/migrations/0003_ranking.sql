-- What ranking reads: the terms of a row as a sparse vector. Its inner product with the question's, in which the n-th
-- term weighs 2^n, tells at once which terms of the question the row has. Rows of before get it when they are indexed
-- anew: their terms were cut by older rules.
alter table perdure.facts add column words sparsevec(1000000000);
alter table perdure.episodes add column words sparsevec(1000000000);
-- How long a row is does not count any more.
alter table perdure.facts drop column length;
alter table perdure.episodes drop column length;
create index facts_unindexed on perdure.facts (tenant) where words is null;
create index episodes_unindexed on perdure.episodes (tenant) where words is null;

-- The script of most of the text (see `perdure.scripts`): across scripts, vectors are less alike than what they say.
alter table perdure.facts add column script smallint not null default 0;
alter table perdure.episodes add column script smallint not null default 0;

-- Who speaks, where a conversation is between people: a question that names one of them is about what that one said.
alter table perdure.episodes add column speaker text not null default '';

-- Its place in the thread, in the order of arrival: what stands next to an answer belongs to it.
alter table perdure.episodes add column place bigint not null default 0;
update perdure.episodes e set place = numbered.place
from (select tenant, user_id, id, row_number() over (partition by tenant, user_id, thread order by occurred_at, id) as place
      from perdure.episodes) numbered
where (e.tenant, e.user_id, e.id) = (numbered.tenant, numbered.user_id, numbered.id);
create index episodes_place on perdure.episodes (tenant, user_id, thread, place);

-- Verbatim exchanges by time alone, across threads.
create index episodes_happened on perdure.episodes (tenant, user_id, valid_from);

-- Users who have too many memories to be searched row by row, and what the indexes made for them do not tell: how many
-- rows there were, and how many of them had each of the commonest terms.
create table perdure.large_users (
    tenant text not null,
    user_id text not null,
    rows bigint not null,
    common integer[] not null,
    common_rows bigint[] not null,
    indexed_at timestamptz not null,
    primary key (tenant, user_id)
);
