"""Make the pictures of the README: a drawn game is read by the eyes and shown on the page. `make pictures`."""

from __future__ import annotations

import logging
import secrets
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
from vision.annotate import annotate, jpeg
from vision.frame import Frame
from vision.settle import Settler
from vision.synth.render.draw import Painter
from vision.synth.sheet import contact_sheet
from vision.synth.story.plan import Evening, Plan
from vision.synth.table import Table
from webui.create_app import create_app
from webui.fake_port import FakeTable
from webui.keys import Keys, hashed
from webui.ports import Stored

SEED, TURNS = 4, 14
PIN = "000000"
DOCS = Path(__file__).parent
CHROMIUM = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
}


def follow() -> FakeTable:
    """The table once a roll lies there after so many turns; what the eyes saw then goes to docs/seen.jpg."""
    table = Table()
    profile = table_profile(table)
    begin = MatchFile(length=5, white="Ivory", black="Walnut").started(0.0, profile.checkers)
    eyes = eyes_of(profile)
    settler, events = Settler(eyes, stills=True), [begin]
    referee = Referee(apply(MatchState(), begin), setup_of(profile))
    sitting = Sitting(settler, referee, lambda new, _frame: events.extend(new))
    painter = Painter(table)
    for number, shot in enumerate(Evening(Plan(SEED)).shots()):
        sitting.take(Frame(painter.draw(shot.scene), float(number), str(number)))
        game = sitting.match.game
        if game is not None and len(game.turns) >= TURNS and sitting.match.phase is Phase.TO_PLAY:
            break
    assert settler.observation is not None
    picture = annotate(settler.observation, eyes.geometry)
    cv2.imwrite(str(DOCS / "seen.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    shown = FakeTable(sitting.match, picture=jpeg(picture))
    shown.stored["fake"] = [
        Stored(k, event, f"2026-05-01T18:{int(event.at_s) // 60:02d}:{int(event.at_s) % 60:02d}.000+00:00")
        for k, event in enumerate(events, 1)
    ]
    return shown


def sheet() -> None:
    """Random scenes, as `schiri scenes` shows them: docs/scenes.jpg."""
    cv2.imwrite(str(DOCS / "scenes.jpg"), contact_sheet(200, 12), [cv2.IMWRITE_JPEG_QUALITY, 80])


def photograph(table: FakeTable) -> None:
    """The page on a wide and on a phone-sized window, and the console: docs/page.png, phone.png and console.png."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    keys = Keys(hashed(PIN), secrets.token_bytes(32))
    server = make_server("127.0.0.1", 0, create_app(table, keys=keys), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.chromium.launch(**CHROMIUM)
        for name, width, height in (("page.png", 1280, 800), ("phone.png", 390, 844), ("console.png", 390, 844)):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
            page.goto(f"http://127.0.0.1:{server.port}/", wait_until="domcontentloaded")
            if name == "console.png":
                page.goto(f"http://127.0.0.1:{server.port}/login", wait_until="domcontentloaded")
                page.fill("input[name=pin]", PIN)
                page.press("input[name=pin]", "Enter")
                page.wait_for_url("**/console")
            page.locator("svg[role=img]").first.wait_for()
            page.screenshot(path=DOCS / name)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    sheet()
    photograph(follow())
