-- name: profile
-- What an agent knows for itself stands before what all agents share.
select distinct on (attribute) attribute, value, content, kind, valid_from as since, dated, valid_to as until, importance,
       confidence, corroboration, agent, id as fact
from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s)
  and cardinality = 'single' and attribute <> '' and subject = 'user'
  and case when %(known)s::timestamptz is null then known_to is null
           else known_from <= %(known)s and (known_to is null or known_to > %(known)s) end
  and (expires_at is null or expires_at > %(now)s)
  and valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s)
order by attribute, agent desc, valid_from desc
