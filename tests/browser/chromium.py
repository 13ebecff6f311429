"""A Chromium for the tests of pages: the one that is there, or one that is installed now.

`./dev browser` prints its path. STRATA_CHROMIUM names another one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.node.packages import INSTALLED, alone

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Debian's browser, and letters for what the tests write: Korean, Chinese, Arabic, emoji.
PACKAGES = ("chromium", "fonts-noto-cjk", "fonts-noto-color-emoji")
# Parts of the browser's own window. For every page that is opened, a full Chromium without a
# screen draws some of them in processes of their own, which takes a quarter of a second of the
# processor. This option replaces that of Playwright, so what matters of it is named again.
_FEATURES = (
    "AimEnabled",
    "OmniboxAimPopupWebUIContent",
    "PreloadTopChromeWebUI",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)
OPTIONS = [
    f"--disable-features={','.join(_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]
LOOK_SECONDS = 30
DOWNLOAD_SECONDS = 120
INSTALL_SECONDS = 300


class NoBrowser(Exception):
    """There is no browser, and none could be installed; the message says what was tried."""


def find_or_install() -> Path:
    """Return a Chromium that starts; raise NoBrowser where none can be had."""
    named = os.environ.get("STRATA_CHROMIUM")
    if named:
        if starts(Path(named)):
            return Path(named)
        raise NoBrowser(f"STRATA_CHROMIUM names {named}, which does not start")
    INSTALLED.mkdir(exist_ok=True)
    with alone(INSTALLED / "browser.lock"):
        return first_that_starts()


def first_that_starts() -> Path:
    """Look, and between looks try what may bring one."""
    tried: list[str] = []
    for bring in (None, download, install_packages):
        if bring is not None:
            tried.append(bring())
        for path in candidates():
            if starts(path):
                return path
    raise NoBrowser(f"no Chromium: {'; '.join(tried)}. STRATA_CHROMIUM may name one.")


def candidates() -> Iterator[Path]:
    """Yield where a Chromium may be."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            yield Path(found)
    yield from sorted(downloads().glob("chromium*/*/*headless*shell*"))
    yield from sorted(downloads().glob("chromium-*/*/chrome"))


def downloads() -> Path:
    """Return where Playwright keeps what it downloads."""
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    return Path(own) if own else Path.home() / ".cache" / "ms-playwright"


def starts(path: Path) -> bool:
    """Tell whether a browser runs here at all: one without its libraries does not."""
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, check=False, timeout=LOOK_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def download() -> str:
    """Let Playwright fetch its own, where the network lets it."""
    command = [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]
    # It would wait much longer for a host that is not within reach.
    patience = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    return attempt("Playwright's download", lambda: run(command, DOWNLOAD_SECONDS, patience))


def install_packages() -> str:
    """Install the system's own, where that is allowed."""
    if shutil.which("apt-get") is None or os.name == "nt" or os.geteuid() != 0:
        return "apt-get is not there for us"
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES]

    def install() -> None:
        # A fresh machine knows no packages.
        run(["apt-get", "update", "-q"], INSTALL_SECONDS, quiet)
        run(command, INSTALL_SECONDS, quiet)

    return attempt("apt-get", install)


def bring_letters() -> None:
    """Install fonts for pictures of Korean pages, where there are none and that is allowed."""
    if shutil.which("fc-list") is None:
        return
    known = subprocess.run(["fc-list", ":lang=ko"], capture_output=True, check=False)
    if not known.stdout:
        print(install_packages(), file=sys.stderr)


def attempt(name: str, act: Callable[[], None]) -> str:
    """Do something, and say in a few words how it went."""
    try:
        act()
    except subprocess.TimeoutExpired:
        return f"{name} took too long"
    except (OSError, subprocess.CalledProcessError) as error:
        return f"{name} failed ({error})"
    return f"{name} brought none that starts"


def run(command: list[str], seconds: float, more: dict[str, str]) -> None:
    """Run a command that must succeed; what it says goes to stderr."""
    surroundings = {**os.environ, **more}
    subprocess.run(command, env=surroundings, stdout=sys.stderr, check=True, timeout=seconds)


if __name__ == "__main__":
    try:
        print(find_or_install())
    except NoBrowser as problem:
        sys.exit(f"dev: {problem}")
