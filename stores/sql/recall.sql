-- How memories are found. Facts and episodes of the scope that hold at the time asked for are scored by the cosine of
-- their vectors and the share of the question's terms that they have, to which the weights of a preset are added.

-- fragment: question
-- Its vector, once for all: it must be of the model in force.
with question as materialized (
    select perdure.of_model(%(vector)s, %(model)s) as vector

-- fragment: asked_facts
    where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and %(facts)s
      and valid_from <= %(until)s and (valid_to is null or valid_to > %(since)s)
      and (%(attributes)s::text[] is null or attribute = any(%(attributes)s))
      and (expires_at is null or expires_at > %(now)s)

-- fragment: asked_episodes
    where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and %(episodes)s
      and valid_from <= %(happened_until)s and (valid_to is null or valid_to > %(happened_until)s)
      and (%(happened_since)s::timestamptz is null or valid_from >= %(happened_since)s)
      and (kind = any(%(kinds)s::text[]) or %(kinds)s::text[] is null and details->'only_asked' is null)
      and (%(thread)s = '' or thread = %(thread)s) and (%(exclude_thread)s = '' or thread <> %(exclude_thread)s)
      and (expires_at is null or expires_at > %(now)s)

-- fragment: fact_legs
-- What is older than any memory counts as that old: PostgreSQL refuses the exponential of less than about -700.
           id, known_from,
           attribute = any(%(asked)s::text[]) as asked,
           case when %(period_since)s::timestamptz is null then 0 else 1 end::float8 as in_period,
           subject <> 'user' and lower(subject) = any(%(names)s::text[]) as is_named,
           importance / 10::float8 as importance,
           1 - 1 / corroboration::float8 as corroborated,
           case when importance >= 9 or kind = any(%(lasting)s::text[])
                     or attribute = any(%(lasting_attributes)s::text[]) then 1
                else exp(greatest(-100, %(fading)s::float8 * greatest(0, date_part('epoch', %(now)s::timestamptz - case
                         when dated and valid_from > '1000-01-02' then valid_from else known_from end))))
                end as freshness,
           least(1, %(brief)s::float8 / greatest(octet_length(content), 1)) as brevity,
           script not in (0, %(script)s) as abroad,
           -(embedding <#> (select vector from question)) as similarity,
           coalesce(-(words <#> %(words)s), 0)::bigint as mask
    from perdure.facts

-- fragment: episode_legs
-- Details are whatever the host application wrote. What is in no thread stands next to nothing.
           id, recorded_at, thread, case when thread = '' then 0 else place end as place,
           case when lower(speaker) = any(%(names)s::text[]) then speaker else '' end as named,
           -- What happens is often told some days later.
           case when valid_from >= %(period_since)s and valid_from < %(period_until)s then 1
                when valid_from >= %(period_since)s and valid_from < %(period_told)s then 0.5
                else 0 end::float8 as in_period,
           case when kind = 'event' and jsonb_typeof(details->'importance') = 'number'
                then least(10, greatest(0, (details->>'importance')::numeric))::float8 else 5 end / 10 as importance,
           -- What nobody rated went neither well nor badly.
           case when kind = 'lesson' then 1
                when kind <> 'task' then 0
                when jsonb_typeof(details->'quality') = 'number'
                then least(1, greatest(0, (details->>'quality')::numeric))::float8 else 0.5 end as outcome,
           exp(greatest(-100, %(fading)s::float8 * greatest(0, date_part('epoch', %(now)s::timestamptz - valid_from))))
               as freshness,
           least(1, %(brief)s::float8 / greatest(octet_length(content), 1)) as brevity,
           script not in (0, %(script)s) as abroad,
           -(embedding <#> (select vector from question)) as similarity,
           coalesce(-(words <#> %(words)s), 0)::bigint as mask
    from perdure.episodes

-- fragment: relevance
-- The weighted mean of cosine and coverage, the share of the question's terms that a row has, the rarer ones counting
-- more; a long text has words of everything. Across scripts there is hardly a word in common: there the cosine counts,
-- raised to what it would be in one.
-- Inverse document frequency (Spärck Jones 1972) within the scope; a term that no row has weighs most. Of an exchange,
-- the words of the one before count half: they are what it answers.
), answering as materialized (
    select *, case when lag(place) over w = place - 1 then lag(mask) over w & ~mask else 0 end as mask_before
    from happened window w as (partition by thread order by place)
), patterns as materialized (
    select mask, count(*)::float8 as rows
    from (select mask from believed where mask > 0 union all select mask from happened where mask > 0) m
    group by mask
), rarity as materialized (
    select n, ln((greatest(c.rows, t.rows) + 1) / (coalesce((%(known_rows)s::float8[])[n + 1], t.rows) + 0.5)) as weight
    from (select n, coalesce(sum(p.rows), 0) as rows
          from generate_series(0, %(terms)s - 1) n left join patterns p on p.mask >> n & 1 = 1
          group by n) t,
         (select coalesce(%(rows)s::float8, (select count(*) from believed) + (select count(*) from happened)) as rows) c
), covered as materialized (
    select mask, sum(r.weight) / nullif((select sum(weight) from rarity), 0) as coverage
    from (select mask from patterns union select mask_before from answering where mask_before > 0) m
    join rarity r on m.mask >> r.n & 1 = 1
    group by mask
), facts as (
    select *, greatest(mixed, case when abroad then %(abroad)s::float8 * similarity end) as relevance
    from (select *, (1 - %(lexical)s::float8) * greatest(similarity, 0) + %(lexical)s::float8 * coverage as mixed
          from (select b.*, coalesce(c.coverage, 0) * sqrt(brevity) as coverage
                from believed b left join covered c using (mask)) b) b
), exchanges as materialized (
    select *, greatest(mixed, case when abroad then %(abroad)s::float8 * similarity end) as own
    from (select *, (1 - %(lexical_exchange)s::float8) * greatest(similarity, 0)
                    + %(lexical_exchange)s::float8 * coverage as mixed
          from (select a.*, coalesce(o.coverage, 0) * sqrt(brevity)
                            + coalesce(b.coverage, 0) * brevity / 2 as coverage
                from answering a
                left join covered o on o.mask = a.mask left join covered b on b.mask = a.mask_before) a) a
), one_named as (
    select count(distinct named) = 1 as is_one from happened where named <> ''

-- fragment: neighbours
    brevity * (coalesce(case when lag(place) over w = place - 1 then lag(own * brevity) over w end, 0)
               + coalesce(case when lead(place) over w = place + 1 then lead(own * brevity) over w end, 0)
               + coalesce(case when lag(place, 2) over w = place - 2 then lag(own * brevity, 2) over w end, 0) / 2
               + coalesce(case when lead(place, 2) over w = place + 2 then lead(own * brevity, 2) over w end, 0) / 2)

-- fragment: best
-- The candidates of each source: what is not relevant takes no place from what is. Of both, episodes take at most half,
-- and what facts leave: there are many more of them.
), best as (
    (select 'fact' as source, id, known_from as recorded_at, similarity, coverage, relevance, asked::int as asked,
            %(weight)s::float8 * relevance + %(asked_weight)s::float8 * asked::int
            + %(named_weight)s::float8 * is_named::int + %(period_weight)s::float8 * in_period
            + %(importance)s::float8 * importance + %(corroboration)s::float8 * corroborated + %(recency)s::float8 * freshness as score
     from facts
     order by greatest(relevance, asked::int) >= %(floor)s::float8 desc, score desc, similarity desc, known_from desc, id
     limit %(candidates)s)
    union all
    (select 'episode', id, recorded_at, similarity, coverage, relevance, (%(anything)s and in_period = 1)::int,
            %(weight)s::float8 * relevance + %(asked_weight)s::float8 * (%(anything)s and in_period = 1)::int
            + %(named_weight)s::float8 * (named <> '' and is_one)::int
            + %(period_weight)s::float8 * in_period + %(importance)s::float8 * importance
            + %(outcome)s::float8 * outcome + %(recency)s::float8 * freshness as score
     from (select *, own + %(nearby)s::float8 *
           -- include: neighbours
           as relevance
           from exchanges window w as (partition by thread order by place)) e, one_named
     order by relevance >= %(floor)s::float8 desc, score desc, similarity desc, recorded_at desc, id
     limit greatest(ceil(%(candidates)s / 2.0), %(candidates)s - (select count(*) from believed)))

-- fragment: told
-- Nothing, unless the most relevant is relevant enough, or the question names an attribute that there is; nor what falls
-- far behind the best. What repeats a better one loses. Then as many as are wanted, and fit the tokens (about four bytes
-- each).
), told as materialized (
    select b.*, f.kind, f.subject, f.attribute, f.value, f.content, f.valid_from, f.dated, f.valid_to, f.thread,
           f.message, f.trust, f.importance as grade, f.corroboration, f.version, f.embedding
    from best b join perdure.facts f
      on b.source = 'fact' and f.tenant = %(tenant)s and f.user_id = %(user)s and f.id = b.id
         and f.known_from = b.recorded_at
    union all
    select b.*, e.kind, 'user', '', '', e.content, e.valid_from, true, e.valid_to, e.thread,
           e.message, 'user', 5, 1, 1, e.embedding
    from best b join perdure.episodes e
      on b.source = 'episode' and e.tenant = %(tenant)s and e.user_id = %(user)s and e.id = b.id
), apart as (
    select *, case when %(diversity)s::float8 > 0 then coalesce((
               select max(-(t.embedding <#> x.embedding)) from told x
               where (x.score, x.recorded_at, x.id) > (t.score, t.recorded_at, t.id)), 0) else 0 end as echo
    from told t
), ranked as (
    select *, score - %(diversity)s::float8 * echo as final from apart
), judged as (
    select *,
           max(greatest(relevance, asked)) over () >= %(threshold)s::float8
           and greatest(relevance, asked) >= %(floor)s::float8
           and (source = 'episode' or %(tail)s::float8 = 0 or final >= %(tail)s::float8 * max(final) over ())
               as is_relevant
    from ranked
), fitting as (
    select *, sum(octet_length(left(content, 1000)))
                  over (order by is_relevant desc, final desc, recorded_at desc, id) / 4
              - octet_length(left(content, 1000)) / 4 as tokens_before
    from judged where is_relevant or %(weak)s
)

-- fragment: columns
select source, id, kind, subject, attribute, value, content, valid_from, dated, valid_to, recorded_at, thread, message,
       trust, grade as importance, corroboration, version, final as score, relevance, not is_relevant as weak, similarity,
       coverage

-- fragment: kept
from fitting
where %(tokens)s::int is null or tokens_before < %(tokens)s
order by is_relevant desc, final desc, recorded_at desc, id limit %(k)s

-- name: search
-- Every row of the scope that is believed now, each scored.
-- include: question
), believed as materialized (
    select
    -- include: fact_legs
    -- include: asked_facts
      and known_to is null
), happened as materialized (
    select
    -- include: episode_legs
    -- include: asked_episodes
    -- include: relevance
    -- include: best
    -- include: told
-- include: columns
-- include: kept

-- name: search_in_full
-- The same in any fusion, as known at any moment, and with all that was measured: for those who ask why.
-- include: question
), believed as materialized (
    select
    -- include: fact_legs
    -- include: asked_facts
      and case when %(known)s::timestamptz is null then known_to is null
               else known_from <= %(known)s and (known_to is null or known_to > %(known)s) end
), happened as materialized (
    select
    -- include: episode_legs
    -- include: asked_episodes
      and (%(known)s::timestamptz is null or recorded_at <= %(known)s)
    -- include: relevance
), legs as materialized (
    select 'fact' as source, id, known_from as recorded_at, '' as thread, 0::bigint as place, similarity, coverage,
           brevity, relevance as own, relevance > mixed as raised, %(lexical)s::float8 as words_share, asked::int as asked,
           is_named::int as named, in_period, importance, corroborated, 0::float8 as outcome, freshness
    from facts
    union all
    select 'episode', id, recorded_at, thread, place, similarity, coverage, brevity, own, own > mixed, %(lexical_exchange)s::float8,
           (%(anything)s and in_period = 1)::int, (named <> '' and is_one)::int, in_period, importance, 0, outcome, freshness
    from exchanges, one_named
), ranks as (
    select source, id, recorded_at, row_number() over (order by similarity desc, id) as vector_rank,
           case when coverage > 0 then row_number() over (order by coverage desc, id) end as lexical_rank
    from legs
), span as (
    select min(similarity) as low, nullif(max(similarity) - min(similarity), 0) as width, nullif(max(coverage), 0) as most
    from legs
), scaled as (
    select l.source, l.id, l.recorded_at, thread, place, similarity, coverage, brevity, own, asked, named, in_period, importance,
           corroborated, outcome, freshness, vector_rank, lexical_rank,
           case when raised and %(fusion)s = 'absolute' then 0 else words_share end as words_share,
           case %(fusion)s when 'ranks' then 61 / (60 + vector_rank)::float8
                           when 'minmax' then coalesce((similarity - low) / width, 1)
                           else case when raised then own else greatest(similarity, 0) end end as vector_scaled,
           case %(fusion)s when 'ranks' then coalesce(61 / (60 + lexical_rank)::float8, 0)
                           when 'minmax' then coalesce(coverage / most, 0)
                           else coverage end as lexical_scaled
    from legs l join ranks using (source, id, recorded_at) cross join span
), near as (
    select *, case when place > 0 then
           -- include: neighbours
           else 0 end as beside
    from scaled window w as (partition by thread order by place)
), scored as (
    select source, id, recorded_at, similarity, coverage, words_share, asked, named, in_period, importance, corroborated, outcome,
           freshness, vector_rank, lexical_rank, vector_scaled, lexical_scaled, beside,
           own + %(nearby)s::float8 * beside as relevance,
           %(weight)s::float8 * ((1 - words_share) * vector_scaled + words_share * lexical_scaled
                                 + %(nearby)s::float8 * beside)
           + %(asked_weight)s::float8 * asked + %(named_weight)s::float8 * named + %(period_weight)s::float8 * in_period
           + %(importance)s::float8 * importance + %(corroboration)s::float8 * corroborated
           + %(outcome)s::float8 * outcome + %(recency)s::float8 * freshness as score
    from near
), best as (
    select * from (
        select *, row_number() over (
                   partition by source
                   order by greatest(relevance, asked) >= %(floor)s::float8 desc, score desc, similarity desc,
                            recorded_at desc, id) as of_source
        from scored) s
    where of_source <= case source when 'fact' then %(candidates)s
                       else greatest(ceil(%(candidates)s / 2.0), %(candidates)s - (select count(*) from believed)) end
    -- include: told
-- include: columns
       , vector_rank, lexical_rank, vector_scaled, lexical_scaled, words_share, beside, asked, named, in_period,
       importance as important, corroborated, outcome, freshness, echo
-- include: kept

-- name: nearest
-- By vectors alone. Where the user has indexes of their own (see `large_users`), they are used.
-- include: question
), near_facts as materialized (
    select 'fact' as source, id, known_from as recorded_at, -(embedding <#> (select vector from question)) as similarity
    from perdure.facts
    -- include: asked_facts
      and known_to is null
    order by embedding <#> (select vector from question), known_from desc, id limit %(candidates)s
), near_episodes as materialized (
    select 'episode' as source, id, recorded_at, -(embedding <#> (select vector from question)) as similarity
    from perdure.episodes
    -- include: asked_episodes
    order by embedding <#> (select vector from question), recorded_at desc, id limit %(candidates)s
), best as (
    select *, 0::float8 as coverage, greatest(similarity, 0) as relevance, 0 as asked, greatest(similarity, 0) as score
    from (select * from near_facts
          union all
          (select * from near_episodes order by similarity desc, recorded_at desc, id
           limit greatest(ceil(%(candidates)s / 2.0), %(candidates)s - (select count(*) from near_facts)))) n
    -- include: told
-- include: columns
-- include: kept

-- name: search_large
-- Of a user who has too many memories to score each: the nearest by vector, all that have a rarer term of the question,
-- and what stands next to the nearest exchanges.
-- include: question
), near_facts as materialized (
    select
    -- include: fact_legs
    -- include: asked_facts
      and known_to is null
    order by embedding <#> (select vector from question) limit %(nearest)s
), near_episodes as materialized (
    select
    -- include: episode_legs
    -- include: asked_episodes
    order by embedding <#> (select vector from question) limit %(nearest)s
), believed as materialized (
    select * from near_facts
    union
    select
    -- include: fact_legs
    -- include: asked_facts
      and known_to is null and terms && %(rare)s::int[]
), happened as materialized (
    select * from near_episodes
    union
    select beside.* from near_episodes n cross join lateral (
        select
        -- include: episode_legs
        -- include: asked_episodes
          and thread = n.thread and place between n.place - 2 and n.place + 2) beside
    union
    select
    -- include: episode_legs
    -- include: asked_episodes
      and terms && %(rare)s::int[]
    -- include: relevance
    -- include: best
    -- include: told
-- include: columns
-- include: kept

-- name: latest
select 'episode' as source, id, kind, 'user' as subject, '' as attribute, '' as value, content, valid_from, true as dated,
       valid_to, recorded_at, thread, message, 'user' as trust, 5 as importance, 1 as corroboration, 1 as version,
       0::float8 as score, 0::float8 as relevance, false as weak, 0::float8 as similarity, 0::float8 as coverage
from perdure.episodes
-- include: asked_episodes
  and (%(known)s::timestamptz is null or recorded_at <= %(known)s)
order by valid_from desc, id limit %(k)s
