"""Writers that go on when the database fails: `python -m tests.crash.postgres.writers …`.

They write as those of `strata.proof` do, say on standard output what was acknowledged, and on
standard error what was not.
"""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Self, cast

import strata
from strata.proof.acknowledged import Acknowledgement, Ledger, decoded
from strata.proof.worker import TortureWorker
from strata.sql import Durability

WAIT_S = 120
_ROOT = Path(__file__).parents[3]
# What says that a call has changed nothing, in one way or another.
CERTAIN = ("Nothing was changed", "cannot be reached", "no room left")


class EnduringWorker(TortureWorker):
    """A writer that tries the next thing when one fails."""

    def work(self) -> None:
        while True:
            try:
                self.act()
            except strata.Unavailable as error:
                print(str(error).replace("\n", " "), file=sys.stderr, flush=True)
                time.sleep(0.05)

    def _tidy(self) -> None:
        """Do nothing: there is no file to fold or to write anew."""


class Writer:
    """A writing process, seen from outside."""

    def __init__(self, address: str, label: str, *, durability: Durability = "always") -> None:
        command = [sys.executable, "-m", "tests.crash.postgres.writers", address, label]
        self._process = subprocess.Popen(
            [*command, durability], cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.said: list[bytes] = []
        self.complaints: list[str] = []
        self._ears = [
            threading.Thread(target=self._hear_facts, daemon=True),
            threading.Thread(target=self._hear_complaints, daemon=True),
        ]
        for ear in self._ears:
            ear.start()

    def _hear_facts(self) -> None:
        assert self._process.stdout is not None
        self.said.extend(self._process.stdout)

    def _hear_complaints(self) -> None:
        assert self._process.stderr is not None
        self.complaints.extend(line.decode().strip() for line in self._process.stderr)

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process.poll() is None

    def kill(self) -> list[Acknowledgement]:
        """End it without warning, and return what it said."""
        self._process.kill()
        self._process.wait()
        for ear in self._ears:
            ear.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        return [fact for line in self.said if (fact := decoded(line)) is not None]


class Team:
    """Several writers at one workspace, and the check of what they were told."""

    def __init__(self, address: str, *, size: int = 3, durability: Durability = "always") -> None:
        self._address = address
        self._durability: Durability = durability
        self._started = 0
        self._ledger = Ledger()
        self._uncertain: list[str] = []
        self.complaints: list[str] = []
        strata.open(address, auto_embed=False).close()
        self._writers = [self._new() for _place in range(size)]

    def _new(self) -> Writer:
        self._started += 1
        return Writer(self._address, f"w{self._started}", durability=self._durability)

    def wait_for_more(self, lines: int = 15) -> None:
        """Wait until every writer has written more; each does so without being started again."""
        goals = [(writer, len(writer.said) + lines) for writer in self._writers]
        give_up = time.monotonic() + WAIT_S
        for writer, goal in goals:
            while len(writer.said) < goal:
                assert writer.is_alive, writer.complaints[-5:]
                assert time.monotonic() < give_up, [one.complaints[-3:] for one in self._writers]
                time.sleep(0.02)

    def replace_one(self) -> None:
        """Kill one writer, and start another."""
        self._take_down(self._writers.pop(0))
        self._writers.append(self._new())

    def _take_down(self, writer: Writer) -> None:
        for fact in writer.kill():
            self._ledger.enter(fact)
        self.complaints += writer.complaints
        self._uncertain += [one for one in writer.complaints if not is_certain(one)]

    def end(self) -> None:
        """Kill all writers."""
        while self._writers:
            self._take_down(self._writers.pop())

    def check(self, address: str | None = None) -> int:
        """Kill all, check that nothing is lost or there twice; return what was acknowledged."""
        self.end()
        assert self._uncertain == [], self._uncertain
        with strata.open(address or self._address, auto_embed=False) as db:
            assert self._ledger.missing(db, unheard=self._started) == []
            assert db.verify(full=True).problems == ()
        return self._ledger.facts

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def is_certain(complaint: str) -> bool:
    """Whether a message says that nothing was changed."""
    return any(words in complaint for words in CERTAIN)


def main(arguments: list[str]) -> int:
    """Write until killed, or until the pipe is closed."""
    address, label, durability = arguments
    mode = cast("Durability", durability)
    try:
        EnduringWorker(address, label, durability=mode, seed=hash(label)).work()
    except BrokenPipeError:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
