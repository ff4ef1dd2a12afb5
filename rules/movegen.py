"""Every legal play of a roll (R19, R20, R24–R28, R64–R68, R71–R74).

The search runs on packed positions (`rules.packed`), where a move is one addition, and never builds
the same play twice: a double is played from the highest point downwards, so each choice of origins
is met once; two numbers are played in both orders and told apart by their result.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rules.errors import PlayError
from rules.packed import Side, pack, step, unpack
from rules.play import Move, Play
from rules.position import BAR, OFF, Player, Position
from rules.roll import Roll

_DICE = range(7)
_PLACES = range(26)
_SHIFT = tuple(tuple(step(p, max(p - d, 0), hit=False) for p in _PLACES) for d in _DICE)
_HIT = tuple(tuple(step(p, max(p - d, 1), hit=True) for p in _PLACES) for d in _DICE)
_POINTS = tuple(range(1, 25))
_HOME = tuple(range(1, 7))
_WHITE = Player.WHITE


@dataclass(frozen=True, slots=True)
class Turn:
    """Who plays which roll from where."""

    position: Position
    player: Player
    roll: Roll


@dataclass(frozen=True, slots=True)
class LegalPlay:
    """A legal play of a turn, kept as the packed position it leads to; the rest is worked out when asked for."""

    turn: Turn
    packed: int

    @property
    def play(self) -> Play:
        """Its moves, in an order in which they can be made; none is a dance."""
        return play_between(self.turn.position, self.turn.player, self.turn.roll, self.after) or Play()

    @property
    def after(self) -> Position:
        """The position it leads to."""
        return unpack(self.packed, self.turn.position, self.turn.player)


def legal_plays(position: Position, player: Player, roll: Roll) -> tuple[LegalPlay, ...]:
    """All legal plays of `roll`, one for each distinct position they lead to, those from higher points first.

    Where nothing can be played there is one: the empty play, a dance (R65). A play uses as many
    numbers as any order allows, and where only one can be used, the higher if it can be (R25).
    """
    turn = Turn(position, player, roll)
    results = sorted(legal_results(position, player, roll))
    if not results:
        results = [pack(position.side(player), position.side(player.opponent))]
    return tuple([LegalPlay(turn, packed) for packed in results])


def legal_results(position: Position, player: Player, roll: Roll) -> Collection[int]:
    """The packed positions that `roll` can lead to, each once; none where it cannot be played.

    This is `legal_plays` without the notation, for those who only compare positions.
    """
    if player is _WHITE:
        mine, theirs = position.white, position.black
    else:
        mine, theirs = position.black, position.white
    base = pack(mine, theirs)
    high, low = roll.high, roll.low
    if high == low:
        return _double(mine, theirs, base, high)
    if mine[BAR]:
        return _from_bar(mine, theirs, base, high, low)
    outside = sum(mine[7:25])
    if outside > 1:
        return _in_the_field(mine, theirs, base, high, low)
    return _near_home(mine, theirs, base, high, low, outside)


def _from_bar(mine: Side, theirs: Side, base: int, high: int, low: int) -> Collection[int]:
    """Two different numbers with checkers on the bar: they enter first (R27, R28, R66)."""
    enter_high = _landing(theirs, BAR, high)
    enter_low = _landing(theirs, BAR, low)
    if mine[BAR] > 1:
        return [base + (enter_high or 0) + (enter_low or 0)] if enter_high or enter_low else []
    found = set()
    for number, entering, other in ((high, enter_high, low), (low, enter_low, high)):
        if entering is None:
            continue
        entered = base + entering
        landed = BAR - number
        own = [point for point in _POINTS if mine[point] or point == landed]
        for point, moved in _moves_by(own, theirs, other):
            found.add(entered + (_SHIFT[other][point] if point - other == landed else moved))
    if found:
        return found
    single = enter_low if enter_high is None else enter_high
    return [] if single is None else [base + single]


def _in_the_field(mine: Side, theirs: Side, base: int, high: int, low: int) -> Collection[int]:
    """Two different numbers, no bar, and too many checkers outside to bear one off."""
    own = [point for point in _POINTS if mine[point]]
    by_high = _moves_by(own, theirs, high)
    by_low = _moves_by(own, theirs, low)
    found = set()
    for first, moved in by_high:
        packed = base + moved
        landed = first - high
        for second, then in by_low:
            if second == first:
                if mine[first] > 1:
                    found.add(packed + then)
            elif second - low == landed:
                found.add(packed + _SHIFT[low][second])
            else:
                found.add(packed + then)
        if landed > low and not mine[landed]:
            onward = _landing(theirs, landed, low)
            if onward is not None:
                found.add(packed + onward)
    for first, moved in by_low:
        landed = first - low
        if landed > high and not mine[landed]:
            onward = _landing(theirs, landed, high)
            if onward is not None:
                found.add(base + moved + onward)
    return found or [base + moved for _, moved in by_high or by_low]


def _moves_by(own: list[int], theirs: Side, number: int) -> list[tuple[int, int]]:
    """Origin and addition of every move by `number` from the held points `own` that stays on the board."""
    entry = BAR + number
    shift, hit = _SHIFT[number], _HIT[number]
    return [
        (point, hit[point] if standing else shift[point])
        for point in own
        if point > number and (standing := theirs[entry - point]) < 2
    ]


def _landing(theirs: Side, point: int, number: int) -> int | None:
    """What moving a checker from `point` by `number`, on the board, adds, or None where it is blocked."""
    standing = theirs[BAR - point + number]
    if standing == 0:
        return _SHIFT[number][point]
    return _HIT[number][point] if standing == 1 else None


def _near_home(mine: Side, theirs: Side, base: int, high: int, low: int, outside: int) -> Collection[int]:
    """Two different numbers, no bar, with at most one checker outside home: checkers may come off (R19, R20)."""
    own = [point for point in (_POINTS if outside else _HOME) if mine[point]]
    found: set[int] = set()
    by_high = _moves_near_home(own, theirs, high)
    shift, hit, entry = _SHIFT[low], _HIT[low], BAR + low
    for first, moved in by_high:
        target = first - high
        left = own
        if mine[first] == 1:
            left = own.copy()
            left.remove(first)
        if target > 0 and not mine[target]:
            left = [*left, target]
            left.sort()
        packed = base + moved
        top = left[-1] if left else 0
        found.update(  # as `_moves_near_home`, written out: half of all time is spent here
            [
                packed + (hit[q] if q > low and theirs[entry - q] and q - low != target else shift[q])
                for q in left
                if (theirs[entry - q] < 2 if q > low else q in (low, top) and top < 7)
            ]
        )
    by_low = _moves_near_home(own, theirs, low)
    for first, moved in by_low:
        found.update([base + moved + then for then in _high_after_low(mine, theirs, own, high, first, first - low)])
    return found or [base + moved for _, moved in by_high or by_low]


def _high_after_low(mine: Side, theirs: Side, own: list[int], high: int, first: int, target: int) -> list[int]:
    """What the higher number adds after the lower went from `first` to `target`, where it could not have come first.

    That is the same checker going on, and the one checker that the higher number then bears off.
    """
    added = []
    if target > high:
        onward = _landing(theirs, target, high)
        if onward is not None:
            added.append(onward)
    top = own[-1]
    if first == top and mine[first] == 1:
        top = max(target, own[-2] if len(own) > 1 else 0)
    if 0 < top < 7:
        if mine[high] > (first == high) or target == high:
            added.append(_SHIFT[high][high])
        elif top < high:
            added.append(_SHIFT[high][top])
    return added


def _moves_near_home(own: list[int], theirs: Side, number: int) -> list[tuple[int, int]]:
    """Origin and addition of every move by `number`; `own` are the held points, none twice, rising."""
    shift, hit = _SHIFT[number], _HIT[number]
    entry = BAR + number
    top = own[-1] if own else 0
    return [
        (point, hit[point] if point > number and theirs[entry - point] else shift[point])
        for point in own
        if (theirs[entry - point] < 2 if point > number else point in (number, top) and top < 7)
    ]


def _double(mine: Side, theirs: Side, base: int, number: int) -> Collection[int]:
    """Four times the same number, as far as it goes (R24)."""
    held = list(mine)
    left = 4
    if held[BAR]:
        entering = _landing(theirs, BAR, number)
        if entering is None:
            return []
        count = min(held[BAR], 4)
        base += entering + (count - 1) * _SHIFT[number][BAR]
        held[BAR] -= count
        held[BAR - number] += count
        left -= count
        if not left:
            return [base]
    levels: list[list[int]] = [[] for _ in range(left)]
    outside = sum(held[7:25])
    _repeat(held, theirs, number, 24 if outside else 6, left, base, outside, levels)
    for level in levels:
        if level:
            return level
    return [base] if left < 4 else []


def _repeat(
    held: list[int], theirs: Side, number: int, top: int, left: int, packed: int, outside: int, levels: list[list[int]]
) -> None:
    """Add to `levels[numbers left]` every position reached by moves from point `top` downwards."""
    shift, hit = _SHIFT[number], _HIT[number]
    left -= 1
    level = levels[left]
    for point in range(top, 0, -1):
        if not held[point]:
            continue
        target = point - number
        if target > 0:
            standing = theirs[BAR - target]
            if standing > 1:
                continue
            moved = packed + (hit[point] if standing and not held[target] else shift[point])
        elif outside or (target < 0 and any(held[point + 1 : 7])):
            return
        else:
            target = OFF
            moved = packed + shift[point]
        level.append(moved)
        if left:
            held[point] -= 1
            held[target] += 1
            _repeat(held, theirs, number, point, left, moved, outside - (point > 6 >= target), levels)
            held[target] -= 1
            held[point] += 1


def play_between(before: Position, player: Player, roll: Roll, after: Position) -> Play | None:
    """The moves of `roll` that turn `before` into `after`, in an order in which they can be made.

    None where no moves by the numbers rolled do; whether all numbers had to be played is not asked.
    """
    mine, theirs = before.side(player), before.side(player.opponent)
    hits = {BAR - point for point in _POINTS if theirs[point] == 1 and after.count(player.opponent, point) == 0}
    wanted = after.side(player)
    ways = [_same_numbers(mine, wanted, roll.high)] if roll.is_double else _two_numbers(mine, wanted, roll)
    for way in ways:
        moves = []
        open_hits = set(hits)
        for origin, target in sorted(way, key=lambda pair: (-pair[0], pair[1])):
            standing = theirs[BAR - target] if target else 0
            if standing > 1 or (standing == 1 and target not in hits):
                break
            moves.append(Move(origin, target, target in open_hits))
            open_hits.discard(target)
        else:
            if not open_hits:
                return Play(tuple(moves))
    return None


def _same_numbers(mine: Side, wanted: Side, number: int) -> list[tuple[int, int]]:
    """The moves by `number` between two counts: from the top, what a point holds too many must have moved on."""
    held = list(mine)
    moves: list[tuple[int, int]] = []
    for point in range(BAR, 0, -1):
        target = max(point - number, OFF)
        for _ in range(held[point] - wanted[point]):
            moves.append((point, target))
            held[target] += 1
    return moves


def _two_numbers(mine: Side, wanted: Side, roll: Roll) -> list[list[tuple[int, int]]]:
    """Every way to turn one count into the other by both numbers or by one."""
    ways = []
    for numbers in ((roll.high, roll.low), (roll.low, roll.high), (roll.high,), (roll.low,)):
        held = list(mine)
        way = []
        for number in numbers:
            origin = next((point for point in range(BAR, 0, -1) if held[point] > wanted[point]), None)
            if origin is None:
                break
            target = max(origin - number, OFF)
            held[origin] -= 1
            held[target] += 1
            way.append((origin, target))
        if tuple(held) == wanted and len(way) == len(numbers):
            ways.append(way)
    return ways


def resolve(position: Position, player: Player, roll: Roll, play: Play) -> LegalPlay:
    """The legal play that `play` means, however it is written: steps joined, hits left out, any order.

    Where two plays move the checkers alike and differ in what they hit on the way, it is the one that
    hits where `play` marks a hit or stops on a blot.

    Raises:
        PlayError: no legal play moves the checkers so.
    """
    held = list(position.side(player))
    theirs = position.side(player.opponent)
    for move in play.moves:
        held[move.origin] -= 1
        held[move.target] += 1
    hits = {move.target for move in play.moves if move.hit or (move.target and theirs[BAR - move.target] == 1)}
    turn = Turn(position, player, roll)
    results = legal_results(position, player, roll)
    if min(held) >= 0:
        meant = pack(tuple(held), theirs) + sum(
            step(OFF, target, hit=True) - step(OFF, target, hit=False) for target in hits
        )
        if meant in results:
            return LegalPlay(turn, meant)
    fitting = [legal for legal in legal_plays(position, player, roll) if list(legal.after.side(player)) == held]
    if not fitting:
        raise PlayError(f"{player} {roll}: {play} is not legal")
    return min(fitting, key=lambda legal: len(hits ^ {move.target for move in legal.play.moves if move.hit}))
