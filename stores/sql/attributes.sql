-- name: lock_vocabulary
-- Whoever changes a tenant's vocabulary checks against all of it; released with the transaction.
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 7038))

-- name: of_tenant
select name, cardinality, kind, english, korean, merged_into from perdure.attributes
where tenant = %(tenant)s
order by recorded_at, name

-- name: put
insert into perdure.attributes (tenant, name, cardinality, kind, english, korean, merged_into, author, recorded_at)
values (%(tenant)s, %(attribute)s, %(cardinality)s, %(kind)s, %(english)s, %(korean)s, %(merged_into)s, %(author)s,
        %(recorded_at)s)
on conflict (tenant, name) do update set
    cardinality = excluded.cardinality, kind = excluded.kind, english = excluded.english, korean = excluded.korean,
    merged_into = excluded.merged_into, author = excluded.author, recorded_at = excluded.recorded_at

-- name: remove
delete from perdure.attributes where tenant = %(tenant)s and name = %(attribute)s

-- name: in_use
-- Every name under which the tenant's users have believed facts, past ones included; never a value.
select attribute as name, mode() within group (order by cardinality) as cardinality,
       array_agg(distinct cardinality) as cardinalities, count(*)::int as facts, count(distinct user_id)::int as users
from perdure.facts
where tenant = %(tenant)s and known_to is null and attribute <> ''
  and (%(attribute)s::text is null or attribute = %(attribute)s)
group by attribute
order by facts desc, attribute

-- name: users_of_name
select distinct user_id from perdure.facts
where tenant = %(tenant)s and known_to is null and attribute = %(attribute)s
order by user_id

-- name: users_of_merge
select distinct user_id from perdure.statements
where tenant = %(tenant)s and attribute = %(attribute)s and action = 'retract' and starts_with(message, %(merges)s)
order by user_id
