"""Train the detector of small things on its shards: resumable, decided by its seed, on one plain processor.

`python -m vision.training.things.train SHARDS CHECKPOINT --steps N` goes on from the checkpoint where there is one.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.frame import Bgr
from vision.smallthings import DIE_PX, STRIDE, net_input
from vision.training.focal import missed_middles
from vision.training.light import relit
from vision.training.loop import Course, asked, follow
from vision.training.shardfile import Rounds
from vision.training.things.crop import CROP_PX, DIE, Crop
from vision.training.things.model import ANSWERS, SmallNet
from vision.training.things.shards import EACH, SEEDS, part_of, read_shard, shard_path

BATCH = 32
COURSE = Course(steps=16000, save_every=500, tell_every=100)
SIGMA = (0.75, 1.1)
"""How wide, in cells, the hill is that marks a die's and a cube's middle."""
SIDE_WEIGHT, LEAN_WEIGHT = 0.5, 0.3
DECOYS = 0.35
"""Share of crops with shapes that are no dice."""
TOGETHER, PASSES = 4, 2
"""Shards used together, and how often before the next ones are."""
PART_PX, WHOLE_FROM = 128, 0.85
"""Parts of crops are quicker to learn from; the last steps, from this share on, see whole ones."""
Floats = npt.NDArray[np.float32]


def targets(things: Floats, px: int = CROP_PX) -> tuple[Floats, Floats]:
    """What the net should answer for a square of px (ANSWERS × rows × columns) and how much each cell counts."""
    cells = px // STRIDE
    wanted = np.zeros((ANSWERS, cells, cells), np.float32)
    counts = np.ones((ANSWERS, cells, cells), np.float32)
    counts[2:] = 0
    y, x = np.indices((cells, cells)).astype(np.float32)
    for kind, px, py, side, must, leans in things:
        layer = int(kind)
        cx, cy = (px + 0.5) / STRIDE - 0.5, (py + 0.5) / STRIDE - 0.5
        away = np.hypot(x - cx, y - cy)
        if not must:
            counts[layer][away < 0.7 * side / STRIDE + 1] = 0
            continue
        hill = np.exp(-(away**2) / (2 * SIGMA[layer] ** 2))
        row, column = round(float(cy)), round(float(cx))
        if 0 <= row < cells and 0 <= column < cells:
            hill[row, column] = 1.0
        wanted[layer] = np.maximum(wanted[layer], hill)
        near = away < 1.6
        wanted[2][near] = np.log2(side / DIE_PX)
        counts[2][near] = 1
        if layer == DIE:
            wanted[3][near] = leans
            counts[3][near] = 1
    return wanted, counts


def disturbed(crop: Crop, chance: random.Random) -> tuple[Floats, Floats]:
    """A crop turned, mirrored and relit by chance, as the net takes it, and its things."""
    bgr, things = crop.bgr, crop.things.copy()
    last = len(bgr) - 1
    if chance.random() < 0.5:
        bgr, things[:, 1] = bgr[:, ::-1], last - things[:, 1]
    if chance.random() < 0.5:
        bgr, things[:, 2] = bgr[::-1], last - things[:, 2]
    if chance.random() < 0.5:
        bgr, things[:, 1:3] = bgr.transpose(1, 0, 2), things[:, [2, 1]]
    before = decoyed(np.ascontiguousarray(bgr), things, chance)
    after = _rough(relit(before, chance), chance)
    (mean, spread), (mean_now, spread_now) = _level(before), _level(after)
    level = crop.level + mean_now - mean + chance.gauss(0, 6)
    spread = crop.spread * min(3.0, max(0.2, spread_now / spread)) * float(np.exp(chance.gauss(0, 0.12)))
    return net_input(after, level, max(4.0, spread)), things


def decoyed(bgr: Bgr, things: Floats, chance: random.Random) -> Bgr:
    """Now and then with plain discs, rings and squares of a die's size beside the things."""
    if chance.random() > DECOYS:
        return bgr
    drawn = bgr.copy()
    for _ in range(chance.randint(1, 3)):
        radius = chance.uniform(4, 14)
        at = np.array([chance.uniform(0, len(bgr)), chance.uniform(0, len(bgr))])
        if (np.hypot(*(things[:, 1:3] - at).T) < radius + things[:, 3]).any():
            continue
        level = chance.uniform(10, 245)
        body, ring = ([min(255, max(0, level + chance.gauss(0, by))) for _ in range(3)] for by in (15, 50))
        x, y = (round(16 * float(v)) for v in at)
        if chance.random() < 0.7:
            cv2.circle(drawn, (x, y), round(16 * radius), body, -1, cv2.LINE_AA, 4)
            if chance.random() < 0.4:
                inner = round(16 * radius * chance.uniform(0.2, 0.85))
                cv2.circle(drawn, (x, y), inner, ring, chance.choice((-1, 1, 2)), cv2.LINE_AA, 4)
        else:
            corners = cv2.boxPoints((tuple(at.tolist()), (2 * radius, 2 * radius), chance.uniform(0, 90)))
            cv2.fillConvexPoly(drawn, (16 * corners).round().astype(np.int32), body, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), chance.uniform(0.3, 0.9)), dtype=np.uint8)


def _rough(bgr: Bgr, chance: random.Random) -> Bgr:
    """Now and then compressed, or enlarged from fewer pixels."""
    if chance.random() < 0.15:
        whole, few = (len(bgr), len(bgr)), (round(len(bgr) * chance.uniform(0.4, 0.9)),) * 2
        bgr = np.asarray(cv2.resize(bgr, few, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        bgr = np.asarray(cv2.resize(bgr, whole, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    if chance.random() < 0.2:
        data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, chance.randint(25, 85)])[1]
        bgr = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return bgr


def _level(bgr: Bgr) -> tuple[float, float]:
    mean, spread = cv2.meanStdDev(bgr)
    return float(mean.mean()), float(spread.mean()) + 1


def loss_of(answer: Tensor, wanted: Tensor, counts: Tensor) -> Tensor:
    """Focal loss of the middles that forgives cells close to one (as in CornerNet), errors of edges and leaning."""
    found = missed_middles(answer[:, :2], wanted[:, :2], counts[:, :2])
    off = ((answer[:, 2] - wanted[:, 2]).abs() * counts[:, 2]).sum() / counts[:, 2].sum().clamp(min=1)
    unsure = nn.functional.binary_cross_entropy_with_logits(answer[:, 3], wanted[:, 3], reduction="none")
    lean = (unsure * counts[:, 3]).sum() / counts[:, 3].sum().clamp(min=1)
    return found + SIDE_WEIGHT * off + LEAN_WEIGHT * lean


def batch_of(crops: list[Crop], px: int, chance: random.Random) -> tuple[Tensor, Tensor, Tensor]:
    """Inputs, wanted answers and weights of parts px large, disturbed."""
    changed = [disturbed(part_of(one, px, chance), chance) for one in crops]
    wanted, counts = zip(*(targets(things, px) for _, things in changed), strict=True)
    inputs = np.concatenate([view for view, _ in changed])
    return torch.from_numpy(inputs), torch.from_numpy(np.stack(wanted)), torch.from_numpy(np.stack(counts))


def crops(folder: Path, seed: int, shards: int) -> Rounds[Crop]:
    """The crops of each step, from the first `shards` shards."""
    paths, each = [shard_path(folder, number) for number in range(shards)], SEEDS * EACH
    return Rounds(paths, read_shard, seed, batch=BATCH, each=each, together=TOGETHER, passes=PASSES)


def train(folder: Path, checkpoint: Path, course: Course, *, shards: int) -> None:
    """Train with the first `shards` shards of the folder."""
    rounds = crops(folder, course.seed, shards)

    def lesson(net: SmallNet, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        px = CROP_PX if step >= WHOLE_FROM * course.steps else PART_PX
        inputs, wanted, counts = batch_of(rounds.at(step), px, random.Random(f"{course.seed} {step}"))
        loss = loss_of(net(inputs.contiguous(memory_format=torch.channels_last)), wanted, counts)
        return loss, {"loss": loss}

    follow(course, SmallNet, lesson, checkpoint)


def main() -> None:
    """Train the detector."""
    given, course = asked(argparse.ArgumentParser(description=main.__doc__), COURSE, use=44, by=TOGETHER)
    train(given.shards, given.checkpoint, course, shards=given.use)


if __name__ == "__main__":
    main()
