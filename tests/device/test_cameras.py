"""Sources of pictures: folders in natural order, videos, the drawn table, and cameras that are not there."""

import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import choose, sim
from device.cameras.choose import SourceName, default_source, open_source, parse_source
from device.cameras.files import PictureFiles, Video, natural, read_frame
from device.cameras.paced import Paced
from device.cameras.pi import PiCamera
from device.cameras.sim import SimCamera, table_profile
from device.cameras.usb import UsbCamera
from device.errors import DeviceError
from vision.errors import SourceError
from vision.frame import Bgr, Frame
from vision.synth.chance.variety import random_table
from vision.synth.table import Board, Table


def grey(level: int) -> Bgr:
    return np.full((48, 64, 3), level, np.uint8)


def write_picture(path: Path, level: int = 90) -> Path:
    there, data = cv2.imencode(".png", grey(level))
    assert there
    path.write_bytes(data.tobytes())
    return path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Twelve frames at 10 a second, each lighter than the one before."""
    path = tmp_path / "Partie 1.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    assert writer.isOpened()
    for k in range(12):
        writer.write(grey(20 * k))
    writer.release()
    return path


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (["10.jpg", "9.jpg", "2.jpg", "1.jpg"], ["1.jpg", "2.jpg", "9.jpg", "10.jpg"]),
        (["b2.jpg", "B10.jpg", "a3.jpg"], ["a3.jpg", "b2.jpg", "B10.jpg"]),
        (["g_10_2.png", "g_9_11.png", "g_10_1.png"], ["g_9_11.png", "g_10_1.png", "g_10_2.png"]),
        (["x.jpg", "1.jpg", "1x.jpg"], ["1.jpg", "1x.jpg", "x.jpg"]),
        (["1.jpg", "01.jpg", "001.jpg"], ["001.jpg", "01.jpg", "1.jpg"]),
        (["1²3.jpg", "1.jpg", "Ü2.jpg"], ["1.jpg", "1²3.jpg", "Ü2.jpg"]),
    ],
)
def test_two_comes_before_ten(names: list[str], ordered: list[str]) -> None:
    for given in (names, names[::-1]):
        assert [p.name for p in sorted(map(Path, given), key=natural)] == ordered


def test_a_folder_gives_its_pictures_a_second_apart(tmp_path: Path) -> None:
    for k in (10, 9, 1):
        write_picture(tmp_path / f"Bild {k}.PNG", k)
    (tmp_path / "notes.txt").write_text("no picture", encoding="utf-8")
    (tmp_path / "album.png").mkdir()
    (tmp_path / "._Bild 1.PNG").write_bytes(b"what a Mac leaves on a stick")
    frames = list(PictureFiles.of_folder(tmp_path).frames())
    assert [(f.name, f.at_s, int(f.bgr[0, 0, 0])) for f in frames] == [
        ("Bild 1.PNG", 0.0, 1),
        ("Bild 9.PNG", 1.0, 9),
        ("Bild 10.PNG", 2.0, 10),
    ]


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(SourceError, match=f"{tmp_path}: there is no picture"):
        PictureFiles.of_folder(tmp_path)


def test_a_broken_picture_in_a_folder_is_named(tmp_path: Path) -> None:
    write_picture(tmp_path / "1.png")
    (tmp_path / "2.png").write_bytes(b"not a picture")
    frames = PictureFiles.of_folder(tmp_path).frames()
    assert next(frames).name == "1.png"
    with pytest.raises(DeviceError, match=r"2\.png: this is no picture"):
        next(frames)


def test_a_link_that_leads_to_itself_is_named(tmp_path: Path) -> None:
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    with pytest.raises(OSError, match=r"loop\.png"):
        read_frame(tmp_path / "loop.png")


def test_a_video_gives_all_its_frames_with_their_times(video: Path) -> None:
    source = Video(video)
    frames = list(source.frames())
    source.close()
    source.close()
    assert [f.at_s for f in frames] == pytest.approx([k / 10 for k in range(12)])
    assert [int(f.bgr[20, 20, 0]) for f in frames] == pytest.approx([20 * k for k in range(12)], abs=4)
    assert frames[3].name == "Partie 1.avi#3"


def test_a_video_may_be_closed_while_it_is_read(video: Path) -> None:
    for wanted in (1, 3, 6):
        source, seen = Video(video), threading.Semaphore(0)

        def read(source: Video = source, seen: threading.Semaphore = seen) -> None:
            for _ in source.frames():
                seen.release()

        reader = threading.Thread(target=read)
        reader.start()
        for _ in range(wanted):
            assert seen.acquire(timeout=10)
        source.close()
        reader.join(10)
        assert not reader.is_alive()
        assert list(source.frames()) == []


def test_what_is_no_video(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError, match=r"gone\.mp4: there is no such file"):
        Video(tmp_path / "gone.mp4")
    (tmp_path / "text.mp4").write_text("Dear referee", encoding="utf-8")
    with pytest.raises(SourceError, match=r"text\.mp4: this is no video"):
        Video(tmp_path / "text.mp4")
    capfd.readouterr()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("picamera", SourceName("picamera")),
        ("usb", SourceName("usb", "0")),
        ("usb:2", SourceName("usb", "2")),
        ("sim", SourceName("sim", "0")),
        ("sim:7", SourceName("sim", "7")),
    ],
)
def test_sources_by_name(text: str, name: SourceName) -> None:
    assert parse_source(text) == name
    assert name.live == (name.kind in ("picamera", "usb"))


def test_sources_that_are_files(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(video.parent)
    assert parse_source("Partie 1.avi") == SourceName("video", str(video))
    assert parse_source(".") == SourceName("folder", str(video.parent))
    assert str(parse_source(".")) == f"folder:{video.parent}"


@pytest.mark.parametrize("text", ["usb:x", "usb:", "sim:-1", "sim:1.5", "picamera:1", "gone.mp4", "", "webcam"])
def test_sources_that_do_not_exist(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if text == "":
        assert parse_source(text).kind == "folder"
        return
    with pytest.raises(SourceError, match="there is no such source; it is picamera, usb:0"):
        parse_source(text)


def test_a_file_that_is_no_video_is_no_source(tmp_path: Path) -> None:
    picture = write_picture(tmp_path / "a.png")
    with pytest.raises(SourceError, match=r"a\.png: not a video"):
        parse_source(str(picture))


@pytest.mark.parametrize(
    ("devices", "name"),
    [
        (("/dev/media0", "/dev/v4l-subdev0", "/dev/video0"), SourceName("picamera")),
        (("/dev/video0",), SourceName("usb", "0")),
        ((), SourceName("sim", "0")),
    ],
)
def test_the_first_camera_that_is_there(
    devices: Sequence[str], name: SourceName, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Machine(type(Path())):
        def exists(self, **_options: bool) -> bool:
            return str(self) in devices

    monkeypatch.setattr(choose, "Path", Machine)
    assert default_source() == name


def test_recordings_are_opened_at_their_own_pace(video: Path, tmp_path: Path) -> None:
    write_picture(tmp_path / "1.png")
    folder = open_source(SourceName("folder", str(tmp_path)), tmp_path)
    film = open_source(SourceName("video", str(video)), tmp_path)
    assert isinstance(folder, Paced)
    assert isinstance(film, Paced)
    assert (folder.stills, film.stills) == (True, False)
    film.close()


def test_a_paced_source_stops_waiting_when_it_is_closed() -> None:
    class Slow:
        stills = True

        def frames(self) -> Iterator[Frame]:
            yield Frame(grey(1), 0.0, "a")
            yield Frame(grey(2), 3600.0, "b")

        def close(self) -> None: ...

    source = Paced(Slow())
    frames = source.frames()
    assert next(frames).name == "a"
    threading.Timer(0.02, source.close).start()
    assert list(frames) == []


def shots(camera: SimCamera, n: int) -> list[int]:
    return [int(frame.name.split("#")[1]) for frame in islice(camera.frames(), n)]


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawn table whose clock runs as fast as its frames are drawn."""

    class Never(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            return self.is_set()

    monkeypatch.setattr(sim, "Event", Never)
    monkeypatch.setattr(sim, "monotonic", lambda: 0.0)


@pytest.mark.usefixtures("no_waiting")
def test_the_drawn_table_stands_as_it_was_left(tmp_path: Path) -> None:
    memory = tmp_path / "sim-3.json"
    shown = []
    for frame in SimCamera(3, memory, fps=2).frames():
        shown.append(int(frame.name.split("#")[1]))
        if shown[-1] == 3:  # 2 has settled
            break
    assert shown[0] == 0
    assert shots(SimCamera(3, memory, fps=2), 2) == [2, 2]
    assert shots(SimCamera(4, tmp_path / "sim-4.json", fps=2), 1) == [0]


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"evening": "x", "shot": 2}', '{"evening": 1}', '{"evening": Infinity, "shot": 1}', "\x00"]
)
def test_a_damaged_memory_begins_the_evening_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text, encoding="utf-8")
    camera = SimCamera(3, tmp_path / "m.json")
    assert (camera.evening, shots(camera, 1)) == (0, [0])


@pytest.mark.usefixtures("no_waiting")
def test_a_closed_drawn_table_gives_no_more_frames(tmp_path: Path) -> None:
    camera = SimCamera(3, tmp_path / "m.json", fps=2)
    frames = camera.frames()
    next(frames)
    camera.close()
    assert list(frames) == []


@pytest.mark.parametrize("table", [Table(), random_table(4), random_table(7)])
def test_a_drawn_table_knows_where_its_board_and_its_bar_lie(table: Table) -> None:
    geometry = table_profile(table).geometry()
    assert geometry is not None
    assert np.asarray(geometry.corners) == pytest.approx(np.asarray(table.corners))
    assert geometry.bar == pytest.approx(table.bar, abs=1e-6)


def test_a_drawn_table_without_a_bar_says_that_it_has_none() -> None:
    table = replace(Table(), board=replace(Board(), bar_mm=0.0))
    profile = table_profile(table)
    geometry = profile.geometry()
    assert geometry is not None
    assert profile.bar is None
    assert geometry.bar == pytest.approx((0.5, 0.5))


def test_without_picamera2_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="sudo apt install --no-install-recommends python3-picamera2"):
        PiCamera()


def test_a_usb_camera_that_is_not_there_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError, match="usb:77: no camera answers there"):
        UsbCamera(77)
    capfd.readouterr()
