-- What all users of a tenant spent, beside each other: whoever pays asks that. It reads no memory.

-- name: by_user
select user_id as name,
       sum(calls)::bigint as calls, sum(failed)::bigint as failed, sum(input_tokens)::bigint as input_tokens,
       sum(cached_input_tokens)::bigint as cached_input_tokens, sum(output_tokens)::bigint as output_tokens,
       sum(texts)::bigint as texts, sum(cached_texts)::bigint as cached_texts, sum(price) as price,
       sum(unpriced)::bigint as unpriced, sum(latency_ms)::bigint as latency_ms, max(slowest_ms) as slowest_ms
from perdure.costs
where tenant = %(tenant)s and (%(since)s::date is null or day >= %(since)s)
group by 1 order by 1
