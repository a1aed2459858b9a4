-- Of the whole database: whose vectors its rows have.

-- name: model
select model from perdure.embedder

-- name: stay
-- The model stays in force until the transaction ends; an error if it is not.
select perdure.model_for_writing(%(model)s)
