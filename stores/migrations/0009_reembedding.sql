-- Going over to another embedding model: the new vectors stand beside the old until all are there, then take their place.

-- How settings name the model in force, for processes that still run with another one. Empty: as they do already.
alter table perdure.embedder add column name text not null default '', add column dimensions integer;

-- The re-embedding that is under way. The columns of the new vectors (`facts.embedding_next`, `episodes.embedding_next`,
-- and `statements.reembedded` for texts that no row holds at present) are there only until it is decided.
create table perdure.reembedding (
    only_row boolean primary key default true check (only_row),
    model text not null,
    name text not null,
    dimensions integer,
    dimension integer not null,
    begun_at timestamptz not null,
    -- Decided, one way or the other: only tidying is left.
    decided boolean not null default false,
    writers_wait_until timestamptz
);

-- What a search compares with: a vector of the model in force, or none. A table that the statement reads cannot change
-- its vectors meanwhile, and the statement's snapshot is younger than its locks.
create function perdure.of_model(asked vector, made_by text) returns vector
language plpgsql stable parallel safe as $$
begin
    if made_by <> (select model from perdure.embedder) then
        raise exception using errcode = 'PDR01', message = 'the vector is not of the embedding model in force';
    end if;
    return asked;
end $$;

-- The model under which a writer keeps its vectors; it stays in force until the writer's transaction ends. Nobody waits
-- here, with locks that others need: whoever comes at the wrong moment is sent away and comes again.
create function perdure.model_for_writing(made_by text) returns text
language plpgsql volatile as $$
declare
    in_force text;
begin
    if not pg_try_advisory_xact_lock_shared(x'7065726a'::int)
       or exists (select from perdure.reembedding where writers_wait_until > clock_timestamp()) then
        raise exception using errcode = 'PDR01', message = 'the embedding model is being changed';
    end if;
    select model into in_force from perdure.embedder;
    if made_by <> in_force then
        raise exception using errcode = 'PDR01', message = 'the vector is not of the embedding model in force';
    end if;
    return in_force;
end $$;

-- A row that is written during a re-embedding has its new vector at once, if that of its text is known.
create function perdure.fill_next() returns trigger
language plpgsql as $$
begin
    new.embedding_next := (
        select e.embedding from perdure.embeddings e, perdure.reembedding r
        where e.tenant = new.tenant and e.user_id = new.user_id and e.model = r.model
          and e.text_hash = sha256(convert_to(new.content, 'UTF8')));
    return new;
end $$;
