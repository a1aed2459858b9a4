-- What a file of all users of a tenant holds beside what is each user's own.

-- name: users_page
select user_id from (
    select user_id from perdure.statements where tenant = %(tenant)s
    union select user_id from perdure.episodes where tenant = %(tenant)s
    union select user_id from perdure.core_blocks where tenant = %(tenant)s
    union select user_id from perdure.policies where tenant = %(tenant)s) as known
where user_id > %(after)s
order by user_id
limit %(limit)s

-- name: attribute_page
select name, cardinality, kind, english, korean, merged_into, author, recorded_at from perdure.attributes
where tenant = %(tenant)s
  and (recorded_at, name) > (%(after_recorded_at)s::timestamptz, %(after_name)s::text)
order by recorded_at, name
limit %(limit)s
