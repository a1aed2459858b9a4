from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_case_of_the_table_has_a_test_named_after_its_area() -> None:
    table = (HERE / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (FC\d\d) \| ([a-z]+)(?:\.([a-z_]+))? \| [^|]+ \| `(test_\w+\.py)`", table, re.MULTILINE)
    assert len(rows) == table.count("\n| FC")
    for case, area, kind, file in rows:
        name = f"test_{area}_{kind}".rstrip("_")
        tests = re.findall(r"def (test_\w+)\([^\"]*\"\"\"([^\"]*)\"\"\"", (HERE / file).read_text(encoding="utf-8"))
        assert any(test.startswith(name) and case in covers for test, covers in tests), (case, name)


def test_every_case_that_a_test_names_is_in_the_table() -> None:
    table = (HERE / "README.md").read_text(encoding="utf-8")
    for file in HERE.glob("test_*.py"):
        docstrings = re.findall(r'"""([^"]*)"""', file.read_text(encoding="utf-8"))
        for case in re.findall(r"FC\d\d", " ".join(docstrings)):
            assert f"| {case} |" in table and f"`{file.name}`" in table, (case, file.name)
