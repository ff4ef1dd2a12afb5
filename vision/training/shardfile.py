"""Files of training pictures: written whole or not at all, read back, asked for by number, gone through in rounds."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

Example = TypeVar("Example")
Arrays = Mapping[str, npt.NDArray[Any]]


def write_whole(path: Path, arrays: Arrays) -> None:
    """Write the arrays to an .npz file that appears whole or not at all."""
    work = path.with_suffix(".part.npz")
    np.savez(work, **arrays)  # type: ignore[arg-type]  # no array is called allow_pickle
    work.replace(path)


def packed(name: str, parts: Sequence[npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Arrays of different lengths as one, `name`, and where each ends, `name`_ends."""
    return {name: np.concatenate(parts), f"{name}_ends": np.cumsum([len(part) for part in parts])}


def packed_jpegs(pictures: Sequence[Bgr], quality: int) -> dict[str, npt.NDArray[Any]]:
    """The pictures as JPEGs, packed as `jpeg`."""
    return packed("jpeg", [cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1] for bgr in pictures])


def parts_of(kept: Arrays, name: str) -> list[npt.NDArray[Any]]:
    """The arrays that `packed` made one."""
    return np.split(kept[name], kept[f"{name}_ends"][:-1])


def decoded(jpeg: npt.NDArray[np.uint8]) -> Bgr:
    """A picture."""
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)


def asked(parser: argparse.ArgumentParser, *, count: int) -> tuple[argparse.Namespace, range]:
    """What the command line says, its `folder` made, and the numbers of the shards it wants; `count` unless it says.

    Adds to the parser what all makers of shards take.
    """
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=count)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.folder.mkdir(parents=True, exist_ok=True)
    return given, range(given.first, given.first + given.count)


class Rounds(Generic[Example]):
    """The examples of each step: `passes` times through `together` shards, then the next ones, round and round."""

    def __init__(
        self,
        paths: Sequence[Path],
        read: Callable[[Path], list[Example]],
        seed: int,
        *,
        batch: int,
        each: int,
        together: int,
        passes: int,
    ) -> None:
        """Shards hold `each` examples; of what is left over when `together` do not go into `paths` nothing is used."""
        self._paths, self._read, self._seed = paths, read, seed
        self._batch, self._together = batch, together
        self._groups, self._pass_steps = len(paths) // together, together * each // batch
        self._group, self._examples = -1, list[Example]()
        self.steps = self._pass_steps * passes

    def at(self, step: int) -> list[Example]:
        """The examples of a step; waits for its shards to be made."""
        group, within = divmod(step, self.steps)
        if group != self._group:
            first = group % self._groups * self._together
            self._examples = []
            for path in self._paths[first : first + self._together]:
                while not path.exists():
                    time.sleep(2)
                self._examples += self._read(path)
            self._group = group
        order = list(range(len(self._examples)))
        random.Random(f"{self._seed} {group} {within // self._pass_steps}").shuffle(order)
        first = within % self._pass_steps * self._batch
        return [self._examples[k] for k in order[first : first + self._batch]]
