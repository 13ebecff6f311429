"""Where to go after signing in: a path of this server, and nowhere else."""

from urllib.parse import quote, urlsplit

HOME = "/"
_CHARACTERS_MAX = 2_000
# Going back to these would ask again, or sign out at once.
_NEVER = ("/sign-in", "/sign-out", "/hello", "/api/", "/live/")


def local_target(text: str | None) -> str:
    """Return a path that was asked for, or the first page for what leads elsewhere.

    >>> local_target("/d/doc_1?branch=초안")
    '/d/doc_1?branch=%EC%B4%88%EC%95%88'
    >>> local_target("//evil.example"), local_target("/\\\\evil")
    ('/', '/')
    """
    if not text or len(text) > _CHARACTERS_MAX or not text.isprintable() or "\\" in text:
        return HOME
    try:
        parts = urlsplit(text)
    except ValueError:
        return HOME
    # Browsers take two slashes for the name of a server, and drop some signs before they look.
    is_here = not parts.scheme and not parts.netloc and text.startswith("/")
    if not is_here or text.startswith("//") or parts.path.startswith(_NEVER):
        return HOME
    query = f"?{quote(parts.query, safe='=&%+,:@/?~!*')}" if parts.query else ""
    return quote(parts.path, safe="/%@:~!*,+=&") + query


def sign_in_path(goal: str) -> str:
    """Return the address of the sign-in form for a user who asked for another page.

    >>> sign_in_path("/d/doc_1?branch=a")
    '/sign-in?next=%2Fd%2Fdoc_1%3Fbranch%3Da'
    """
    return "/sign-in" if goal == HOME else f"/sign-in?next={quote(goal, safe='')}"
