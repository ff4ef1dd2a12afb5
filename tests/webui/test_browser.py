"""The room page in Debian's chromium, against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
PHONE, WIDE = (360, 740), (1280, 800)

both_sizes = pytest.mark.parametrize("page", [PHONE, WIDE], ids=["phone", "wide"], indirect=True)


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser's console complains about."""
    return []


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser, server: Any, complaints: list[str]) -> Iterator[Page]:
    width, height = getattr(request, "param", PHONE)
    opened = browser.new_page(viewport={"width": width, "height": height})
    opened.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(server.url, wait_until="domcontentloaded")
    yield opened
    opened.close()


@both_sizes
def test_a_play_arrives_on_the_open_page(page: Page, server: Any, complaints: list[str]) -> None:
    expect(page.locator(".white .action")).to_have_text("to play 3-1")
    expect(page.locator(".plays")).to_have_count(0)
    checkers = page.locator(".board use[href='#c-white']")
    expect(checkers).to_have_count(15)
    server.show_next()
    expect(page.locator(".plays .play")).to_have_text("8/5 6/5")
    expect(page.locator(".black .action")).to_have_text("to roll")
    expect(page.locator("#said")).to_have_text("Walnut to roll")
    expect(page.locator("#line")).to_be_hidden()
    assert complaints == []


@both_sizes
def test_the_board_fits_the_window(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    # In one step: the stream may put a new board in place of one that was found before it was measured.
    box = page.evaluate("document.querySelector('.board svg').getBoundingClientRect().toJSON()")
    size = page.viewport_size
    assert size is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]
    assert box["width"] > 0.65 * size["width"]


def test_a_lost_server_is_said_and_a_new_one_found(page: Page, server: Any, start: Any) -> None:
    expect(page.locator("#line")).to_be_hidden()
    server.interrupt()
    server.process.wait(20)
    line = page.locator("#line")
    expect(line).to_be_visible()
    expect(line).to_have_text("Connection lost, trying again")
    again = start()
    again.await_worker()
    expect(line).to_be_hidden(timeout=20_000)
    again.show_next()
    expect(page.locator(".plays .play")).to_have_text("8/5 6/5")


def test_without_a_free_live_line_the_page_looks_by_itself(browser: Browser, server: Any) -> None:
    page = browser.new_page()
    page.route("**/events?*", lambda route: route.fulfill(status=503, headers={"Retry-After": "15"}))
    page.goto(server.url, wait_until="domcontentloaded")
    expect(page.locator("#line")).to_have_text("Many are watching: this page looks again every few seconds")
    server.show_next()
    expect(page.locator(".plays .play")).to_have_text("8/5 6/5", timeout=20_000)
    page.close()


def test_the_page_works_without_scripts(browser: Browser, server: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(server.url, wait_until="domcontentloaded")
    assert plain.locator(".board svg").is_visible()
    assert plain.locator("noscript meta[http-equiv=refresh]").count() == 1
    context.close()


def test_the_camera_page_tells_when_there_is_a_picture(browser: Browser, server: Any) -> None:
    camera = browser.new_page()
    camera.goto(f"{server.url}camera", wait_until="domcontentloaded")
    # The fake's picture is no picture: the page says so and keeps looking.
    expect(camera.locator("#camera-missing")).to_be_visible()
    camera.close()


@pytest.fixture
def director(page: Page, server: Any) -> Page:
    page.goto(f"{server.url}console", wait_until="domcontentloaded")
    page.fill("#pin", "123456")
    page.click("main button")
    expect(page.locator("h1")).to_have_text("Console")
    return page


@both_sizes
def test_the_director_taps_and_drags_a_play_and_undoes_it(director: Page, server: Any, complaints: list[str]) -> None:
    director.goto(f"{server.url}console/board", wait_until="domcontentloaded")
    director.click("a.spot[data-place=p8]")
    expect(director.locator("#hint")).to_contain_text("Now tap where the checker goes")
    director.click("a.spot[data-place=p5]")
    expect(director.locator("a.spot[data-place=p5]")).to_have_attribute("aria-label", "5: Ivory 1")
    start = director.locator("a.spot[data-place=p6]").bounding_box()
    end = director.locator("a.spot[data-place=p5]").bounding_box()
    assert start is not None
    assert end is not None
    director.mouse.move(start["x"] + 8, start["y"] + start["height"] - 20)
    director.mouse.down()
    director.mouse.move(end["x"] + 8, end["y"] + end["height"] - 20, steps=4)
    director.mouse.up()
    expect(director.locator("a.spot[data-place=p5]")).to_have_attribute("aria-label", "5: Ivory 2")
    director.click("text=Ivory played 3-1 like this")
    expect(director.locator(".answer")).to_have_text("Done.")
    expect(director.locator(".log .play").first).to_have_text("Ivory: 3-1 8/5 6/5")
    expect(director.locator(".log .by").first).to_have_text("director")
    director.click("summary:has-text('Rule')")
    director.click("text=Undo the last turn")
    expect(director.locator(".head .said")).to_have_text("Opening roll")
    assert director.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    # The fake's camera picture is none, which the browser may say.
    assert [said for said in complaints if "camera" not in said and "404" not in said] == []


def test_the_board_is_set_by_keyboard_alone(director: Page, server: Any) -> None:
    director.goto(f"{server.url}console/board", wait_until="domcontentloaded")
    director.focus("a.spot[data-place=p24]")
    director.keyboard.press("Enter")
    expect(director.locator("a.spot.picked")).to_have_count(1)
    expect(director.locator("a.spot[data-place=p24]")).to_be_focused()
    director.focus("a.spot[data-place=p20]")
    director.keyboard.press("Enter")
    expect(director.locator("a.spot[data-place=p20]")).to_have_attribute("aria-label", "20: Ivory 1")


def test_the_console_follows_the_table(director: Page, server: Any) -> None:
    expect(director.locator(".head .said")).to_have_text("Ivory to play 3-1")
    director.click("summary:has-text('By hand')")
    director.fill("[name=play]", "8/5")
    server.show_next()
    expect(director.locator(".head .said")).to_have_text("Walnut to roll")
    expect(director.locator("[name=play]")).to_have_value("8/5")  # what is being typed stays
