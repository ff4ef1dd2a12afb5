from __future__ import annotations

import pytest

from webui.guard import FIRST_WAIT_S, FREE_TRIES, LONGEST_WAIT_S, Lockout, name_allowed
from webui.keys import Keys, hashed


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8080",
        "192.168.1.5:8080",
        "[fe80::1]:8080",
        "[::1]",
        "schiri.local",
        "SCHIRI.local:80",
        "table-2:8080",
    ],
)
def test_local_names_and_addresses_are_answered(host: str) -> None:
    assert name_allowed(host, ())


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "local",
        "a@b",
        "192.168.1.5.evil.example",
        ".local.evil.example",
        "evil.example#localhost",
    ],
)
def test_foreign_names_are_not(host: str) -> None:
    assert name_allowed(host, ()) == (host == "local")


def test_a_name_that_was_named_is_answered() -> None:
    assert name_allowed("Schiri.example.org:8080", {"schiri.example.org"})


def test_each_wrong_try_after_the_fifth_waits_twice_as_long() -> None:
    now = [0.0]
    lockout = Lockout(lambda: now[0])
    for _ in range(FREE_TRIES):
        assert lockout.wait_s("a") == 0
        lockout.failed("a")
    assert lockout.wait_s("a") == FIRST_WAIT_S
    assert lockout.wait_s("b") == 0
    now[0] = FIRST_WAIT_S
    assert lockout.wait_s("a") == 0
    lockout.failed("a")
    assert lockout.wait_s("a") == 2 * FIRST_WAIT_S
    for _ in range(2000):
        lockout.failed("a")
    assert lockout.wait_s("a") == LONGEST_WAIT_S
    lockout.passed("a")
    assert lockout.wait_s("a") == 0


def test_only_the_last_thousand_addresses_are_remembered() -> None:
    lockout = Lockout(lambda: 0.0)
    for _ in range(FREE_TRIES):
        lockout.failed("first")
    for k in range(1000):
        lockout.failed(str(k))
    assert lockout.wait_s("first") == 0


def test_only_the_pin_opens() -> None:
    keys = Keys(hashed("123456"), b"s")
    assert "123456" not in keys.pin_hash
    assert keys.opens("123456")
    assert not keys.opens("123457")
    assert not Keys("no hash", b"s").opens("no hash")
