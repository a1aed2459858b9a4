-- name: about
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said,
       expires_at
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and attribute = %(attribute)s

-- name: by_id
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said,
       expires_at
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: same_elsewhere
-- The other slots of statements that repeat these, or that these repeat.
select distinct other.slot from perdure.statements one
join perdure.statements other
  on other.tenant = one.tenant and other.user_id = one.user_id and other.slot <> one.slot
 and (other.id = any(one.targets) or one.id = any(other.targets))
where one.tenant = %(tenant)s and one.user_id = %(user)s and one.id = any(%(ids)s)
