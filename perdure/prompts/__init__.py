"""The prompts, one Markdown file per language, and their filling-in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

from perdure.errors import InvalidInput

LANGUAGES = ("en", "ko")
NAMES = (
    "consolidate",
    "core",
    "examples",
    "extract",
    "lesson",
    "question",
    "repair",
    "reply",
    "session",
    "summarise",
    "tools",
)

_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")

# Read once at import: a node that read them at its first run would block the event loop.
_TEMPLATES: Mapping[tuple[str, str], str] = {
    (name, language): files(__name__).joinpath(language, f"{name}.md").read_text("utf-8").strip()
    for name in NAMES
    for language in LANGUAGES
}


def render(name: str, language: str, **values: str) -> str:
    """The prompt with its ``{{placeholders}}`` replaced, in one pass: what a value holds is never interpreted.

    Raises `InvalidInput` for an unknown prompt or language, and for a value that is missing or not asked for.
    """
    if (template := _TEMPLATES.get((name, language))) is None:
        raise InvalidInput(f"there is no prompt {name!r} in {language!r}: use one of {NAMES} in one of {LANGUAGES}")
    if differing := placeholders(name, language) ^ values.keys():
        raise InvalidInput(f"prompt {name!r} in {language!r} and its values differ in: {', '.join(sorted(differing))}")
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


def placeholders(name: str, language: str) -> frozenset[str]:
    """The names of the values that the prompt asks for."""
    return frozenset(_PLACEHOLDER.findall(_TEMPLATES[name, language]))
