"""The first page: a link that signs the owner in, printed and opened where a server was started."""

import html
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from strata.base.errors import StrataError
from strata.mcp.http import ServerConfig
from strata.tools import StoreHost

_REDIRECT = """<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={url}"><title>Strata</title><a href="{url}">Strata</a>
"""


def is_at_terminal() -> bool:
    """Tell whether a user sees what is printed and can type here."""
    return sys.stdout.isatty() and sys.stdin.isatty()


def has_desktop() -> bool:
    """Tell whether a browser can be shown to the user: not over SSH, and not without a display."""
    if "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class FirstPage:
    """Makes the link, and shows it in a browser where there is one.

    The link has a code for the owner, so it is made only where a user sits at the terminal and
    every client is on this machine. The code is in no log and on no command line: other users of
    the machine see those of all processes, so a browser is given a private file that leads on.
    """

    def __init__(self, host: StoreHost) -> None:
        self._host = host
        self._file: Path | None = None

    def open(self, serving: ServerConfig) -> str | None:
        """Return the link, shown in a browser if possible; None where it would not be safe."""
        if not is_at_terminal() or not serving.is_for_this_machine:
            return None
        link = self._link(serving)
        if link is not None and has_desktop():
            with suppress(OSError):
                self._show(link)
        return link

    def _link(self, serving: ServerConfig) -> str | None:
        if serving.no_auth:
            return f"{serving.base_url}/"
        if serving.read_only:
            return None
        try:
            code = self._host.writing().sign_ins.create_code()
        except StrataError:
            return None  # the server says what is wrong with the store
        return f"{serving.base_url}/hello#{code.secret}"

    def _show(self, link: str) -> None:
        import webbrowser  # noqa: PLC0415  (seldom needed)

        descriptor, name = tempfile.mkstemp(suffix=".html", prefix="strata-")
        self._file = Path(name)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_REDIRECT.format(url=html.escape(link)))
        webbrowser.open(self._file.as_uri())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.unlink(missing_ok=True)
