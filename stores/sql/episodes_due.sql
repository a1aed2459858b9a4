-- What maintenance looks for among all users of a tenant: the only statements about episodes that name no user. They give
-- back whose turn it is, never what is remembered; what is then done is done within the scope of each.

-- name: idle_threads
-- Threads in which nobody has spoken since, after the one named; of one user, if one is named.
select user_id, agent, thread from perdure.episodes
where tenant = %(tenant)s and (%(of)s::text is null or user_id = %(of)s) and kind = 'exchange' and session is null
  and valid_to is null and expires_at is null and thread <> ''
  and (user_id, agent, thread) > ((%(after)s::text[])[1], (%(after)s::text[])[2], (%(after)s::text[])[3])
group by user_id, agent, thread
having max(occurred_at) < %(before)s
order by user_id, agent, thread limit %(limit)s

-- name: who_tried
-- Agents of users, or of the one named, who have tasks enough to learn from, after the one named.
select user_id, agent from perdure.episodes
where tenant = %(tenant)s and (%(of)s::text is null or user_id = %(of)s) and kind = 'task' and valid_to is null
  and expires_at is null
  and (user_id, agent) > ((%(after)s::text[])[1], (%(after)s::text[])[2])
group by user_id, agent
having count(*) >= %(least)s
order by user_id, agent limit %(limit)s
