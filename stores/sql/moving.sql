-- name: statement_page
-- Where a slot is one value's own, an end or a retraction without a value gets that of the slot: the slot's id is made of it.
select id, slot, agent, action, subject, attribute, cardinality, value, content, kind, importance, confidence, trust,
       valid_from, dated, stated_to, recorded_at, ordinal, targets, thread, message, author, evidence, said, expires_at,
       case when cardinality = 'many' and value = '' then coalesce((
           select valued.value from perdure.statements valued
           where valued.tenant = %(tenant)s and valued.user_id = %(user)s and valued.slot = told.slot
             and valued.value <> '' limit 1), '') else '' end as slot_value
from perdure.statements told
where tenant = %(tenant)s and user_id = %(user)s and recorded_at <= %(until)s
  and (slot, recorded_at, ordinal, id)
      > (%(after_slot)s::uuid, %(after_recorded_at)s::timestamptz, %(after_ordinal)s::int, %(after_id)s::uuid)
order by slot, recorded_at, ordinal, id
limit %(limit)s

-- name: episode_page
select id, agent, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to, recorded_at,
       invalidated_because, speaker, session, place, expires_at
from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s
  and (thread, place, id) > (%(after_thread)s::text, %(after_place)s::bigint, %(after_id)s::uuid)
order by thread, place, id
limit %(limit)s

-- name: policy_page
select agent, version, policy, author, recorded_at from perdure.policies
where tenant = %(tenant)s and user_id = case when %(shared)s then '' else %(user)s end
  and (agent, version) > (%(after_agent)s::text, %(after_version)s::int)
order by agent, version
limit %(limit)s

-- name: core_block_page
select agent, label, version, content, char_limit, description, removed, edit, action, thread, message, author, recorded_at
from perdure.core_blocks
where tenant = %(tenant)s and user_id = %(user)s
  and (agent, label, version) > (%(after_agent)s::text, %(after_label)s::text, %(after_version)s::int)
order by agent, label, version
limit %(limit)s

-- name: stored_statements
select id, slot from perdure.statements where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: stored_episodes
select id from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: insert_episode
insert into perdure.episodes (
    tenant, user_id, agent, id, kind, content, occurred_at, thread, message, details, extracted, valid_from, valid_to,
    recorded_at, invalidated_because, embedding, terms, words, script, speaker, session, expires_at, place)
values (
    %(tenant)s, %(user)s, %(agent)s, %(id)s, %(kind)s, %(content)s, %(occurred_at)s, %(thread)s, %(message)s,
    %(details)s, %(extracted)s, %(valid_from)s, %(valid_to)s, %(recorded_at)s, %(invalidated_because)s,
    %(embedding)s, %(terms)s, %(words)s, %(script)s, %(speaker)s, %(session)s, %(expires_at)s,
    -- As when it is appended: a session stands beside no exchange.
    case when %(kind)s = 'session' then -10
         else greatest((select max(place) from perdure.episodes
                        where tenant = %(tenant)s and user_id = %(user)s and thread = %(thread)s), 0) + 1 end)

-- name: insert_block
insert into perdure.core_blocks (
    tenant, user_id, agent, label, version, content, char_limit, description, removed, edit, action, thread, message,
    author, recorded_at)
values (
    %(tenant)s, %(user)s, %(agent)s, %(label)s, %(version)s, %(content)s, %(char_limit)s, %(description)s, %(removed)s,
    %(edit)s, %(action)s, %(thread)s, %(message)s, %(author)s, %(recorded_at)s)
on conflict do nothing

-- name: same_block
select edit from perdure.core_blocks
where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and label = %(label)s and version = %(version)s
  and edit = %(edit)s

-- name: insert_policy
insert into perdure.policies (tenant, user_id, agent, version, policy, author, recorded_at)
values (%(tenant)s, case when %(shared)s then '' else %(user)s end, %(agent)s, %(version)s, %(policy)s, %(author)s,
        %(recorded_at)s)
on conflict do nothing

-- name: stored_policy
select policy from perdure.policies
where tenant = %(tenant)s and user_id = case when %(shared)s then '' else %(user)s end
  and agent = %(agent)s and version = %(version)s
