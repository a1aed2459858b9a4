-- name: record
insert into perdure.uses (tenant, user_id, memory, uses, last_used_at, last_message)
select %(tenant)s, %(user)s, memory, 1, %(at)s, %(message)s
from unnest(%(memories)s::uuid[]) memory
where not exists (
    select from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s and id = %(exchange)s)
on conflict (tenant, user_id, memory) do update set
    uses = perdure.uses.uses + 1, last_used_at = greatest(perdure.uses.last_used_at, excluded.last_used_at),
    last_message = excluded.last_message
where perdure.uses.last_message <> excluded.last_message

-- name: forget
-- Of memories that are not there any more.
delete from perdure.uses
where tenant = %(tenant)s and user_id = %(user)s and memory = any(%(memories)s)
