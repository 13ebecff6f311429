"""Finding a browser: the one that is named, the one on the path, or an honest no."""

import os
from pathlib import Path

import pytest

from tests.browser import chromium

pytestmark = pytest.mark.skipif(os.name == "nt", reason="its programs are scripts of a shell")


@pytest.fixture(autouse=True)
def unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRATA_CHROMIUM", raising=False)


def program(path: Path, code: int) -> Path:
    path.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_browser_that_is_named_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = program(tmp_path / "own", 0)
    monkeypatch.setenv("STRATA_CHROMIUM", str(own))
    assert chromium.find_or_install() == own


def test_a_named_browser_that_does_not_start_is_not_replaced_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_CHROMIUM", str(program(tmp_path / "broken", 1)))
    with pytest.raises(chromium.NoBrowser, match="does not start"):
        chromium.find_or_install()


def test_a_browser_without_its_libraries_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "chromium", 127)
    works = program(tmp_path / "google-chrome", 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.find_or_install() == works


def test_where_none_can_be_had_it_says_what_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "download", lambda: "no network")
    with pytest.raises(chromium.NoBrowser, match="no network; apt-get is not there for us"):
        chromium.find_or_install()


def test_one_that_was_brought_is_found_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))

    def download() -> str:
        folder = tmp_path / "chromium_headless_shell-1" / "chrome-headless-shell-linux64"
        folder.mkdir(parents=True)
        program(folder / "chrome-headless-shell", 0)
        return "brought"

    monkeypatch.setattr(chromium, "download", download)
    assert chromium.find_or_install().name == "chrome-headless-shell"
