-- What model calls cost: one row for all calls of a user, agent, thread, day (of UTC), purpose and model. The names are
-- too long to be a key together: `line` is a hash of those that the key leaves out.
create table perdure.costs (
    tenant text not null,
    user_id text not null,
    day date not null,
    line uuid not null,
    agent text not null,
    thread text not null,
    purpose text not null,
    model text not null,
    calls bigint not null,
    failed bigint not null,
    input_tokens bigint not null,
    cached_input_tokens bigint not null,
    output_tokens bigint not null,
    texts bigint not null,
    cached_texts bigint not null,
    price numeric not null,
    unpriced bigint not null,
    latency_ms bigint not null,
    slowest_ms bigint not null,
    batch uuid not null,
    primary key (tenant, user_id, day, line)
);
