"""The set-up of the running table (`webui.setup.port.SetupPort`): looks, learns, hands it to the table."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Protocol

import numpy as np

from calibration.errors import GeometryError
from calibration.geometry import BoardGeometry, parse_corners
from calibration.orientation import Home
from calibration.profile import TableProfile
from device.boardfinding import LEAST
from device.calibration_words import APART, BLOWN, DARK
from device.calibrator import Learned, RefusalError, learn_from
from device.tablefile import write_learned
from rules.position import CHECKERS
from vision.annotate import jpeg
from vision.board import find_board, refined
from vision.frame import Frame
from vision.standing import Still
from webui.ports import Answer
from webui.setup.port import Corners, SelfTest, Sight

DIM = 0.85
"""A half of the board that is so much darker than the other is told."""
NEAR = 0.04
"""Corners found closer than this to those of a person, in widths of the field, are meant by him."""
NO_PICTURE = "there is no picture any more; take a new one"
NOTHING_LEARNED = "nothing was learned that could be used; test the board first"


class RunningTable(Protocol):
    """What is asked of the table that runs (`device.app.Appliance`)."""

    @property
    def base(self) -> TableProfile:
        """What was known of the table at the start, without what was learned on the page."""
        ...

    @property
    def nobody_plays(self) -> bool:
        """Whether nobody has said yet who plays at a camera's table."""
        ...

    def newest_frame(self) -> Frame | None:
        """The newest picture."""
        ...

    def take_over(self, table: TableProfile) -> Answer:
        """Go on with another table."""
        ...


class SetupDesk:
    """A `SetupPort`; `file` is where the learned table is kept (None: nowhere), `given` the table file of the start."""

    def __init__(self, table: RunningTable, file: Path | None, given: Path | None) -> None:
        self._table, self._file = table, file
        self.given = "" if given is None else given.name
        self._lock = Lock()
        self._seen: tuple[Frame, Sight] | None = None
        self._learned: Learned | None = None
        self._tested: SelfTest | None = None
        self._in_use = file is not None and given is None and file.exists()

    @property
    def needed(self) -> bool:
        """Whether this is a first start."""
        return self._table.nobody_plays

    @property
    def learned(self) -> bool:
        """Whether a learned table is in use."""
        return self._in_use

    def look(self) -> Sight | None:
        """A new picture."""
        frame = self._table.newest_frame()
        seen = None if frame is None else (frame, _sight(frame))
        with self._lock:
            self._seen, self._learned, self._tested = seen, None, None
        return seen[1] if seen else None

    def sight(self) -> Sight | None:
        """The picture that was last looked at."""
        with self._lock:
            return self._seen[1] if self._seen else None

    def tested(self) -> SelfTest | None:
        """What came of the last `learn`."""
        with self._lock:
            return self._tested

    def learn(self, corners: Corners) -> SelfTest:
        """Learn the table from the last picture: with its board where it is found close by, else as the corners say."""
        with self._lock:
            seen = self._seen
        if seen is None:
            return SelfTest(refused=NO_PICTURE)
        base, learned = self._table.base, None
        refusal = RefusalError("")
        for table in _placed(seen[0], base, corners):
            try:
                learned = learn_from(seen[0], table)
                break
            except (RefusalError, GeometryError) as error:
                right = error.right if isinstance(error, RefusalError) else 0
                if not str(refusal) or right > refusal.right:
                    refusal = RefusalError(str(error).partition(" (a table file")[0], right)
        told = _told(learned, base) if learned else _refused(refusal)
        with self._lock:
            if self._seen is seen:
                self._learned, self._tested = learned, told
        return told

    def keep(self, home: str) -> Answer:
        """Write the learned table into its file, then use it; where it cannot be written nothing changes."""
        with self._lock:
            learned, self._learned = self._learned, None
        if learned is None:
            return Answer(False, NOTHING_LEARNED)
        table = learned.table
        if not _home_told(self._table.base):
            if home not in list(Home):
                return Answer(False, "say where white sits and bears off")
            table = table.model_copy(update={"white_home": Home(home)})
        try:
            if self._file is not None:
                write_learned(self._file, table)
        except OSError as error:
            return Answer(False, f"{self._file}: cannot be written ({error.strerror})")
        self._in_use = True
        return self._table.take_over(table)

    def forget(self) -> Answer:
        """Remove the learned table's file and go back to what was known at the start."""
        try:
            if self._file is not None:
                self._file.unlink(missing_ok=True)
        except OSError as error:
            return Answer(False, f"{self._file}: cannot be removed ({error.strerror})")
        self._in_use = False
        return self._table.take_over(self._table.base)


def _sight(frame: Frame) -> Sight:
    found = find_board(frame.bgr)
    height, width = frame.bgr.shape[:2]
    corners = found.geometry.corners if found is not None and found.confidence >= LEAST else None
    return Sight(jpeg(frame.bgr), (width, height), corners)


def _placed(frame: Frame, base: TableProfile, corners: Corners) -> list[TableProfile]:
    """The table with the board as it is found near those corners, and with the corners as they are.

    Corners that no board has are told by the second.
    """
    known = {key: value for key, value in base if key in base.model_fields_set - {"corners", "bar", "calibration"}}
    if base.bar_known and base.bar is None:
        known["bar"] = None
    if _home_told(base):
        known.pop("white_home", None)
    places: list[Corners] = [corners]
    with suppress(GeometryError):
        rough = BoardGeometry(parse_corners([list(xy) for xy in corners]))
        near = refined(frame.bgr, rough)
        if near is not None and near.confidence >= LEAST:
            off = np.linalg.norm(np.subtract(near.geometry.corners, corners), axis=1).max() / rough.sides_px[0]
            if off <= NEAR:
                places.insert(0, near.geometry.corners)
    return [TableProfile(**known, corners=[[round(x, 1), round(y, 1)] for x, y in place]) for place in places]


def _home_told(base: TableProfile) -> bool:
    """Whether the position says where white's home is."""
    return base.start == "standard" and base.checkers == CHECKERS


def _refused(refusal: RefusalError) -> SelfTest:
    text = str(refusal)
    return SelfTest(f"{text[:1].upper()}{text[1:]}.", refusal.right)


def _told(learned: Learned, base: TableProfile) -> SelfTest:
    still, table = learned.still, learned.table
    assert table.white_bgr is not None
    assert table.black_bgr is not None
    assert still.lab is not None
    (wb, wg, wr), (bb, bg, br) = table.white_bgr, table.black_bgr
    return SelfTest(
        right=2 * table.checkers,
        checkers=2 * table.checkers,
        home=table.white_home,
        home_told=_home_told(base),
        colours=((wr, wg, wb), (br, bg, bb)),
        alike=float(np.linalg.norm(np.subtract(*still.lab))) < APART,
        dark=max(still.quarters) < DARK,
        blown=still.blown > BLOWN,
        dim_at=dim_side(still),
    )


def dim_side(still: Still) -> str:
    """The side of the board that is much darker than the other; empty where the light is even."""
    top_left, top_right, bottom_left, bottom_right = still.quarters
    halves = {
        "left": (top_left + bottom_left, top_right + bottom_right),
        "right": (top_right + bottom_right, top_left + bottom_left),
        "top": (top_left + top_right, bottom_left + bottom_right),
        "bottom": (bottom_left + bottom_right, top_left + top_right),
    }
    side, (dim, bright) = min(halves.items(), key=lambda one: one[1][0] / max(one[1][1], 1e-6))
    return side if dim < DIM * bright else ""
