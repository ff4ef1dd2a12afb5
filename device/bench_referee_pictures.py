"""Pictures of what the referee missed: as the eyes saw them, with what was true written underneath."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from device.bench_referee_film import FPS, Still
from device.bench_referee_judge import Miss
from rules.position import BAR, POINTS, Player, Position
from vision.annotate import annotate, jpeg
from vision.frame import Bgr
from vision.settle import Settler

BEFORE, AFTER = 2, 2
"""So many scenes that lay still are kept before a miss and from it on."""
MOST_MISSES = 12
LINE_PX, TEXT = 22, 0.5


class Album:
    """Keeps every scene's picture of a run, and then those around its misses in a folder."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="schiri-misses-"))
        self._kept: list[tuple[int, Path]] = []

    def look(self, still: Still, picture: Bgr, settler: Settler) -> None:
        """A watcher of `device.bench_referee_film`."""
        frame = round(still.frame.at_s * FPS)
        path = self._folder / f"f{frame:06d}.jpg"
        path.write_bytes(jpeg(captioned(_annotated(still, picture, settler), caption(still))))
        self._kept.append((frame, path))

    def keep(self, misses: Sequence[Miss], folder: Path) -> None:
        """Copies the pictures around the first misses to `folder`, with a list of them, and forgets the rest."""
        if misses:
            folder.mkdir(parents=True, exist_ok=True)
            lines = [f"f{round(m.at_s * FPS):06d} {m.what}: true {m.true} | read {m.read}" for m in misses]
            (folder / "misses.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for miss in misses[:MOST_MISSES]:
            for path in self._around(round(miss.at_s * FPS)):
                shutil.copy(path, folder / path.name)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _around(self, frame: int) -> list[Path]:
        later = next((k for k, (number, _) in enumerate(self._kept) if number >= frame), len(self._kept))
        return [path for _, path in self._kept[max(0, later - BEFORE) : later + AFTER]]


def _annotated(still: Still, picture: Bgr, settler: Settler) -> Bgr:
    seen = settler.observation
    fresh = seen is not None and np.array_equal(seen.frame.bgr, picture)
    if seen is None or not (fresh or still.reading is not None):
        return picture.copy()
    return annotate(seen, settler.eyes.geometry)


def caption(still: Still) -> list[str]:
    """Where the picture is from, what is true, what was read, and where they differ."""
    frame, reading = still.frame, still.reading
    scene = frame.scene
    dice = " ".join(str(die.pips) for die in scene.dice) or "none"
    lines = [
        f"frame {round(frame.at_s * FPS)}, {frame.at_s:.1f} s, shot {frame.shot}: {frame.note}",
        f"true: dice {dice}, cube {scene.cube.value} at {scene.cube.xy[0]:.2f} {scene.cube.xy[1]:.2f}",
    ]
    if reading is None:
        return [*lines, f"no reading: {still.seeing.value}"]
    seen = ", ".join(f"{die.pips} {die.state.value} {die.half.value} {die.confidence:.2f}" for die in reading.dice)
    cube = reading.cube
    told = (
        "none" if cube is None else f"{cube.value} {cube.where.value}{' offered' * cube.offered} {cube.confidence:.2f}"
    )
    wrong = "; ".join(differences(scene.position, reading.position)) or "nothing"
    return [*lines, f"read: dice {seen or 'none'}, cube {told}, margin {reading.margin:.1f}", f"differs: {wrong}"]


def differences(true: Position, read: Position) -> list[str]:
    """The points that were read otherwise than they are, each in its owner's count."""
    found = []
    for player in Player:
        for point in (*POINTS, BAR):
            there, seen = true.count(player, point), read.count(player, point)
            if there != seen:
                found.append(f"{player} {'bar' if point == BAR else point}: {there} read as {seen}")
    return found


def captioned(picture: Bgr, lines: Sequence[str]) -> Bgr:
    """The picture with lines of text under it."""
    below = np.full((LINE_PX * len(lines) + 8, picture.shape[1], 3), 30, np.uint8)
    for k, line in enumerate(lines):
        at = (8, LINE_PX * (k + 1) - 4)
        cv2.putText(below, line, at, cv2.FONT_HERSHEY_SIMPLEX, TEXT, (235, 235, 235), 1, cv2.LINE_AA)
    return np.vstack([picture, below])
