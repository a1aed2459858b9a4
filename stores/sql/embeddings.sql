-- name: lookup
select text_hash, embedding from perdure.embeddings
where tenant = %(tenant)s and user_id = %(user)s and model = %(model)s and text_hash = any(%(hashes)s)

-- name: save
insert into perdure.embeddings (tenant, user_id, model, text_hash, embedding)
values (%(tenant)s, %(user)s, perdure.model_for_writing(%(model)s), %(text_hash)s, %(embedding)s)
on conflict do nothing

-- name: forget
-- Deletes the vectors of erased texts that no remaining statement has.
delete from perdure.embeddings e
where tenant = %(tenant)s and user_id = %(user)s and text_hash = any(%(hashes)s)
  and not exists (
      select from perdure.statements s
      where s.tenant = %(tenant)s and s.user_id = %(user)s
        and sha256(convert_to(s.content, 'UTF8')) = e.text_hash)

-- fragment: orphans
-- Vectors of texts that neither a statement nor an episode has, nor are they a task's first line, by which tasks are compared.
from perdure.embeddings
where tenant = %(tenant)s and user_id = %(user)s
  and text_hash not in (
      select sha256(convert_to(content, 'UTF8')) from perdure.statements
      where tenant = %(tenant)s and user_id = %(user)s
      union all
      select sha256(convert_to(content, 'UTF8')) from perdure.episodes
      where tenant = %(tenant)s and user_id = %(user)s
      union all
      select sha256(convert_to(coalesce(nullif(details->>'task', ''), split_part(content, chr(10), 1)), 'UTF8'))
      from perdure.episodes where tenant = %(tenant)s and user_id = %(user)s and kind = 'task')

-- name: count_orphans
select count(*) as orphans
-- include: orphans

-- name: forget_orphans
delete
-- include: orphans
