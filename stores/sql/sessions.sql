-- name: open_exchanges
-- The exchanges of a thread that are part of no session yet, of exactly this agent.
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and thread = %(thread)s
  and kind = 'exchange' and session is null and valid_to is null and expires_at is null
order by occurred_at, place

-- name: facts_told
-- The facts that these messages stated, whether they still hold or not. Not the facts' own messages: what is said later may
-- state a fact anew, with another start.
select f.id, f.content from perdure.facts f
where f.tenant = %(tenant)s and f.user_id = %(user)s and f.agent in ('', %(agent)s) and f.known_to is null
  and f.expires_at is null
  and exists (select from perdure.statements s
              where s.tenant = %(tenant)s and s.user_id = %(user)s and s.slot = f.slot and s.value = f.value
                and s.thread = %(thread)s and s.message = any(%(messages)s))
order by f.known_from, f.id

-- name: claim
-- All of them, or none if one is part of another session.
update perdure.episodes set session = %(session)s
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(exchanges)s)
  and not exists (select from perdure.episodes taken
                  where taken.tenant = %(tenant)s and taken.user_id = %(user)s and taken.id = any(%(exchanges)s)
                    and taken.session is not null)
returning id
