-- name: tasks
-- The latest tasks of exactly this agent that have not proved wrong.
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and kind = 'task' and valid_to is null
  and expires_at is null
order by occurred_at desc, id limit %(limit)s

-- name: lessons
-- Also those that are no longer taught.
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and kind = 'lesson'
order by occurred_at desc, id

-- name: live_sources
select id from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(sources)s) and kind = 'task' and valid_to is null

-- name: taught_already
-- A lesson that comes from all of these tasks, and maybe more.
select id from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and kind = 'lesson' and valid_to is null
  and details->'sources' @> %(sources)s limit 1

-- name: supersede
update perdure.episodes set valid_to = greatest(%(at)s, valid_from), invalidated_because = %(because)s
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and kind = 'lesson' and valid_to is null
  and details->'sources' ?| %(sources)s
returning id
