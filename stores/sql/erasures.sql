-- name: begin
insert into perdure.erasures (tenant, subject, counts, runs, started_at)
values (%(tenant)s, %(subject)s, '{}', 1, %(now)s)
on conflict (tenant, subject) where finished_at is null do update set runs = erasures.runs + 1

-- name: is_begun
select from perdure.erasures where tenant = %(tenant)s and subject = %(subject)s and finished_at is null

-- name: add
update perdure.erasures set counts = (
    select coalesce(jsonb_object_agg(key, rows), '{}') from (
        select key, sum(value::bigint) as rows
        from (select * from jsonb_each_text(counts) union all select * from jsonb_each_text(%(counts)s)) counted
        group by key
    ) summed)
where tenant = %(tenant)s and subject = %(subject)s and finished_at is null

-- name: finish
update perdure.erasures set finished_at = greatest(%(now)s, started_at)
where tenant = %(tenant)s and subject = %(subject)s and finished_at is null
returning counts, runs, started_at, finished_at
