from __future__ import annotations

from importlib.resources import files

import pytest

from perdure.errors import InvalidInput
from perdure.prompts import LANGUAGES, NAMES, placeholders, render


def test_every_language_has_the_same_prompts_and_no_others() -> None:
    found = {
        language: sorted(file.name for file in files("perdure.prompts").joinpath(language).iterdir())
        for language in LANGUAGES
    }
    assert found == {language: [f"{name}.md" for name in NAMES] for language in LANGUAGES}


@pytest.mark.parametrize("name", NAMES)
def test_every_language_asks_for_the_same_values(name: str) -> None:
    assert placeholders(name, "en") == placeholders(name, "ko")
    assert placeholders(name, "en") or name == "tools"


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_are_not_interpreted(language: str) -> None:
    value = r"{{words}} ${words} {words} $words \1 \g<0> %s"
    rendered = render("summarise", language, words=value)
    assert rendered.count(value) == 1
    assert "{{" not in rendered.replace(value, "")


def test_a_prompt_with_wrong_values_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"differ in: words$"):
        render("summarise", "en")
    with pytest.raises(InvalidInput, match=r"differ in: more$"):
        render("summarise", "en", words="1", more="2")


@pytest.mark.parametrize(("name", "language"), [("greet", "en"), ("reply", "fr"), ("../reply", "en")])
def test_an_unknown_prompt_is_refused(name: str, language: str) -> None:
    with pytest.raises(InvalidInput, match="there is no prompt"):
        render(name, language)
