"""What the environment says, and what it leaves out."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from perdure.retention import Retention
from perdure.settings import Settings

VARIABLES = ["DATABASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"]


@pytest.mark.parametrize("nothing", ["", " "])
def test_what_is_set_to_nothing_is_not_set(nothing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unset = Settings(_env_file=None)  # type: ignore[call-arg]
    own = [f"PERDURE_{name.upper()}" for name, field in Settings.model_fields.items() if not field.validation_alias]
    for variable in (*VARIABLES, *own):
        monkeypatch.setenv(variable, nothing)
    assert Settings(_env_file=None) == unset  # type: ignore[call-arg]


def test_nothing_in_the_environment_overrides_the_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("settings") / ".env"
    file.write_text("OPENAI_API_KEY=a-key\n")
    assert not Settings(_env_file=file).offline  # type: ignore[call-arg]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "")
        assert Settings(_env_file=file).offline  # type: ignore[call-arg]


def test_the_retention_is_json_by_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_RETENTION", '{"exchange": 30, "task": "forever"}')
    assert Settings().retention == Retention(exchange=30)
    for wrong, told in (("{", "not JSON"), ('{"chat": 3}', "not permitted"), ("30", "dictionary")):
        monkeypatch.setenv("PERDURE_RETENTION", wrong)
        with pytest.raises(ValidationError, match=told):
            Settings()
