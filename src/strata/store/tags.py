"""Tags: names for points of history, which retention then keeps."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from strata.base.clock import When
from strata.base.errors import AlreadyExists
from strata.base.results import TimedResult
from strata.sql import Row
from strata.store.branch import Point, require_whole
from strata.store.catalog import BranchRow, row_digest, unreadable
from strata.store.commit import Header, check_header
from strata.store.history import Instant
from strata.store.record import check_name
from strata.store.rows import tag_row, tag_rows
from strata.store.store import Store
from strata.store.view import View


class Tag(TimedResult, frozen=True):
    """A name for what a branch showed right after a version."""

    name: str
    branch: str
    version: int
    timestamp: int
    message: str | None = None
    actor: str | None = None


_Row: TypeAlias = tuple[str, int, int, int, str | None, str | None]


def insert_tag(store: Store, tag: Tag, point: Point) -> bool:
    """Keep a tag of another store inside an open transaction; tell whether the name was free."""
    if tag_row(store, tag.name) is not None:
        return False
    check_name(tag.name, what="tag")
    check_header(Header("tag", tag.actor, tag.message))
    values = (tag.name, point.branch, point.version, tag.timestamp, tag.actor, tag.message)
    store.connection().run(store.queries.insert_tag, (*values, row_digest(*values)))
    return True


class Tags:
    """Tags of the whole store. Reached as `db.tags`."""

    def __init__(self, view: View, locate: Callable[[When], tuple[BranchRow, Instant]]) -> None:
        self._view = view
        self._store: Store = view.store
        self._locate = locate

    def create(self, name: str, *, at: When = "now", message: str | None = None) -> Tag:
        """Name what the branch shows now, or showed at a time; `db.at("tag:NAME")` reads it.

        >>> _ = db.kv.put("k", "하나")
        >>> _ = db.tags.create("v1", message="first")
        >>> _ = db.kv.put("k", "둘")
        >>> db.at("tag:v1").kv.get("k").value
        '하나'
        """
        check_name(name, what="tag")
        self._view.check_name(name, "name of the tag")
        message = self._view.message(message)
        check_header(Header("tag", self._view.actor, message))
        row, point = self._locate(at)
        # Of an empty state there is no commit whose time it could have.
        timestamp = point.timestamp if point.version else 0
        values = (name, row.id, point.version, timestamp, self._view.actor, message)
        with self._store.writing() as connection:
            if tag_row(self._store, name) is not None:
                raise AlreadyExists(
                    f"There is a tag {name!r} already.",
                    hint="Delete it first, or choose another name.",
                    tag=name,
                )
            require_whole(self._store, Point(row.id, point.version))
            connection.run(self._store.queries.insert_tag, (*values, row_digest(*values)))
        return self._as_tag(values)

    def get(self, name: str) -> Tag | None:
        """Return a tag, or None.

        >>> db.tags.get("nothing") is None
        True
        """
        self._store.look()  # its branch may be another process's, and new
        row = tag_row(self._store, name)
        return self._as_tag(row) if row is not None else None

    def list(self) -> "list[Tag]":
        """Return all tags by name.

        >>> _ = db.tags.create("v1")
        >>> [tag.name for tag in db.tags.list()]
        ['v1']
        """
        self._store.look()
        return [self._as_tag(row) for row in tag_rows(self._store)]

    def delete(self, name: str) -> bool:
        """Remove a tag; tell whether it was there. The versions it named stay.

        >>> _ = db.tags.create("v1")
        >>> db.tags.delete("v1"), db.tags.delete("v1")
        (True, False)
        """
        with self._store.writing() as connection:
            return connection.row(self._store.queries.delete_tag, (name,)) is not None

    def _as_tag(self, row: Row) -> Tag:
        try:
            name, branch, version, timestamp, actor, message = msgspec.convert(row[:6], _Row)
        except msgspec.ValidationError as error:
            raise unreadable("a tag") from error
        known = self._store.catalog.by_id(branch).name
        return Tag(name, known, version, timestamp, message, actor)
