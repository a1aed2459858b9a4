-- Statements over the checkpoint tables of langgraph-checkpoint-postgres that its saver lacks.

-- name: try_lock_setup
select pg_try_advisory_lock(hashtextextended('perdure.checkpoints', 0)) as locked

-- name: unlock_setup
select pg_advisory_unlock(hashtextextended('perdure.checkpoints', 0))

-- The index is made last.
-- name: has_tables
select to_regclass('checkpoint_migrations') is not null and to_regclass('checkpoints_run_id_idx') is not null as found

-- name: setup_version
select coalesce(max(v), -1) as version from checkpoint_migrations

-- name: try_lock_thread
select pg_try_advisory_lock(hashtextextended(%(thread)s, 7038)) as locked

-- name: unlock_thread
select pg_advisory_unlock(hashtextextended(%(thread)s, 7038))

-- Threads run by LangGraph's server name their runs; others pay nothing for this index.
-- name: index_runs
create index concurrently if not exists checkpoints_run_id_idx
on checkpoints ((metadata ->> 'run_id')) where metadata ->> 'run_id' is not null

-- A blob goes with the last checkpoint that refers to it; all parts of the statement see the rows as they were.
-- name: delete_for_runs
with gone as (
    delete from checkpoints
    where metadata ->> 'run_id' = any(%(runs)s)
    returning thread_id, checkpoint_ns, checkpoint_id, checkpoint -> 'channel_versions' as versions
), gone_writes as (
    delete from checkpoint_writes w
    using gone
    where w.thread_id = gone.thread_id
      and w.checkpoint_ns = gone.checkpoint_ns
      and w.checkpoint_id = gone.checkpoint_id
), freed as (
    select distinct gone.thread_id, gone.checkpoint_ns, version.key as channel, version.value as version
    from gone, jsonb_each_text(gone.versions) as version
)
delete from checkpoint_blobs b
using freed
where b.thread_id = freed.thread_id
  and b.checkpoint_ns = freed.checkpoint_ns
  and b.channel = freed.channel
  and b.version = freed.version
  and not exists (
      select 1
      from checkpoints kept
      where kept.thread_id = b.thread_id
        and kept.checkpoint_ns = b.checkpoint_ns
        and kept.checkpoint -> 'channel_versions' ->> b.channel = b.version
        and (kept.metadata ->> 'run_id' = any(%(runs)s)) is not true
  )

-- One statement, so that the copy is of one moment even while the source runs on.
-- name: copy_thread
with copied_blobs as (
    insert into checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    select %(target)s, checkpoint_ns, channel, version, type, blob
    from checkpoint_blobs
    where thread_id = %(source)s
    on conflict do nothing
), copied_writes as (
    insert into checkpoint_writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    select %(target)s, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob
    from checkpoint_writes
    where thread_id = %(source)s
    on conflict do nothing
)
insert into checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
select
    %(target)s, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,
    case
        when metadata ? 'thread_id' then jsonb_set(metadata, '{thread_id}', to_jsonb(%(target)s::text))
        else metadata
    end
from checkpoints
where thread_id = %(source)s
on conflict do nothing

-- Where each thread stands at its latest checkpoint. A node runs next when the channel that leads to it holds a value,
-- and at the checkpoint of an input the graph's entrance does. A task that has written anything but how it fared is done.
-- name: thread_heads
with threads as (
    select thread_id, count(*) as checkpoints, max(checkpoint_id) as latest
    from checkpoints
    where checkpoint_ns = '' and starts_with(thread_id, %(prefix)s)
    group by thread_id
)
select threads.thread_id as thread, threads.checkpoints, (head.checkpoint ->> 'ts')::timestamptz as updated_at,
       array(
           select '__start__' where head.metadata ->> 'source' = 'input'
           union all
           select substr(channel, length('branch:to:') + 1)
           from jsonb_object_keys(head.checkpoint -> 'channel_values') as channel
           where starts_with(channel, 'branch:to:')
       ) as next,
       asked.types, asked.blobs
from threads
join checkpoints head
  on head.thread_id = threads.thread_id and head.checkpoint_ns = '' and head.checkpoint_id = threads.latest
left join lateral (
    select array_agg(w.type order by w.task_path, w.task_id) as types,
           array_agg(w.blob order by w.task_path, w.task_id) as blobs
    from checkpoint_writes w
    where w.thread_id = threads.thread_id and w.checkpoint_ns = '' and w.checkpoint_id = threads.latest
      and w.channel = '__interrupt__'
      and not exists (
          select 1
          from checkpoint_writes done
          where done.thread_id = w.thread_id and done.checkpoint_ns = w.checkpoint_ns
            and done.checkpoint_id = w.checkpoint_id and done.task_id = w.task_id
            and done.channel not in ('__interrupt__', '__resume__', '__error__', '__error_source_node__')
      )
) asked on true
order by updated_at desc, thread

-- What a caller said about a run, as opposed to what LangGraph counts.
-- name: custom_metadata
select metadata - array['source', 'step', 'parents', 'run_id'] as metadata
from checkpoints
where thread_id = %(thread)s and checkpoint_ns = %(namespace)s and checkpoint_id = %(checkpoint)s
