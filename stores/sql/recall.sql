-- name: search
-- Exact distances within the scope, BM25 (Robertson & Zaragoza 2009; k1 1.2, b 0.75, binary term frequency) with
-- statistics of the same scope, and the half-half sum of the two legs' scores, each scaled to its best and worst.
with live as materialized (
    select 'fact' as source, id, known_from as recorded_at, terms, length, -(embedding <#> %(vector)s) as similarity
    from perdure.facts
    where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and %(facts)s
      and case when %(known)s::timestamptz is null then known_to is null
               else known_from <= %(known)s and (known_to is null or known_to > %(known)s) end
      and valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s)
    union all
    select 'episode', id, recorded_at, terms, length, -(embedding <#> %(vector)s)
    from perdure.episodes
    where tenant = %(tenant)s and user_id = %(user)s and agent in ('', %(agent)s) and %(episodes)s
      and (%(kind)s::text is null or kind = %(kind)s)
      and (%(known)s::timestamptz is null or recorded_at <= %(known)s)
      and valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s)
      and (%(exclude_thread)s = '' or thread <> %(exclude_thread)s)
), collection as (
    select count(*)::float8 as n, avg(length)::float8 as mean_length from live
), matched as materialized (
    select l.source, l.id, l.length, t.term from live l, unnest(%(terms)s::int4[]) as t (term)
    where t.term = any(l.terms)
), rarity as (
    select term, ln(1 + (c.n - count(*) + 0.5) / (count(*) + 0.5)) as weight
    from matched, collection c group by term, c.n
), lexical as (
    select m.source, m.id,
           sum(r.weight * 2.2 / (1 + 1.2 * (0.25 + 0.75 * m.length / nullif(c.mean_length, 0)))) as score
    from matched m join rarity r using (term) cross join collection c
    group by m.source, m.id
), span as (
    select min(similarity) as low, max(similarity) as high, (select max(score) from lexical) as best from live
), scored as (
    select l.source, l.id, l.recorded_at, l.similarity, coalesce(x.score / s.best, 0) as lexical,
           0.5 * coalesce((l.similarity - s.low) / nullif(s.high - s.low, 0), 1)
           + 0.5 * coalesce(x.score / s.best, 0) as score
    from live l left join lexical x using (source, id) cross join span s
), placed as (
    select *, row_number() over (partition by source order by score desc, recorded_at desc, id) as place from scored
), ranked as (
    -- Where facts are wanted too, exchanges take at most half of the places: there are many more of them.
    select * from placed
    where source = 'fact' or not %(facts)s or place <= ceil(%(k)s / 2.0)
    order by score desc, recorded_at desc, id
    limit %(k)s
)
select r.source, r.id, r.score, r.similarity, r.lexical, f.kind, f.subject, f.attribute, f.value, f.content,
       f.valid_from, f.dated, f.valid_to, r.recorded_at, f.thread, f.message, f.trust, f.importance, f.version
from ranked r join perdure.facts f
  on r.source = 'fact' and f.tenant = %(tenant)s and f.user_id = %(user)s and f.id = r.id and f.known_from = r.recorded_at
union all
select r.source, r.id, r.score, r.similarity, r.lexical, e.kind, 'user', '', '', e.content,
       e.valid_from, true, e.valid_to, r.recorded_at, e.thread, e.message, 'user', 5, 1
from ranked r join perdure.episodes e
  on r.source = 'episode' and e.tenant = %(tenant)s and e.user_id = %(user)s and e.id = r.id
order by score desc, recorded_at desc, id
