"""Attempts that failed: counted for a minute, for each address and for all."""

from strata.web.attempts import Attempts


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_address_waits_after_too_many_failures_and_others_do_not() -> None:
    time = Time()
    attempts = Attempts(3, 100, now=time)
    for _ in range(3):
        assert attempts.wait_s("a") == 0
        attempts.failed("a")
        time.now += 10
    assert attempts.wait_s("a") == 30
    assert attempts.wait_s("b") == 0
    time.now += 30
    assert attempts.wait_s("a") == 0
    attempts.failed("a")
    assert attempts.wait_s("a") == 10


def test_too_many_failures_altogether_make_everybody_wait() -> None:
    time = Time()
    attempts = Attempts(3, 5, now=time)
    for number in range(5):
        attempts.failed(f"10.0.0.{number}")
    assert attempts.wait_s("192.0.2.1") == 60
    time.now += 60
    assert attempts.wait_s("192.0.2.1") == 0


def test_addresses_do_not_pile_up() -> None:
    attempts = Attempts(3, 100_000, now=Time())
    for number in range(20_000):
        attempts.failed(str(number))
    assert len(attempts._by) == 10_000
    assert "19999" in attempts._by
