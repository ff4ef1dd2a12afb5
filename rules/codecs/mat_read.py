"""The .mat match file, read by pattern, since every program sets its columns otherwise."""

from __future__ import annotations

import re

from rules.codecs.snowie import read_position
from rules.errors import CodecError, PlayError
from rules.play import Play, parse_play
from rules.position import Player
from rules.roll import Roll
from rules.transcript import Action, GameText, Transcript

_LENGTH = re.compile(r"\s*(\d{1,5})\s+points?\s+match", re.IGNORECASE)
_HEADER = re.compile(r';\s*\[([^"\]]+?)\s+"(.*)"\]\s*$')
_GAME = re.compile(r"\s*Game\s+(\d{1,5})\s*$", re.IGNORECASE)
_SCORES = re.compile(r"\s*(?P<left>\S.*?)\s*:\s*(?P<l>\d{1,5})\s+(?P<right>\S.*?)\s*:\s*(?P<r>\d{1,5})\s*$")
_ROW = re.compile(r"\s*\d+\)(?P<cells>.*)$")
_ROLL = r"[1-6][1-6]:"
_CUBE = r"(?:Doubles|Beavers|Raccoons)\s*=>\s*\d{1,5}|Takes?\b|Drops?\b|Passes\b|Beavers?\b"
_WINS = r"(?:Wins|Loses|Losses)\s+\d{1,5}\s+points?(?:\s+and\s+the\s+match)?"
_CELL = re.compile(
    rf"(?P<roll>{_ROLL})|(?P<cube>{_CUBE})|(?P<wins>{_WINS})|(?P<other>[^\s].*?)(?=\s*(?:{_ROLL}|{_CUBE}|{_WINS}|$))",
    re.IGNORECASE,
)
_NO_PLAY = re.compile(r"(cannot move|can'?t move|no play|no move|dances?)?\s*$", re.IGNORECASE)
_WRONG_PLAY = re.compile(r"illegal play\s*\((.*)\)\s*$", re.IGNORECASE)


def read_mat(text: str) -> Transcript:
    """The match that a .mat file tells; the left column is WHITE.

    Raises:
        CodecError: the text is no .mat file or a line cannot be read; the message names line and column and
            what was expected. Nothing is half-read.
    """
    reader = _Reader()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        reader.line(number, line)
    return reader.transcript()


class _Reader:
    """Takes a .mat file line by line."""

    def __init__(self) -> None:
        self.length: int | None = None
        self.names: tuple[str, str] | None = None
        self.headers: list[tuple[str, str]] = []
        self.games: list[GameText] = []
        self.actions: list[Action] = []
        self.head: tuple[int, tuple[int, int]] | None = None
        self.number = 0
        self.won: tuple[Player, int] | None = None

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        if not line.strip():
            return
        if line.lstrip().startswith(";"):
            header = _HEADER.match(line.strip())
            if header is not None:
                self.headers.append((header[1], header[2]))
            return
        if self.length is None:
            match = _LENGTH.match(line)
            if match is None:
                raise _wrong(number, 1, "`N point match`", line)
            self.length = int(match[1])
        elif (match := _GAME.match(line)) is not None:
            self.finish_game()
            self.number = int(match[1])
        elif self.number and self.head is None:
            self.scores(number, line)
        elif self.head is not None:
            self.row(number, line)
        else:
            raise _wrong(number, 1, "` Game 1`", line)

    def scores(self, number: int, line: str) -> None:
        """Names and scores at the head of a game."""
        match = _SCORES.match(line)
        if match is None:
            raise _wrong(number, 1, "`Name : score   Name : score`", line)
        self.names = self.names or (match["left"].partition(",")[0].strip(), match["right"].partition(",")[0].strip())
        self.head = (self.number, (int(match["l"]), int(match["r"])))

    def row(self, number: int, line: str) -> None:
        """One row of a game: one or two cells, or the result."""
        match = _ROW.match(line)
        start = match.start("cells") if match is not None else 0
        cells = list(_cells(line, start, number))
        if not cells:
            return
        if match is None and not all(kind == "wins" for kind, *_ in cells):
            raise _wrong(number, 1, "a row such as `1) 31: 8/5 6/5`", line)
        if len(cells) > 2:
            raise _wrong(number, cells[2][2] + 1, "two cells in a row", line)
        middle = self.middle(line, start, cells)
        for k, (kind, value, column, text) in enumerate(cells):
            if len(cells) == 2:
                player = Player.WHITE if k == 0 else Player.BLACK
            else:
                player = Player.BLACK if column >= middle else Player.WHITE
            self.cell(number, column, player, kind, value, text)

    def middle(self, line: str, start: int, cells: list[tuple[str, str, int, str]]) -> int:
        """From which column on a lone cell belongs to the right player."""
        kind, value, *_ = cells[0]
        if kind == "wins" and self.actions and self.actions[-1].cube == "drops":
            # Who drops loses, wherever the words stand.
            return 0 if self.actions[-1].player is Player.WHITE else len(line) + 1
        if kind == "cube" and value.lower().startswith(("take", "drop", "pass")) and self.actions:
            return 0 if self.actions[-1].player is Player.WHITE else len(line) + 1
        return start + 15

    def cell(self, number: int, column: int, player: Player, kind: str, value: str, text: str) -> None:
        """One cell of a row."""
        if kind == "wins":
            word, points, *_ = value.split()
            self.won = (player if word.lower() == "wins" else player.opponent, int(points))
        elif kind == "cube":
            word = value.split()[0].lower()
            digits = re.search(r"\d+", value)
            name = {"d": "doubles", "t": "takes", "p": "drops", "b": "beavers"}[word[0]]
            if word.startswith("drop"):
                name = "drops"
            self.actions.append(
                Action(player, cube=name, value=int(digits[0]) if digits else None, line=number, column=column + 1)
            )
        else:
            roll = Roll(int(value[0]), int(value[1]))
            play: Play | None
            if text.startswith("????"):
                play = None
            elif _NO_PLAY.match(text):
                play = Play()
            else:
                wrong = _WRONG_PLAY.match(text)
                try:
                    if wrong and ";" in wrong[1]:
                        after = read_position(wrong[1], player.opponent)
                        self.actions.append(Action(player, roll, Play(), line=number, column=column + 1, after=after))
                        return
                    play = parse_play(wrong[1] if wrong else text)
                except (PlayError, CodecError) as error:
                    raise CodecError(f"line {number}, column {column + 4}: {error}") from None
            self.actions.append(Action(player, roll, play, line=number, column=column + 1))

    def finish_game(self) -> None:
        """Put away the game that was read so far."""
        if self.head is None:
            return
        number, score = self.head
        winner, points = self.won or (None, 0)
        self.games.append(GameText(number, score, tuple(self.actions), winner, points))
        self.actions, self.head, self.won = [], None, None

    def transcript(self) -> Transcript:
        """All that was read."""
        self.finish_game()
        if self.length is None:
            raise CodecError("line 1, column 1: expected `N point match`, got an empty file")
        if not self.games:
            raise CodecError("expected at least one game (` Game 1`)")
        return Transcript(self.length, self.names or ("White", "Black"), tuple(self.games), tuple(self.headers))


def _cells(line: str, start: int, number: int) -> list[tuple[str, str, int, str]]:
    """Kind, its word, its column (from 0) and the text that belongs to it, for each cell of a row."""
    cells: list[tuple[str, str, int, str]] = []
    for match in _CELL.finditer(line, start):
        kind = str(match.lastgroup)
        if kind != "other":
            cells.append((kind, match[0], match.start(), ""))
        elif cells and cells[-1][0] == "roll" and not cells[-1][3]:
            cells[-1] = (*cells[-1][:3], match[0].strip())
        else:
            raise _wrong(number, match.start() + 1, "a roll such as `31:` or a cube word", match[0])
    return cells


def _wrong(line: int, column: int, expected: str, got: str) -> CodecError:
    return CodecError(f"line {line}, column {column}: expected {expected}, got {got.strip()!r}")
