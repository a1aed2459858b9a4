-- Of the whole database: whose vectors its rows have.

-- name: model
select model from perdure.embedder
