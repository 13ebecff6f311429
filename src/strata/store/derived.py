"""State that is computed from the store and kept in memory, and how it is dropped again.

`Derived` keeps one state for each branch and bound that callers ask for, and brings it up to
date with what was committed since. `Remembered` keeps single values under keys. Both drop
everything after a purge, by this process or another, and never keep what was read before one:
the promise that a purge reaches every process within a second rests on this module alone.
"""

import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, NamedTuple, TypeVar

from strata.store.record import NOW, Record
from strata.store.snapshot import Snapshot
from strata.store.store import Store

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Commits(NamedTuple):
    """The commits that a state does not know yet: those after one version, up to another."""

    snapshot: Snapshot
    after: int
    upto: int

    def keys(self, space: str, kind: str) -> list[str]:
        """Return the keys that these commits may have changed on the branch."""
        return self.snapshot.written_between(space, kind, after=self.after, upto=self.upto)

    def ahead(self, *places: tuple[str, str]) -> AbstractContextManager[None]:
        """Let a block that asks for the keys of several spaces and kinds wait for them once."""
        reads = self.snapshot.reads_of_written(places, after=self.after, upto=self.upto)
        return self.snapshot.store.connection().together(reads)

    def records(self, space: str, kind: str) -> Iterator[tuple[str, Record]]:
        """Yield what these commits wrote on the branch itself, oldest first, with its key."""
        store = self.snapshot.store
        keyspace = store.catalog.keyspace(space, kind, store.connection())
        values = (self.snapshot.branch_id, self.after, self.upto, NOW)
        for row in store.connection().rows(store.queries.versions_since, values):
            if row[6] == keyspace:
                yield row[7], (row[0], row[1], row[2], row[3], row[4])


class _Slot(Generic[T]):
    """A state, the version it is up to date with, and the number of removals at that time."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.states: list[T] = []  # none or one: a state may be None itself
        self.upto = 0
        self.removals = -1


class Derived(Generic[K, T]):
    """States computed from what branches show, the least recently used dropped first.

    `build` computes the state of a snapshot from nothing; `follow` brings one up to date and
    returns it. `key` tells several states of one branch apart. An instance belongs to one store
    for as long as that is open. Safe from several threads.
    """

    def __init__(
        self,
        store: Store,
        *,
        build: Callable[[Snapshot, K], T],
        follow: Callable[[T, Commits, K], T],
        most: int,
    ) -> None:
        self._store = store
        self._build = build
        self._follow = follow
        self._most = most
        self._start_over()
        store.on_removal.append(self.forget)

    def _start_over(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._slots: OrderedDict[tuple[int, int, K], _Slot[T]] = OrderedDict()

    @contextmanager
    def using(self, snapshot: Snapshot, key: K) -> Generator[T]:
        """Give the state of what a snapshot shows; no other thread uses it meanwhile.

        Reads of the block see the same state of the store.
        """
        slot = self._slot((snapshot.current_branch(), snapshot.bound, key))
        with slot.lock, self._store.database.reading():
            yield self._current(slot, snapshot, key)

    def of(self, snapshot: Snapshot, key: K) -> T:
        """Return the state of what a snapshot shows, for states that are replaced, not changed."""
        with self.using(snapshot, key) as state:
            return state

    def _slot(self, place: tuple[int, int, K]) -> _Slot[T]:
        if self._process != os.getpid():
            # A child made by fork() may have copied a lock that a thread of its parent holds.
            self._start_over()
        with self._lock:
            slot = self._slots.get(place)
            if slot is None:
                slot = self._slots[place] = _Slot()
            self._slots.move_to_end(place)
            while len(self._slots) > self._most:
                self._slots.popitem(last=False)
            return slot

    def _current(self, slot: _Slot[T], snapshot: Snapshot, key: K) -> T:
        look = self._store.connection().look()
        removals, newest = look.removals, min(snapshot.bound, look.version)
        # A state that fails half-way is not kept.
        known, slot.states = slot.states, []
        if not known or slot.removals != removals or slot.upto > newest:
            state = self._build(snapshot, key)
        elif slot.upto < newest:
            state = self._follow(known[0], Commits(snapshot, slot.upto, newest), key)
        else:
            state = known[0]
        slot.upto, slot.removals = newest, removals
        if removals == self._store.catalog.removals:
            # Else this transaction began before a purge: its caller gets what it shows, once.
            slot.states = [state]
        return state

    def held(self) -> list[tuple[K, T]]:
        """Return what is in memory now, with its keys, the least recently used first."""
        with self._lock:
            return [
                (place[2], state) for place, slot in self._slots.items() for state in slot.states
            ]

    def forget(self) -> None:
        """Drop everything, after values were erased or trimmed."""
        with self._lock:
            self._slots.clear()


class Remembered(Generic[K, T]):
    """Values that were computed from the store, by key; the least recently used go first.

    A caller notes `epoch` before it reads, and gives it back with the value: what was read
    before values were erased is not kept. Safe from several threads.
    """

    def __init__(
        self,
        store: Store,
        *,
        most: int = sys.maxsize,
        size: Callable[[T], int] = lambda _value: 0,
        size_max: int = sys.maxsize,
    ) -> None:
        self._most = most
        self._size = size
        self._size_max = size_max
        self._lock = threading.Lock()
        self._values: OrderedDict[K, tuple[T, int]] = OrderedDict()
        self._held = 0
        self.epoch = 0
        store.on_removal.append(self.forget)

    def get(self, key: K) -> T | None:
        """Return a value, or None for one that is not kept."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def pop(self, key: K) -> T | None:
        """Return a value that only its caller has from now on, or None."""
        with self._lock:
            found = self._values.pop(key, None)
            if found is None:
                return None
            self._held -= found[1]
            return found[0]

    def keep(self, key: K, value: T, epoch: int) -> None:
        """Keep a value, unless values were erased since the epoch in which it was read."""
        size = self._size(value)
        with self._lock:
            if epoch != self.epoch:
                return
            _old, old_size = self._values.pop(key, (None, 0))
            self._values[key] = (value, size)
            self._held += size - old_size
            while self._held > self._size_max or len(self._values) > self._most:
                self._held -= self._values.popitem(last=False)[1][1]

    def held(self) -> list[tuple[K, T]]:
        """Return what is in memory now, with its keys, the least recently used first."""
        with self._lock:
            return [(key, value) for key, (value, _size) in self._values.items()]

    def forget(self) -> None:
        """Drop everything, after values were erased or trimmed."""
        with self._lock:
            self._values.clear()
            self._held = 0
            self.epoch += 1
