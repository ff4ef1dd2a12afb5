"""Train the board net on shards from the simulator: resumable, decided by its seed, on plain processors.

`python -m vision.training.train SHARDS CHECKPOINT --steps N` goes on from the checkpoint where there is one. The
order of the pictures follows from the step alone, so a run that was stopped gives what an unbroken one gives.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
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
from vision.training.model import HEADS, Reader
from vision.training.shards import CUBE, SHARD, Example, nth_shard, read_shard, shard_path
from vision.window import FIELD, FIELD_WH_PX, HEIGHT_PX, STRIDE, WIDTH_PX, net_input

BATCH = 16
RATE, WARM_UP, DECAY = 2.5e-3, 200, 1e-4
KEEP = 0.998
"""Share of the averaged weights that each step keeps."""
SIGMA = (0.85, 0.85, 0.8, 1.2)
"""How wide, in cells, the hill is that marks each kind of middle."""
COVER_WEIGHT, COUNT_WEIGHT = 0.5, 1.0
BAR_ERROR, CORNER_ERRORS = 0.004, (0.003, 0.006, 0.012)
"""How far a person is off who says where the bar and the corners are, as a share of the field's width."""
SAVE_EVERY, TELL_EVERY = 200, 50
PASSES = 2
"""How often a few shards are used before the next ones are."""
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


def relit(window: Bgr, chance: random.Random) -> Bgr:
    """The picture in other light, by chance also with other colours, blurred or noisy."""
    if chance.random() < 0.15:
        window = np.ascontiguousarray(window[..., chance.sample(range(3), 3)])
    gamma, gain = chance.uniform(0.7, 1.4), chance.uniform(0.85, 1.15)
    if chance.random() < 0.15:
        gain *= chance.uniform(0.15, 0.6)
    levels = 255 * gain * (np.arange(256) / 255) ** gamma
    window = np.asarray(cv2.LUT(window, np.clip(levels, 0, 255).astype(np.uint8)), dtype=np.uint8)
    if chance.random() < 0.2:
        window = np.asarray(cv2.GaussianBlur(window, (0, 0), chance.uniform(0.5, 1.6)), dtype=np.uint8)
    if chance.random() < 0.3:
        noise = np.random.default_rng(chance.randrange(1 << 30)).normal(0, chance.uniform(2, 22), window.shape)
        window = np.clip(window + noise, 0, 255).astype(np.uint8)
    return window


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
    heat, goal, weight = logits[:, :-1], wanted[:, :-1], counts[:, :-1]
    sure = nn.functional.logsigmoid(heat)
    not_at_all = nn.functional.logsigmoid(-heat)
    p = torch.sigmoid(heat)
    middles = (goal >= 1).float()
    hit = (1 - p) ** 2 * sure * middles
    missed = p**2 * not_at_all * (1 - goal) ** 4 * (1 - middles)
    found = -((hit + missed) * weight).sum() / middles.sum().clamp(min=1)
    cover = nn.functional.binary_cross_entropy_with_logits(logits[:, -1], wanted[:, -1])
    return found + COVER_WEIGHT * cover


class Pictures:
    """The pictures of each step: PASSES times through a few of `shards`, then the next ones, round and round.

    The first of them is the shard that comes after `skip` others.
    """

    def __init__(self, folder: Path, seed: int, shards: int, skip: int = 0, together: int = 4) -> None:
        self._folder, self._seed, self._skip, self._together = folder, seed, skip, together
        self._groups = shards // together
        self._group, self._examples = -1, list[Example]()
        self.steps = together * SHARD * PASSES // BATCH

    def at(self, step: int) -> Batch:
        """The batch of a step; waits for its shards to be made."""
        group, within = divmod(step, self.steps)
        if group != self._group:
            self._examples = []
            first = self._skip + group % self._groups * self._together
            for number in range(first, first + self._together):
                path = shard_path(self._folder, nth_shard(number))
                while not path.exists():
                    time.sleep(2)
                self._examples += read_shard(path)
            self._group = group
        each = len(self._examples) // BATCH
        order = list(range(len(self._examples)))
        random.Random(f"{self._seed} {group} {within // each}").shuffle(order)
        chosen = order[(within % each) * BATCH : (within % each + 1) * BATCH]
        chance = random.Random(f"{self._seed} {step}")
        return batch_of([self._examples[k] for k in chosen], chance)


def rate_at(step: int, steps: int, highest: float = RATE) -> float:
    """Learning rate: up in WARM_UP steps, then down along half a cosine."""
    if step < WARM_UP:
        return highest * (step + 1) / WARM_UP
    share = (step - WARM_UP) / max(1, steps - WARM_UP)
    return highest * (0.5 * (1 + float(np.cos(np.pi * min(1.0, share)))) + 0.002)


def train(
    folder: Path,
    checkpoint: Path,
    *,
    steps: int,
    shards: int,
    skip: int = 0,
    rate: float = RATE,
    seed: int = 1,
    begin: Path | None = None,
    stop_after: int | None = None,
) -> None:
    """Train until `steps`, saving every SAVE_EVERY; `stop_after` ends this run after so many steps of its own.

    Without a checkpoint it begins with the averaged weights of the file `begin`, or with chance.
    """
    torch.manual_seed(seed)
    net, average = Reader(), Reader()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    tuner = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    start = 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(kept["net"])
        average.load_state_dict(kept["average"])
        tuner.load_state_dict(kept["tuner"])
        start = kept["step"]
    else:
        if begin is not None:
            net.load_state_dict(torch.load(begin, weights_only=True)["average"])
        average.load_state_dict(net.state_dict())
    pictures, told = Pictures(folder, seed, shards, skip), list[tuple[float, float]]()
    end = steps if stop_after is None else min(steps, start + stop_after)
    for step in range(start, end):
        for group in tuner.param_groups:
            group["lr"] = rate_at(step, steps, rate)
        of_cells, of_counts = loss_of(net, pictures.at(step))
        loss = of_cells + COUNT_WEIGHT * of_counts
        tuner.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        keep = min(KEEP, step / (step + 10))
        with torch.no_grad():
            for mean, new in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
                if mean.dtype.is_floating_point:
                    mean.lerp_(new, 1 - keep)
                else:
                    mean.copy_(new)
        told.append((of_cells.item(), of_counts.item()))
        if (step + 1) % TELL_EVERY == 0:
            cells, counts = np.mean(told[-TELL_EVERY:], axis=0)
            sys.stdout.write(f"step {step + 1} of {steps}: loss of places {cells:.3f}, of counts {counts:.3f}\n")
            sys.stdout.flush()
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == end:
            work = checkpoint.with_suffix(".part")
            kept = {"net": net.state_dict(), "average": average.state_dict(), "tuner": tuner.state_dict()}
            torch.save({**kept, "step": step + 1}, work)
            work.replace(checkpoint)


def main() -> None:
    """Train the board net."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--use", type=int, default=40, help="how many shards, a multiple of four")
    parser.add_argument("--skip", type=int, default=0, help="how many shards to leave out before them")
    parser.add_argument("--rate", type=float, default=RATE, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to begin with, such as weights.pt beside this file")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    train(
        given.shards,
        given.checkpoint,
        steps=given.steps,
        shards=given.use,
        skip=given.skip,
        rate=given.rate,
        seed=given.seed,
        begin=given.begin,
    )


if __name__ == "__main__":
    main()
