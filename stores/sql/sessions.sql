-- name: open_exchanges
-- The exchanges of a thread that are part of no session yet, of exactly this agent.
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and thread = %(thread)s
  and kind = 'exchange' and session is null and valid_to is null
order by occurred_at, place

-- name: facts_told
-- The facts that came from these messages, whether they still hold or not.
select id, content from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and known_to is null
  and thread = %(thread)s and message = any(%(messages)s)
order by known_from, id

-- name: claim
-- All of them, or none if one is part of another session.
update perdure.episodes set session = %(session)s
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(exchanges)s)
  and not exists (select from perdure.episodes taken
                  where taken.tenant = %(tenant)s and taken.user_id = %(user)s and taken.id = any(%(exchanges)s)
                    and taken.session is not null)
returning id
