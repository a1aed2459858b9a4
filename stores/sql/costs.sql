-- name: add
-- A batch that was saved, while its writer did not hear of it, comes again: it does not count twice.
insert into perdure.costs as c (tenant, user_id, day, line, agent, thread, purpose, model, calls, failed, input_tokens,
    cached_input_tokens, output_tokens, texts, cached_texts, price, unpriced, latency_ms, slowest_ms, batch)
values (%(tenant)s, %(user)s, %(day)s, %(line)s, %(agent)s, %(thread)s, %(purpose)s, %(model)s, %(calls)s, %(failed)s,
    %(input_tokens)s, %(cached_input_tokens)s, %(output_tokens)s, %(texts)s, %(cached_texts)s, %(price)s, %(unpriced)s,
    %(latency_ms)s, %(slowest_ms)s, %(batch)s)
on conflict (tenant, user_id, day, line) do update set
    calls = c.calls + excluded.calls, failed = c.failed + excluded.failed,
    input_tokens = c.input_tokens + excluded.input_tokens,
    cached_input_tokens = c.cached_input_tokens + excluded.cached_input_tokens,
    output_tokens = c.output_tokens + excluded.output_tokens,
    texts = c.texts + excluded.texts, cached_texts = c.cached_texts + excluded.cached_texts,
    price = c.price + excluded.price, unpriced = c.unpriced + excluded.unpriced,
    latency_ms = c.latency_ms + excluded.latency_ms, slowest_ms = greatest(c.slowest_ms, excluded.slowest_ms),
    batch = excluded.batch
where c.batch <> excluded.batch

-- name: spent
select coalesce(sum(price), 0) as price, coalesce(sum(input_tokens + output_tokens), 0)::bigint as tokens
from perdure.costs where tenant = %(tenant)s and user_id = %(user)s and day = %(day)s

-- name: of_user
select case %(by)s::text when 'day' then day::text when 'thread' then thread when 'model' then model else purpose end
           as name,
       sum(calls)::bigint as calls, sum(failed)::bigint as failed, sum(input_tokens)::bigint as input_tokens,
       sum(cached_input_tokens)::bigint as cached_input_tokens, sum(output_tokens)::bigint as output_tokens,
       sum(texts)::bigint as texts, sum(cached_texts)::bigint as cached_texts, sum(price) as price,
       sum(unpriced)::bigint as unpriced, sum(latency_ms)::bigint as latency_ms, max(slowest_ms) as slowest_ms
from perdure.costs
where tenant = %(tenant)s and user_id = %(user)s and (%(agent)s::text = '' or agent = %(agent)s)
  and (%(since)s::date is null or day >= %(since)s)
group by 1 order by 1
