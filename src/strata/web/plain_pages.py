"""Pages without a script: signing in, and sentences about what went wrong."""

from functools import cache
from html import escape
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from strata.web.plain_words import chosen_theme, plain_words

_FILES = Path(__file__).parent / "plain"
_COMMAND = "<code>strata user login</code>"


@cache
def _template(name: str) -> Template:
    return Template((_FILES / name).read_text(encoding="utf-8"))


def sign_in_page(
    request: Request, goal: str, *, fault: str = "", note: str = "", status: int = 200
) -> HTMLResponse:
    """Return the form; a fault says why it is shown again, and is read out at once."""
    words = plain_words(request)
    notice = f'<p id="fault" class="fault" role="alert">{escape(fault)}</p>' if fault else ""
    notice += f'<p class="status" role="status">{escape(note)}</p>' if note else ""
    text = _template("sign_in.html").substitute(
        language=words.language,
        theme=chosen_theme(request),
        name=escape(words.sign_in),
        title=escape(words.sign_in_title),
        about=escape(words.sign_in_about).format(command=_COMMAND),
        code=escape(words.code),
        stays=escape(words.stays),
        next=escape(goal),
        notice=notice,
        described=" fault" if fault else "",
    )
    return HTMLResponse(text, status)


def message_page(request: Request, title: str, text: str, *, status: int) -> HTMLResponse:
    """Return a page that says one thing."""
    words = plain_words(request)
    filled = _template("message.html").substitute(
        language=words.language,
        theme=chosen_theme(request),
        title=escape(title),
        text=escape(text),
        home=escape(words.home),
    )
    return HTMLResponse(filled, status)


def plain_style() -> Response:
    """Return how these pages look."""
    text = (_FILES / "plain.css").read_text(encoding="utf-8")
    return Response(text, media_type="text/css", headers={"Cache-Control": "max-age=3600"})
