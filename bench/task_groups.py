"""How well tasks that are alike are told from others, at each threshold: `python -m bench.task_groups`.

The labelled tasks are paraphrases of one another within a group, and between groups some that are hard to tell apart (a
release and its rollback, two sorts of mail about being late). A group of three tasks or more becomes a lesson: one that
mixes two sorts teaches nonsense, one that is missed teaches nothing.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from perdure.models.local_embedder import LocalEmbedder
from perdure.task_groups import ALIKE, task_groups

LABELLED = Path(__file__).with_name("task_paraphrases.jsonl")
LEAST = 3
THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.68, ALIKE, 0.75)


async def main() -> None:
    embedder = LocalEmbedder()
    rows = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    for language in ("en", "ko"):
        tasks = [(row["group"], task) for row in rows if row["language"] == language for task in row["tasks"]]
        vectors = await embedder.embed_documents([task for _, task in tasks])
        kinds = len({kind for kind, _ in tasks})
        for threshold in THRESHOLDS:
            groups = [group for group in task_groups(vectors, threshold) if len(group) >= LEAST]
            pure = sum(len({tasks[position][0] for position in group}) == 1 for group in groups)
            sys.stdout.write(f"{language} {threshold:.2f}: {pure} of {kinds} sorts found, {len(groups) - pure} mixed\n")


if __name__ == "__main__":
    asyncio.run(main())
