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
    page.route("**/events", lambda route: route.fulfill(status=503, headers={"Retry-After": "15"}))
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
