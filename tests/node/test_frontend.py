"""The units of the page: the compiler finds nothing, and every test of theirs passes."""

import pytest

from tests.node import frontend


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_units_of_the_page_hold(capfd: pytest.CaptureFixture[str]) -> None:
    assert frontend.test() == 0
    assert "passed" in capfd.readouterr().out


def test_an_unknown_task_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert frontend.main(["biuld"]) == 2
    assert "build" in capsys.readouterr().err
