-- Which tables there are, of the memory and of the checkpoints, and what of them may hold words.

-- name: owned_tables
-- The tables of which each row is a user's own, and the tables that they refer to.
select c.relname as table,
       array(select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as refers_to,
       exists (select from pg_attribute a
               where a.attrelid = c.oid and a.attname = 'thread' and not a.attisdropped) as has_thread
from pg_class c
where c.relnamespace = to_regnamespace('perdure') and c.relkind in ('r', 'p')
  and 2 = (select count(*) from pg_attribute a
           where a.attrelid = c.oid and a.attname in ('tenant', 'user_id') and not a.attisdropped)
order by c.relname

-- name: tables
-- Of the schema perdure, or of the checkpointer (whichever schema they are in), each with the columns of text, JSON and
-- bytes.
select n.nspname as schema, c.relname as table,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as all_columns,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
               and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'json'::regtype,
                                  'jsonb'::regtype, 'bytea'::regtype)
             order by a.attnum) as columns,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and a.attnum > 0 and not a.attisdropped) as bytes
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p')
  and (%(schema)s::text = n.nspname
       or %(schema)s is null and pg_table_is_visible(c.oid)
          and c.relname in ('checkpoints', 'checkpoint_blobs', 'checkpoint_writes', 'checkpoint_migrations'))
order by 1, 2

-- name: index_definitions
select indexname as name, indexdef as definition from pg_indexes where schemaname = 'perdure'
