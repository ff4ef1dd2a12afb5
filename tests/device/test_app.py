"""The composition root: whose seat is where, and a table built, watched and let go."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.orientation import Home
from calibration.profile import TableProfile
from device.app import Appliance, table_for
from device.cameras.choose import SourceName
from device.cameras.sim import table_profile
from device.errors import DeviceError
from device.matchfile import MatchFile, Seats
from device.paths import journal_path
from device.store.errors import JournalError
from device.store.inspection import inspect_journal
from device.store.journal import Journal
from rules.events import GameStarted, MatchStarted
from rules.position import START, Player
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.table import Table

USB, SIM = SourceName("usb", "0"), SourceName("sim", "0")
WHITE_NEAR = MatchFile(seats=Seats(near=Player.WHITE))
BLACK_NEAR = MatchFile(seats=Seats(near=Player.BLACK))


def test_without_a_table_file_the_drawn_table_is_known_and_a_camera_is_not() -> None:
    assert table_for(SIM, None, MatchFile()) == table_profile(Table())
    assert table_for(USB, None, MatchFile()).corners is None


def test_the_match_file_seats_white_where_the_table_file_says_nothing() -> None:
    table = TableProfile(checkers=12)
    assert table_for(USB, table, BLACK_NEAR).white_home is Home.TOP_RIGHT
    assert table_for(USB, table, BLACK_NEAR).checkers == 12
    assert table_for(USB, table, WHITE_NEAR).white_home is Home.BOTTOM_RIGHT


@pytest.mark.parametrize(("home", "match"), [(Home.BOTTOM_LEFT, WHITE_NEAR), (Home.TOP_LEFT, BLACK_NEAR)])
def test_files_that_agree_change_nothing(home: Home, match: MatchFile) -> None:
    table = TableProfile(white_home=home)
    assert table_for(USB, table, match) is table


@pytest.mark.parametrize(
    ("home", "match", "words"),
    [
        (Home.BOTTOM_LEFT, BLACK_NEAR, "seats black .* white_home bottom-left puts white there"),
        (Home.TOP_RIGHT, WHITE_NEAR, "seats white .* white_home top-right puts black there"),
    ],
)
def test_files_that_contradict_each_other_are_refused(home: Home, match: MatchFile, words: str) -> None:
    with pytest.raises(DeviceError, match=words):
        table_for(USB, TableProfile(white_home=home), match)


def test_a_folder_is_watched_into_the_journal_and_everything_let_go(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    drawn = Table()
    there, data = cv2.imencode(".png", Painter(drawn).draw(Scene()))
    assert there
    (photos / "1.png").write_bytes(data.tobytes())
    match = MatchFile(length=3, white="W", black="B", consent=True)
    appliance = Appliance(SourceName("folder", str(photos)), table_profile(drawn), match, tmp_path)
    port = appliance.open()
    with pytest.raises(JournalError, match=r"journal\.sqlite3"):
        Journal.open(journal_path(tmp_path))
    snapshot = port.snapshot()
    while snapshot.status != "the recording is over":
        newer = port.wait(snapshot.version, 30)
        assert newer is not None, snapshot
        snapshot = newer
    assert snapshot.home_right
    assert port.camera_jpeg() is not None
    appliance.close()
    with Journal.open(journal_path(tmp_path)) as journal:
        latest = journal.latest_match()
        assert latest is not None
        events = [row.event for row in journal.events(latest)]
    begun, started = events
    assert isinstance(begun, MatchStarted)
    assert (begun.length, begun.white) == (3, "W")
    assert isinstance(started, GameStarted)
    assert started.position == START
    found = inspect_journal(journal_path(tmp_path))
    assert (found.problems, found.pictures) == ([], 1)
    (picture,) = (tmp_path / "evidence").rglob("*.jpg")
    assert started.evidence == (picture.relative_to(tmp_path).as_posix(),)


def photos(folder: Path, *pictures: np.ndarray) -> SourceName:
    folder.mkdir()
    for k, picture in enumerate(pictures):
        (folder / f"{k}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    return SourceName("folder", str(folder))


def test_a_board_that_nobody_placed_is_found_and_said(tmp_path: Path) -> None:
    drawn, said = Table(), list[str]()
    source = photos(tmp_path / "photos", Painter(drawn).draw(Scene()))
    appliance = Appliance(source, TableProfile(), MatchFile(), tmp_path, warn=said.append)
    appliance.open()
    appliance.close()
    assert said[0].startswith("board found at")
    found = appliance.table.geometry()
    assert found is not None
    width = drawn.corners[1][0] - drawn.corners[0][0]
    assert np.linalg.norm(np.subtract(found.corners, drawn.corners), axis=1).max() < 0.015 * width
    assert found.bar == pytest.approx(drawn.bar, abs=0.015)


def test_a_table_without_a_board_opens_nothing(tmp_path: Path) -> None:
    source = photos(tmp_path / "photos", np.full((300, 400, 3), 90, np.uint8))
    appliance = Appliance(source, TableProfile(), MatchFile(), tmp_path)
    with pytest.raises(DeviceError, match=r"folder:.*photos: no board was found; name its corners"):
        appliance.open()
    appliance.close()
    assert not journal_path(tmp_path).exists()
