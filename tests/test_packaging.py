"""What a wheel holds, and that the packages that tests import are this project's own."""

import shutil
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

PACKAGES = ("vision", "rules", "device", "webui", "calibration")


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_this_projects_own(root: Path, name: str) -> None:
    """Another distribution called `rules` exists."""
    assert import_module(name).__file__ == str(root / name / "__init__.py")


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in a wheel of a copy of the project that has training code."""
    copy = tmp_path_factory.mktemp("project")
    for name in PACKAGES:
        shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    (copy / "vision/training/board").mkdir(parents=True, exist_ok=True)
    (copy / "vision/training/board/train.py").touch()
    built = list(WheelBuilder(str(copy)).build(directory=str(copy / "dist"), versions=["standard"]))
    with zipfile.ZipFile(built[0]) as archive:
        return set(archive.namelist())


def test_a_wheel_holds_every_module_and_page(root: Path, wheel: set[str]) -> None:
    wanted = {
        str(path.relative_to(root))
        for name in PACKAGES
        for path in (root / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and "training" not in path.parts
    }
    assert wanted <= wheel


def test_a_wheel_holds_nothing_else(wheel: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_training_code_is_not_in_the_wheel(wheel: set[str]) -> None:
    assert [name for name in wheel if name.startswith("vision/training/")] == []
