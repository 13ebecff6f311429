"""Screenshots of every screen in both themes, widths and languages: `./dev shots [FOLDER]`.

Options narrow them down: --only NAME, --theme light, --width 390, --language ko. People look at
them; what a program can judge (contrast, overflow, names) is in test_screens.py. `./dev shots
--docs` writes the pictures of docs/how-to/web.md instead, and nothing else.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, TimeoutError, sync_playwright

from tests.browser.chromium import OPTIONS, bring_letters, find_or_install
from tests.browser.people import Person, Server, new_context
from tests.browser.sample import populate
from tests.browser.screens import (
    LANGUAGES,
    SHOWN_IN_DOCS,
    THEMES,
    WIDTHS,
    Look,
    Screen,
    looks,
    screens,
)

PATIENCE_MS = 10_000
PICTURES = Path("docs/pictures")
DOCS_LOOK = Look("light", 1440, "en")
DOCS_SIZE = (1080, 675)


def main() -> int:
    """Take the screenshots, and say where they are."""
    asked = arguments()
    if asked.docs:
        return take_for_docs(asked)
    count = take_into(asked)
    print(f"{count} screenshots in {asked.folder}")
    return 0


def take_for_docs(asked: argparse.Namespace) -> int:
    """Take the pictures of the documentation, small enough to be kept with it."""
    with tempfile.TemporaryDirectory() as folder:
        asked.folder, asked.only = Path(folder), SHOWN_IN_DOCS
        asked.theme, asked.width, asked.language = DOCS_LOOK
        take_into(asked)
        for name in SHOWN_IN_DOCS:
            with Image.open(asked.folder / f"{name}-{DOCS_LOOK}.png") as taken:
                picture = taken.convert("RGB").resize(DOCS_SIZE, Image.Resampling.LANCZOS)
                picture.save(PICTURES / f"screen-{name}.webp", quality=80, method=6)
    print(f"{len(SHOWN_IN_DOCS)} pictures in {PICTURES}")
    return 0


def take_into(asked: argparse.Namespace) -> int:
    """Take the screenshots that are asked for, and return how many."""
    asked.folder.mkdir(parents=True, exist_ok=True)
    bring_letters()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        known = screens(populate(path))
        server = Server(path)
        server.start()
        try:
            return take_all(server, known, asked)
        finally:
            server.stop()


def arguments() -> argparse.Namespace:
    """Read what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("bench/results/shots"))
    parser.add_argument("--only", nargs="+", help="names of screens")
    parser.add_argument("--theme", choices=THEMES)
    parser.add_argument("--width", type=int, choices=WIDTHS)
    parser.add_argument("--language", choices=LANGUAGES)
    parser.add_argument("--docs", action="store_true", help="the pictures of the documentation")
    return parser.parse_args()


def take_all(server: Server, known: dict[str, Screen], asked: argparse.Namespace) -> int:
    """Take every screenshot that is asked for, and return how many."""
    count = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_or_install(), args=OPTIONS)
        for look in looks():
            wanted = (asked.theme, asked.width, asked.language)
            if all(want in (None, have) for want, have in zip(wanted, look, strict=True)):
                count += take(browser, server, known, look, asked)
        browser.close()
    return count


def take(
    browser: Browser,
    server: Server,
    known: dict[str, Screen],
    look: Look,
    asked: argparse.Namespace,
) -> int:
    """Take the screenshots of one look."""
    context = new_context(browser, **look.options())
    names = [name for name in known if not asked.only or name in asked.only]
    # Those outside first: from then on the browser is signed in.
    names.sort(key=lambda name: not known[name].is_outside)
    page = context.new_page()
    for index, name in enumerate(names):
        if not known[name].is_outside and (index == 0 or known[names[index - 1]].is_outside):
            Person(server, context, "")
        try:
            known[name].show(page, server.url, timeout_ms=PATIENCE_MS)
        except TimeoutError as error:  # The picture shows what is there instead.
            print(f"{name} ({look}): {str(error).splitlines()[0]}", file=sys.stderr)
        page.wait_for_timeout(300)
        page.screenshot(path=asked.folder / f"{name}-{look}.png")
    context.close()
    return len(names)


if __name__ == "__main__":
    sys.exit(main())
