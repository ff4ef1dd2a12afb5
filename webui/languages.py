"""The languages of the pages: what the address says, else what the reader chose, else what his browser asks for.

Texts for people go through `gettext` or `ngettext` (`_` in templates) and are written in English in the code;
`webui/translations/` holds the others, read as they are written: no compiled copy of them can be out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import flask_babel
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Blueprint, Flask, abort, has_request_context, redirect, request, session, url_for
from werkzeug.wrappers import Response as Answered

LANGUAGES = {"en": "English", "de": "Deutsch", "da": "Dansk"}
"""Each by its own name."""
CHOICE = "language"
"""Where the session keeps what the reader chose."""
TRANSLATIONS = Path(__file__).with_name("translations")

_LOCALES = {"en": "en_GB", "de": "de", "da": "da"}
"""Whose dates and numbers each is written with."""

languages = Blueprint("languages", __name__)


def language() -> str:
    """The language of what is being answered or rendered now; English outside of an app."""
    locale = flask_babel.get_locale()
    return locale.language if locale else "en"


def install_languages(app: Flask) -> None:
    """Let `app` speak all languages."""
    _Babel(app, default_locale=_LOCALES["en"], locale_selector=_wished)
    app.register_blueprint(languages)
    app.jinja_env.globals.update(language=language, languages=LANGUAGES, here=_here)


@contextmanager
def speaking(app: Flask, name: str) -> Iterator[None]:
    """Everything inside is said in that language, in any thread and outside of a request too."""
    with app.app_context(), flask_babel.force_locale(_LOCALES[name]):
        yield


@languages.post("/language")
def choose() -> Answered:
    """Remember the reader's language, and show the page again from which he chose it."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        abort(404)
    session[CHOICE] = chosen
    session.permanent = True
    return redirect(_own_page(request.form.get("back", "")), 303)


def gettext(text: str, /, **values: object) -> str:
    """`text` in the reader's language, each `%(name)s` in it replaced by its value."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, more: str, num: int, /, **values: object) -> str:
    """`one` or `more` as `num` asks in the reader's language; `%(num)s` stands for the number."""
    return str(flask_babel.ngettext(one, more, num, **values))


def later(text: str) -> str:
    """`text` unchanged: a text that is translated where it is shown, marked so that the catalogues know of it."""
    return text


def day_and_time(wall_time: str) -> str:
    """The day and the minute of a wall time (ISO 8601), where the table stands."""
    when = datetime.fromisoformat(wall_time).astimezone()
    return f"{flask_babel.format_date(when, 'medium', rebase=False)}, {flask_babel.format_time(when, 'short', False)}"


def clock_time(wall_time: str) -> str:
    """The second of a wall time (ISO 8601), where the table stands."""
    return str(flask_babel.format_time(datetime.fromisoformat(wall_time).astimezone(), "medium", rebase=False))


def number(text: str) -> str:
    """A number written with a decimal point, as the language writes it, with as many digits."""
    digits = len(text.partition(".")[2])
    return str(flask_babel.format_decimal(Decimal(text), f"#,##0.{'0' * digits}" if digits else "#,##0"))


@cache
def catalogue(name: str) -> NullTranslations:
    """The translations into a language; those into English are none."""
    path = TRANSLATIONS / name / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        return NullTranslations()
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=name))
    compiled.seek(0)
    return Translations(compiled)


class _Catalogues(flask_babel.Domain):  # type: ignore[misc] # Flask-Babel is not typed
    """The catalogues beside this module, read straight from their sources."""

    def get_translations(self) -> NullTranslations:
        """Those of the present language."""
        return catalogue(language())


class _Babel(flask_babel.Babel):  # type: ignore[misc] # Flask-Babel is not typed
    domain_instance = _Catalogues()


def _wished() -> str:
    if not has_request_context():
        return _LOCALES["en"]
    for wish in (request.args.get("lang"), session.get(CHOICE)):
        if wish in _LOCALES:
            return _LOCALES[wish]
    wishes = (wish.partition("-")[0].lower() for wish in request.accept_languages.values())
    return next((_LOCALES[wish] for wish in wishes if wish in _LOCALES), _LOCALES["en"])


def _here() -> str:
    """The address of the present page, for coming back to it; the room page for what is no page."""
    if request.method not in ("GET", "HEAD"):
        return url_for("live.room")
    query = "&".join(part for part in request.query_string.decode("latin-1").split("&") if not part.startswith("lang="))
    return f"{request.path}?{query}" if query else request.path


def _own_page(address: str) -> str:
    """`address` if it is a path on this server, else the room page: nobody is sent elsewhere from here."""
    parts = urlsplit(address)
    own = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if own and not parts.scheme and not parts.netloc and address.isprintable() else url_for("live.room")
