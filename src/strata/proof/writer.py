"""A writing process seen from outside: started, listened to, killed."""

import subprocess
import sys
import threading
from pathlib import Path

from strata.proof.acknowledged import Acknowledgement, decoded
from strata.sql import Durability


class WriterProcess:
    """One running worker. What it says is heard by a thread, because Windows has no poll."""

    def __init__(self, store: Path, label: str, *, durability: Durability, seed: int) -> None:
        self.label = label
        self._complaints = store.with_name(f"{label}.txt")
        command = [sys.executable, "-m", "strata.proof.worker", str(store), label]
        with self._complaints.open("wb") as complaints:
            self._process = subprocess.Popen(  # noqa: S603  (our own module, no shell)
                [*command, durability, str(seed)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        self._heard: list[bytes] = []
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None, "the pipe was asked for"
        for line in self._process.stdout:
            self._heard.append(line)

    @property
    def lines(self) -> int:
        """How many lines it has said so far."""
        return len(self._heard)

    def output(self) -> list[Acknowledgement]:
        """Return all that it said, once it is dead."""
        return [fact for line in self._heard if (fact := decoded(line)) is not None]

    def kill(self) -> bool:
        """End it without warning, hear it out, and tell whether it was still at work."""
        was_alive = self._process.poll() is None
        self._process.kill()
        self._process.wait()
        self._ear.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return was_alive

    def complaint(self) -> str:
        """Return the last line of what it wrote as an error."""
        lines = self._complaints.read_text(encoding="utf-8", errors="replace").splitlines()
        return lines[-1] if lines else "no reason given"
