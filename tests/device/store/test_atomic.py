"""Files are replaced in one step; links stay links, and devices and pipes are never replaced."""

import os
import threading
from pathlib import Path

import pytest

from device.store.atomic import write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("content", ["größer\n", b"\x00\xff"])
def test_the_new_content_takes_the_old_ones_place(tmp_path: Path, content: str | bytes) -> None:
    file = tmp_path / "a.mat"
    file.write_text("a much longer old content", encoding="utf-8")
    write_atomically(file, content)
    assert file.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert names(tmp_path) == ["a.mat"]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 251 + ".mat")
    write_atomically(file, "x")
    assert file.read_text(encoding="utf-8") == "x"


def test_through_a_link_the_file_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    link = tmp_path / "latest.mat"
    link.symlink_to(tmp_path / "stick" / "game.mat")
    write_atomically(link, "x")
    assert link.is_symlink()
    assert (tmp_path / "stick" / "game.mat").read_text(encoding="utf-8") == "x"


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_atomically(pipe, "seq\n")
    reader.join(10)
    assert got == ["seq\n"]
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]


def test_what_is_open_already_goes_on(tmp_path: Path) -> None:
    with (tmp_path / "out.txt").open("w", encoding="utf-8") as out:
        out.write("first\n")
        out.flush()
        write_atomically(Path(f"/dev/fd/{out.fileno()}"), "second\n")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "first\nsecond\n"


@pytest.mark.parametrize("where", ["gone/a.mat", "folder", "file/a.mat"])
def test_where_it_cannot_be_written_the_target_is_named_and_nothing_left(tmp_path: Path, where: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old", encoding="utf-8")
    with pytest.raises(OSError) as caught:
        write_atomically(tmp_path / where, "x")
    assert caught.value.filename == str(tmp_path / where)
    assert names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "old"
