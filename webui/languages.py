"""The languages of the pages: what the reader chose, else what his browser asks for, else English.

Texts for people go through `gettext` or `ngettext` (`_` in templates) and are written in English in the code;
`webui/translations/` holds the others.
"""

from __future__ import annotations

import flask_babel
from flask import Flask, has_request_context, request, session

LANGUAGES = {"en": "English", "de": "Deutsch", "da": "Dansk"}
"""Each by its own name."""
CHOICE = "language"
"""Where the session keeps what the reader chose."""


def language() -> str:
    """The language to answer the present request in; English outside of one."""
    if not has_request_context():
        return "en"
    chosen = session.get(CHOICE)
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


def install_languages(app: Flask) -> None:
    """Let `app` speak all languages, times in this machine's own zone."""
    flask_babel.Babel(app, default_locale="en", locale_selector=language)
    app.jinja_env.globals["language"] = language


def gettext(text: str, **values: object) -> str:
    """`text` in the reader's language, each `%(name)s` in it replaced by its value."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, more: str, num: int, **values: object) -> str:
    """`one` or `more` as `num` asks in the reader's language; `%(num)s` stands for the number."""
    return str(flask_babel.ngettext(one, more, num, **values))
