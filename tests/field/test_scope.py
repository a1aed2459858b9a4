"""What people report of other memories about whose memory is searched: nothing is found, or what belongs to others."""

from __future__ import annotations

import pytest
from told import ME

from perdure import Context, Memory, Scope
from perdure.errors import InvalidInput, NotFound

BOTH = [
    ("I play the cello in an orchestra.", "Which instrument do I play?"),
    ("나는 오케스트라에서 첼로를 연주해.", "내가 연주하는 악기가 뭐야?"),
]


async def contents(memory: Memory, query: str, context: Context) -> list[str]:
    """All that is found there, whatever its relevance: facts and exchanges."""
    return [hit.content for hit in await memory.recall(query, context=context, k=50, threshold=0)]


@pytest.mark.parametrize(("said", "question"), BOTH)
async def test_scope_filter_of_user_and_agent_finds_what_both_were_given_for(
    memory: Memory, said: str, question: str
) -> None:
    """FC33: as a note and as an exchange; neither the user alone, nor the agent of another user, nor another agent."""
    mine = Context(user="u1", agent="a1")
    await memory.remember(said, context=mine)
    await memory.ask(said, thread="t", context=mine)
    assert (await memory.recall(question, context=mine))[0].content == said
    found = await memory.recall(question, context=mine, threshold=0)
    assert {hit.source for hit in found} == {"fact", "episode"} and all(said in hit.content for hit in found)
    for other in (Context(user="u1"), Context(user="u1", agent="a2"), Context(user="u2", agent="a1")):
        assert await contents(memory, question, other) == []
        assert await memory.conversations(question, context=other) == []


@pytest.mark.parametrize(("said", "question"), BOTH)
async def test_scope_filter_of_user_and_agent_finds_the_user_s_own_too(
    memory: Memory, said: str, question: str
) -> None:
    """FC33: each was given on its own, the user for one memory and the user's agent for another."""
    other = "My sister lives in Lisbon."
    await memory.remember(said, user="u1")
    await memory.remember(other, context=Context(user="u1", agent="a1"))
    assert set(await contents(memory, question, Context(user="u1", agent="a1"))) == {said, other}
    assert await contents(memory, question, Context(user="u1")) == [said]


@pytest.mark.parametrize(
    ("said", "value", "name", "question"),
    [
        ("I eat nothing that comes from animals.", "vegan", "diet", "What should you know before you cook for me?"),
        ("나는 동물에서 나온 건 안 먹어.", "비건", "식단", "나한테 요리해 주려면 뭘 알아야 해?"),
        ("My shelf holds the blue folders.", "blue", "shelf.colour", "Which folders are on the shelf?"),
    ],
)
async def test_scope_filter_by_attribute_finds_the_fact(
    memory: Memory, said: str, value: str, name: str, question: str
) -> None:
    """FC34: by an alias of the vocabulary, English or Korean, and by a name that was never seen before."""
    await memory.remember(said, attribute=name, value=value, user="me")
    await memory.remember("My sister lives in Lisbon.", user="me")
    (hit,) = await memory.recall(question, user="me", attributes=[name], threshold=0)
    assert (hit.content, hit.value) == (said, value)
    assert said in await contents(memory, question, Context(user="me"))
    assert await memory.recall(question, user="me", attributes=["work.role"], threshold=0) == []


@pytest.mark.parametrize("name", ["diet=vegan", "age >= 18", "%", "", "diet\x00"])
async def test_scope_filter_that_is_no_name_is_refused(memory: Memory, name: str) -> None:
    """FC34: comparisons are not understood, and say so."""
    await memory.remember("I am vegan.", attribute="diet", value="vegan", user="me")
    with pytest.raises(InvalidInput):
        await memory.recall("What do I eat?", user="me", attributes=[name])


async def test_scope_filter_that_does_not_exist_is_refused(memory: Memory) -> None:
    """FC34: neither a search nor a context takes a filter that it would ignore."""
    with pytest.raises(TypeError, match="filters"):
        await memory.recall("What do I eat?", user="me", filters={"diet": "vegan"})  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="diet"):
        Context(user="me", diet="vegan")  # type: ignore[call-arg]
    with pytest.raises(InvalidInput, match="preset"):
        await memory.recall("What do I eat?", user="me", preset="vegan")


@pytest.mark.parametrize(
    ("name", "longer"),
    [("acme", "acme-corp"), ("acme", "acme/me"), ("acme", "acme%"), ("가나", "가나다")],
)
@pytest.mark.parametrize("part", ["tenant", "user", "agent"])
async def test_scope_namespace_is_no_beginning_of_another(memory: Memory, part: str, name: str, longer: str) -> None:
    """FC36: what belongs to the one is neither found, nor listed, nor erased by the other."""
    short, long = (Context(user="me", tenant="t").model_copy(update={part: one}) for one in (name, longer))
    for context, said in ((short, "I play the cello."), (long, "I play the oboe.")):
        await memory.remember(said, context=context)
        await memory.ask(said, thread=f"thread {said}", context=context)
    for context, own, foreign in ((short, "cello", "oboe"), (long, "oboe", "cello")):
        found = await contents(memory, "Which instrument do I play?", context)
        found += [fact.content for fact in await memory.facts.facts(context.scope, history=True)]
        assert len(found) >= 3 and all(own in content and foreign not in content for content in found)
        if part != "agent":  # agents of one user may speak in one thread
            assert [own in thread.thread for thread in await memory.threads(context=context)] == [True]
    if part != "agent":
        await memory.erase(context=short)
        assert await contents(memory, "Which instrument do I play?", short) == []
        assert len(await contents(memory, "Which instrument do I play?", long)) >= 2
        assert len(await memory.threads(context=long)) == 1


@pytest.mark.parametrize("pattern", ["%", "_", "___", "ac%", "acm_", "*", ".*", "acme|x", "{acme}"])
async def test_scope_namespace_is_literal(memory: Memory, pattern: str) -> None:
    """FC38: as a tenant, a user, an agent and a thread, a pattern is the name of its own memory and no other."""
    owner = Context(user="acm", tenant="acme", agent="abc")
    await memory.ask("I play the cello.", thread="acme", context=owner)
    for part in ("tenant", "user", "agent"):
        stranger = owner.model_copy(update={part: pattern})
        assert await contents(memory, "Which instrument do I play?", stranger) == []
        assert await memory.facts.facts(stranger.scope, history=True) == []
        if part != "agent":
            assert await memory.threads(context=stranger) == [] == await memory.pending(context=stranger)
        await memory.remember("I play the oboe.", context=stranger)
        assert await contents(memory, "Which instrument do I play?", stranger) == ["I play the oboe."]
    assert await memory.conversations("cello", context=owner, thread="acme")
    assert await memory.conversations("cello", context=owner, thread=pattern) == []
    assert all("oboe" not in content for content in await contents(memory, "Which instrument do I play?", owner))


@pytest.mark.parametrize("pattern", ["%", "____", "%%%%%%%%"])
async def test_scope_namespace_of_facts_has_no_wildcards(memory: Memory, pattern: str) -> None:
    """FC38: where a fact is named by the beginning of its id."""
    await memory.remember("I play the cello.", user="me")
    for change in (memory.end, memory.retract):
        with pytest.raises((NotFound, InvalidInput)):
            await change(pattern, user="me")
    assert [fact.content for fact in await memory.facts.facts(ME)] == ["I play the cello."]
    assert await memory.facts.facts(Scope(user="me", tenant=pattern)) == []
