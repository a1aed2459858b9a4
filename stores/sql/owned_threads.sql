-- Threads as the checkpointer keeps them: by their id, which is no user's column. Those whose id Perdure did not make tell
-- by their channel `scope` whose they are.

-- name: of_user
select distinct thread_id as thread from (
    select thread_id from checkpoints where starts_with(thread_id, %(prefix)s) or thread_id = any(%(named)s)
    union all
    select thread_id from checkpoint_blobs
    where starts_with(thread_id, %(prefix)s) or thread_id = any(%(named)s) or channel = 'scope' and blob = %(scope)s
    union all
    select thread_id from checkpoint_writes
    where starts_with(thread_id, %(prefix)s) or thread_id = any(%(named)s) or channel = 'scope' and blob = %(scope)s
) threads
order by thread

-- name: of_nobody
-- Threads of which neither their id nor their state tells whose they are.
select thread_id as thread from (
    select thread_id from checkpoints
    union select thread_id from checkpoint_blobs
    union select thread_id from checkpoint_writes
) threads
where thread_id !~ '^[^/]+/[^/]+/[^/]+$'
  and not exists (select from checkpoint_blobs b where b.thread_id = threads.thread_id and b.channel = 'scope')
  and not exists (select from checkpoint_writes w where w.thread_id = threads.thread_id and w.channel = 'scope')

-- name: delete
with gone as (
    delete from checkpoints where thread_id = %(thread)s returning 1
), gone_blobs as (
    delete from checkpoint_blobs where thread_id = %(thread)s returning 1
), gone_writes as (
    delete from checkpoint_writes where thread_id = %(thread)s returning 1
)
select (select count(*) from gone) as checkpoints,
       (select count(*) from gone_blobs) as checkpoint_blobs,
       (select count(*) from gone_writes) as checkpoint_writes
