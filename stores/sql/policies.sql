-- name: in_force
select version, policy from perdure.policies
where tenant = %(tenant)s and user_id in ('', %(user)s) and agent in ('', %(agent)s)
order by user_id desc, agent desc, version desc
limit 1

-- name: versions
select user_id as user, agent, version, policy, author, recorded_at from perdure.policies
where tenant = %(tenant)s and user_id in ('', %(user)s) and agent in ('', %(agent)s)
order by user_id desc, agent desc, version desc

-- name: lock_policies
-- One writer per scope at a time; released with the transaction.
select pg_advisory_xact_lock(hashtextextended(
    concat_ws(chr(31), %(tenant)s::text, case when %(whole_tenant)s then '' else %(user)s end, %(agent)s::text), 7038))

-- name: put
insert into perdure.policies (tenant, user_id, agent, version, policy, author, recorded_at)
select %(tenant)s::text, holder.user_id, %(agent)s::text, coalesce(max(p.version), 0) + 1,
       %(policy)s::jsonb, %(author)s::text, %(now)s::timestamptz
from (select case when %(whole_tenant)s then '' else %(user)s end as user_id) as holder
left join perdure.policies p on p.tenant = %(tenant)s and p.user_id = holder.user_id and p.agent = %(agent)s
group by holder.user_id
returning version
