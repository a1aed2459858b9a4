-- name: append
insert into perdure.episodes (
    tenant, user_id, agent, id, kind, content, occurred_at, thread, message, details, extracted, valid_from,
    recorded_at, embedding, terms, words, script, speaker, expires_at, place)
values (
    %(tenant)s, %(user)s, %(agent)s, %(id)s, %(kind)s, %(content)s, %(occurred_at)s, %(thread)s, %(message)s,
    %(details)s, %(extracted)s, %(occurred_at)s, %(recorded_at)s, %(embedding)s, %(terms)s, %(words)s,
    %(script)s, %(speaker)s, %(expires_at)s,
    -- A session is about exchanges, and stands beside none of them.
    case when %(kind)s = 'session' then -10
         else greatest((select max(place) from perdure.episodes
                        where tenant = %(tenant)s and user_id = %(user)s and thread = %(thread)s), 0) + 1 end)
-- What was kept stays as it is. But a turn that is extracted later than it was kept is kept as it is then: what a person
-- or the policy does not want remembered is left out of it.
on conflict (tenant, user_id, id) do update set
    extracted = true, content = excluded.content, details = excluded.details, embedding = excluded.embedding,
    terms = excluded.terms, words = excluded.words, script = excluded.script
where excluded.extracted and not perdure.episodes.extracted

-- name: by_id
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because, expires_at
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = %(id)s
  and (expires_at is null or expires_at > %(now)s)

-- name: by_prefix
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and starts_with(id::text, %(prefix)s)
  and (expires_at is null or expires_at > %(now)s)
limit 2

-- name: by_ids
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = any(%(ids)s)
  and (expires_at is null or expires_at > %(now)s)

-- name: latest_of
-- The latest of a kind that is learned from; of one thread, if it is named.
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and kind = %(kind)s
  and kind in ('session', 'task', 'lesson') and (valid_to is null or %(wrong)s)
  and (%(thread)s = '' or thread = %(thread)s) and (expires_at is null or expires_at > %(now)s)
order by occurred_at desc, id limit %(k)s

-- name: next_unextracted
-- Of all agents: each exchange knows whose it is. In order of time, after the one named, if one is.
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because, expires_at
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and not extracted and kind = 'exchange' and valid_to is null
  and (expires_at is null or expires_at > %(now)s)
  and (%(after)s::uuid is null or (occurred_at, id) > (%(after_time)s, %(after)s))
order by occurred_at, id
limit 1

-- name: unextracted_among
select id from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and not extracted and kind = 'exchange' and valid_to is null
  and id = any(%(ids)s)
  and (expires_at is null or expires_at > %(now)s)

-- name: count_unextracted
select count(*) as unextracted from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and not extracted and kind = 'exchange' and valid_to is null
  and (expires_at is null or expires_at > %(now)s)

-- name: around
-- The episodes of the same thread just before and after one, in order of time, the one itself included.
with origin as (
    select thread, occurred_at, id from perdure.episodes
    where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = %(id)s
      and (expires_at is null or expires_at > %(now)s)
), neighbours as (
    (select e.* from perdure.episodes e, origin o
     where e.tenant = %(tenant)s and e.user_id = %(user)s and e.agent in ('', %(agent)s) and e.thread = o.thread
       and (e.occurred_at, e.id) < (o.occurred_at, o.id)
       and (e.expires_at is null or e.expires_at > %(now)s)
     order by e.occurred_at desc, e.id desc limit %(before)s)
    union all
    (select e.* from perdure.episodes e, origin o
     where e.tenant = %(tenant)s and e.user_id = %(user)s and e.agent in ('', %(agent)s) and e.thread = o.thread
       and (e.occurred_at, e.id) >= (o.occurred_at, o.id)
       and (e.expires_at is null or e.expires_at > %(now)s)
     order by e.occurred_at, e.id limit %(after)s + 1)
)
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because, expires_at
from neighbours order by occurred_at, id

-- name: invalidate
-- A lesson that was drawn from it goes with it.
with wrong as (
    update perdure.episodes set valid_to = greatest(%(at)s, valid_from), invalidated_because = %(because)s
    where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = %(id)s and valid_to is null
    returning id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to,
              recorded_at, invalidated_because, expires_at
), lessons as (
    update perdure.episodes l
    set valid_to = greatest(%(at)s, l.valid_from), invalidated_because = %(lesson_because)s
    from wrong w
    where l.tenant = %(tenant)s and l.user_id = %(user)s and l.kind = 'lesson' and l.valid_to is null
      and l.details->'sources' ? w.id::text
)
select * from wrong
