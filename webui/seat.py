"""What a player may say from his own phone, with the code of his seat in this match: only for himself."""

from __future__ import annotations

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as Answered

from rules import decisions as de
from rules import events as ev
from rules.commands import Decided
from rules.events import Event, Win
from rules.match import MatchState, Phase
from rules.position import Player
from webui.languages import gettext, later
from webui.present import room_view
from webui.site import current_site, say_back, unkept

seat = Blueprint("seat", __name__, url_prefix="/seat")


_RESIGN = {
    Win.SINGLE: later("Resign a single game"),
    Win.GAMMON: later("Resign a gammon"),
    Win.BACKGAMMON: later("Resign a backgammon"),
}


@seat.get("")
def at_the_table() -> Answered:
    """The player's buttons."""
    player = _who()
    if player is None:
        return redirect(url_for("login.door"), 303)
    snapshot = current_site().port.snapshot()
    response = make_response(
        render_template(
            "seat.html",
            name=snapshot.state.name(player),
            other=snapshot.state.name(player.opponent),
            room=room_view(snapshot, public=False),
            offers=offers(snapshot.state, player),
        )
    )
    return unkept(response, private=True)


@seat.post("")
def say() -> Answered:
    """One of the buttons that the page shows now."""
    player = _who()
    if player is None:
        abort(403)
    port = current_site().port
    event = offers(port.snapshot().state, player).get(request.form.get("say", ""))
    if event is None:
        flash(gettext("That cannot be said any more."), "refused")
    else:
        say_back(port.tell(Decided(event), player.value))
    return redirect(url_for("seat.at_the_table"), 303)


def offers(state: MatchState, player: Player) -> dict[str, Event]:
    """What `player` may say now, by the English words of the button."""
    found: dict[str, Event] = {}
    if state.phase is Phase.CUBE_OFFERED and state.cube.offered_by is player.opponent:
        found[later("Take")] = ev.CubeTaken(at_s=0, player=player, value=2 * state.cube.value)
        found[later("Drop")] = ev.CubeDropped(at_s=0, player=player)
    if state.resignation is not None:
        if state.resignation[0] is player.opponent:
            found[later("Accept the resignation")] = de.ResignationAccepted(at_s=0, player=player)
            found[later("Refuse the resignation")] = de.ResignationRefused(at_s=0, player=player)
    elif state.phase in (Phase.TO_ROLL, Phase.TO_PLAY, Phase.OPENING):
        for win, words in _RESIGN.items():
            found[words] = de.ResignationOffered(at_s=0, player=player, win=win)
    over = state.phase is Phase.MATCH_OVER or (state.phase is Phase.BETWEEN_GAMES and bool(state.games))
    if over and player not in state.confirmed_by and not state.official:
        found[later("Confirm the result")] = de.ResultConfirmed(at_s=0, player=player)
    if state.phase is not Phase.NO_MATCH and not state.official:
        words = later("Close the room page to spectators") if state.shown else later("Open the room page to spectators")
        found[words] = de.ViewSet(at_s=0, shown=not state.shown)
    return found


def _who() -> Player | None:
    """The player who asks, if he came in for the match that is played now."""
    who = session.get("who")
    if who not in list(Player) or session.get("match") != current_site().port.snapshot().match_id:
        return None
    return Player(who)
