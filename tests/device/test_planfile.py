"""The plan file: what is to be filmed, and what is wrong with a plan that cannot be."""

import json
from pathlib import Path

import pytest

from device.errors import DOMAIN_ERRORS, DeviceError
from device.match_formats import read_match
from device.matchfile import MatchFile
from device.planfile import plan_of
from rules import events as ev
from rules.game import replay
from vision.synth.story.faults import FAULTS, TROUBLES
from vision.synth.story.plan import Evening, Plan, Wanted

MAT = """ 3 point match

 Game 1
 Ivory : 0                            Walnut : 0
  1) 31: 8/5 6/5                       42: 8/4 6/4
  2)  Doubles => 2                      Drops
      Wins 1 point

 Game 2
 Ivory : 1                            Walnut : 0
  1)                                   65: 24/13
  2) 52: 13/8 13/11                     Doubles => 2
  3)  Takes                            64: 24/14
  4) 31: 8/5 6/5                       21: 13/11 6/5
      Wins 2 points
"""


@pytest.fixture
def mat(tmp_path: Path) -> Path:
    file = tmp_path / "two.mat"
    file.write_text(MAT, encoding="utf-8")
    return file


def read(path: Path | None, *faults: str, seed: int | None = None, length: int | None = None) -> tuple[Plan, MatchFile]:
    return plan_of(path, seed=seed, length=length, faults=faults)


def written(folder: Path, **keys: object) -> Path:
    file = folder / "plan.json"
    file.write_text(json.dumps(keys), encoding="utf-8")
    return file


def filmed(plan: Plan, match: MatchFile) -> tuple[int, int]:
    """The score that the events of the film lead to."""
    shots = Evening(plan).shots()
    return replay([match.started(0.0, 15), *(event for shot in shots for event in shot.events)]).score


def test_a_seed_is_a_plan() -> None:
    assert read(None, seed=7) == (Plan(7, 1), MatchFile(length=1))
    assert read(None, "bump", seed=7, length=3)[0] == Plan(7, 3, (Wanted("bump"),))


def test_a_plan_in_a_file(tmp_path: Path) -> None:
    faults = ["cocked", {"kind": "bump", "turn": 4}]
    file = written(tmp_path, seed=9, length=5, faults=faults, resignations=False, done=False)
    plan = Plan(9, 5, (Wanted("cocked"), Wanted("bump", 4)), resignations=False, done=False)
    assert read(file) == (plan, MatchFile(length=5))
    more, _ = read(file, "blackout", "cocked", seed=1, length=2)
    assert (more.seed, more.length, [one.kind for one in more.faults]) == (1, 2, ["cocked", "bump", "blackout"])


def test_all_is_everything_that_there_is_room_for(mat: Path) -> None:
    assert [one.kind for one in read(None, "all", seed=1)[0].faults] == list(FAULTS)
    told = [one.kind for one in read(mat, "all")[0].faults]
    assert told == [kind for kind in FAULTS if not TROUBLES[kind].changes_course]
    assert len(told) > 20


def test_a_match_file_is_a_plan(mat: Path) -> None:
    plan, match = read(mat)
    assert match == MatchFile(length=3, white="Ivory", black="Walnut")
    assert filmed(plan, match) == read_match(mat).state.score == (3, 0)


def test_a_plan_names_a_match_file_or_holds_its_text(tmp_path: Path, mat: Path) -> None:
    named, held = read(written(tmp_path, match=mat.name)), read(written(tmp_path, match=MAT))
    assert named == held == read(mat)


def test_with_faults_the_match_stays_the_match(mat: Path) -> None:
    plan, match = read(mat, "all", seed=3)
    assert filmed(plan, match) == (3, 0)


def test_each_roll_and_play_of_the_file_is_filmed(mat: Path) -> None:
    plan, _ = read(mat)
    events = [event for shot in Evening(plan).shots() for event in shot.events]
    seen = [event for event in events if type(event) in (ev.Rolled, ev.Played, ev.CubeOffered, ev.CubeTaken)]
    assert seen == [event for event in read_match(mat).events if type(event) in {type(one) for one in seen}]


def test_real_matches_can_be_filmed(shared_dir: Path) -> None:
    """Rolls, plays, cube, resignations, wrong plays that stand: what is filmed leads to the file's score."""
    files = sorted((shared_dir / "data" / "matches" / "real").glob("*.mat"))
    assert len(files) >= 30
    for file in files:
        plan, match = read(file)
        assert plan.told is not None
        assert filmed(plan, match) == replay(plan.told).score, file.name


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"sead": 1}, "unknown key 'sead'; did you mean 'seed'?"),
        ({"seed": -1}, "seed: input should be greater than or equal to 0"),
        ({"length": 0}, "length: "),
        ({"match": "", "seed": 1}, "match: "),
        ({"match": "two.mat", "length": 3}, "length and match: the match says how long it is"),
        ({"match": "gone.mat"}, "gone.mat: cannot be read"),
        ({"match": "no match\n"}, "match: line 1"),
        ({"faults": "bump"}, "faults: "),
        ({"faults": ["coked"]}, "coked: no fault that can be drawn"),
        ({"faults": [{"kind": "bump", "trun": 2}]}, "faults.0.trun"),
        ({"faults": [{"kind": "bump", "turn": 0}]}, "faults.0.turn: "),
        ({"match": "two.mat", "faults": ["wrong_distance"]}, "wrong_distance: would change the match"),
    ],
)
@pytest.mark.usefixtures("mat")
def test_a_mistake_is_named_with_the_file(keys: dict[str, object], words: str, tmp_path: Path) -> None:
    file = written(tmp_path, **keys)
    with pytest.raises(DOMAIN_ERRORS) as caught:
        read(file)
    assert words in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_plan(tmp_path: Path, mat: Path) -> None:
    other = tmp_path / "plan.yaml"
    for path, words in ((other, "a plan is a .json file"), (tmp_path / "empty.mat", "expected `N point match`")):
        path.write_text("", encoding="utf-8")
        with pytest.raises(DeviceError, match=words):
            read(path)
    with pytest.raises(DeviceError, match="leave --length out"):
        read(mat, length=3)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "gone.json")
