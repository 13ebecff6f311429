"""Calls in threads: the core is synchronous, and a slow call must not keep a fast one waiting."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from typing import TypeAlias, TypeVar

import anyio

from strata.base import limits
from strata.base.errors import Unavailable
from strata.tools import Cancel

T = TypeVar("T")
# What a client gets as progress: how much is done, how much there is, and a word for it.
Report: TypeAlias = Callable[[float, float | None, str | None], Awaitable[None]]
_log = logging.getLogger(__name__)
# How long a cancelled call has to notice. Statements are interrupted, so this is plenty.
_NOTICE_S = 2.0


class Workers:
    """A bounded pool of threads, shared fairly between clients."""

    def __init__(self, threads: int = limits.SERVE_CALLS_MAX) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="strata-call")
        self._shares: dict[str, asyncio.Semaphore] = {}
        self._waiting: Counter[str] = Counter()
        self._running: set[Cancel] = set()
        # How many calls have begun so far.
        self.begun = 0

    @property
    def running(self) -> int:
        """How many calls are being worked on."""
        return len(self._running)

    async def run(
        self, who: str, work: Callable[[], T], cancel: Cancel, *, writes: bool = False
    ) -> T:
        """Do synchronous work in a thread; when its result is not wanted any more, stop it.

        Writes of one client wait for each other before they take one of its threads, so that
        its reads go on and other clients' writes find the store free.
        """
        if self._waiting.total() >= limits.SERVE_CALLS_WAITING_MAX + limits.SERVE_CALLS_MAX:
            raise Unavailable("The server has too much to do.", hint="Try again in a moment.")
        lane = self._share(f"{who} writes", limits.SERVE_WRITES_OF_ONE_MAX)
        async with lane if writes else nullcontext(), self._share(who):
            self._running.add(cancel)
            self.begun += 1
            try:
                return await self._finished(work, cancel)
            finally:
                self._running.discard(cancel)

    async def _finished(self, work: Callable[[], T], cancel: Cancel) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            cancel.cancel()
            # A session must not be closed, nor another call begin, while this one still writes.
            with anyio.CancelScope(shield=True):
                await asyncio.wait([future], timeout=_NOTICE_S)
            raise

    @asynccontextmanager
    async def _share(
        self, who: str, most: int = limits.SERVE_CALLS_OF_ONE_MAX
    ) -> AsyncGenerator[None]:
        """Wait until this client has fewer calls running than it may."""
        share = self._shares.setdefault(who, asyncio.Semaphore(most))
        self._waiting[who] += 1
        try:
            async with share:
                yield
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]
                self._shares.pop(who, None)

    async def drain(self, seconds: float) -> bool:
        """Let running calls finish, then stop the rest; tell whether all have ended."""
        if not await self._idle(seconds):
            _log.warning("stopping %d calls that did not finish in time", self.running)
            self.cancel_all()
        return await self._idle(_NOTICE_S)

    async def _idle(self, seconds: float) -> bool:
        with anyio.move_on_after(seconds):
            while self._running:  # noqa: ASYNC110  (a stop is rare, and a look costs nothing)
                await asyncio.sleep(0.02)
        return not self._running

    def cancel_all(self) -> None:
        """Stop every running call."""
        for cancel in list(self._running):
            cancel.cancel()

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Relay:
    """Progress from a thread to a client: the newest only, and never backwards."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._latest: tuple[float, float | None, str | None] = (0, None, None)
        self._told = -1.0

    def __call__(self, label: str, done: int, total: int) -> None:
        """Take news; called from the thread that works."""
        self._latest = (done, total or None, label)
        self._loop.call_soon_threadsafe(self._news.set)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Pass news on while the block runs."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._pass_on)
            yield
            group.cancel_scope.cancel()

    async def _pass_on(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            done, total, label = self._latest
            if done > self._told:
                self._told = done
                await self._report(done, total, label)
