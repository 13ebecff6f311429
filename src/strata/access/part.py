"""What the parts of access share: who acts, how things are named, and writing changes down."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from strata.access.audit_log import note
from strata.access.permissions import Permissions, changing_as
from strata.access.records import Team, as_team
from strata.base.checks import is_text
from strata.base.errors import AlreadyExists, InvalidArgument, LimitExceeded
from strata.base.values import Json
from strata.sql import Connection
from strata.store import Store, check_name


class _Named(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


class AccessPart:
    """A part of access, in which one user acts with the permissions that are given."""

    def __init__(self, store: Store, rights: Permissions) -> None:
        self._store = store
        self._rights = rights

    @contextmanager
    def _changing(self) -> Generator[Connection]:
        with changing_as(self._rights) as connection:
            yield connection

    def _require_admin(self, what: str) -> None:
        """Raise  unless one is an admin of the whole workspace."""
        self._rights.require_team(self._whole, "admin", what)

    @property
    def _is_admin(self) -> bool:
        return self._rights.team_roles().get(self._whole.id) == "admin"

    @property
    def _whole(self) -> Team:
        rows = self._store.connection().rows(self._store.queries.teams)
        return next(team for team in map(as_team, rows) if team.parent is None)

    def _note(self, action: str, subject: str, **details: Json) -> None:
        note(self._store, self._rights.user.id, action, subject=subject, **details)

    def _check_name(self, name: str, what: str) -> str:
        """Return a name as it may be kept: short, printable, and no secret."""
        self._refuse_secret(name, what)
        return check_name(name, what=what)

    def _refuse_secret(self, text: str, what: str) -> None:
        screen = self._store.screen
        if screen is not None and is_text(text):
            screen.screen_note(text, what, is_name=True)


def pick(found: Sequence[N], wanted: str, what: str) -> N | None:
    """Return the one of an id or, if it is the only one, of a name."""
    exact = [one for one in found if one.id == wanted]
    named = exact or [one for one in found if one.name == wanted]
    if len(named) > 1:
        raise InvalidArgument(
            f"{len(named)} {what}s are called {wanted!r}.",
            hint=f"Name one by its id: {', '.join(one.id for one in named[:5])}.",
            parameter=what,
        )
    return named[0] if named else None


def check_free(names: Sequence[str], name: str, what: str) -> None:
    """Raise AlreadyExists when a neighbour has the name."""
    if name in names:
        raise AlreadyExists(
            f"There is a {what} {name!r} here already.", hint="Use another name.", name=name
        )


def check_count(count: int, most: int, what: str) -> None:
    """Raise LimitExceeded when no more fit."""
    if count >= most:
        raise LimitExceeded(f"A workspace has {most:,} {what} at most.", limit=most, size=count + 1)
