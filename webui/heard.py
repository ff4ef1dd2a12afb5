"""What rules and device have said in English, in the reader's language.

The record holds sentences as they were written, so they are known again by their shape (`webui.heard_texts`) and said
anew with the same numbers, plays and names. One that is not known stays as it is.
"""

from __future__ import annotations

import re
from functools import cache

from rules.position import Player
from webui.heard_texts import BETTER, DEVICE, FOLLOWS, PHASES, RULES, THROWS
from webui.languages import gettext, number

KNOWN = (*RULES, *FOLLOWS, *THROWS, *DEVICE)
FIELD = re.compile(r"%\((\w+)\)s")

_SHAPES = {
    "player": "white|black",
    "other": "white|black",
    "roll": r"\d-\d",
    "other_roll": r"\d-\d",
    "score": r"\d+-\d+",
    "other_score": r"\d+-\d+",
    "number": r"-?[\d.]+",
    "have": r"\d+",
    "want": r"\d+",
    "point": r"\d+",
    "word": r"\S+",
    "play": r"[^:;]+",
    "other_play": r"[^:;]+",
}
_EVENT = re.compile(r"(?:Played|Cube|Resignation|Match|Concession|Result|Play|Checker|Asked|Answered|Undone)\w*: ")
_WAY = re.compile(r"((?:bar|off|\d+)(?:/(?:bar|off|\d+)\*?)+): (.+)")
_FIGURE = re.compile(r"(-?\d+(?:\.\d+)?)( \S+)?")


def heard(text: str, names: tuple[str, str] | None = None) -> str:
    """The sentence as the reader understands it; `names` stand for white and black where they are known."""
    found = _known(text)
    if found is not None:
        template, values = found
        said = {key: _value(key, value, names) for key, value in values}
        template = BETTER.get(template, template)
        return gettext(template, **said) if said else gettext(template)
    event, way = _EVENT.match(text), _WAY.fullmatch(text)
    if event:
        return heard(text[event.end() :], names)
    if "; " in text:
        return "; ".join(heard(part, names) for part in text.split("; "))
    if way:
        return f"{way[1]}: {heard(way[2], names)}"
    return text if names is None else re.sub(r"\b(white|black)\b", lambda one: _name(one[0], names), text)


def figure_text(text: str) -> str:
    """A number with its unit, or a word of the health page."""
    found = _FIGURE.fullmatch(text)
    return f"{number(found[1])}{found[2] or ''}" if found else heard(text)


def _value(key: str, value: str, names: tuple[str, str] | None) -> str:
    if key in ("player", "other"):
        return _name(value, names)
    if key == "phase":
        return gettext(PHASES[value]) if value in PHASES else value
    return heard(value) if key == "text" else value


def _name(colour: str, names: tuple[str, str] | None) -> str:
    if names is not None:
        return names[list(Player).index(Player(colour))]
    return gettext("white") if colour == "white" else gettext("black")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((template, re.compile(_pattern(template))) for template in KNOWN if FIELD.search(template))


def _pattern(template: str) -> str:
    parts = FIELD.split(template)
    return "".join(
        f"(?P<{part}>{_SHAPES.get(part, '.+')})" if k % 2 else re.escape(part) for k, part in enumerate(parts)
    )


_PLAIN = frozenset(template for template in KNOWN if not FIELD.search(template))


def _known(text: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """The shape of a sentence and what differs in it; None for one that is not known."""
    if text in _PLAIN:
        return text, ()
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            return template, tuple(found.groupdict().items())
    return None
