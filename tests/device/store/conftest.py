"""Disks that are soon full."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def disk_of(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Makes a folder with a disk of its own of so many bytes; skips where none may be mounted."""
    disk = tmp_path / "disk"
    mounted = False

    def mount(size_bytes: int) -> Path:
        nonlocal mounted
        disk.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size_bytes}", "tmpfs", str(disk)]
        may = os.geteuid() == 0 and shutil.which("mount") is not None
        mounted = may and subprocess.run(command, check=False).returncode == 0
        if not mounted:
            pytest.skip("a small disk cannot be mounted here (needs root)")
        return disk

    yield mount
    if mounted:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def small_disk(disk_of: Callable[[int], Path]) -> Path:
    """Half a megabyte."""
    return disk_of(512 * 1024)
