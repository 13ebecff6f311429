"""Two stores as one: each call is made to both, and must give the same answer or error."""

import os
import random
import sys
import weakref
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Self

import msgspec

from strata.base import ids
from strata.search import TextIndexer
from strata.sql import SqliteDatabase, open_database
from strata.store import Store
from strata.upkeep import copy_store
from strata.workspace import Workspace
from tests.databases import address_of
from tests.opened import workspace_over

_DATA = (msgspec.Struct, str, bytes, int, float, list, tuple, dict, set, frozenset, type(None))
# Modules that draw what becomes part of a store: there both stores draw alike.
_DRAWING = ("strata.base.ids", "strata.decisions.records", "strata.documents.text.replica")
# Answers that tell of the database itself.
_OWN: dict[str, Callable[[Any], object]] = {
    "verify": lambda found: found.ok,
    "info": lambda found: found.versions,
    "purge": lambda found: (found.keys, found.versions),
}
_turns = count(1)


def open_twin(now: Callable[[], int], *, is_searched: bool = False) -> "Twin":
    """Open a store in SQLite and one in PostgreSQL, both empty and on the same clock."""
    # A copy, because a new store has an owner with an id of its own.
    folder, address = Path(mkdtemp(prefix="strata-twin-")), address_of(None)
    Store(SqliteDatabase(folder / "store.db", durability="cache")).database.close()
    copy_store(folder / "store.db", address, verify=False)
    databases = (
        SqliteDatabase(folder / "store.db", durability="cache"),
        open_database(address, durability="standard"),
    )
    weakref.finalize(databases[0], rmtree, folder, ignore_errors=True)
    stores = [
        Store(database, now=now, indexer=TextIndexer() if is_searched else None)
        for database in databases
    ]
    return Twin(*map(workspace_over, stores))


class Twin:
    """The same object of both stores."""

    def __init__(self, *pair: Any) -> None:
        self._pair = pair

    def __getattr__(self, name: str) -> Any:
        found = [getattr(one, name) for one in self._pair]
        if callable(found[0]) and not isinstance(found[0], type):
            return lambda *values, **options: self._call(name, found, values, options)
        return _joined(name, found)

    def _call(self, name: str, methods: list[Any], values: Any, options: Any) -> Any:
        turn, answers, errors = next(_turns), list[Any](), list[Exception]()
        for method in methods:
            with drawing_alike(turn):
                try:
                    answers.append(_settled(method(*values, **options)))
                except Exception as error:  # noqa: BLE001  (raised below, if both say the same)
                    errors.append(error)
        if errors:
            assert len(errors) == 2, (name, values, options, answers, errors)
            assert _told(errors[0]) == _told(errors[1]), (name, values, options)
            raise errors[0]
        return _joined(f"{name}{values}{options}", answers)

    def __len__(self) -> int:
        return self.__getattr__("__len__")()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.__getattr__("__iter__")())

    def __contains__(self, key: object) -> bool:
        return self.__getattr__("__contains__")(key)

    def __getitem__(self, key: object) -> Any:
        return self.__getattr__("__getitem__")(key)

    def __enter__(self) -> Self:
        return type(self)(*(one.__enter__() for one in self._pair))

    def __exit__(self, *failure: Any) -> None:
        errors: list[Exception] = []
        for one in self._pair:
            try:
                one.__exit__(*failure)
            except Exception as error:  # noqa: BLE001  (raised below, if both say the same)
                errors.append(error)
        if errors:
            assert len(errors) == 2, errors
            assert _told(errors[0]) == _told(errors[1])
            raise errors[0]

    @property
    def both(self) -> tuple[Workspace, Workspace]:
        """The two themselves."""
        return self._pair


def _settled(answer: Any) -> Any:
    """Return an answer as a value that can be compared: what is read bit by bit is read now."""
    return list(answer) if isinstance(answer, Iterator) else answer


def _joined(what: str, found: list[Any]) -> Any:
    first, second = found
    if not isinstance(first, _DATA):
        return Twin(first, second)
    own = _OWN.get(what.partition("(")[0])
    if own is None:
        assert first == second, what
    else:
        assert own(first) == own(second) is not False, (first, second)
    return first


def _told(error: Exception) -> tuple[type[Exception], str]:
    return type(error), str(error)


@contextmanager
def drawing_alike(turn: int) -> Generator[None]:
    """Let everything that becomes part of a store be drawn by the number of the turn."""
    before, dice = os.urandom, random.Random(turn)
    ids._last = (1 << 46, turn << 20)

    def draw(size: int) -> bytes:
        asker = sys._getframe(1).f_globals["__name__"]
        return dice.randbytes(size) if asker in _DRAWING else before(size)

    os.urandom = draw
    try:
        yield
    finally:
        os.urandom = before
