-- The checkpoints of one thread as rows of an archive. The id of a thread tells its tenant and user.

-- name: checkpoints
select 'checkpoints' as table, to_jsonb(t)::text as row from checkpoints t
where thread_id = %(thread)s order by checkpoint_ns, checkpoint_id

-- name: checkpoint_blobs
select 'checkpoint_blobs' as table, to_jsonb(t)::text as row from checkpoint_blobs t
where thread_id = %(thread)s order by checkpoint_ns, channel, version

-- name: checkpoint_writes
select 'checkpoint_writes' as table, to_jsonb(t)::text as row from checkpoint_writes t
where thread_id = %(thread)s order by checkpoint_ns, checkpoint_id, task_id, idx

-- name: threads_of_tenant
-- Of all its users: a user who has nothing but a thread has no row anywhere else.
select distinct thread_id from checkpoints
where checkpoint_ns = '' and starts_with(thread_id, %(prefix)s)

-- name: present
select checkpoint_ns, checkpoint_id from checkpoints where thread_id = %(thread)s

-- name: delete_checkpoints
delete from checkpoints where thread_id = %(thread)s

-- name: delete_checkpoint_blobs
delete from checkpoint_blobs where thread_id = %(thread)s

-- name: delete_checkpoint_writes
delete from checkpoint_writes where thread_id = %(thread)s

-- name: restore_checkpoints
insert into checkpoints
select row.* from jsonb_populate_record(null::checkpoints, %(row)s::jsonb) row
where row.thread_id = %(thread)s on conflict do nothing

-- name: restore_checkpoint_blobs
insert into checkpoint_blobs
select row.* from jsonb_populate_record(null::checkpoint_blobs, %(row)s::jsonb) row
where row.thread_id = %(thread)s on conflict do nothing

-- name: restore_checkpoint_writes
insert into checkpoint_writes
select row.* from jsonb_populate_record(null::checkpoint_writes, %(row)s::jsonb) row
where row.thread_id = %(thread)s on conflict do nothing
