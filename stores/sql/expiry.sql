-- name: expired_slots
-- Slots in which something has expired, in an order that a run which goes on can keep to.
select distinct slot from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and expires_at <= %(now)s
order by slot limit %(limit)s

-- name: slot_statements
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said,
       expires_at
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and slot = %(slot)s

-- name: count_expired
select (select count(*) from perdure.statements
        where tenant = %(tenant)s and user_id = %(user)s and expires_at <= %(now)s)
     + (select count(*) from perdure.episodes
        where tenant = %(tenant)s and user_id = %(user)s and expires_at <= %(now)s) as expired

-- name: hollow
update perdure.statements set
    action = %(action)s, value = '', content = '', evidence = '', said = '', stated_to = null, expires_at = null
where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s

-- name: renew
update perdure.statements set expires_at = %(expires_at)s
where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s

-- name: delete_episodes
delete from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and id in (
    select id from perdure.episodes
    where tenant = %(tenant)s and user_id = %(user)s and expires_at <= %(now)s limit %(limit)s)
returning id, content
