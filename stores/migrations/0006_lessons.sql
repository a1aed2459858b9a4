-- What is learned from what happened: lessons, which come of tasks that went alike, and sessions, which exchanges become
-- once their conversation has ended.

alter table perdure.episodes drop constraint episodes_kind_check;
alter table perdure.episodes add constraint episodes_kind_check
    check (kind in ('exchange', 'session', 'task', 'decision', 'tool_result', 'event', 'lesson'));

-- The session that an exchange became part of; null while its conversation may go on.
alter table perdure.episodes add column session uuid;
create index episodes_open on perdure.episodes (tenant, user_id, agent, thread, occurred_at)
    where kind = 'exchange' and session is null and valid_to is null;

-- Tasks and lessons are few among exchanges.
create index episodes_learning on perdure.episodes (tenant, user_id, agent, kind, occurred_at)
    where kind in ('session', 'task', 'lesson');
