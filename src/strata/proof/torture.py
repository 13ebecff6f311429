"""Torture: writers are killed at random instants, and nothing they acknowledged may be lost."""

import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from strata.base.errors import InvalidArgument, StrataError
from strata.proof import full_disk
from strata.proof.acknowledged import Ledger
from strata.proof.writer import WriterProcess
from strata.sql import Durability
from strata.workspace import locate_store, open_workspace

SECONDS_MIN = 3.0
_WRITERS = 4
_FACTS_MAX = 4_000  # a larger store would make each check longer than the writing between
_NOTES_MAX = 20
_START_S = 30.0  # how long a writer may take to begin
_EARLY_SHARE = 0.25  # of the rounds do not wait until every writer has begun
_MODES: tuple[Durability, ...] = ("always", "standard")


class TortureReport(msgspec.Struct, frozen=True):
    """What was tried and what came of it.

    `acknowledged` counts the facts that writers reported as durable, `lost` those that a
    later check did not find as reported, `corrupt` the checks whose verification failed,
    `processes` the writers that were started, `full_disk_refusals` the writes that a full
    disk refused. `notes` says what could not be tried here, and all that went wrong.
    """

    ok: bool
    acknowledged: int
    lost: int
    kills: int
    processes: int
    full_disk_refusals: int
    corrupt: int
    seconds: float
    notes: tuple[str, ...]


def torture(
    folder: Path | None = None,
    *,
    seconds: float = 20,
    progress: Callable[[str, int, int], None] | None = None,
) -> TortureReport:
    """Prove for so long that this machine keeps what it acknowledged.

    Everything happens in a folder of its own inside `folder`, by default on the disk of
    the store one works with, and is removed afterwards. No other store is touched.
    """
    if isinstance(seconds, bool) or not seconds >= SECONDS_MIN:
        raise InvalidArgument(
            f"Torture takes {SECONDS_MIN:.0f} seconds or more, not {seconds!r}.",
            parameter="seconds",
        )
    ordeal = _Ordeal(seconds, progress)
    place = Path(tempfile.mkdtemp(prefix="strata-torture-", dir=folder or _near_the_store()))
    try:
        ordeal.fill_the_disk(place)
        while ordeal.has_time():
            ordeal.besiege(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return ordeal.report()


def _near_the_store() -> Path:
    """Return a folder on the same disk as the store of the project one works in."""
    place = locate_store().place
    beside = [place.parent] if isinstance(place, Path) else []
    for folder in (*beside, Path.cwd()):
        if folder.is_dir() and os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.gettempdir())


class _Ordeal:
    """One run: its clock, its dice and its score."""

    def __init__(self, seconds: float, progress: Callable[[str, int, int], None] | None) -> None:
        self._started = time.monotonic()
        self._seconds = seconds
        self._progress = progress
        self._dice = random.Random()  # noqa: S311  (random instants, nothing secret)
        self._check_s = 0.5
        self._facts = self._lost = self._kills = self._processes = self._corrupt = 0
        self._refusals = 0
        self._notes: list[str] = []
        self._is_clean = True

    def fill_the_disk(self, place: Path) -> None:
        """Let writes fail for want of room, in every way that works here."""
        for trial in full_disk.trials(place):
            self._refusals += trial.refusals
            for fault in trial.faults:
                self._object(f"full disk, {trial.way}: {fault}")
            if trial.skipped:
                self._notes.append(f"full disk, {trial.way}: skipped, {trial.skipped}")
            self._tell()

    def has_time(self) -> bool:
        """Whether another check would still end in time."""
        self._tell()
        return self._left() > 3 * self._check_s or self._kills == 0

    def besiege(self, place: Path) -> None:
        """Write, kill and check one store until it is large or the time is over."""
        store = place / f"store-{self._processes}.db"
        open_workspace(store, auto_embed=False).close()
        ledger = Ledger()
        fallen = 0
        writers = [self._start(store, number) for number in range(_WRITERS)]
        try:
            while self.has_time() and ledger.facts < _FACTS_MAX:
                self._let_them_write(writers)
                for number in self._victims():
                    self._strike(writers[number], ledger)
                    writers[number] = self._start(store, number)
                    fallen += 1
                self._check(store, ledger)
        finally:
            for writer in writers:
                self._strike(writer, ledger)
        self._check(store, ledger, unheard=fallen + len(writers))
        for path in store.parent.glob(f"{store.name}*"):
            path.unlink()

    def _start(self, store: Path, number: int) -> WriterProcess:
        self._processes += 1
        mode = _MODES[number % len(_MODES)]
        label = f"w{self._processes}"
        return WriterProcess(store, label, durability=mode, seed=self._dice.getrandbits(32))

    def _let_them_write(self, writers: list[WriterProcess]) -> None:
        """Wait until all are at work, and a random while; some are killed while they start."""
        # Where programs start slowly, the first words are worth more than ending in time.
        most = max(self._left() / 2, 0.05 if self._facts else _START_S)
        until = time.monotonic() + most
        is_early = self._facts > 0 and self._dice.random() < _EARLY_SHARE
        enough = all if self._facts else any
        while not is_early and not enough(writer.lines for writer in writers):
            if time.monotonic() > until:
                break
            time.sleep(0.01)
        time.sleep(min(self._dice.uniform(0.05, 1.0), max(self._left() / 2, 0.05)))

    def _victims(self) -> list[int]:
        return self._dice.sample(range(_WRITERS), self._dice.randint(1, _WRITERS))

    def _strike(self, writer: WriterProcess, ledger: Ledger) -> None:
        """Kill a writer and take down what it had acknowledged."""
        if writer.kill():
            self._kills += 1
        else:
            self._object(f"a writer ended by itself: {writer.complaint()}")
        for fact in writer.output():
            ledger.enter(fact)
            self._facts += 1

    def _check(self, store: Path, ledger: Ledger, *, unheard: int | None = None) -> None:
        """Compare what was acknowledged with what is there, also while others write."""
        started = time.monotonic()
        missing: list[str] = []
        problems: list[str] = []
        try:
            with open_workspace(store, create=False, auto_embed=False) as db:
                missing = ledger.missing(db, unheard=unheard)
                problems = [problem.message for problem in db.verify().problems]
        except StrataError as error:
            problems.append(error.message)
        self._lost += len(missing)
        self._corrupt += bool(problems)
        for fault in (*(f"lost: {it}" for it in missing), *(f"corrupt: {it}" for it in problems)):
            self._object(fault)
        self._check_s = max(self._check_s, time.monotonic() - started)

    def _left(self) -> float:
        return self._started + self._seconds - time.monotonic()

    def _object(self, fault: str) -> None:
        self._is_clean = False
        if len(self._notes) < _NOTES_MAX:
            self._notes.append(fault)

    def _tell(self) -> None:
        if self._progress is not None:
            done = min(int(time.monotonic() - self._started), int(self._seconds))
            self._progress("torture", done, int(self._seconds))

    def report(self) -> TortureReport:
        """Return the score."""
        if not self._facts:
            self._object("no writer acknowledged anything")
        return TortureReport(
            ok=self._is_clean,
            acknowledged=self._facts,
            lost=self._lost,
            kills=self._kills,
            processes=self._processes,
            full_disk_refusals=self._refusals,
            corrupt=self._corrupt,
            seconds=round(time.monotonic() - self._started, 3),
            notes=tuple(self._notes),
        )
