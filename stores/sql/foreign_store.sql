-- The table of LangGraph's PostgresStore, in the schema where that has made it. It is not Perdure's: it has no tenants.

-- name: item_page
select prefix, key, value, created_at, updated_at from store
where (prefix, key) > (%(after_prefix)s::text, %(after_key)s::text)
  and (%(start)s = '' or prefix = %(start)s or starts_with(prefix, %(start)s || '.'))
order by prefix, key
limit %(limit)s
