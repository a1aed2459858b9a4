-- What goes to an archive, and comes back: rows as the JSON that PostgreSQL makes of them, and makes rows of again.

-- name: of_name
select name, kind, id, path, sha256, bytes, rows, model, archived_at, state, restored_at from perdure.archives
where tenant = %(tenant)s and user_id = %(user)s and name = %(archive)s

-- name: of_user
select name, kind, id, path, sha256, bytes, rows, model, archived_at, state, restored_at from perdure.archives
where tenant = %(tenant)s and user_id = %(user)s
order by archived_at desc, name

-- name: put
insert into perdure.archives (
    tenant, user_id, name, id, kind, path, sha256, bytes, rows, model, archived_at, state, restored_at)
values (%(tenant)s, %(user)s, %(archive)s, %(id)s, %(kind)s, %(path)s, %(sha256)s, %(bytes)s, %(rows)s,
        %(model)s, %(archived_at)s, %(state)s, null)
on conflict (tenant, user_id, name) do update set
    id = excluded.id, kind = excluded.kind, path = excluded.path, sha256 = excluded.sha256, bytes = excluded.bytes,
    rows = excluded.rows, model = excluded.model, archived_at = excluded.archived_at, state = excluded.state,
    restored_at = null

-- name: set_state
update perdure.archives set state = %(state)s, restored_at = %(restored_at)s
where tenant = %(tenant)s and user_id = %(user)s and name = %(archive)s

-- name: forget
delete from perdure.archives
where tenant = %(tenant)s and user_id = %(user)s and (%(archive)s::text is null or name = %(archive)s)

-- name: idle_threads
-- Threads with exchanges or results of tools, the last of which was recorded before; `busy` are those in which something
-- still has to be extracted.
select thread, max(recorded_at) as recorded_at, bool_or(not extracted) as busy from perdure.episodes
where tenant = %(tenant)s and user_id = %(user)s and thread <> '' and kind = any(%(kinds)s)
group by thread

-- name: thread_episodes
-- What expires is left to the upkeep: in a file, it would outlive its time.
select 'episodes' as table, to_jsonb(e)::text as row from perdure.episodes e
where tenant = %(tenant)s and user_id = %(user)s and thread = %(thread)s and kind = any(%(kinds)s)
  and expires_at is null
order by occurred_at, id

-- name: faded_episodes
select 'episodes' as table, to_jsonb(e)::text as row from perdure.episodes e
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)
order by occurred_at, id

-- name: faded_statements
select 'statements' as table, to_jsonb(s)::text as row from perdure.statements s
where tenant = %(tenant)s and user_id = %(user)s and slot = any(%(slots)s)
order by recorded_at, ordinal

-- name: faded_vectors
-- The vectors that facts are made anew with.
select 'embeddings' as table, to_jsonb(e)::text as row from perdure.embeddings e
where tenant = %(tenant)s and user_id = %(user)s and model = (select model from perdure.embedder)
  and text_hash in (select sha256(convert_to(content, 'UTF8')) from perdure.statements
                    where tenant = %(tenant)s and user_id = %(user)s and slot = any(%(slots)s))

-- name: delete_episodes
delete from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: delete_slots
with gone as (
    delete from perdure.facts where tenant = %(tenant)s and user_id = %(user)s and slot = any(%(slots)s))
delete from perdure.statements where tenant = %(tenant)s and user_id = %(user)s and slot = any(%(slots)s)

-- name: restore_episodes
insert into perdure.episodes
select row.* from jsonb_populate_record(null::perdure.episodes, %(row)s::jsonb) row
where row.tenant = %(tenant)s and row.user_id = %(user)s
on conflict do nothing

-- name: restore_statements
-- Whether it has a vector of the next embedder is told anew: the one of a re-embedding that was under way then is gone.
insert into perdure.statements
select row.* from jsonb_populate_record(null::perdure.statements, %(row)s::jsonb - 'reembedded') row
where row.tenant = %(tenant)s and row.user_id = %(user)s
on conflict do nothing

-- name: restore_embeddings
insert into perdure.embeddings
select row.* from jsonb_populate_record(null::perdure.embeddings, %(row)s::jsonb) row
where row.tenant = %(tenant)s and row.user_id = %(user)s
on conflict do nothing

-- name: slots_of_statements
select distinct slot from perdure.statements
where tenant = %(tenant)s and user_id = %(user)s and id = any(%(ids)s)

-- name: use_restored
-- What was asked back is of use: it would fade again at once.
insert into perdure.uses (tenant, user_id, memory, uses, last_used_at, last_message)
select %(tenant)s, %(user)s, memory, 1, %(now)s, 'restore' from (
    select unnest(%(ids)s::uuid[]) as memory
    union
    select id from perdure.facts
    where tenant = %(tenant)s and user_id = %(user)s and known_to is null and slot = any(%(slots)s)) restored
on conflict (tenant, user_id, memory) do update set
    uses = perdure.uses.uses + 1, last_used_at = excluded.last_used_at, last_message = excluded.last_message
