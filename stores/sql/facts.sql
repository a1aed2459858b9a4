-- name: lock_user
-- One writer per user at a time; released with the transaction.
select pg_advisory_xact_lock(hashtextextended(%(tenant)s || chr(31) || %(user)s, 7037))

-- name: last_recorded
select greatest(
    (select max(recorded_at) from perdure.statements where tenant = %(tenant)s and user_id = %(user)s),
    (select max(recorded_at) from perdure.core_blocks where tenant = %(tenant)s and user_id = %(user)s)) as recorded_at

-- name: slots_of_facts
select distinct id, slot from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = any(%(facts)s)

-- name: recorded
select id from perdure.statements where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: slot_statements
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s
  and slot = any(%(slots)s::uuid[] || array(
      select slot from perdure.facts
      where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = any(%(facts)s)
      union
      select slot from perdure.facts
      where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and known_to is null
        and likeness = any(%(alike)s)))

-- name: slot_beliefs
select id, slot, agent, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, valid_to, known_from as recorded_at, corroboration, version, thread, message
from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and known_to is null
  and slot = any(%(slots)s::uuid[] || array(
      select slot from perdure.facts
      where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = any(%(facts)s)
      union
      select slot from perdure.facts
      where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and known_to is null
        and likeness = any(%(alike)s)))

-- name: statements_by_id
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and id = any(%(ids)s)

-- name: statement_by_prefix
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and starts_with(id::text, %(prefix)s)
limit 2

-- name: user_statements
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said
from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and (%(attributes)s::text[] is null or attribute = any(%(attributes)s))
order by recorded_at, ordinal

-- name: user_beliefs
select id, slot, agent, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, valid_to, known_from as recorded_at, known_to, corroboration, version, thread, message
from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s
order by known_from, id

-- name: read_facts
select id, slot, agent, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, valid_to, known_from as recorded_at, corroboration, version, thread, message
from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s)
  and (%(attributes)s::text[] is null or attribute = any(%(attributes)s))
  and case when %(known)s::timestamptz is null then known_to is null
           else known_from <= %(known)s and (known_to is null or known_to > %(known)s) end
  and (%(at)s::timestamptz is null or valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s))
order by attribute, valid_from, id

-- name: attributes_in_use
select attribute as name, cardinality, count(*)::int as facts from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and known_to is null
  and attribute <> '' and valid_from <= %(now)s and (valid_to is null or valid_to > %(now)s)
group by attribute, cardinality
order by facts desc, attribute
limit 100

-- name: fact_by_prefix
select id, slot, agent, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, valid_to, known_from as recorded_at, corroboration, version, thread, message
from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and known_to is null
  and starts_with(id::text, %(prefix)s)
limit 2

-- name: insert_statement
insert into perdure.statements (
    tenant, user_id, agent, id, slot, action, subject, attribute, cardinality, value, content, kind, importance,
    confidence, trust, valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence,
    said)
values (
    %(tenant)s, %(user)s, %(agent)s, %(id)s, %(slot)s, %(action)s, %(subject)s, %(attribute)s, %(cardinality)s,
    %(value)s, %(content)s, %(kind)s, %(importance)s, %(confidence)s, %(trust)s, %(valid_from)s, %(dated)s, %(stated_to)s,
    %(recorded_at)s, %(ordinal)s, %(targets)s, %(thread)s, %(message)s, %(author)s,
    %(evidence)s, %(said)s)

-- name: close_belief
update perdure.facts set known_to = %(known_to)s
where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s and known_to is null

-- name: open_belief
-- The vector is that of the opening statement's text, kept since it was first written.
insert into perdure.facts (
    tenant, user_id, agent, id, slot, subject, attribute, cardinality, value, content, kind, importance, confidence,
    trust, valid_from, dated, valid_to, known_from, known_to, corroboration, version, thread, message, embedding, terms,
    words, script, likeness)
select %(tenant)s, %(user)s, %(agent)s, %(id)s, %(slot)s, %(subject)s, %(attribute)s, %(cardinality)s, %(value)s,
       %(content)s, %(kind)s, %(importance)s, %(confidence)s, %(trust)s, %(valid_from)s, %(dated)s, %(valid_to)s,
       %(recorded_at)s, %(known_to)s, %(corroboration)s, %(version)s, %(thread)s, %(message)s, e.embedding,
       %(terms)s, %(words)s, %(script)s, %(likeness)s
from perdure.embeddings e
where e.tenant = %(tenant)s and e.user_id = %(user)s and e.model = (select model from perdure.embedder)
  and e.text_hash = %(text_hash)s

-- name: delete_beliefs
delete from perdure.facts where tenant = %(tenant)s and user_id = %(user)s

-- name: delete_slot_beliefs
delete from perdure.facts where tenant = %(tenant)s and user_id = %(user)s and slot = %(slot)s

-- name: delete_statements
delete from perdure.statements where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: hollow_statements
update perdure.statements set action = 'retract', value = '', content = '', evidence = '', said = ''
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: forget_targets
-- What a remaining statement struck is gone: it must not name it any longer.
update perdure.statements set targets = (
    select coalesce(array_agg(t), '{}') from unnest(targets) t where t <> all(%(ids)s))
where tenant = %(tenant)s and user_id = %(user)s and targets && %(ids)s

-- name: forget_evidence
update perdure.statements set evidence = ''
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)
