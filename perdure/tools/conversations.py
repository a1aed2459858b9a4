"""conversation_search: what was said, word for word, in this conversation and in earlier ones."""

from __future__ import annotations

from perdure.recall import Query
from perdure.tools.arguments import ConversationSearch
from perdure.tools.desk import Desk
from perdure.tools.found import told


async def search(desk: Desk, asked: ConversationSearch) -> str:
    query = Query(
        asked.query,
        k=asked.top_k,
        preset="verbatim",
        as_of=desk.moment(asked.as_of, "end") or desk.as_of,
        as_known_at=desk.as_known_at,
    )
    return told(desk, await desk.memory.search(desk.scope, query, at=desk.at, language=desk.language))
