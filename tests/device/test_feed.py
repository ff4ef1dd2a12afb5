"""The feed: readers wait for what is new, and the camera's picture is drawn only when asked for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from device import feed as feed_module
from device.feed import Feed
from rules.match import MatchState
from vision.belief import Belief
from vision.evidence import CheckerEvidence
from vision.frame import Frame
from vision.observe import Observation
from vision.picture import decode

GEOMETRY = BoardGeometry(((10.0, 10.0), (140.0, 10.0), (140.0, 100.0), (10.0, 100.0)))


@pytest.fixture
def feed() -> Feed:
    return Feed(MatchState(), home_right=False)


def seen() -> Observation:
    belief = Belief((0,) * 24, (0, 0), (1.0,) * 24, (1.0, 1.0), 1.0)
    evidence = CheckerEvidence(np.zeros((24, 31)), np.zeros((2, 16)))
    return Observation(Frame(np.zeros((110, 150, 3), np.uint8), 0.0, "x"), 9.0, evidence, belief, (), None)


def test_only_what_is_new_makes_a_new_version(feed: Feed) -> None:
    first = feed.snapshot()
    feed.publish(first.state, "watching", healthy=True)
    second = feed.snapshot()
    feed.publish(first.state, "watching", healthy=True)
    assert feed.snapshot() is second
    feed.publish(first.state, "watching", healthy=False)
    feed.publish(replace(first.state, length=9), "watching", healthy=False)
    third = feed.snapshot()
    assert (second.version - first.version, third.version - second.version) == (1, 2)
    assert (third.state.length, third.status, third.healthy, third.home_right) == (9, "watching", False, False)


def test_a_reader_who_is_behind_gets_the_newest_at_once(feed: Feed) -> None:
    version = feed.snapshot().version
    feed.publish(MatchState(), "one", healthy=True)
    feed.publish(MatchState(), "two", healthy=True)
    snapshot = feed.wait(version, 0)
    assert snapshot is not None
    assert snapshot.status == "two"


def test_a_reader_who_knows_everything_gets_nothing(feed: Feed) -> None:
    assert feed.wait(feed.snapshot().version, 0.01) is None


def test_all_readers_who_wait_are_woken(feed: Feed) -> None:
    version = feed.snapshot().version
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(feed.wait, version, 10) for _ in range(8)]
        feed.publish(MatchState(), "a roll is being played", healthy=True)
        woken = [reader.result(10) for reader in waiting]
    assert {snapshot.status for snapshot in woken if snapshot} == {"a roll is being played"}
    assert None not in woken


def test_the_picture_is_drawn_when_asked_for(feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Observation] = []
    annotate: Callable[[Observation, BoardGeometry], object] = feed_module.annotate

    def count(what: Observation, geometry: BoardGeometry) -> object:
        drawn.append(what)
        return annotate(what, geometry)

    monkeypatch.setattr(feed_module, "annotate", count)
    assert feed.camera_jpeg() is None
    feed.show(seen(), GEOMETRY)
    newest = seen()
    feed.show(newest, GEOMETRY)
    assert drawn == []
    picture = feed.camera_jpeg()
    assert picture is not None
    assert decode(picture).shape == (110, 150, 3)
    assert len(drawn) == 1
    assert drawn[0] is newest
