-- name: all
select tenant, user_id, rows, common, common_rows from perdure.large_users

-- name: dimension
select dimension from perdure.embedder

-- name: survey
-- The users of all tenants who have as many memories as are too many to score each.
select tenant, user_id, count(*) as rows from (
    select tenant, user_id from perdure.facts where known_to is null
    union all
    select tenant, user_id from perdure.episodes
) memories
group by tenant, user_id having count(*) >= %(least)s
order by rows desc, tenant, user_id

-- name: common_terms
-- The terms that more than one row in thirty has: too many to gather by.
select term, count(*) as rows from (
    select unnest(terms) as term from perdure.facts
    where tenant = %(tenant)s and user_id = %(user)s and known_to is null
    union all
    select unnest(terms) from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s
) terms
group by term having count(*) > %(rows)s / 30.0
order by rows desc limit 10000

-- name: known
select from perdure.large_users where tenant = %(tenant)s and user_id = %(user)s

-- name: put
insert into perdure.large_users (tenant, user_id, rows, common, common_rows, indexed_at)
values (%(tenant)s, %(user)s, %(rows)s, '{}', '{}', %(now)s)
on conflict do nothing

-- name: count
-- Not of a user who was erased meanwhile.
update perdure.large_users set
    rows = %(rows)s, common = %(common)s::int[], common_rows = %(common_rows)s::bigint[], indexed_at = %(now)s
where tenant = %(tenant)s and user_id = %(user)s
  and (exists (select from perdure.facts where tenant = %(tenant)s and user_id = %(user)s and known_to is null)
       or exists (select from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s))

-- name: remove
delete from perdure.large_users where tenant = %(tenant)s and user_id = %(user)s

-- name: lock
select pg_try_advisory_lock(%(key)s) as locked

-- name: unlock
select pg_advisory_unlock(%(key)s)
