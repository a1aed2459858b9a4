-- name: some_facts
select from perdure.facts where words is null limit 1

-- name: some_episodes
select from perdure.episodes where words is null limit 1

-- name: unindexed_facts
-- Locked all at once, but for those that somebody writes: whoever waits for a row and holds others may be waited for.
select tenant, user_id, id, known_from, content, value, attribute from perdure.facts where words is null limit 500
for update skip locked

-- name: unindexed_episodes
select tenant, user_id, id, content from perdure.episodes where words is null limit 500
for update skip locked

-- name: index_fact
update perdure.facts set words = %(words)s, terms = %(terms)s, script = %(script)s
where tenant = %(tenant)s and user_id = %(user_id)s and id = %(id)s and known_from = %(known_from)s

-- name: index_episode
update perdure.episodes set words = %(words)s, terms = %(terms)s, script = %(script)s
where tenant = %(tenant)s and user_id = %(user_id)s and id = %(id)s
