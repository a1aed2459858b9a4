-- Going over to another embedding model (see `stores.reembedding`). It concerns the vectors of all tenants and users; what
-- is done for one user is in `new_vectors.sql`.

-- name: lock_run
select pg_try_advisory_lock(x'7065726b'::int) as locked

-- name: in_force
select model, name, dimensions from perdure.embedder

-- name: state
select model, name, dimensions, dimension, begun_at, decided from perdure.reembedding

-- name: left
select (select count(*) from perdure.statements where reembedded is null and content <> '')
       + (select count(*) from perdure.facts where embedding_next is null)
       + (select count(*) from perdure.episodes where embedding_next is null) as rows

-- name: total
select (select count(*) from perdure.statements where content <> '')
       + (select count(*) from perdure.facts) + (select count(*) from perdure.episodes) as rows

-- name: be_quick
-- Whoever waits for these locks keeps others waiting: better give up, and come again.
set local lock_timeout = '300ms'

-- name: put
insert into perdure.reembedding (model, name, dimensions, dimension, begun_at)
values (%(model)s, %(name)s, %(dimensions)s, %(dimension)s, %(begun_at)s)

-- name: add_columns
alter table perdure.statements add column reembedded boolean;
alter table perdure.facts add column embedding_next vector(:dimension);
alter table perdure.episodes add column embedding_next vector(:dimension);
create trigger fill_next before insert or update of content on perdure.facts
    for each row execute function perdure.fill_next();
create trigger fill_next before insert or update of content on perdure.episodes
    for each row execute function perdure.fill_next();

-- name: drop_statements_left
drop index concurrently if exists perdure.statements_left

-- name: drop_facts_left
drop index concurrently if exists perdure.facts_left

-- name: drop_episodes_left
drop index concurrently if exists perdure.episodes_left

-- name: make_statements_left
create index concurrently statements_left on perdure.statements (tenant, user_id)
where reembedded is null and content <> ''

-- name: make_facts_left
create index concurrently facts_left on perdure.facts (tenant, user_id) where embedding_next is null

-- name: make_episodes_left
create index concurrently episodes_left on perdure.episodes (tenant, user_id) where embedding_next is null

-- name: batch
-- Rows whose new vector is missing, with the vector if that of the text is known. In the order of an index that has these
-- rows alone, so that it is used. A fact of a statement in the batch gets its vector along with that one.
select w.*, e.embedding
from (
    (select 'statement' as kind, tenant, user_id, id, content from perdure.statements
     where reembedded is null and content <> '' order by tenant, user_id limit %(rows)s)
    union all
    (select 'fact', tenant, user_id, id, content from perdure.facts
     where embedding_next is null order by tenant, user_id limit %(rows)s)
    union all
    (select 'episode', tenant, user_id, id, content from perdure.episodes
     where embedding_next is null order by tenant, user_id limit %(rows)s)
    limit %(rows)s
) w
left join perdure.embeddings e
    on e.tenant = w.tenant and e.user_id = w.user_id and e.model = %(model)s
       and e.text_hash = sha256(convert_to(w.content, 'UTF8'))

-- name: writers_wait
update perdure.reembedding set writers_wait_until = clock_timestamp() + make_interval(secs => %(seconds)s)

-- name: writers_go_on
update perdure.reembedding set writers_wait_until = null

-- name: lock_all
select pg_advisory_xact_lock(x'7065726a'::int)

-- name: lock_tables
lock table perdure.facts, perdure.episodes, perdure.statements in access exclusive mode

-- name: is_any_left
select exists (select from perdure.statements where reembedded is null and content <> '')
       or exists (select from perdure.facts where embedding_next is null)
       or exists (select from perdure.episodes where embedding_next is null) as left

-- name: switch_columns
-- The indexes go with the columns that they are of. That no vector is missing is checked row by row later (`all_there`):
-- that takes long, and nobody should wait for it.
drop trigger fill_next on perdure.facts;
drop trigger fill_next on perdure.episodes;
drop index if exists perdure.facts_left, perdure.episodes_left;
alter table perdure.statements drop column reembedded;
alter table perdure.facts drop column embedding;
alter table perdure.facts rename column embedding_next to embedding;
alter table perdure.facts add constraint facts_embedding check (embedding is not null) not valid;
alter table perdure.episodes drop column embedding;
alter table perdure.episodes rename column embedding_next to embedding;
alter table perdure.episodes add constraint episodes_embedding check (embedding is not null) not valid;
update perdure.embedder e set model = r.model, dimension = r.dimension, name = r.name, dimensions = r.dimensions
from perdure.reembedding r;
update perdure.reembedding set decided = true, writers_wait_until = null

-- name: all_there
alter table perdure.facts validate constraint facts_embedding;
alter table perdure.episodes validate constraint episodes_embedding

-- name: has_checks
select exists (select from pg_constraint where conname = 'facts_embedding' and conrelid = 'perdure.facts'::regclass)
       as found

-- name: require_vectors
alter table perdure.facts alter column embedding set not null, drop constraint facts_embedding;
alter table perdure.episodes alter column embedding set not null, drop constraint episodes_embedding

-- name: drop_columns
drop trigger fill_next on perdure.facts;
drop trigger fill_next on perdure.episodes;
alter table perdure.statements drop column reembedded;
alter table perdure.facts drop column embedding_next;
alter table perdure.episodes drop column embedding_next;
drop index if exists perdure.facts_left, perdure.episodes_left;
update perdure.reembedding set decided = true

-- name: forget_others
-- Vectors of models that are not in force, some keys of the cache at a time; tells the last of these keys.
with part as materialized (
    select tenant, user_id, model, text_hash from perdure.embeddings
    where (tenant, user_id, model, text_hash) > (%(tenant)s, %(user)s, %(model)s, %(text_hash)s)
    order by tenant, user_id, model, text_hash limit 2000 for update skip locked
), gone as (
    delete from perdure.embeddings e using part p
    where (e.tenant, e.user_id, e.model, e.text_hash) = (p.tenant, p.user_id, p.model, p.text_hash)
      and e.model <> (select model from perdure.embedder)
    returning 1
)
select tenant, user_id as user, model, text_hash, (select count(*) from gone) as gone
from part order by tenant desc, user_id desc, model desc, text_hash desc limit 1

-- name: remove
delete from perdure.reembedding

-- name: next_indexes
select c.relname as name, m.dimension
from perdure.reembedding m
left join pg_index i on i.indisvalid and i.indrelid in ('perdure.facts'::regclass, 'perdure.episodes'::regclass)
left join pg_class c on c.oid = i.indexrelid and c.relname ~ '_near_next_'
