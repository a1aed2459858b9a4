-- name: alike
-- A batch of live facts that are values of their own, each with the later ones that its vector is like.
with live as materialized (
    select id, lower(subject) as subject, attribute, valid_to, embedding from perdure.facts
    where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and known_to is null and cardinality = 'many'
      and valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s)
), seeds as (
    select * from live where id > %(after)s order by id limit %(seeds)s
)
select s.id as one, o.id as other, 1 - (s.embedding <=> o.embedding) as similarity
from seeds s
left join live o on o.id > s.id and o.subject = s.subject and o.attribute = s.attribute
                and o.valid_to is not distinct from s.valid_to and 1 - (s.embedding <=> o.embedding) >= %(similarity)s
order by s.id, o.id

-- name: count_live
select count(*)::int as facts from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and known_to is null and cardinality = 'many'
  and valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s)

-- name: facts_by_id
select id, slot, agent, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, valid_to, known_from as recorded_at, corroboration, version, thread, message
from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and known_to is null and id = any(%(ids)s)

-- name: merged
-- All that was said in the slots that merges touched: of every merge, or of one.
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and slot in (
    select slot from perdure.statements
    where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and author = %(author)s
      and starts_with(message, %(merge)s))
order by recorded_at, ordinal
