"""The bench of the consolidation makes other words and look-alikes of facts, and counts what is merged of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from rich.progress import Progress

from bench.consolidation import BANKS, main, measure, read_cases
from bench.consolidation_cases import variants_of
from perdure import Memory

FACTS = [
    ("personal", "나는 성수동에 살아. 2021년에 이사했어", ["성수동", "2021년"]),
    ("personal", "회사는 판교에 있어. 걸어서 15분 걸려", ["판교", "15분"]),
]


def bank() -> dict[str, object]:
    return {"facts": [{"domain": d, "statement": text, "entities": names} for d, text, names in FACTS]}


def test_variants_differ_from_every_fact_and_say_which_half_they_are_of() -> None:
    variants = variants_of(bank(), "ko", None)
    texts = {text for _, text, _ in FACTS}
    assert not [one for one in variants if one.text in texts]
    assert {one.half for one in variants} == {"development", "held-out"}
    by_kind = {one.kind: one.text for one in variants if one.original == FACTS[0][1]}
    assert by_kind["digits"] == "나는 성수동에 살아. 2022년에 이사했어"
    assert by_kind["name or value"] == "나는 판교에 살아. 2021년에 이사했어"
    assert by_kind["order of sentences"] == "2021년에 이사했어. 나는 성수동에 살아"
    assert by_kind["ending: formal"] == "나는 성수동에 살아. 2021년에 이사했습니다"


async def test_what_is_merged_and_left_apart_is_counted(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / BANKS["ko"]).parent.mkdir()
    (tmp_path / BANKS["ko"]).write_text(json.dumps(bank()), "utf-8")
    cases, missing = read_cases(tmp_path, None)
    assert len(missing) == 2
    found = await measure(memory, cases, Progress(disable=True))
    merged = {(rate.kind, rate.half): rate for rate in found.rates}
    assert not [rate for rate in found.rates if not rate.same and any(rate.merged.values())]
    assert merged["order of sentences", "development"].by_words == 1
    assert merged["order of sentences", "development"].merged["0.75"] == 1
    assert found.undone == {"ko": True} and set(found.strangers.values()) == {0}


def test_without_data_it_says_which_is_missing(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match=r"fact-bank\.json"):
        main(tmp_path)
