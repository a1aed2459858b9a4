-- name: unindexed_facts
select tenant, user_id, id, known_from, content, value, attribute from perdure.facts where words is null limit 500

-- name: unindexed_episodes
select tenant, user_id, id, content from perdure.episodes where words is null limit 500

-- name: index_fact
update perdure.facts set words = %(words)s, terms = %(terms)s, script = %(script)s
where tenant = %(tenant)s and user_id = %(user_id)s and id = %(id)s and known_from = %(known_from)s

-- name: index_episode
update perdure.episodes set words = %(words)s, terms = %(terms)s, script = %(script)s
where tenant = %(tenant)s and user_id = %(user_id)s and id = %(id)s
