"""Make the pictures of the README: a drawn game is read by the eyes and shown on the page. `make pictures`."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Thread

import cv2
from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from device.cameras.sim import table_profile
from device.matchfile import MatchFile
from device.sitting import Sitting, eyes_of, setup_of
from rules.game import apply
from rules.match import MatchState, Phase
from rules.referee import Referee
from vision.annotate import annotate
from vision.frame import Frame
from vision.settle import Settler
from vision.synth.render.draw import Painter
from vision.synth.sheet import contact_sheet
from vision.synth.story.plan import Evening, Plan
from vision.synth.table import Table
from webui.create_app import create_app
from webui.fake_port import FakeTable

SEED, TURNS = 4, 14
DOCS = Path(__file__).parent
CHROMIUM = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
}


def follow() -> MatchState:
    """The match once a roll lies there after so many turns; what the eyes saw then goes to docs/seen.jpg."""
    table = Table()
    profile = table_profile(table)
    match = MatchFile(length=5, white="Ivory", black="Walnut")
    begin = match.started(0.0, profile.checkers)
    sitting = Sitting(
        Settler(eyes_of(profile), stills=True),
        Referee(apply(MatchState(), begin), setup_of(profile)),
        lambda _events: None,
    )
    painter = Painter(table)
    for number, shot in enumerate(Evening(Plan(SEED)).shots()):
        sitting.take(Frame(painter.draw(shot.scene), float(number), str(number)))
        game = sitting.match.game
        if game is not None and len(game.turns) >= TURNS and sitting.match.phase is Phase.TO_PLAY:
            break
    seen = sitting.settler.observation
    assert seen is not None
    picture = annotate(seen, sitting.settler.eyes.geometry)
    cv2.imwrite(str(DOCS / "seen.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return sitting.match


def sheet() -> None:
    """Random scenes, as `schiri scenes` shows them: docs/scenes.jpg."""
    cv2.imwrite(str(DOCS / "scenes.jpg"), contact_sheet(200, 12), [cv2.IMWRITE_JPEG_QUALITY, 80])


def photograph(state: MatchState) -> None:
    """The page on a wide and on a phone-sized window: docs/page.png and docs/phone.png."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, create_app(FakeTable(state)), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.chromium.launch(**CHROMIUM)
        for name, width, height in (("page.png", 1280, 800), ("phone.png", 390, 844)):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
            page.goto(f"http://127.0.0.1:{server.port}/", wait_until="domcontentloaded")
            page.locator("svg[role=img]").first.wait_for()
            page.screenshot(path=DOCS / name)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    sheet()
    photograph(follow())
