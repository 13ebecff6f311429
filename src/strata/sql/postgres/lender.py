"""Connections to PostgreSQL, lent to threads that keep them while no other thread waits.

A thread that works pays nothing for the sharing, and many threads share few connections.
"""

import select
import threading
import weakref
from collections import deque
from contextlib import suppress
from typing import Protocol, TypeAlias

import psycopg
from psycopg_pool import ConnectionPool

from strata.base import limits
from strata.sql.connection import Row

Session: TypeAlias = "psycopg.Connection[Row]"
Pool: TypeAlias = "ConnectionPool[Session]"


class Keeper(Protocol):
    """What has borrowed a connection, and may keep it between its statements."""

    def give_back_idle(self) -> None:
        """Give the connection back, unless a statement or a transaction runs on it."""
        ...


class Lender:
    """The connections of one process to one workspace."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        # How many threads want a connection now. Those that have one give it back then, as soon as
        # their statement or transaction has ended.
        self.waiting = 0
        self._counting = threading.Lock()
        self._keepers: weakref.WeakValueDictionary[int, Keeper] = weakref.WeakValueDictionary()
        # Connections of threads that have ended.
        self._left: deque[Session] = deque()

    def borrow(self, keeper: Keeper) -> Session:
        """Return a connection that the server has not ended, waiting for one if need be."""
        self._count(1)
        try:
            self.collect()
            if len(self._keepers) >= limits.POSTGRES_CONNECTIONS:
                self.call_in()
            self._keepers[id(keeper)] = keeper
            session = self.pool.getconn(limits.LOCK_WAIT_S)
            while has_word(session):
                self.discard(session)
                session = self.pool.getconn(limits.LOCK_WAIT_S)
            return session
        finally:
            self._count(-1)

    def _count(self, more: int) -> None:
        with self._counting:
            self.waiting += more

    def give_back(self, session: Session) -> None:
        """Let other threads have a connection."""
        self.pool.putconn(session)

    def discard(self, session: Session) -> None:
        """Close a connection that cannot be used any more; the next borrower gets a new one."""
        session.close()
        self.give_back(session)

    def leave(self, session: Session) -> None:
        """Take the connection of a thread that has ended, later: a collector may call this."""
        self._left.append(session)

    def collect(self) -> None:
        """Let other threads have what ended threads have left."""
        while self._left:
            with suppress(IndexError):  # another thread was quicker
                self.give_back(self._left.popleft())

    def call_in(self) -> None:
        """Let every thread give its connection back that does not use it just now."""
        for reference in self._keepers.valuerefs():
            keeper = reference()
            if keeper is not None:
                keeper.give_back_idle()

    def close(self) -> None:
        """Close all connections."""
        self.collect()
        self.pool.close()


def has_word(session: Session) -> bool:
    """Whether the server has said something since the last statement: that it ends the connection.

    A system call of a microsecond, so that no write begins on a connection that was cut.
    """
    poll = select.poll()
    poll.register(session.fileno(), select.POLLIN)
    return bool(poll.poll(0))
