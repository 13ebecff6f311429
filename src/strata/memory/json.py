"""JSON documents, read and written at a path."""

from strata.base.checks import check_number
from strata.base.values import Json, encode
from strata.memory import json_path
from strata.memory.keyed import Keyed, Version, as_version, check_version
from strata.store import GONE, StagedChange, Transaction, check_key, value_of


class JsonDocuments(Keyed):
    """Documents whose parts can be set one by one. Reached as `db.json`."""

    kind = "json"

    def __setitem__(self, key: str, value: Json) -> None:
        self.set(key, "$", value)

    def get(self, key: str, path: str = "$") -> Version | None:
        """Return the value at a path, with the document's version, or None.

        >>> _ = db.json.set("doc", "$.a.b", 1)
        >>> db.json.get("doc", "$.a").value
        {'b': 1}
        """
        steps = json_path.parse(path)
        record = self._view.snapshot.get(self._space, "json", check_key(key))
        if record is None or record[2] & GONE:
            return None
        found, value = json_path.lookup(value_of(record), steps)
        if not found:
            return None
        whole = as_version(record)
        return Version(value, whole.version, whole.timestamp, whole.tags)

    def set(self, key: str, path: str, value: Json, *, if_version: int | None = None) -> Version:
        """Put a value at a path, making the document and the objects on the way.

        With `if_version`, only if that is the document's version now (0: it is absent);
        otherwise raises VersionConflict.

        >>> _ = db.json.set("doc", "$", {"이름": "하나"})
        >>> _ = db.json.set("doc", "$.tags", ["x"])
        >>> db.json.get("doc").value
        {'이름': '하나', 'tags': ['x']}
        """
        steps = json_path.parse(path)
        check_key(key)
        encode(value)
        if if_version is not None:
            check_number(if_version, name="if_version", least=0)
        with self._view.writing("set", about=[(self._space, "json", key)]) as transaction:
            if if_version is not None:
                check_version(transaction.get(self._space, "json", key), key, if_version)
            held = self._document(transaction, key)
            document = json_path.assign(held, steps, value)
            kept, data = self._view.encoded(
                document,
                name=key,
                what="document",
                before=lambda: None if isinstance(held, json_path.JsonMissing) else held,
            )
            number, timestamp = transaction.stage(StagedChange(self._space, "json", key, data))
        if kept is not document:  # masked
            value = json_path.lookup(kept, steps)[1]
        return Version(value, number, timestamp)

    def delete(self, key: str, path: str = "$") -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Remove what is at a path, or the whole document; return how many were removed.

        >>> _ = db.json.set("doc", "$", {"a": 1, "b": 2})
        >>> db.json.delete("doc", "$.a"), db.json.delete("doc", "$.a")
        (1, 0)
        """
        steps = json_path.parse(path)
        if not steps:
            return int(super().delete(key))
        check_key(key)
        with self._view.writing("delete", about=[(self._space, "json", key)]) as transaction:
            document = self._document(transaction, key)
            if document is json_path.MISSING:
                return 0
            rest, removed = json_path.remove(document, steps)
            if not removed or rest is json_path.MISSING:
                return 0
            transaction.stage(StagedChange(self._space, "json", key, encode(rest, what="document")))
        return 1

    def _document(self, transaction: Transaction, key: str) -> "Json | json_path.JsonMissing":
        record = transaction.get(self._space, "json", key)
        if record is None or record[2] & GONE:
            return json_path.MISSING
        return value_of(record)
