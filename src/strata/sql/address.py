"""The address of a workspace in PostgreSQL: `postgresql://USER@HOST/DATABASE?workspace=NAME`."""

import re
from typing import NamedTuple, TypeGuard
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit, urlunsplit

from strata.base.errors import InvalidArgument

SCHEMES = ("postgresql://", "postgres://")
# What addresses begin with; no user means a path by that.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
# One host of several: a name or an address, and its port.
_HOST = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(:[0-9]*)?")
_PARAMETER = re.compile(r"[a-z_]+")
DEFAULT_WORKSPACE = "default"
_NAME_CHARACTERS_MAX = 200
_UNFINISHED = " (unfinished copy)"


class Address(NamedTuple):
    """Where a database is, as libpq reads it, and the name of a workspace in it."""

    database: str
    workspace: str

    @property
    def unfinished(self) -> str:
        """The whole address of the workspace that a copy to this one fills until it is complete."""
        parts = urlsplit(self.database)
        query = {**dict(parse_qsl(parts.query)), "workspace": unfinished_workspace(self.workspace)}
        return urlunsplit((parts.scheme, parts.netloc, parts.path, _encoded(query), ""))

    @property
    def has_password(self) -> bool:
        """Whether the address says a password."""
        parts = urlsplit(self.database)
        return parts.password is not None or "password" in dict(parse_qsl(parts.query))

    @property
    def display(self) -> str:
        """The address as a user may read it: without the password."""
        parts = urlsplit(self.database)
        name, at, place = parts.netloc.rpartition("@")
        query = dict(parse_qsl(parts.query))
        query.pop("password", None)
        if self.workspace != DEFAULT_WORKSPACE:
            query["workspace"] = self.workspace
        netloc = f"{name.partition(':')[0]}{at}{place}"
        return urlunsplit((parts.scheme, netloc, parts.path, _encoded(query), ""))


def is_address(place: object) -> TypeGuard[str]:
    """Whether that is the address of a database, and no path."""
    return isinstance(place, str) and place.startswith(SCHEMES)


def check_file_name(place: object) -> None:
    """Refuse the address of something else, which would be taken for a path."""
    if isinstance(place, str) and _SCHEME.match(place):
        raise InvalidArgument(
            f"No store is at an address that begins with {place.partition('://')[0]}://.",
            hint=f"Name a file, or a database: {SCHEMES[0]}USER@HOST/DATABASE.",
            parameter="path",
        )


def parse_address(text: str) -> Address:
    """Split the workspace off an address; without one it is the workspace `default`."""
    parts = _split(text)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    workspace = query.pop("workspace", DEFAULT_WORKSPACE)
    return Address(
        urlunsplit((parts.scheme, parts.netloc, parts.path, _encoded(query), "")),
        check_workspace_name(workspace),
    )


def _split(text: str) -> SplitResult:
    """Return the parts of an address; refuse one whose parts are not where they seem to be.

    The text may hold a password, so it is not shown.
    """
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = None
    if (
        parts is None
        or parts.fragment
        or "@" in parts.path
        or not all(map(_HOST.fullmatch, parts.netloc.rpartition("@")[2].split(",")))
        or not all(map(_PARAMETER.fullmatch, dict(parse_qsl(parts.query, keep_blank_values=True))))
    ):
        raise malformed()
    return parts


def malformed(detail: str = "") -> InvalidArgument:
    """Return the error for an address that cannot be read; `detail` holds no password."""
    return InvalidArgument(
        f"The address of the database cannot be read{detail and f': {detail}'}.",
        hint=f"Write {SCHEMES[0]}USER@HOST:PORT/DATABASE?workspace=NAME. In a name or a password "
        "# is %23, % is %25, / is %2F, ? is %3F, @ is %40; PGPASSWORD holds it as it is.",
        parameter="path",
    )


def check_workspace_name(name: str) -> str:
    """Return the name of a workspace, or refuse it."""
    if not name.strip() or len(name) > _NAME_CHARACTERS_MAX or not name.isprintable():
        raise InvalidArgument(
            f"{name[:80]!r} cannot be the name of a workspace.",
            hint=f"Use 1 to {_NAME_CHARACTERS_MAX} printable characters.",
            parameter="workspace",
        )
    return name


def unfinished_workspace(name: str) -> str:
    """Return what a workspace is called while a copy fills it."""
    return name[: _NAME_CHARACTERS_MAX - len(_UNFINISHED)] + _UNFINISHED


def is_unfinished_workspace(name: str) -> bool:
    """Whether a workspace of that name is being filled by a copy."""
    return name.endswith(_UNFINISHED)


def _encoded(query: dict[str, str]) -> str:
    return urlencode(query, quote_via=quote)
