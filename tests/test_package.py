"""What is installed: the wheel has every module and data file, and nothing that is not the product."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = {".py", ".sql", ".md", ".npz", ".typed"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: a build leaves folders behind."""
    source, out = tmp_path_factory.mktemp("source") / "perdure", tmp_path_factory.mktemp("wheel")
    tracked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in tracked.stdout.decode().splitlines():
        if (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name, follow_symlinks=False)
    subprocess.run(["uv", "build", "--wheel", "--quiet", "--out-dir", str(out), str(source)], check=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_packages_under_one_name(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {
        f"{prefix}{path.relative_to(ROOT / folder)}"
        for folder, prefix in (
            ("perdure", "perdure/"),
            ("graph", "perdure/graph/"),
            ("nodes", "perdure/nodes/"),
            ("stores", "perdure/stores/"),
        )
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix in SHIPPED and not path.is_relative_to(ROOT / "perdure" / "graph")
    }
    assert names == expected


def test_the_wheel_offers_one_command_and_no_top_level_module_but_perdure(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        (top_level,) = [name for name in archive.namelist() if name.endswith("top_level.txt")]
        assert archive.read(entry_points).decode().split() == ["[console_scripts]", "perdure", "=", "perdure.cli:main"]
        assert archive.read(top_level).decode().split() == ["perdure"]
