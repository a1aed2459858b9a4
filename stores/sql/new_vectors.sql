-- The vectors of another model, as they come in during a re-embedding: for rows that still have the text that was embedded.

-- name: fill_statement
with there as (
    update perdure.statements set reembedded = true
    where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s and content = %(content)s
      and exists (select from perdure.reembedding where model = %(model)s)
    returning 1
), facts as (
    update perdure.facts set embedding_next = %(embedding)s
    where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s and content = %(content)s
      and embedding_next is null and exists (select from there)
)
insert into perdure.embeddings (tenant, user_id, model, text_hash, embedding)
select %(tenant)s, %(user)s, %(model)s, %(text_hash)s, %(embedding)s from there
on conflict do nothing

-- name: fill_fact
with there as (
    update perdure.facts set embedding_next = %(embedding)s
    where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s and content = %(content)s
      and embedding_next is null and exists (select from perdure.reembedding where model = %(model)s)
    returning 1
)
insert into perdure.embeddings (tenant, user_id, model, text_hash, embedding)
select %(tenant)s, %(user)s, %(model)s, %(text_hash)s, %(embedding)s from there limit 1
on conflict do nothing

-- name: fill_episode
with there as (
    update perdure.episodes set embedding_next = %(embedding)s
    where tenant = %(tenant)s and user_id = %(user)s and id = %(id)s and content = %(content)s
      and exists (select from perdure.reembedding where model = %(model)s)
    returning 1
)
insert into perdure.embeddings (tenant, user_id, model, text_hash, embedding)
select %(tenant)s, %(user)s, %(model)s, %(text_hash)s, %(embedding)s from there
on conflict do nothing
