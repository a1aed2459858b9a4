-- fragment: version
select b.agent, b.label, b.version, b.content, b.char_limit, b.description, b.removed, b.edit, b.action, b.thread, b.message,
       b.author, b.recorded_at
from perdure.core_blocks b

-- name: newest
-- Of each label the newest version, an agent's own before the shared one, as known then; removed ones, too.
-- include: version
join (select distinct on (label) label, agent, version
      from (select label, agent, max(version) as version from perdure.core_blocks
            where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s)
              and (%(known)s::timestamptz is null or recorded_at <= %(known)s)
            group by label, agent) v
      order by label, agent desc) newest using (label, agent, version)
where b.tenant = %(tenant)s and b.user_id = %(user)s
order by b.label

-- name: history
-- The versions as this scope has seen them: the agent's own, and of the shared block those that its own came after.
-- include: version
where b.tenant = %(tenant)s and b.user_id = %(user)s and b.agent in ('', %(agent)s) and b.label = %(label)s
  and (b.agent = %(agent)s or b.version < all (
      select version from perdure.core_blocks
      where tenant = %(tenant)s and user_id = %(user)s and agent = %(agent)s and label = %(label)s))
order by b.version desc

-- name: recorded
select edit from perdure.core_blocks where tenant = %(tenant)s and user_id = %(user)s and edit = any(%(edits)s)

-- name: insert_version
insert into perdure.core_blocks (
    tenant, user_id, agent, label, version, content, char_limit, description, removed, edit, action, thread, message,
    author, recorded_at)
values (
    %(tenant)s, %(user)s, %(agent)s, %(label)s, %(version)s, %(content)s, %(char_limit)s, %(description)s, %(removed)s,
    %(edit)s, %(action)s, %(thread)s, %(message)s, %(author)s, %(recorded_at)s)
