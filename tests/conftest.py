"""What tests share: where the shared material and the browser are, and a steady hypothesis."""

import os
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# As the command line does, before numpy is imported: threads of small matrices only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples on every run and machine; a slow machine is no failure.
settings.register_profile("schiri", derandomize=True, deadline=None, database=None)
settings.load_profile("schiri")


def missing(what: str) -> NoReturn:
    """Skip the test because `what` is missing here; under CI that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} (under CI it must be there)")
    pytest.skip(what)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder `shared` beside the project, with the material that is not part of it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        missing("there is no folder `shared` beside the project")
    return folder


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Debian's chromium, to be driven by Playwright."""
    found = shutil.which("chromium")
    if found is None:
        missing("chromium is not installed: apt-get install chromium fonts-dejavu-core")
    return found


@pytest.fixture(scope="session")
def gnubg_path() -> Path:
    """GNU Backgammon, a program of its own."""
    found = shutil.which("gnubg", path=f"/usr/games:{os.environ.get('PATH', '')}")
    if found is None:
        missing("gnubg is not installed: apt-get install --no-install-recommends gnubg")
    return Path(found)


@pytest.fixture(scope="session")
def picamera2_dir() -> Path:
    """The folder of picamera2's source, which installs anywhere but runs only where libcamera is."""
    spec = find_spec("picamera2")
    if spec is None or spec.origin is None:
        missing("the source of picamera2 is not installed: pip install --no-deps picamera2")
    return Path(spec.origin).parent


@pytest.fixture
def tool() -> Callable[[str], str]:
    """Finds a program of the system or of this environment; without it the test is skipped."""

    def find(name: str) -> str:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        found = shutil.which(name, path=path)
        if found is None:
            missing(f"{name} is not installed")
        return found

    return find
