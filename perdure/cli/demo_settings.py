"""The settings of the demo: a folder of its own, no chat model and the local embedder, whatever the environment says."""

from __future__ import annotations

from pathlib import Path

from perdure.settings import LOCAL_EMBEDDER, Settings


def demo_settings(home: Path) -> Settings:
    return Settings(
        home=home,
        database_url=None,
        memory_url=None,
        checkpoint_url=None,
        openai_api_key=None,
        openai_base_url=None,
        embedding_model=LOCAL_EMBEDDER,
        embedding_dimensions=None,
    )
