"""The walls of the house: what lies where, and who may import whom."""

import subprocess
import sys
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

PACKAGES = ("vision", "rules", "device", "webui", "calibration")
TOP_LEVEL = {*PACKAGES, "pyproject.toml", "README.md", "tests", "docs", "Makefile", "LICENSE", "CHANGELOG.md"}
LONGEST_MODULE = 400


@pytest.fixture(scope="module")
def tracked(root: Path) -> list[Path]:
    """Every file of the project, relative to its folder."""
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)
    return [Path(name) for name in answer.stdout.split("\0") if name and (root / name).exists()]


def test_nothing_new_lies_at_the_top(tracked: list[Path]) -> None:
    top = {path.parts[0] for path in tracked}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL
    assert set(PACKAGES) <= top


def test_test_folders_are_plain_folders(tracked: list[Path]) -> None:
    """A tests/rules/__init__.py would shadow the package rules without a word."""
    assert [str(path) for path in tracked if path.parts[0] == "tests" and path.name == "__init__.py"] == []


def test_every_folder_with_modules_is_a_package_that_says_what_it_is_for(root: Path, tracked: list[Path]) -> None:
    folders = {path.parent for path in tracked if path.suffix == ".py" and path.parts[0] in PACKAGES}
    for folder in folders:
        init = root / folder / "__init__.py"
        assert init.exists(), f"{folder} has no __init__.py"
        assert init.read_text(encoding="utf-8").startswith('"""'), f"{folder}/__init__.py does not say what it is for"


def test_no_module_is_called_utils(tracked: list[Path]) -> None:
    assert [str(path) for path in tracked if path.stem in {"utils", "util", "helpers", "misc"}] == []


def test_one_concept_a_file(root: Path, tracked: list[Path]) -> None:
    lengths = {
        str(path): len((root / path).read_text(encoding="utf-8").splitlines())
        for path in tracked
        if path.suffix == ".py"
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


def test_data_flows_one_way(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    assert lint_imports(str(root / "pyproject.toml"), no_cache=True) == 0


def test_rules_needs_the_standard_library_only() -> None:
    graph = grimp.build_graph("rules", include_external_packages=True, cache_dir=None)
    outside = {name.split(".")[0] for name in graph.modules} - {"rules"}
    assert outside <= sys.stdlib_module_names
