"""Pictures of the app in the documentation: each is there, small, and of a known screen."""

import re
from pathlib import Path

from tests.browser.sample import Sample
from tests.browser.screens import SHOWN_IN_DOCS, screens

PICTURES = Path("docs/pictures")
PAGE = Path("docs/how-to/web.md")
ALL_BYTES_MAX = 500_000


def test_the_page_shows_the_pictures_that_are_taken_of_screens() -> None:
    named = re.findall(r"pictures/screen-([\w-]+)\.webp", PAGE.read_text(encoding="utf-8"))
    assert tuple(named) == SHOWN_IN_DOCS
    assert set(named) <= screens(Sample("", "", "", "", "")).keys()


def test_every_picture_is_there_and_all_are_small() -> None:
    files = {path.name: path.stat().st_size for path in PICTURES.glob("screen-*.webp")}
    assert set(files) == {f"screen-{name}.webp" for name in SHOWN_IN_DOCS}, "./dev shots --docs"
    assert sum(files.values()) <= ALL_BYTES_MAX
