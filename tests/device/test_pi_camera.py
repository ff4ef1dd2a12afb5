"""The Pi's camera: how it is started, how its light is fixed and looked after, and that picamera2 has what we call."""

import ast
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from device.cameras import pi
from device.cameras.fake_pi import KNOWN, FakePicamera2, module_with
from device.cameras.light import DRIFT_FRAMES, TAKEN_FRAMES, LightLock, Memory, Phase, automatic, locked
from device.cameras.pi import PiCamera
from device.config import CameraSettings
from vision.errors import SourceError
from vision.frame import Frame

SMALL = CameraSettings(width_px=640, height_px=480)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakePicamera2:
    """The camera that the next PiCamera opens."""
    camera = FakePicamera2()
    monkeypatch.setitem(sys.modules, "picamera2", module_with(lambda: camera))
    return camera


@pytest.fixture
def said() -> list[str]:
    return []


def frames(camera: PiCamera, count: int) -> list[Frame]:
    return list(islice(camera.frames(), count))


def test_it_starts_automatic_with_two_streams_and_the_lamps_flicker(fake: FakePicamera2) -> None:
    PiCamera(CameraSettings(mains_hz=60, fps=20))
    assert fake.config["main"] == {"size": (1920, 1080), "format": "RGB888"}
    assert fake.config["lores"] == {"size": (320, 240), "format": "YUV420"}
    assert fake.set == {
        "AeEnable": True,
        "AwbEnable": True,
        "AeFlickerMode": 1,
        "AeFlickerPeriod": 8333,
        "FrameDurationLimits": (50_000, 50_000),
    }
    assert fake.cycles == 1


def test_the_light_is_measured_and_then_fixed(fake: FakePicamera2, said: list[str]) -> None:
    memory = Memory()
    shown = frames(PiCamera(SMALL, memory, said.append), 30)
    assert shown[0].bgr.shape == (480, 640, 3)
    assert [frame.name for frame in shown[:2]] == ["pi#0", "pi#1"]
    assert not fake.set["AeEnable"]
    assert not fake.set["AwbEnable"]
    assert fake.set["ExposureTime"] == 20_000  # 18.7 ms are two flickers of 10 ms
    assert fake.set["AnalogueGain"] == pytest.approx(2.0 * 18_700 / 20_000)
    assert (fake.set["ColourGains"], fake.set["LensPosition"], fake.set["AfMode"]) == ((1.8, 2.1), 1.25, 0)
    assert fake.set["ScalerCrop"] == (0, 0, 4608, 2592)
    assert memory.controls is not None
    assert said == []


def test_a_camera_with_a_fixed_lens_and_an_old_libcamera_is_set_to_what_it_knows(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    without = {name: about for name, about in KNOWN.items() if name[:2] not in ("Af", "Le") and "Flicker" not in name}
    camera = FakePicamera2(known=without)
    monkeypatch.setitem(sys.modules, "picamera2", module_with(lambda: camera))
    frames(PiCamera(SMALL, warn=said.append), 30)
    assert camera.cycles == 0
    assert "LensPosition" not in camera.set
    assert camera.set["ExposureTime"] == 20_000
    assert said == []


def test_without_lock_nothing_is_fixed(fake: FakePicamera2) -> None:
    frames(PiCamera(SMALL.model_copy(update={"lock": False})), 30)
    assert fake.set["AeEnable"]


def test_a_camera_that_comes_back_is_set_as_before_until_somebody_asks(
    fake: FakePicamera2, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory()
    frames(PiCamera(SMALL, memory), 30)
    brighter = FakePicamera2()
    brighter.light = {**brighter.light, "ExposureTime": 9_000}
    monkeypatch.setitem(sys.modules, "picamera2", module_with(lambda: brighter))
    again = PiCamera(SMALL, memory)
    frames(again, 20)
    assert brighter.set["ExposureTime"] == 20_000
    memory.ask()
    frames(again, 1)
    assert brighter.cycles == 2  # focused anew
    frames(again, 30)
    assert brighter.set["ExposureTime"] == 10_000
    assert not memory.asked


def test_drift_is_told_once(fake: FakePicamera2, said: list[str]) -> None:
    def drift(camera: FakePicamera2, number: int) -> None:
        if number == 40:
            camera.set["ExposureTime"] = 11_000

    fake.on_frame = drift
    frames(PiCamera(SMALL, warn=said.append), 40 + 3 * DRIFT_FRAMES)
    assert said == ["picamera: the camera has drifted: ExposureTime 11000 instead of 20000; measure the light anew"]


def test_a_camera_that_does_not_take_its_setting_is_told(fake: FakePicamera2, said: list[str]) -> None:
    def stubborn(camera: FakePicamera2, _number: int) -> None:
        camera.set["ExposureTime"] = 30_000

    fake.on_frame = stubborn
    frames(PiCamera(SMALL, warn=said.append), TAKEN_FRAMES + 20)
    assert said[0] == ("picamera: the camera does not take what it was set to: ExposureTime 30000 instead of 20000")


@pytest.mark.parametrize("how", ["focus", "blur"])
def test_no_focus_is_told_and_the_camera_goes_on(fake: FakePicamera2, said: list[str], how: str) -> None:
    fake.fail = how
    assert len(frames(PiCamera(SMALL, warn=said.append), 3)) == 3
    assert said == ["picamera: the camera finds no focus; is the board at least 10 cm away and lit?"]


@pytest.mark.parametrize("error", [RuntimeError("camera timed out"), TimeoutError()])
def test_a_camera_that_gives_no_more_pictures_is_told(fake: FakePicamera2, error: Exception) -> None:
    def gone(_camera: FakePicamera2, number: int) -> None:
        if number == 3:
            raise error

    fake.on_frame = gone
    camera = PiCamera(SMALL)
    shown: list[Frame] = []
    with pytest.raises(SourceError, match=r"picamera: the camera gives no more pictures \((camera timed out|no pict)"):
        shown.extend(camera.frames())
    camera.close()
    assert fake.closed == 1


@pytest.mark.parametrize(("fail", "closed"), [("configure", 1), ("start", 1)])
def test_a_camera_that_does_not_start_is_let_go(fake: FakePicamera2, fail: str, closed: int) -> None:
    fake.fail = fail
    with pytest.raises(SourceError, match=r"^picamera: .*Device or resource busy"):
        PiCamera()
    assert fake.closed == closed


def test_the_fake_refuses_what_libcamera_does_not_know(fake: FakePicamera2) -> None:
    with pytest.raises(RuntimeError, match="Control Exposure is not advertised by libcamera"):
        fake.set_controls({"Exposure": 3})


@pytest.mark.parametrize(
    ("exposure_us", "gain", "mains_hz", "fps", "expected"),
    [
        (18_700, 2.0, 50, 10, (20_000, 1.87)),
        (9_000, 1.2, 50, 10, (10_000, 1.08)),
        (9_000, 1.2, 60, 10, (8_333, 1.296)),
        (33_000, 8.0, 60, 10, (33_332, 7.92)),
        (66_000, 12.0, 50, 20, (50_000, 15.84)),  # no longer than a frame lasts
        (4_000, 1.0, 50, 10, (4_000, 1.0)),  # daylight
        (40_000, 16.0, 50, 60, (10_000, 16.0)),  # dark: the gain ends before the light does
    ],
)
def test_exposure_is_whole_flickers_and_the_picture_as_bright(
    exposure_us: int, gain: float, mains_hz: int, fps: float, expected: tuple[int, float]
) -> None:
    metadata = {"ExposureTime": exposure_us, "AnalogueGain": gain, "ColourGains": (1.5, 1.5)}
    controls = locked(metadata, mains_hz, fps, (1.0, 16.0))
    assert controls["ExposureTime"] == expected[0]
    assert controls["AnalogueGain"] == pytest.approx(expected[1], rel=1e-3)


class Table:
    """A light lock fed by hand, a frame every 0.1 s."""

    def __init__(self, said: list[str]) -> None:
        self.memory = Memory()
        self.lock = LightLock(self.memory, self._fix, automatic(50, 10), said.append)
        self.at_s = 0.0
        self.metadata = {"ExposureTime": 10_000, "AnalogueGain": 1.0, "ColourGains": (1.5, 1.5)}

    def _fix(self, metadata: object) -> dict[str, object]:
        assert metadata == self.metadata
        return dict(self.metadata)

    def see(self, count: int, brightness: float = 100, **metadata: object) -> list[dict[str, object]]:
        """What is to be set, over so many frames."""
        self.metadata |= metadata  # type: ignore[arg-type]
        answers = []
        for _ in range(count):
            self.at_s += 0.1
            answers.append(self.lock.step(self.metadata, brightness, self.at_s))
        return [answer for answer in answers if answer is not None]


def test_light_that_never_is_steady_is_taken_after_a_while(said: list[str]) -> None:
    table = Table(said)
    set_at = [table.at_s for n in range(200) if table.see(1, ExposureTime=10_000 + 2_000 * (n % 2))]
    assert set_at == [pytest.approx(10.1, abs=0.15)]
    assert said[0] == "the light is not steady; exposure and white balance are fixed as they are now"


def test_a_room_that_becomes_dark_is_told_and_an_arm_is_not(said: list[str]) -> None:
    table = Table(said)
    table.see(50)
    assert table.lock.phase is Phase.LOCKED
    table.see(250, brightness=40)
    table.see(5, brightness=100)
    table.see(299, brightness=40)
    assert said == []
    table.see(10, brightness=40)
    assert said == ["the table is much darker than when the light was measured; measure it anew if it stays so"]


# What picamera2 really has.


@pytest.fixture(scope="module")
def source(picamera2_dir: Path) -> dict[str, ast.ClassDef]:
    """The classes of the installed picamera2, read and not imported: that needs libcamera."""
    trees = [ast.parse((picamera2_dir / name).read_text(encoding="utf-8")) for name in ("picamera2.py", "request.py")]
    return {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def calls_of(names: set[str]) -> Iterator[tuple[str, int, list[str]]]:
    """Every method that pi.py calls on something of these names: its name, how many positions, which keywords."""
    for node in ast.walk(ast.parse(Path(pi.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = ast.unparse(node.func.value).removeprefix("self.")
            if of in names:
                yield node.func.attr, len(node.args), [keyword.arg or "" for keyword in node.keywords]


def methods(cls: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """By name, the last definition: overloads come before it."""
    return {node.name: node for node in cls.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("cls", "names", "at_least"),
    [("Picamera2", {"_camera"}, 6), ("CompletedRequest", {"request"}, 2)],
)
def test_picamera2_has_every_method_and_keyword_that_is_called(
    source: dict[str, ast.ClassDef], cls: str, names: set[str], at_least: int
) -> None:
    real, called = methods(source[cls]), list(calls_of(names))
    assert len({name for name, *_ in called}) >= at_least
    for name, positional, keywords in called:
        assert name in real, f"{cls}.{name}"
        arguments = [a.arg for a in (*real[name].args.args, *real[name].args.kwonlyargs)][1:]
        assert positional <= len(arguments), name
        assert set(keywords) <= set(arguments), name


def test_picamera2_has_what_the_fake_has(source: dict[str, ast.ClassDef]) -> None:
    """The fake must not be able to do more than the real one."""
    mine = methods(ast.parse(Path(pi.__file__).with_name("fake_pi.py").read_text(encoding="utf-8")).body[-2])  # type: ignore[arg-type]
    real = methods(source["Picamera2"])
    for name, method in mine.items():
        if not name.startswith("_"):
            assert {a.arg for a in method.args.args} <= {a.arg for a in real[name].args.args}, name
    assert "camera_controls" in real
