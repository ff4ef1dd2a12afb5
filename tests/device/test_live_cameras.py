"""A live camera that stalls, vanishes, comes back, changes its size or goes black: told, and recovered from."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from calibration.profile import TableProfile
from device import app as app_module
from device import table as table_module
from device.app import Appliance
from device.cameras import newest as newest_module
from device.cameras.choose import SourceName
from device.cameras.newest import BLACK_S, Newest, Size
from device.cameras.sim import table_profile
from device.cameras.usb import LOST_AFTER, UsbCamera
from device.config import CameraSettings
from device.matchfile import MatchFile
from device.vitals import Vitals
from vision.errors import SourceError
from vision.frame import Frame
from vision.synth.table import Table

WAIT_S = 10.0


def picture(level: int = 120, size: tuple[int, int] = (64, 48)) -> npt.NDArray[np.uint8]:
    return np.full((size[1], size[0], 3), level, np.uint8)


class Scripted:
    """Frames as the script has them: a picture, an error to raise, or a function to call on the way."""

    stills = False

    def __init__(self, *script: npt.NDArray[np.uint8] | Exception | Callable[[], object]) -> None:
        self._script = script
        self.closed = threading.Event()
        self.closed_by: list[str] = []

    def frames(self) -> Iterator[Frame]:
        for number, step in enumerate(self._script):
            if isinstance(step, Exception):
                raise step
            if callable(step):
                step()
            else:
                yield Frame(step, number / 10, f"#{number}")

    def close(self) -> None:
        self.closed_by.append(threading.current_thread().name)
        self.closed.set()


@dataclass
class Watch:
    """A Newest over a script, with what it told and a clock set by hand."""

    source: Scripted
    size: Size = field(default_factory=Size)
    stall_s: float = WAIT_S
    said: list[str] = field(default_factory=list)
    now_s: float = 0.0
    vitals: Vitals = field(default_factory=Vitals)

    def __post_init__(self) -> None:
        self.newest = Newest(
            self.source,
            "usb:0",
            stall_s=self.stall_s,
            black_below=6,
            size=self.size,
            tell=self.said.append,
            vitals=self.vitals,
            clock=lambda: self.now_s,
        )

    def count(self, what: str) -> int:
        return self.vitals.figures().counts.get(what, 0)


def levels_until_it_is_gone(frames: Iterator[Frame]) -> list[int]:
    """How light the pictures are that still come."""
    levels = []
    with pytest.raises(SourceError, match="usb:0: the camera gives no more pictures"):
        levels.extend(int(frame.bgr[0, 0, 0]) for frame in frames)
    return levels


def test_the_newest_picture_is_the_one_that_is_looked_at_and_none_waits() -> None:
    taken, shown = threading.Event(), threading.Event()

    def all_are_taken() -> None:
        taken.set()
        assert shown.wait(WAIT_S)

    first_asked = threading.Event()
    source = Scripted(
        picture(10), lambda: first_asked.wait(WAIT_S), *(picture(20 + k) for k in range(50)), all_are_taken, picture(99)
    )
    watch = Watch(source)
    frames = watch.newest.frames()
    assert next(frames).bgr[0, 0, 0] == 10
    first_asked.set()
    assert taken.wait(WAIT_S)
    assert next(frames).bgr[0, 0, 0] == 69
    assert watch.count("frames_dropped") == 49
    shown.set()
    assert levels_until_it_is_gone(frames) == [99]


def test_a_camera_that_stalls_is_told_and_does_not_hold_up_who_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newest_module, "CLOSE_S", 0.01)
    hang = threading.Event()
    source = Scripted(picture(), lambda: hang.wait(WAIT_S))
    watch = Watch(source, stall_s=0.05)
    frames = watch.newest.frames()
    next(frames)
    with pytest.raises(SourceError, match=r"usb:0: the camera has stalled: no picture for 0\.05 s"):
        next(frames)
    watch.newest.close()
    assert not source.closed.is_set()  # its driver still hangs
    hang.set()
    assert source.closed.wait(WAIT_S)
    assert source.closed_by == ["camera"], "only the reading thread touches a capture"
    assert watch.count("stalls") == 1


def test_what_the_camera_says_when_it_goes_is_told_after_its_last_picture() -> None:
    source = Scripted(picture(), SourceError("usb:0: the camera gives no more pictures"))
    watch = Watch(source)
    shown = []
    with pytest.raises(SourceError, match="gives no more pictures"):
        shown.extend(watch.newest.frames())
    assert len(shown) == 1
    assert source.closed.is_set()


def test_a_mistake_in_the_camera_thread_is_no_end_of_a_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: raised.append(args.exc_type))

    def mistake() -> None:
        raise KeyError("ColourGains")

    source = Scripted(mistake)
    watch = Watch(source)
    with pytest.raises(SourceError, match="usb:0: the camera was lost by a mistake in Schiri"):
        next(watch.newest.frames())
    watch.newest.close()
    assert raised == [KeyError]
    assert source.closed.is_set()


def test_closing_ends_the_pictures() -> None:
    hold = threading.Event()
    source = Scripted(picture(), lambda: hold.wait(WAIT_S), picture())
    watch = Watch(source)
    frames = watch.newest.frames()
    next(frames)
    threading.Thread(target=lambda: (watch.newest.close(), hold.set())).start()
    assert list(frames) == []
    assert source.closed.wait(WAIT_S)


def test_a_camera_that_was_never_read_is_closed() -> None:
    source = Scripted(picture())
    Watch(source).newest.close()
    assert source.closed.is_set()


def test_a_black_picture_is_not_looked_at_and_told_once_it_lasts() -> None:
    watch = Watch(Scripted())
    dark, light = picture(2), picture(80)
    assert [watch.newest._is_black(bgr) for bgr in (dark, dark, light, dark)] == [True, True, False, True]
    assert watch.said == []
    watch.now_s += BLACK_S
    assert watch.newest._is_black(dark)
    assert watch.said == ["usb:0: the picture is black; is the lens covered, or the light off?"]
    assert not watch.newest._is_black(light)
    assert watch.newest._is_black(dark)
    assert len(watch.said) == 1
    assert watch.count("frames_black") == 5


def test_black_pictures_do_not_reach_the_eyes() -> None:
    dark_is_looked_at, shown = threading.Event(), threading.Event()
    source = Scripted(
        picture(80), lambda: shown.wait(WAIT_S), picture(1), lambda: dark_is_looked_at.wait(WAIT_S), picture(90)
    )
    watch = Watch(source)
    is_black = watch.newest._is_black

    def looked_at(bgr: npt.NDArray[np.uint8]) -> bool:
        black = is_black(bgr)
        if black:
            dark_is_looked_at.set()
        return black

    watch.newest._is_black = looked_at  # type: ignore[method-assign]
    frames = watch.newest.frames()
    assert next(frames).bgr[0, 0, 0] == 80
    shown.set()
    assert levels_until_it_is_gone(frames) == [90]
    assert dark_is_looked_at.is_set()


def test_a_picture_of_another_size_is_brought_to_the_size_by_which_the_board_was_found() -> None:
    size = Size((64, 48))
    assert size.fitted(Frame(picture(7, (128, 96)), 1.5, "a")).bgr.shape == (48, 64, 3)
    same = Frame(picture(), 0.0, "b")
    assert size.fitted(same) is same
    assert size.wh == (64, 48)


def test_a_picture_of_another_shape_shows_another_part_of_the_room() -> None:
    shown = threading.Event()
    watch = Watch(Scripted(picture(), lambda: shown.wait(WAIT_S), picture(9, (64, 36))))
    frames = watch.newest.frames()
    next(frames)
    shown.set()
    with pytest.raises(SourceError, match="gives pictures of 64x36 instead of 64x48 pixels"):
        next(frames)
    again = Watch(Scripted(picture(9, (64, 36))), size=watch.size)  # opened again
    with pytest.raises(SourceError, match="64x36 instead of 64x48"):
        list(again.newest.frames())


class FakeCapture:
    """OpenCV's VideoCapture with a script: pictures, and None where a read fails."""

    def __init__(self, *script: npt.NDArray[np.uint8] | None, there: bool = True) -> None:
        self._script, self._there = list(script), there
        self.asked: dict[int, float] = {}
        self.released = 0

    def isOpened(self) -> bool:  # noqa: N802
        return self._there and not self.released

    def set(self, prop: int, value: float) -> bool:
        self.asked[prop] = value
        return False

    def read(self) -> tuple[bool, npt.NDArray[np.uint8] | None]:
        bgr = self._script.pop(0) if self._script else None
        return bgr is not None, bgr

    def release(self) -> None:
        self.released += 1


def test_a_usb_camera_is_asked_for_what_the_settings_say() -> None:
    capture = FakeCapture()
    UsbCamera(1, CameraSettings(width_px=640, height_px=480, fps=15), opened=lambda _index: capture)
    mjpg, width, height, fps, buffers = 6, 3, 4, 5, 38
    assert capture.asked == {mjpg: 1196444237, width: 640, height: 480, fps: 15, buffers: 1}


def test_a_usb_camera_survives_lost_pictures_and_is_gone_after_several() -> None:
    lost = [None] * (LOST_AFTER - 1)
    capture = FakeCapture(picture(1), *lost, picture(2), *lost, None)
    camera = UsbCamera(0, opened=lambda _index: capture)
    levels = []
    with pytest.raises(SourceError, match="usb:0: the camera gives no more pictures"):
        levels.extend(int(frame.bgr[0, 0, 0]) for frame in camera.frames())
    assert levels == [1, 2]
    camera.close()
    assert capture.released == 1


def test_a_usb_camera_that_is_not_there_is_let_go() -> None:
    capture = FakeCapture(there=False)
    with pytest.raises(SourceError, match="usb:3: no camera answers there"):
        UsbCamera(3, opened=lambda _index: capture)
    assert capture.released == 1


def test_a_table_goes_on_by_itself_after_every_trouble_of_its_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stalled, gone, back in another shape, black, and well again: one after the other, without a restart."""
    monkeypatch.setattr(table_module, "RETRY_S", 0.01)
    monkeypatch.setattr(newest_module, "CLOSE_S", 0.01)
    monkeypatch.setattr(newest_module, "BLACK_S", 0.0)
    size_px = Table().size_px
    over, well = threading.Event(), threading.Event()

    def hang() -> None:
        over.wait(WAIT_S)

    def openings() -> Iterator[Scripted | SourceError]:
        yield Scripted(picture(120, size_px), hang)
        yield SourceError("usb:0: no camera answers there")
        yield Scripted(picture(120, (640, 360)), hang)
        yield Scripted(picture(0, size_px), hang)
        while True:
            yield Scripted(picture(120, size_px), picture(120, size_px), well.set, hang)

    left, said = openings(), list[str]()

    def open_next(*_arguments: object, **_options: object) -> Scripted:
        source = next(left)
        if isinstance(source, SourceError):
            raise source
        return source

    monkeypatch.setattr(app_module, "open_source", open_next)
    camera = CameraSettings.model_construct(**{**dict(CameraSettings()), "stall_s": 0.3})
    name, profile = SourceName("usb", "0"), table_profile(Table())
    appliance = Appliance(name, profile, MatchFile(), tmp_path, camera=camera, warn=said.append)
    feed = appliance.open()
    try:
        assert well.wait(WAIT_S), said
        version = 0
        while not (snapshot := feed.wait(version, WAIT_S)) or not snapshot.healthy:
            assert snapshot is not None, said
            version = snapshot.version
    finally:
        appliance.close()
        over.set()
    stalled = "usb:0: the camera has stalled: no picture for 0.3 s"
    shape = f"the camera gives pictures of 640x360 instead of {size_px[0]}x{size_px[1]} pixels"
    assert said[:2] == [stalled, "usb:0: no camera answers there"]
    assert said[2].startswith(shape)
    assert said[3] == "usb:0: the picture is black; is the lens covered, or the light off?"
    assert said[4] == stalled
    assert said[5].startswith("well again: ")


def test_a_black_picture_before_the_board_was_found_is_told_and_holds_up_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_module, "BLACK_S", 0.0)
    told, over = threading.Event(), threading.Event()
    source = Scripted(picture(0), lambda: over.wait(WAIT_S))
    monkeypatch.setattr(app_module, "open_source", lambda *_a, **_o: source)
    said: list[str] = []

    def warn(text: str) -> None:
        said.append(text)
        told.set()

    appliance = Appliance(SourceName("usb", "0"), TableProfile(), MatchFile(), tmp_path, warn=warn)
    feed = appliance.open()
    assert told.wait(WAIT_S)
    assert said == ["usb:0: the picture is black; is the lens covered, or the light off?"]
    assert not feed.snapshot().healthy
    threading.Timer(0.05, over.set).start()
    appliance.close()
    thread = appliance._thread
    assert thread is not None
    assert not thread.is_alive()
