"""What lamp and buzzer say of a table, and what a press of a button means: without any pin."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from rules.commands import Command, Decided, TurnEnded
from rules.decisions import Answered, ResignationAccepted, ResultConfirmed, ResultOfficial
from rules.events import Role
from rules.match import MatchState, Phase
from rules.position import Player
from webui.ports import Snapshot

DIRECTOR = "director"
BY_THE_DIRECTOR = "settled by the director"
"""The answer to a question that the director ends with his key."""


class Lamp(StrEnum):
    """A colour of the lamp; its value is its key in the settings."""

    GREEN = "green"
    RED = "red"
    AMBER = "amber"
    WHITE = "white"


@dataclass(frozen=True, slots=True)
class Signs:
    """The lamps that burn; with `trouble` white blinks, since a person should look at the box."""

    lamps: frozenset[Lamp]
    trouble: bool = False

    @property
    def calls(self) -> bool:
        """The players should look up from the board."""
        return bool(self.lamps & {Lamp.RED, Lamp.AMBER})


def signs(snapshot: Snapshot, moving: frozenset[str]) -> Signs:
    """What the panel shows of a table; `moving` are the statuses in which the position has not settled.

    Only a referee, or a coach, says what is wrong: a recorder's lamp shows neither red nor amber (R47).
    """
    if not snapshot.healthy:
        return Signs(frozenset({Lamp.WHITE}), trouble=True)
    state = snapshot.state
    if state.role is not Role.RECORDER:
        if _is_illegal(state):
            return Signs(frozenset({Lamp.RED}))
        if state.questions or _rolls_again(state):
            return Signs(frozenset({Lamp.AMBER}))
    return Signs(frozenset({Lamp.WHITE if snapshot.status in moving else Lamp.GREEN}))


def _is_illegal(state: MatchState) -> bool:
    """The last play was illegal and may still be put right."""
    if state.game is None or not state.game.turns or state.phase is Phase.MATCH_OVER:
        return False
    last = state.game.turns[-1]
    return last.verdict == "illegal" and not last.stands


def _rolls_again(state: MatchState) -> bool:
    return state.thrown and state.phase in (Phase.OPENING, Phase.TO_ROLL)


class Press(Enum):
    """How a button was pressed."""

    SHORT = "short"
    LONG = "long"


class Contact:
    """One button, freed of its bouncing: a level counts once it has lasted `debounce_s`.

    A long press counts while the button is still held, and its release then means nothing.
    """

    def __init__(self, debounce_s: float, hold_s: float) -> None:
        self._debounce_s, self._hold_s = debounce_s, hold_s
        self.held = False
        self._level, self._since_s = False, float("-inf")
        self._pressed_at_s: float | None = None

    def sample(self, active: bool, at_s: float) -> Press | None:
        """The press that is complete with this look at the contact, if any."""
        if active != self._level:
            self._level, self._since_s = active, at_s
        if self._level != self.held and at_s - self._since_s >= self._debounce_s:
            self.held = self._level
            if self.held:
                self._pressed_at_s = self._since_s
            elif self._pressed_at_s is not None:
                self._pressed_at_s = None
                return Press.SHORT
        if self.held and self._pressed_at_s is not None and at_s - self._pressed_at_s >= self._hold_s:
            self._pressed_at_s = None
            return Press.LONG
        return None


def meaning(press: Press, player: Player, state: MatchState, *, director: bool) -> tuple[Command, str] | None:
    """The command of a press of `player`'s button and who gives it; None where it means nothing now.

    Short: DONE, or the clock. Long: the player takes a resignation, or confirms the result. With the director's key a
    long press ends an open question, or makes a finished match official; a short one never speaks for the director.
    """
    if director:
        return _of_the_director(state) if press is Press.LONG else None
    if press is Press.SHORT:
        return TurnEnded(player), str(player)
    if state.resignation is not None and state.resignation[0] is player.opponent:
        return Decided(ResignationAccepted(at_s=0.0, player=player)), str(player)
    over = state.phase is Phase.MATCH_OVER or (state.phase is Phase.BETWEEN_GAMES and bool(state.games))
    if over and player not in state.confirmed_by and not state.official:
        return Decided(ResultConfirmed(at_s=0.0, player=player)), str(player)
    return None


def _of_the_director(state: MatchState) -> tuple[Command, str] | None:
    if state.questions:
        return Decided(Answered(at_s=0.0, key=state.questions[0].key, choice=BY_THE_DIRECTOR)), DIRECTOR
    if state.phase is Phase.MATCH_OVER and not state.official:
        return Decided(ResultOfficial(at_s=0.0)), DIRECTOR
    return None
