"""A backup holds everything, is made beside a running table, and comes back whole or not at all."""

import io
import os
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cli import main
from device.paths import journal_path
from device.store.backup import BackupError, back_up, preview, restore
from device.store.errors import JournalError
from device.store.evidence import Evidence
from device.store.inspection import inspect_journal
from device.store.journal import Journal
from rules.events import MatchStarted, Noted, Rolled
from rules.position import Player
from rules.roll import Roll
from vision.frame import Frame

FRAME = Frame(np.full((48, 64, 3), (20, 120, 200), np.uint8), 5.0, "usb0#7")
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def play_on(journal: Journal, data_dir: Path, number: int) -> None:
    """One more roll with its picture."""
    rolled = Rolled(at_s=float(number), player=Player.WHITE, roll=Roll(3, 1), evidence=(FRAME.name,))
    with Evidence(data_dir).shown([rolled], FRAME, match="m1", seq=journal.next_seq, consent=True) as shown:
        journal.append("m1", shown)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A data folder with three events, two of them with pictures, and settings beside it."""
    data, etc = tmp_path / "data", tmp_path / "etc"
    etc.mkdir()
    (etc / "schiri.toml").write_text(f'[watch]\ntable = "t.json"\n[store]\ndata_dir = "{data}"\n')
    (etc / "t.json").write_text('{"checkers": 12}')
    with Journal.open(journal_path(data), now=lambda: NOON) as journal:
        journal.append("m1", [MatchStarted(at_s=0.0, length=7, white="A", black="B")])
        play_on(journal, data, 1)
        play_on(journal, data, 2)
    return data


def schiri(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_what_was_saved_comes_back_and_what_was_there_is_kept(box: Path, tmp_path: Path) -> None:
    config = tmp_path / "etc/schiri.toml"
    saved = schiri("backup", tmp_path / "b.tar", "--config", config)
    assert saved.exit_code == 0, saved.stderr
    assert saved.stdout.splitlines()[:3] == [
        "3 events in 1 matches, 2026-05-01",
        "2 pictures of events",
        "settings: schiri.toml, t.json",
    ]
    with Journal.open(journal_path(box)) as journal:
        play_on(journal, box, 3)
    (tmp_path / "etc/t.json").write_text("{}")

    told = schiri("restore", tmp_path / "b.tar", "--config", config)
    assert told.stdout.splitlines()[0] == "3 events in 1 matches, 2026-05-01"
    assert inspect_journal(journal_path(box)).events == 4, "a preview changes nothing"

    assert schiri("restore", tmp_path / "b.tar", "--config", config, "--yes").exit_code == 0
    now = inspect_journal(journal_path(box))
    assert (now.events, now.pictures, now.problems) == (3, 2, [])
    assert (tmp_path / "etc/t.json").read_text() == '{"checkers": 12}'
    (aside,) = box.glob("before-restore-*")
    before = inspect_journal(aside / "journal.sqlite3")
    assert (before.events, before.pictures, before.problems) == (4, 3, [])
    assert (aside / "settings/t.json").read_text() == "{}"


def test_a_backup_is_made_beside_a_running_table(box: Path, tmp_path: Path) -> None:
    with Journal.open(journal_path(box)) as journal:
        play_on(journal, box, 3)
        kept = back_up(tmp_path / "b.tar", box, [])
        play_on(journal, box, 4)
    assert (kept.found.events, kept.found.pictures, kept.found.problems) == (4, 3, [])


def test_it_comes_back_on_another_machine(box: Path, tmp_path: Path) -> None:
    back_up(tmp_path / "b.tar", box, [tmp_path / "etc/schiri.toml"])
    new = tmp_path / "new/data"
    restore(tmp_path / "b.tar", new, tmp_path / "new/etc")
    assert inspect_journal(journal_path(new)).events == 3
    assert (tmp_path / "new/etc/schiri.toml").exists()
    with Journal.open(journal_path(new)) as journal:
        assert journal.append("m1", [Noted(at_s=9.0, key="k", text="")]) == [4]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_brings_back_belongs_to_who_has_the_folder(box: Path, tmp_path: Path) -> None:
    back_up(tmp_path / "b.tar", box, [])
    new = tmp_path / "new"
    new.mkdir()
    os.chown(new, 12345, 12345)
    restore(tmp_path / "b.tar", new, tmp_path / "etc")
    assert {path.stat().st_uid for path in new.rglob("*")} == {12345}


def test_while_schiri_watches_nothing_is_brought_back(box: Path, tmp_path: Path) -> None:
    back_up(tmp_path / "b.tar", box, [])
    with Journal.open(journal_path(box)), pytest.raises(JournalError, match="another Schiri writes it"):
        restore(tmp_path / "b.tar", box, tmp_path / "etc")


def tar_of(path: Path, **files: bytes) -> Path:
    with tarfile.open(path, "w") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name.replace("__", "/"))
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def test_a_damaged_backup_changes_nothing(box: Path, tmp_path: Path) -> None:
    back_up(tmp_path / "b.tar", box, [])
    with tarfile.open(tmp_path / "b.tar") as tar:
        files = {m.name: tar.extractfile(m).read() for m in tar.getmembers()}  # type: ignore[union-attr]
    picture = next(name for name in files if name.endswith(".jpg"))
    damaged = tar_of(tmp_path / "d.tar", **{**files, picture: b"other"})
    with pytest.raises(BackupError, match=r"d\.tar: evidence/.*was changed"):
        restore(damaged, box, tmp_path / "etc")
    assert inspect_journal(journal_path(box)).problems == []
    assert list(box.glob("before-restore-*")) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("..__..__etc__passwd", "not a backup of Schiri (../../etc/passwd)"),
        ("photo.jpg", "not a backup of Schiri (photo.jpg)"),
        ("settings__more__x", "not a backup of Schiri"),
    ],
)
def test_a_tar_with_strange_files_is_refused(tmp_path: Path, name: str, words: str) -> None:
    path = tar_of(tmp_path / "x.tar", **{name: b"x"})
    with pytest.raises(BackupError) as caught:
        preview(path)
    assert words in str(caught.value)
    assert schiri("restore", path).exit_code == 1


def test_what_is_no_tar_and_what_cannot_be_saved_is_named(box: Path, tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_text("a letter" * 200)
    with pytest.raises(BackupError, match=r"x\.tar: not a backup that can be read"):
        preview(tmp_path / "x.tar")
    with pytest.raises(BackupError, match="is there already"):
        back_up(tmp_path / "x.tar", box, [])
    with pytest.raises(BackupError, match=r"a backup is a \.tar"):
        back_up(tmp_path / "x.zip", box, [])
    with pytest.raises(BackupError, match="neither a journal nor settings"):
        back_up(tmp_path / "y.tar", tmp_path / "empty", [])
    assert (
        schiri("restore", tmp_path / "gone.tar").stderr == f"schiri: {tmp_path}/gone.tar: No such file or directory\n"
    )
