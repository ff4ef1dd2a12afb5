"""Train the board net on shards from the simulator: resumable, decided by its seed, on plain processors.

`python -m vision.training.board.train SHARDS CHECKPOINT --steps N` goes on from the checkpoint where there is one. The
order of the pictures follows from the step alone, so a run that was stopped gives what an unbroken one gives.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from calibration.geometry import COLUMNS, apply, homography, parse_corners
from vision.frame import Bgr
from vision.strips import across_weights
from vision.training.board.model import HEADS, Reader
from vision.training.board.shards import CUBE, SHARD, Example, nth_shard, read_shard, shard_path
from vision.training.focal import missed_middles
from vision.training.light import relit
from vision.training.loop import Course, asked, follow
from vision.training.shardfile import Rounds
from vision.window import FIELD, FIELD_WH_PX, HEIGHT_PX, STRIDE, WIDTH_PX, net_input

BATCH = 16
COURSE = Course(steps=6000)
SIGMA = (0.85, 0.85, 0.8, 1.2)
"""How wide, in cells, the hill is that marks each kind of middle."""
COVER_WEIGHT, COUNT_WEIGHT = 0.5, 1.0
BAR_ERROR, CORNER_ERRORS = 0.004, (0.003, 0.006, 0.012)
"""How far a person is off who says where the bar and the corners are, as a share of the field's width."""
TOGETHER, PASSES = 4, 2
"""Shards used together, and how often before the next ones are."""
Floats = npt.NDArray[np.float32]


def targets(example: Example) -> tuple[Floats, Floats]:
    """What the net should answer (HEADS × rows × columns), and how much each cell counts."""
    rows, columns = HEIGHT_PX // STRIDE, WIDTH_PX // STRIDE
    wanted = np.zeros((HEADS, rows, columns), np.float32)
    counts = np.ones((HEADS, rows, columns), np.float32)
    y, x = np.indices((rows, columns)).astype(np.float32)
    for kind, px, py, must in example.things:
        cx, cy = (px + 0.5) / STRIDE - 0.5, (py + 0.5) / STRIDE - 0.5
        hill = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * SIGMA[int(kind)] ** 2))
        if must:
            hill[round(float(cy)) % rows, round(float(cx)) % columns] = 1.0
            wanted[int(kind)] = np.maximum(wanted[int(kind)], hill)
        else:
            counts[int(kind)] = np.minimum(counts[int(kind)], 1 - (hill > 0.05))
    wanted[CUBE + 1] = example.cover / 255
    return wanted, counts


def disturbed(example: Example, chance: random.Random) -> Example:
    """The picture mirrored, and its colours and light changed, by chance."""
    window, things, cover = example.window, example.things.copy(), example.cover
    counts, (left, right) = example.counts.reshape(2, COLUMNS), example.bar
    if chance.random() < 0.5:
        window, cover, counts = window[:, ::-1], cover[:, ::-1], counts[:, ::-1]
        things[:, 1] = WIDTH_PX - 1 - things[:, 1]
        left, right = 1 - right, 1 - left
    if chance.random() < 0.5:
        window, cover, counts = window[::-1], cover[::-1], counts[::-1]
        things[:, 2] = HEIGHT_PX - 1 - things[:, 2]
    off = chance.gauss(0, BAR_ERROR)
    moved = _askew(np.ascontiguousarray(window), things, np.ascontiguousarray(cover), chance)
    return Example(relit(moved[0], chance), moved[1], moved[2], counts.reshape(-1), (left + off, right + off))


def _askew(
    window: Bgr, things: Floats, cover: npt.NDArray[np.uint8], chance: random.Random
) -> tuple[Bgr, Floats, npt.NDArray[np.uint8]]:
    """The window as it would be cut with corners that are a little off."""
    if chance.random() < 0.4:
        return window, things, cover
    sigma = chance.choice(CORNER_ERRORS) * FIELD_WH_PX[0]
    corners = [(x + chance.gauss(0, sigma), y + chance.gauss(0, sigma)) for x, y in FIELD]
    transform = homography(parse_corners(corners), FIELD)
    size = (WIDTH_PX, HEIGHT_PX)
    window = np.asarray(cv2.warpPerspective(window, transform, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    large = cv2.resize(cover, size, interpolation=cv2.INTER_LINEAR)
    large = cv2.warpPerspective(large, transform, size, borderMode=cv2.BORDER_REPLICATE)
    cells = (WIDTH_PX // STRIDE, HEIGHT_PX // STRIDE)
    hidden = np.asarray(cv2.resize(large, cells, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    things[:, 1:3] = apply(transform, things[:, 1:3]) if len(things) else things[:, 1:3]
    inside = (things[:, 1:3] > 0).all(axis=1) & (things[:, 1:3] < size).all(axis=1)
    return window, things[inside], hidden


@dataclass(frozen=True, slots=True)
class Batch:
    """What a step learns from: windows, the strips' weights, answers wanted with how much each counts, counts."""

    windows: Tensor
    across: Tensor
    wanted: Tensor
    weight: Tensor
    counts: Tensor


def batch_of(examples: list[Example], chance: random.Random) -> Batch:
    """A batch of pictures, disturbed."""
    changed = [disturbed(one, chance) for one in examples]
    wanted, weight = zip(*(targets(one) for one in changed), strict=True)
    return Batch(
        torch.from_numpy(np.concatenate([net_input(one.window) for one in changed])),
        torch.from_numpy(np.stack([across_weights(one.bar) for one in changed])),
        torch.from_numpy(np.stack(wanted)),
        torch.from_numpy(np.stack(weight)),
        torch.from_numpy(np.concatenate([one.counts for one in changed])),
    )


def loss_of(net: Reader, batch: Batch) -> tuple[Tensor, Tensor]:
    """How wrong the net is about places and cover, and about the counts of points."""
    cells, counts = net(batch.windows.contiguous(memory_format=torch.channels_last), batch.across)
    return _loss_of_cells(cells, batch.wanted, batch.weight), nn.functional.cross_entropy(counts, batch.counts)


def _loss_of_cells(logits: Tensor, wanted: Tensor, counts: Tensor) -> Tensor:
    """Focal loss that forgives cells close to a middle (as in CornerNet), and cross entropy of the cover."""
    found = missed_middles(logits[:, :-1], wanted[:, :-1], counts[:, :-1])
    cover = nn.functional.binary_cross_entropy_with_logits(logits[:, -1], wanted[:, -1])
    return found + COVER_WEIGHT * cover


def pictures(folder: Path, seed: int, shards: int, skip: int) -> Rounds[Example]:
    """The pictures of each step, from `shards` shards that come after `skip` others."""
    paths = [shard_path(folder, nth_shard(number)) for number in range(skip, skip + shards)]
    return Rounds(paths, read_shard, seed, batch=BATCH, each=SHARD, together=TOGETHER, passes=PASSES)


def train(folder: Path, checkpoint: Path, course: Course, *, shards: int, skip: int = 0) -> None:
    """Train with `shards` shards of the folder that come after `skip` others."""
    rounds = pictures(folder, course.seed, shards, skip)

    def lesson(net: Reader, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        batch = batch_of(rounds.at(step), random.Random(f"{course.seed} {step}"))
        of_cells, of_counts = loss_of(net, batch)
        return of_cells + COUNT_WEIGHT * of_counts, {"loss of places": of_cells, "of counts": of_counts}

    follow(course, Reader, lesson, checkpoint)


def main() -> None:
    """Train the board net."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--skip", type=int, default=0, help="how many shards to leave out before those used")
    given, course = asked(parser, COURSE, use=40, by=TOGETHER)
    train(given.shards, given.checkpoint, course, shards=given.use, skip=given.skip)


if __name__ == "__main__":
    main()
