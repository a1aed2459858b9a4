-- How much of use memories are: what their strength follows from, without a word of theirs.

-- name: facts
-- Of every slot that has a believed fact of these kinds, all its believed facts: a slot fades as a whole. What expires is
-- left to the upkeep: in a file, it would outlive its time.
select 'fact' as source, f.id, f.slot, f.kind, f.importance, f.attribute, f.corroboration,
       coalesce(u.uses, 0) as uses, greatest(f.known_from, u.last_used_at) as since
from perdure.facts f
left join perdure.uses u on u.tenant = f.tenant and u.user_id = f.user_id and u.memory = f.id
where f.tenant = %(tenant)s and f.user_id = %(user)s and f.known_to is null
  and f.slot in (select slot from perdure.facts
                 where tenant = %(tenant)s and user_id = %(user)s and known_to is null and kind = any(%(kinds)s))
  and f.slot not in (select slot from perdure.statements
                     where tenant = %(tenant)s and user_id = %(user)s and expires_at is not null)
order by f.slot

-- name: episodes
-- What still has to be extracted is not let go of.
select 'episode' as source, e.id, e.id as slot, e.kind, 1 as corroboration, '' as attribute,
       case when jsonb_typeof(e.details->'importance') = 'number'
            then least(10, greatest(1, (e.details->>'importance')::numeric))::int else 5 end as importance,
       coalesce(u.uses, 0) as uses, greatest(e.recorded_at, u.last_used_at) as since
from perdure.episodes e
left join perdure.uses u on u.tenant = e.tenant and u.user_id = e.user_id and u.memory = e.id
where e.tenant = %(tenant)s and e.user_id = %(user)s and e.kind = any(%(kinds)s) and e.extracted and e.expires_at is null
order by e.id

-- name: contents
select id, content from perdure.facts
where tenant = %(tenant)s and user_id = %(user)s and known_to is null and id = any(%(ids)s)
  and (expires_at is null or expires_at > %(now)s)
union all
select id, content from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)
  and (expires_at is null or expires_at > %(now)s)
