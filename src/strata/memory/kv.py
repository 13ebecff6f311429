"""Facts: any JSON value under a key."""

from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from strata.base.checks import check_many, check_number
from strata.base.values import Json, decode, encode
from strata.memory.keyed import (
    Keyed,
    Version,
    check_count,
    check_tags,
    check_version,
    require_readable,
)
from strata.store import GONE, StagedChange, check_key, damaged


class Kv(Keyed):
    """Values under keys. Reached as `db.kv`.

    It has the manners of a dictionary, too; `get` and `put` tell the version as well.

    >>> db.kv["team/lead"] = "소연"
    >>> "team/lead" in db.kv, db.kv["team/lead"], len(db.kv), list(db.kv)
    (True, '소연', 1, ['team/lead'])
    >>> del db.kv["team/lead"]
    """

    kind = "kv"

    def __setitem__(self, key: str, value: Json) -> None:
        self.put(key, value)

    def get(self, key: str) -> Version | None:
        """Return what the key holds, or None.

        >>> _ = db.kv.put("greeting", "안녕하세요")
        >>> db.kv.get("greeting").value
        '안녕하세요'
        >>> db.kv.get("missing") is None
        True
        """
        record = self._read(self._space, "kv", check_key(key))
        if record is None:
            return None
        number, timestamp, flags, data, meta = record
        if flags == 0 and meta is None:
            try:
                # Not by read_json: a call less is worth it here.
                return Version(decode(data or b""), number, timestamp)
            except ValueError as error:  # what msgspec raises, and bytes that are no UTF-8
                raise damaged(number) from error
        if flags & GONE:
            return None
        return require_readable(record)

    def get_many(self, keys: Iterable[str]) -> list[Version | None]:
        """Return what several keys hold, in their order.

        >>> _ = db.kv.put("a", 1)
        >>> [found and found.value for found in db.kv.get_many(["a", "b"])]
        [1, None]
        """
        wanted = [check_key(key) for key in check_many(keys, name="keys")]
        found = self._view.snapshot.get_many(self._space, "kv", wanted)
        records = (found.get(key) for key in wanted)
        return [
            None if record is None or record[2] & GONE else require_readable(record)
            for record in records
        ]

    def put(
        self, key: str, value: Json, *, tags: Iterable[str] = (), if_version: int | None = None
    ) -> Version:
        """Keep a value under a key; earlier values stay in its history.

        With `if_version`, only if that is the key's version now (0: the key is absent);
        otherwise raises VersionConflict.

        >>> db.kv.put("k", {"any": "json"}, tags=["demo"]).value
        {'any': 'json'}
        """
        value, change = self._change(key, value, check_tags(tags) if tags else ())
        if if_version is None:
            number, timestamp = self._view.write(change, "put")
        else:
            check_number(if_version, name="if_version", least=0)
            with self._view.writing("put", about=[change.address]) as transaction:
                check_version(transaction.get(self._space, "kv", key), key, if_version)
                number, timestamp = transaction.stage(change)
        return Version(value, number, timestamp, change.tags)

    def put_many(
        self,
        items: Mapping[str, Json] | Iterable[tuple[str, Json]],
        *,
        tags: Iterable[str] = (),
    ) -> list[Version]:
        """Keep several values in one commit: all of them or none.

        >>> [found.value for found in db.kv.put_many({"a": 1, "b": 2})]
        [1, 2]
        """
        pairs = list(_pairs(items))
        check_count(len(pairs))
        shared = check_tags(tags) if tags else ()
        made = self._changes(pairs, shared)
        changes = self._view.store.all_indexed([change for _value, change in made])
        with self._view.writing("put") as transaction:
            places = transaction.stage_many(changes)
        return [
            Version(value, number, timestamp, shared)
            for (value, _change), (number, timestamp) in zip(made, places, strict=True)
        ]

    def _change(self, key: str, value: Json, tags: tuple[str, ...]) -> tuple[Json, StagedChange]:
        """Return a value as it is kept, and the change that keeps it."""
        meta = _meta_of(tags)
        check_key(key)
        value, data = self._view.encoded(value, name=key, before=lambda: self._held(key))
        return value, StagedChange(self._space, "kv", key, data, meta=meta, tags=tags)

    def _changes(
        self, pairs: Iterable[tuple[str, Json]], tags: tuple[str, ...]
    ) -> list[tuple[Json, StagedChange]]:
        """Return values as they are kept, and their changes; quicker than one by one."""
        if self._view.masks:
            return [self._change(key, value, tags) for key, value in pairs]
        space, meta = self._space, _meta_of(tags)
        return [
            (value, StagedChange(space, "kv", check_key(key), encode(value), meta=meta, tags=tags))
            for key, value in pairs
        ]


def _meta_of(tags: tuple[str, ...]) -> bytes | None:
    return msgspec.json.encode({"tags": tags}) if tags else None


def _pairs(
    items: Mapping[str, Json] | Iterable[tuple[str, Json]],
) -> Iterable[tuple[str, Json]]:
    if isinstance(items, Mapping):
        return cast("Mapping[str, Json]", items).items()
    return check_many(items, name="items")
