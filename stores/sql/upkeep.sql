-- Of all users of a tenant: the upkeep is done for one after the other.

-- name: users
select user_id from perdure.statements where tenant = %(tenant)s
union
select user_id from perdure.episodes where tenant = %(tenant)s
union
select user_id from perdure.embeddings where tenant = %(tenant)s
union
select user_id from perdure.archives where tenant = %(tenant)s
order by user_id

-- name: try_lock
select pg_try_advisory_lock(hashtextextended(%(tenant)s, 7039)) as locked
