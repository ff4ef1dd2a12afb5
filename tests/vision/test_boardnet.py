"""The trained net on pictures of the simulator: also of the renderer that it has never seen."""

from pathlib import Path

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply
from rules.position import Position
from vision import boardnet
from vision.netcheckers import covered_places
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Hand, Scene
from vision.synth.table import Table
from vision.training.cases import cases_of
from vision.training.evaluate import evaluate
from vision.window import HEIGHT_PX, WIDTH_PX, net_input, window_from_image, window_of

PHYSICAL = "tests/data/physical/truth.jsonl"
POINTS_CLEAR, CLAIMED_WRONG = 0.98, 0.015
"""Floors; docs/board-net.md has the figures themselves."""
UNSEEN_SECOND_LAYER = -2.5


def test_every_checker_of_the_start_is_found_where_it_stands(table: Table, geometry: BoardGeometry) -> None:
    picture, shown = Painter(table).seen(Scene())
    found = boardnet.look(window_of(picture, geometry), geometry.bar)
    sure = found.checkers.xy[found.checkers.p > 0.5]
    centres = [item.centre_mm for item, _ in shown if item.role == "checker"]
    places = apply(window_from_image(geometry), table.camera.project(centres))
    assert len(sure) == len(places) == 30
    short = found.counts[:, :5].argmax(axis=1), found.counts[:, 5:].max(axis=1) > found.counts[:, :5].max(axis=1)
    assert sorted(short[0][~short[1]]) == [0] * 16 + [2, 2, 3, 3]
    assert (found.counts[short[1], 5] > UNSEEN_SECOND_LAYER).all(), "a lens above cannot see what lies on a row of five"
    assert (found.counts.max(axis=1) == 0).all()
    for place in places:
        assert np.hypot(*(sure - place).T).min() < 2.5


def test_an_empty_board_is_empty(table: Table, geometry: BoardGeometry, nothing: Position) -> None:
    picture = Painter(table).draw(Scene(nothing, cube=CubeAt(2, (9.0, 9.0))))
    found = boardnet.look(window_of(picture, geometry), geometry.bar)
    assert found.counts.argmax(axis=1).tolist() == [0] * 24
    assert not (found.checkers.p > 0.3).any()


def test_a_hand_covers_the_points_under_it(table: Table, geometry: BoardGeometry) -> None:
    hand = Scene(hands=(Hand((0.04, 0.75), near=True),))
    open_board, hidden = (
        covered_places(boardnet.look(window_of(Painter(table).draw(scene), geometry), geometry.bar), geometry)
        for scene in (Scene(), hand)
    )
    assert open_board.max() < 0.1
    assert hidden[12] > 0.2
    assert hidden[:12].max() < 0.1


def test_the_input_is_free_of_exposure() -> None:
    window = np.random.default_rng(1).integers(40, 200, (HEIGHT_PX, WIDTH_PX, 3)).astype(np.uint8)
    bright, dark = net_input(window), net_input((window // 4).astype(np.uint8))
    assert bright.shape == (1, 3, HEIGHT_PX, WIDTH_PX)
    assert abs(float(bright.mean())) < 0.01
    assert float(bright.std()) == pytest.approx(1, abs=0.01)
    assert np.abs(bright - dark).mean() < 0.05


def test_the_physical_test_set_is_read_as_well_as_the_model_card_says(root: Path) -> None:
    scores = evaluate(cases_of(root / PHYSICAL))
    assert scores["all"].pictures == 200
    assert scores["clear"].right / scores["clear"].points > POINTS_CLEAR
    assert scores["all"].claimed_wrong / scores["all"].claimed < CLAIMED_WRONG
