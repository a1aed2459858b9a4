-- name: exchanges_of_messages
delete from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and kind in ('exchange', 'tool_result')
  and (thread, message) in (select * from unnest(%(threads)s::text[], %(messages)s::text[]))
returning id, content, session, null as task

-- name: statements_of_messages
select id, evidence from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s
  and (thread, message) in (select * from unnest(%(threads)s::text[], %(messages)s::text[]))

-- name: delete_episodes_of_thread
delete from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and thread = %(thread)s
returning id, content, session, details->>'task' as task

-- name: delete_made_of
-- Sessions, those too that tell of any of these facts, and lessons that come from any of these tasks.
delete from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s
  and (kind = 'session' and (id = any(%(sessions)s::uuid[]) or details->'facts' ?| %(facts)s)
       or kind = 'lesson' and details->'sources' ?| %(ids)s)
returning id, content

-- name: reopen
-- Exchanges that are part of no session any more.
update perdure.episodes set session = null
where tenant = %(tenant)s and user_id = %(user)s and session = any(%(sessions)s::uuid[])

-- name: episodes_said
select content from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and (%(thread)s::text is null or thread = %(thread)s)

-- name: episodes_of_messages
select content from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and kind in ('exchange', 'tool_result')
  and (thread, message) in (select * from unnest(%(threads)s::text[], %(messages)s::text[]))

-- name: threads_told
-- Threads that the user's memories come from.
select thread from perdure.statements where tenant = %(tenant)s and user_id = %(user)s
union
select thread from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s

-- name: said_by_others
-- Those of the texts that somebody else has said too.
select t.text from unnest(%(texts)s::text[]) as t (text)
join (
    select content as text from perdure.statements where (tenant, user_id) <> (%(tenant)s, %(user)s)
    union
    select value from perdure.statements where (tenant, user_id) <> (%(tenant)s, %(user)s)
    union
    select evidence from perdure.statements where (tenant, user_id) <> (%(tenant)s, %(user)s)
    union
    select content from perdure.episodes where (tenant, user_id) <> (%(tenant)s, %(user)s)
) others using (text)
