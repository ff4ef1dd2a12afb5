from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.analysis.gnubg import Gnubg
from device.analysis.process import EngineProcess


@pytest.fixture(scope="session")
def engine(gnubg_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gnubg]:
    """One gnubg for all tests that leave it well."""
    process = EngineProcess(tmp_path_factory.mktemp("engine"), gnubg_path)
    yield Gnubg(process)
    process.close()
