"""`db.presence`: rows that count for a short time after the last activity."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from strata.access import Permissions, user_names
from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.base.results import TimedResult
from strata.presence.colours import COLOURS, colour_of
from strata.presence.notes import PresenceNote, notes_of
from strata.sql import Connection
from strata.store import Store, View, unreadable

if TYPE_CHECKING:
    from strata.documents import Documents

Status: TypeAlias = Literal["viewing", "editing", "idle"]
STATUSES: tuple[Status, ...] = ("viewing", "editing", "idle")
_Row: TypeAlias = tuple[str, str | None, Status, str | None, int, int | None]
_SECOND = 1_000_000


class PresenceEntry(TimedResult, frozen=True):
    """A user, or an agent of theirs, who has a document open or has just used it.

    `via` names the agent, `section` the headings above what they look at, `seen` is when that
    was noted, in microseconds.
    """

    TIME = "seen"

    user: str
    name: str
    via: str | None
    status: Status
    section: str | None
    seen: int
    # The one that they have everywhere.
    colour: str = COLOURS[0]

    @property
    def entity_type(self) -> Literal["person", "agent"]:
        """Whether it is a program that reads and writes, or the user."""
        return "person" if self.via is None else "agent"


class _LastWrite(msgspec.Struct, frozen=True):
    """What was written last about one session, and when."""

    seen: int
    status: Status
    section: str | None


# What each store was told by this process: a view lives no longer than a request.
_told: "WeakKeyDictionary[Store, dict[tuple[str, int, str], _LastWrite]]" = WeakKeyDictionary()


class Presences:
    """Who is at which document of a branch, as a user may see it. Reached as `db.presence`."""

    def __init__(
        self, view: View, rights: Permissions, documents: "Callable[[], Documents]"
    ) -> None:
        self._view = view
        self._store = view.store
        self._rights = rights
        self._documents = documents

    def touch(
        self,
        document: str,
        *,
        session: str,
        status: Status = "viewing",
        section: str | None = None,
        via: str | None = None,
    ) -> bool:
        """Note that one is here; tell whether that was written.

        It counts for 30 seconds, and is written every 5 seconds at most unless there is news.
        `session` tells one window or connection from another, `via` names the agent that acts.
        A user who edited counts as editing for 30 seconds; the page says when its user is idle.

        >>> made = db.documents.create("계획", "# 목표")
        >>> db.presence.touch(made.document, session="tab-1"), db.presence.touch(
        ...     made.document, session="tab-1")
        (True, False)
        """
        if status not in STATUSES:
            raise InvalidArgument(
                f"{status!r} is no way to be here.",
                hint=f"Use {', '.join(STATUSES)}.",
                parameter="status",
            )
        self._rights.require(document)
        now, where = self._store.clock(), _short(section)
        key = (document, self._view.snapshot.branch_id, session)
        noted = _LastWrite(now, status, where)
        if self._store.database.read_only or not self._is_news(key, noted):
            return False
        edited = now if status == "editing" else None
        values = (*key, self._rights.user.id, _short(via), status, where, now, edited)
        with self._writing() as connection:
            connection.run(self._store.queries.upsert_presence, values)
            connection.run(self._store.queries.delete_old_presence, (now - _lifetime(),))
        self._remember(key, noted)
        return True

    def touch_soon(
        self,
        document: str,
        *,
        session: str,
        status: Status = "viewing",
        section: str | None = None,
        via: str | None = None,
        quote: str | None = None,
    ) -> None:
        """Record in the background that a user or agent is here; the caller does not wait.

        Where the section is not known, a `quote` of the text tells it. What cannot be noted is
        not noted, and no error is raised.

        >>> made = db.documents.create("계획", "# 목표")
        >>> db.presence.touch_soon(made.document, session="agent", via="codex")
        """
        if self._store.database.read_only:
            return
        branch = self._view.snapshot.branch_id
        note = PresenceNote(
            document, branch, session, via, status, section=section, quote=quote or None
        )
        notes_of(self._store).put(note, self._write)

    def _write(self, note: PresenceNote) -> None:
        # In a thread that does nothing else, and that a close of the store has to wait for.
        self._store.connection().wait_at_most(limits.PRESENCE_WAIT_S)
        section = note.section
        if section is None and note.quote is not None:
            section = self._section_with(note.document, note.quote)
        self.touch(
            note.document, session=note.session, status=note.status, section=section, via=note.via
        )

    def _section_with(self, document: str, quote: str) -> str | None:
        """Return the headings above words of a text, unless looking for them would take long."""
        from strata.documents import path_name, sections  # noqa: PLC0415  (loaded when written)

        text = self._documents().text(document)
        at = text.find(quote)
        if at < 0 or len(text) > limits.PRESENCE_LOOK_CHARACTERS_MAX:
            return None
        around = (one for one in sections(text) if one.start <= at < one.end)
        return next((path_name(one.path) for one in around if one.path), None)

    def leave(self, document: str, *, session: str) -> None:
        """Note that one is gone.

        >>> made = db.documents.create("계획")
        >>> _ = db.presence.touch(made.document, session="tab-1")
        >>> db.presence.leave(made.document, session="tab-1")
        >>> db.presence.list(made.document)
        []
        """
        if self._store.database.read_only:
            return
        key = (document, self._view.snapshot.branch_id, session)
        _told.get(self._store, {}).pop(key, None)
        with self._writing() as connection:
            values = (*key, self._rights.user.id)
            connection.run(self._store.queries.delete_presence, values)

    def list(self, document: str) -> "list[PresenceEntry]":
        """Return who is here, each user and each agent once, the most recent first.

        Raises NotFound for a document that one may not read.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.presence.touch(made.document, session="1", status="editing", section="목표")
        >>> [(one.name, one.entity_type, one.status, one.section)
        ...  for one in db.presence.list(made.document)]
        [('owner', 'person', 'editing', '목표')]
        """
        self._documents().get(document)
        now = self._store.clock()
        values = (document, self._view.snapshot.branch_id, now - _lifetime())
        rows = self._store.connection().rows(self._store.queries.presence_of_document, values)
        names = user_names(self._store)
        found = [_present(row, names, now) for row in rows]
        return _joined(found)

    def colour(self, via: str | None = None) -> str:
        """Return the colour in which others see one, or an agent that acts for one.

        >>> ann = db.as_user(db.users.add("ann@example.com").id)
        >>> db.presence.colour() == ann.presence.colour()
        False
        """
        ids = list(user_names(self._store))
        user = self._rights.user.id
        return colour_of(ids.index(user) if user in ids else len(ids), via)

    def _is_news(self, key: tuple[str, int, str], noted: _LastWrite) -> bool:
        known = _told.get(self._store, {}).get(key)
        if known is None or (known.status, known.section) != (noted.status, noted.section):
            return True
        return not 0 <= noted.seen - known.seen < limits.PRESENCE_TOUCH_S * _SECOND

    def _remember(self, key: tuple[str, int, str], noted: _LastWrite) -> None:
        told = _told.setdefault(self._store, {})
        told.pop(key, None)
        told[key] = noted
        for oldest in list(told)[: -limits.PRESENCE_REMEMBERED]:
            told.pop(oldest, None)

    @contextmanager
    def _writing(self) -> Generator[Connection]:
        """Commit without fsync. Presence may be lost on power failure."""
        connection = self._store.connection()
        if connection.in_transaction:
            yield connection
            return
        with connection.syncing(wanted=False), self._store.writing() as connection:
            yield connection


def _lifetime() -> int:
    return int(limits.PRESENCE_S * _SECOND)


def _short(text: str | None) -> str | None:
    """Return a name as it is shown to others: one line, not long."""
    plain = "".join(letter for letter in text or "" if letter.isprintable()).strip()
    return plain[: limits.PRESENCE_CHARACTERS_MAX] or None


def _present(row: tuple[object, ...], names: dict[str, str], now: int) -> PresenceEntry:
    """Return who a row tells of; `names` are those of all users, in the order they came."""
    try:
        user, via, status, section, seen, edited = msgspec.convert(row, _Row)
    except msgspec.ValidationError as error:
        raise unreadable("who is at a document") from error
    is_editing = edited is not None and now - edited < limits.PRESENCE_EDITING_S * _SECOND
    shown: Status = "editing" if is_editing else "viewing" if status == "editing" else status
    number = list(names).index(user) if user in names else len(names)
    colour = colour_of(number, via)
    return PresenceEntry(user, names.get(user, user), via, shown, section, seen, colour)


def _joined(found: Iterable[PresenceEntry]) -> list[PresenceEntry]:
    """Keep one of each user and agent: in which window they do most, and were last."""
    best: dict[tuple[str, str | None], PresenceEntry] = {}
    for one in found:
        known = best.get((one.user, one.via))
        if known is None or _weight(one) > _weight(known):
            best[one.user, one.via] = one
    return sorted(best.values(), key=lambda one: (-one.seen, one.name, one.via or ""))


def _weight(one: PresenceEntry) -> tuple[int, int]:
    return ("idle", "viewing", "editing").index(one.status), one.seen
