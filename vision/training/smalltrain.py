"""Train the detector of small things on its shards: resumable, decided by its seed, on one plain processor.

`python -m vision.training.smalltrain SHARDS CHECKPOINT --steps N` goes on from the checkpoint where there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.frame import Bgr
from vision.smallthings import DIE_PX, STRIDE, net_input
from vision.training.smallmodel import ANSWERS, SmallNet
from vision.training.smallscenes import SCENES
from vision.training.smallshards import CROP_PX, CROPS, SEEDS, Crop, part_of, read_shard, shard_path
from vision.training.train import rate_at, relit

BATCH = 32
DECAY, KEEP = 1e-4, 0.998
SIGMA = (0.75, 1.1)
"""How wide, in cells, the hill is that marks a die's and a cube's middle."""
FORGIVING = 4
SIDE_WEIGHT = 0.5
DECOYS = 0.35
"""Share of crops with shapes that are no dice."""
SAVE_EVERY, TELL_EVERY = 500, 100
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
    counts[2] = 0
    y, x = np.indices((cells, cells)).astype(np.float32)
    for kind, px, py, side, must in things:
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
    """Focal loss of the middles that forgives cells close to one (as in CornerNet), and the error of the edges."""
    heat, goal, weight = answer[:, :2], wanted[:, :2], counts[:, :2]
    p = torch.sigmoid(heat)
    middles = (goal >= 1).float()
    hit = (1 - p) ** 2 * nn.functional.logsigmoid(heat) * middles
    missed = p**2 * nn.functional.logsigmoid(-heat) * (1 - goal) ** FORGIVING * (1 - middles)
    found = -((hit + missed) * weight).sum() / middles.sum().clamp(min=1)
    off = ((answer[:, 2] - wanted[:, 2]).abs() * counts[:, 2]).sum() / counts[:, 2].sum().clamp(min=1)
    return found + SIDE_WEIGHT * off


class Crops:
    """The crops of each step: PASSES times through a few of `shards`, then the next ones, round and round."""

    def __init__(self, folder: Path, seed: int, shards: int) -> None:
        self._folder, self._seed, self._groups = folder, seed, shards // TOGETHER
        self._group, self._crops = -1, list[Crop]()
        self.steps = TOGETHER * SEEDS * SCENES * CROPS // BATCH * PASSES

    def at(self, step: int, px: int = CROP_PX) -> tuple[Tensor, Tensor, Tensor]:
        """Inputs, wanted answers and weights of a step, of parts px large; waits for its shards to be made."""
        group, within = divmod(step, self.steps)
        if group != self._group:
            self._crops, first = [], group % self._groups * TOGETHER
            for number in range(first, first + TOGETHER):
                path = shard_path(self._folder, number)
                while not path.exists():
                    time.sleep(2)
                self._crops += read_shard(path)
            self._group = group
        each = self.steps // PASSES
        order = list(range(len(self._crops)))
        random.Random(f"{self._seed} {group} {within // each}").shuffle(order)
        chosen = order[(within % each) * BATCH : (within % each + 1) * BATCH]
        chance = random.Random(f"{self._seed} {step}")
        changed = [disturbed(part_of(self._crops[n], px, chance), chance) for n in chosen]
        wanted, counts = zip(*(targets(things, px) for _, things in changed), strict=True)
        inputs = np.concatenate([view for view, _ in changed])
        return torch.from_numpy(inputs), torch.from_numpy(np.stack(wanted)), torch.from_numpy(np.stack(counts))


def train(
    folder: Path,
    checkpoint: Path,
    *,
    steps: int,
    shards: int,
    seed: int = 1,
    begin: Path | None = None,
    stop_after: int | None = None,
) -> None:
    """Train until `steps`, saving every SAVE_EVERY; `stop_after` ends this run after so many steps of its own.

    Without a checkpoint it begins with the averaged weights of the file `begin`, or with chance.
    """
    torch.manual_seed(seed)
    net, average = SmallNet(), SmallNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    tuner = torch.optim.AdamW(net.parameters(), weight_decay=DECAY)
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
    crops, told = Crops(folder, seed, shards), list[float]()
    end = steps if stop_after is None else min(steps, start + stop_after)
    for step in range(start, end):
        for group in tuner.param_groups:
            group["lr"] = rate_at(step, steps)
        inputs, wanted, counts = crops.at(step, CROP_PX if step >= WHOLE_FROM * steps else PART_PX)
        loss = loss_of(net(inputs.contiguous(memory_format=torch.channels_last)), wanted, counts)
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
        told.append(loss.item())
        if (step + 1) % TELL_EVERY == 0:
            sys.stdout.write(f"step {step + 1} of {steps}: loss {np.mean(told[-TELL_EVERY:]):.3f}\n")
            sys.stdout.flush()
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == end:
            work = checkpoint.with_suffix(".part")
            kept = {"net": net.state_dict(), "average": average.state_dict(), "tuner": tuner.state_dict()}
            torch.save({**kept, "step": step + 1}, work)
            work.replace(checkpoint)


def main() -> None:
    """Train the detector."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=16000)
    parser.add_argument("--use", type=int, default=44, help="how many shards, a multiple of four")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to begin with")
    given = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train(given.shards, given.checkpoint, steps=given.steps, shards=given.use, seed=given.seed, begin=given.begin)


if __name__ == "__main__":
    main()
