"""Pages without a script: signing in, and sentences about what went wrong."""

from functools import cache
from html import escape
from pathlib import Path
from string import Template

from starlette.responses import HTMLResponse, Response

_FILES = Path(__file__).parent / "plain"


@cache
def _template(name: str) -> Template:
    return Template((_FILES / name).read_text(encoding="utf-8"))


def sign_in_page(goal: str, *, fault: str = "", note: str = "", status: int = 200) -> HTMLResponse:
    """Return the form; a fault says why it is shown again, and is read out at once."""
    notice = f'<p id="fault" class="fault" role="alert">{escape(fault)}</p>' if fault else ""
    notice += f'<p role="status">{escape(note)}</p>' if note else ""
    text = _template("sign_in.html").substitute(
        next=escape(goal), notice=notice, described=" fault" if fault else ""
    )
    return HTMLResponse(text, status)


def message_page(title: str, text: str, *, status: int) -> HTMLResponse:
    """Return a page that says one thing."""
    filled = _template("message.html").substitute(title=escape(title), text=escape(text))
    return HTMLResponse(filled, status)


def plain_style() -> Response:
    """Return how these pages look."""
    text = (_FILES / "plain.css").read_text(encoding="utf-8")
    return Response(text, media_type="text/css", headers={"Cache-Control": "max-age=3600"})
