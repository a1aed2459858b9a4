from __future__ import annotations

from pathlib import Path

from perdure_process import Perdure


def test_the_demo_meets_its_own_expectations_whatever_the_environment(tmp_path: Path) -> None:
    elsewhere = {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nowhere",
        "OPENAI_API_KEY": "never-used",
        "OPENAI_BASE_URL": "http://127.0.0.1:1",
        "PERDURE_EMBEDDING_MODEL": "not-local",
    }
    demo = Perdure(tmp_path, elsewhere)("demo", "--json").json
    assert demo["ok"]
    assert [step["met"] for step in demo["steps"]] == [True] * 7
    killed = next(step for step in demo["steps"] if "killed" in step["title"])
    assert any("ended with -9" in line for line in killed["lines"])
    assert not list(tmp_path.iterdir())
