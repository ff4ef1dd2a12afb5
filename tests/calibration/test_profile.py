"""The table file: what it may say, and one helpful sentence for everything it may not."""

import json
from pathlib import Path

import pytest

from calibration.geometry import TYPICAL_BAR
from calibration.orientation import Home
from calibration.profile import TableFileError, TableProfile, parse_table, read_table

CORNERS = [[100, 50], [740, 50], [740, 450], [100, 450]]
BAR = [[400, 50], [440, 50], [440, 450], [400, 450]]


def test_everything_a_file_may_say() -> None:
    table = parse_table(
        json.dumps(
            {
                "corners": CORNERS,
                "bar": BAR,
                "checkers": 12,
                "start": "seen",
                "white_home": "top-left",
                "white_bgr": [200, 210, 220],
                "black_bgr": [10, 20, 30],
                "dice_zone": "board",
            }
        )
    )
    geometry = table.geometry()
    assert geometry is not None
    assert geometry.bar == pytest.approx((300 / 640, 340 / 640))
    assert (table.checkers, table.start, table.white_home, table.dice_zone) == (12, "seen", Home.TOP_LEFT, "board")
    assert (table.white_bgr, table.black_bgr) == ((200, 210, 220), (10, 20, 30))


def test_an_empty_file_leaves_everything_open() -> None:
    table = parse_table("{}")
    assert (table, table.geometry(), table.bar_known) == (TableProfile(), None, False)


@pytest.mark.parametrize(("extra", "bar"), [({}, TYPICAL_BAR), ({"bar": None}, (0.5, 0.5))])
def test_no_bar_is_not_the_same_as_nothing_said_of_it(extra: dict[str, None], bar: tuple[float, float]) -> None:
    geometry = parse_table(json.dumps({"corners": CORNERS, **extra})).geometry()
    assert geometry is not None
    assert geometry.bar == bar


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"coners": []}', "unknown key 'coners'; did you mean 'corners'?"),
        ('{"whitehome": "top-left"}', "unknown key 'whitehome'; did you mean 'white_home'?"),
        ('{"xyzzy": 1}', "unknown key 'xyzzy'"),
        ('{\n  "corners": [[1, 2],\n}', "line 3, column 1: not JSON"),
        ("", "line 1, column 1: not JSON"),
        ("[1]", "expected a JSON object"),
        ("null", "expected a JSON object"),
        ("[" * 100_000, "not JSON that can be read (too many brackets"),
        ('{"checkers": ' + "1" * 5000 + "}", "not JSON that can be read"),
        ('{"checkers": 16}', "checkers: input should be less than or equal to 15 (got 16)"),
        ('{"checkers": 0}', "checkers: "),
        ('{"checkers": true}', "checkers: input should be a valid integer (got true)"),
        ('{"checkers": "many"}', "checkers: "),
        ('{"start": "later"}', "start: input should be 'standard' or 'seen'"),
        ('{"white_home": "left"}', "white_home: "),
        ('{"white_bgr": [1, 2]}', "white_bgr.2: "),
        ('{"white_bgr": [1, 2, 256]}', "white_bgr.2: input should be less than or equal to 255 (got 256)"),
        ('{"dice_zone": "lap"}', "dice_zone: "),
        ('{"corners": "1,2 3,4 5,6 7,8"}', "corners: "),
        ('{"corners": [[1, 2], [3, 4], [5, 6]]}', "corners: corners: expected four [x, y] pairs, got 3"),
        ('{"corners": [[NaN, 2], [300, 4], [300, 600], [1, 600]]}', "corners: "),
        ('{"corners": [["1", 2], [300, 4], [300, 600], [1, 600]]}', "corners.0.0: input should be a valid number"),
        (json.dumps({"corners": CORNERS, "bar": CORNERS}), "bar: it does not lie in the middle"),
    ],
)
def test_a_mistake_is_named(text: str, message: str) -> None:
    with pytest.raises(TableFileError) as caught:
        parse_table(text)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 250


def test_a_file_is_named_and_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "Tisch fünf.json"
    file.write_text('{"checkers": 12}', encoding="utf-8-sig")
    assert read_table(file).checkers == 12
    file.write_text('{"cheкers": 12}', encoding="utf-8")
    with pytest.raises(TableFileError, match=r"fünf\.json: unknown key"):
        read_table(file)
    file.write_bytes('{"checkers": 12}'.encode("utf-16"))
    with pytest.raises(TableFileError, match=r"fünf\.json: not a text file in UTF-8"):
        read_table(file)
