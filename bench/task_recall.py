"""Whether a reply gets to see how tasks like the one that is asked for went: `python -m bench.task_recall`.

For each sort of labelled tasks (`bench/task_paraphrases.jsonl`) a user has logged some, has talked about all of them in
exchanges, and asks for one more. Told is of how many sorts the reply's memories hold a
right task, and the lesson from them, among the eight that a turn recalls; and how many of the three most similar tasks
that `recall_similar` gives are right.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections.abc import Sequence
from typing import Any

from bench.server import throwaway_server
from bench.task_groups import LABELLED
from perdure import Context, Memory, Settings, open_memory
from perdure.episodes import NewEpisode

LOGGED = 3
ASKING = {"en": "How should I go about this: {}?", "ko": "이걸 어떻게 하면 좋을까: {}?"}
SAYING = {"en": "Today I have to do this: {}.", "ko": "오늘 이걸 해야 해: {}."}
EXCHANGES_OF_EACH = (0, 1, 3)


async def main() -> None:
    sorts = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    with throwaway_server() as server:
        settings = Settings(database_url=server.dsn)  # type: ignore[arg-type]  # pydantic makes a secret of it
        async with open_memory(settings) as memory:
            for language in ("en", "ko"):
                for times in EXCHANGES_OF_EACH:
                    of_language = [sort for sort in sorts if sort["language"] == language]
                    await _measure(memory, of_language, times, Context(user=f"{language}-{times}"))


async def _measure(memory: Memory, sorts: Sequence[dict[str, Any]], times: int, context: Context) -> None:
    language, logged = sorts[0]["language"], dict[uuid.UUID, str]()
    for sort in sorts:
        for number, task in enumerate(sort["tasks"][:LOGGED]):
            kept = await memory.episodes.log(
                task, f"way {number}", "as expected", quality=number / LOGGED, context=context
            )
            logged[kept.id] = sort["group"]
        await _talk(memory, [SAYING[language].format(task) for task in sort["tasks"][:LOGGED]] * times, context)
    lessons = (await memory.lessons.distil(context=context)).lessons
    tasks = lessons_seen = similar = 0
    for sort in sorts:
        asked = sort["tasks"][LOGGED]
        found = await memory.recall(ASKING[language].format(asked), k=context.recall_k, context=context)
        tasks += any(logged.get(hit.id) == sort["group"] for hit in found)
        lessons_seen += any(hit.kind == "lesson" and sort["tasks"][0] in hit.content for hit in found)
        alike = await memory.episodes.recall_similar(asked, k=LOGGED, context=context)
        similar += sum(logged[one.episode.id] == sort["group"] for one in alike)
    sys.stdout.write(
        f"{language}, {times * LOGGED} exchanges of each sort: a right task in {tasks} of {len(sorts)} replies,"
        f" its lesson in {lessons_seen} of {lessons}; {similar} of {LOGGED * len(sorts)} similar tasks are right\n"
    )


async def _talk(memory: Memory, said: Sequence[str], context: Context) -> None:
    now = memory.layer.clock.now()
    exchanges = [
        NewEpisode(
            uuid.uuid4(), "exchange", f"user: {text}\nassistant: Let us see.", now, thread="t", message=str(number)
        )
        for number, text in enumerate(said)
    ]
    vectors = await memory.layer.embeddings.documents(context.scope, [one.content for one in exchanges])
    await memory.episode_store.append(context.scope, exchanges, vectors)


if __name__ == "__main__":
    asyncio.run(main())
