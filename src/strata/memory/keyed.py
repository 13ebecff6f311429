"""What every kind of keyed value can do: list, look at history, count, delete."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from strata.base import limits
from strata.base.checks import check_many, check_number, check_text, is_text
from strata.base.errors import InvalidArgument, KeyNotFound, LimitExceeded, VersionConflict
from strata.base.page import ResultPage, cut_page
from strata.base.results import TimedResult
from strata.base.values import Json
from strata.store import (
    DELETED,
    GONE,
    TRIMMED,
    Record,
    StagedChange,
    Transaction,
    View,
    check_key,
    meta_of,
    meta_of_deletion,
    plain,
    read_json,
    state_of,
    value_of,
)


class Version(TimedResult, frozen=True, gc=False):
    """One value that a key held.

    `version` is the store-wide number of the write and `timestamp` its time in
    microseconds; both are 0 while the write waits in an open transaction. `state` says
    whether the value is live, or was deleted, trimmed by retention, or erased by purge.
    """

    value: Any  # any JSON; a program knows what it keeps where
    version: int
    timestamp: int
    tags: tuple[str, ...] = ()
    state: str = "live"


class Keyed:
    """Values under keys, of one kind, on the branch of a view."""

    kind: ClassVar[str]

    def __init__(self, view: View) -> None:
        self._view = view
        self._space = view.space
        self._read = view.snapshot.get

    def __repr__(self) -> str:
        return f"<db.{self.kind} of the space {self._space!r} on the branch {self._view.branch!r}>"

    # The manners of a dictionary: plain values in and out.

    def __contains__(self, key: str) -> bool:
        return self.exists(key)

    def __iter__(self) -> Iterator[str]:
        return self.list(limit=limits.PAGE_ITEMS_MAX).all()

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, key: str) -> Any:
        record = self._read(self._space, self.kind, check_key(key))
        if record is None or record[2] & GONE:
            raise self._missing(key)
        return value_of(record)

    def __delitem__(self, key: str) -> None:
        if not self.delete(key):
            raise self._missing(key)

    def _missing(self, key: str) -> KeyNotFound:
        return KeyNotFound(
            f"Nothing is kept under {key!r} in the space {self._space!r}.",
            hint=f"`db.{self.kind}.list()` lists the keys.",
            key=key,
        )

    def exists(self, key: str) -> bool:
        """Tell whether the key holds a value.

        >>> db.kv.exists("missing")
        False
        """
        record = self._view.snapshot.get(self._space, self.kind, check_key(key))
        return record is not None and not record[2] & GONE

    def list(
        self,
        prefix: str = "",
        *,
        limit: int = 100,
        after: str | None = None,
        tags: Iterable[str] = (),
    ) -> "ResultPage[str, str]":
        """Return keys in order, at most `limit`, beginning behind `after`.

        With `tags`, only keys whose value carries all of them. `more` of the result tells whether
        there are others, `next` is what to pass as `after` to get them, and `all()` yields them.

        >>> _ = db.kv.put_many({"a/1": 1, "a/2": 2, "b/1": 3})
        >>> db.kv.list(prefix="a/")
        ['a/1', 'a/2']
        >>> page = db.kv.list(limit=2)
        >>> page.more, db.kv.list(after=page.next)
        (True, ['b/1'])
        """
        check_page(limit)
        check_range(prefix, after)
        wanted = check_tags(tags)
        snapshot = self._view.snapshot

        def onward(after: str) -> ResultPage[str, str]:
            return self.list(prefix, limit=limit, after=after, tags=wanted)

        if not wanted:
            found = snapshot.keys(self._space, self.kind, prefix, after=after, limit=limit + 1)
            return cut_page([key for key, _version in found], limit, str, onward=onward)
        keys = set(snapshot.by_tag(self._space, self.kind, wanted[0]))
        for tag in wanted[1:]:
            keys &= set(snapshot.by_tag(self._space, self.kind, tag))
        fitting = [key for key in keys if key.startswith(prefix) and key > (after or "")]
        return cut_page(sorted(fitting), limit, str, onward=onward)

    def items(
        self, prefix: str = "", *, limit: int = 100, after: str | None = None
    ) -> "ResultPage[tuple[str, Version], str]":
        """Return keys in order with what they hold; `scan` yields all of them.

        >>> _ = db.kv.put("a/1", "하나")
        >>> [(key, found.value) for key, found in db.kv.items("a/")]
        [('a/1', '하나')]
        """
        check_page(limit)
        check_range(prefix, after)
        snapshot = self._view.snapshot
        found = snapshot.items(self._space, self.kind, prefix, after=after, limit=limit + 1)
        # What lies behind the page is not read: it may have been trimmed.
        kept = found[:limit]
        return ResultPage(
            ((key, require_readable(record)) for key, record in kept),
            next=kept[-1][0] if len(found) > limit else None,
            onward=lambda after: self.items(prefix, limit=limit, after=after),
        )

    def scan(self, prefix: str = "") -> "Iterator[tuple[str, Version]]":
        """Yield every key with what it holds, page by page; nothing stays locked between.

        >>> _ = db.kv.put_many({f"n/{i}": i for i in range(3)})
        >>> sum(found.value for _key, found in db.kv.scan("n/"))
        3
        """
        return self.items(prefix, limit=limits.PAGE_ITEMS_MAX).all()

    def count(self, prefix: str = "") -> int:
        """Return how many keys there are.

        >>> _ = db.kv.put("a/1", 1)
        >>> db.kv.count("a/")
        1
        """
        check_range(prefix, None)
        return self._view.snapshot.count(self._space, self.kind, prefix)

    def history(self, key: str, *, limit: int | None = None) -> "list[Version]":
        """Return what the key held, newest first, deletions included.

        >>> _ = db.kv.put("k", 1); _ = db.kv.put("k", 2)
        >>> [found.value for found in db.kv.history("k")]
        [2, 1]
        """
        if limit is not None:
            check_page(limit)
        records = self._view.snapshot.history(self._space, self.kind, check_key(key), limit=limit)
        return [as_version(record) for record in records]

    def delete(self, key: str) -> bool:
        """Remove the key from now on; tell whether it was there. History keeps its values.

        >>> _ = db.kv.put("k", 1)
        >>> db.kv.delete("k"), db.kv.delete("k")
        (True, False)
        """
        return self.delete_many([key])[0]

    def delete_many(self, keys: Iterable[str]) -> "list[bool]":
        """Remove several keys in one commit; tell of each whether it was there.

        >>> _ = db.kv.put_many({"a": 1, "b": 2})
        >>> db.kv.delete_many(["a", "b", "c"])
        [True, True, False]
        """
        wanted = [check_key(key) for key in check_many(keys, name="keys")]
        check_count(len(wanted))
        about = [(self._space, self.kind, key) for key in wanted]
        with self._view.writing("delete", about=about) as transaction:
            return [self._stage_deletion(transaction, key) for key in wanted]

    def _held(self, key: str) -> Json:
        """Return what a key holds now, None for nothing."""
        record = self._read(self._space, self.kind, key)
        return None if record is None or record[2] & (GONE | TRIMMED) else value_of(record)

    def _stage_deletion(self, transaction: Transaction, key: str) -> bool:
        record = transaction.get(self._space, self.kind, key)
        if record is None or record[2] & GONE:
            return False
        meta = meta_of_deletion(self.kind, record)
        transaction.stage(StagedChange(self._space, self.kind, key, flags=DELETED, meta=meta))
        return True


def check_version(record: Record | None, key: str, expected: int) -> None:
    """Raise VersionConflict unless that is the version a key has; 0 means it is absent."""
    # A value that waits in an open transaction has no number yet, but it is there.
    found = 0 if record is None or record[2] & GONE else record[0] or -1
    if found != expected:
        there = {} if record is None or not found else {"value": as_version(record).value}
        raise VersionConflict(
            f"{key!r} has version {found}, not {expected}. Nothing was changed.",
            hint="Decide anew from the value that is there, and send its version."
            if found
            else "Nothing is kept under this key now; version 0 means that.",
            key=key,
            expected=expected,
            version=found,
            **there,
        )


def as_version(record: Record) -> Version:
    """Return the public form of a version, whatever became of it."""
    number, timestamp, flags, data, meta = record
    if flags == 0:
        tags = tuple(meta_of(record).get("tags", ())) if meta is not None else ()
        return Version(read_json(data or b"null", number), number, timestamp, tags)
    if flags & (GONE | TRIMMED):
        return Version(None, number, timestamp, (), state_of(flags))
    return Version(
        read_json(plain(record), number), number, timestamp, tuple(meta_of(record).get("tags", ()))
    )


def require_readable(record: Record) -> Version:
    """Return a version that is there to be read; raise TooOld for a trimmed one."""
    plain(record)
    return as_version(record)


def check_page(limit: int) -> None:
    """Refuse a page that is empty or too large; `scan` fetches page by page."""
    check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)


def check_range(prefix: object, after: object) -> None:
    """Refuse a prefix or a place to begin that is no text."""
    check_text(prefix, name="prefix")
    if after is not None:
        check_text(after, name="after")


def check_count(count: int) -> None:
    """Refuse more items than one commit may hold."""
    if count > limits.ITEMS_MAX:
        raise LimitExceeded(
            f"One call may write {limits.ITEMS_MAX:,} items; {count:,} were given.",
            hint="Write in several calls.",
            limit=limits.ITEMS_MAX,
            size=count,
        )


def check_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags without repetition, or raise InvalidArgument or LimitExceeded."""
    given = check_many(tags, name="tags")
    for tag in given:
        if not is_tag(tag):
            raise InvalidArgument(
                f"{tag!r} cannot be a tag.",
                hint=f"A tag is text of 1 to {limits.TAG_CHARACTERS_MAX} characters.",
                parameter="tags",
            )
    found = tuple(dict.fromkeys(given))
    if len(found) > limits.TAGS_MAX:
        raise LimitExceeded(
            f"A value may carry {limits.TAGS_MAX} tags; {len(found)} were given.",
            limit=limits.TAGS_MAX,
            size=len(found),
        )
    return found


def is_tag(tag: object) -> bool:
    """Whether something can be a tag."""
    return is_text(tag) and 0 < len(str(tag)) <= limits.TAG_CHARACTERS_MAX
