"""A process that has a store open: `python -m tests.contract.holder PATH`.

It reads one Python expression a line, with `db` being the store, and prints what it gives as JSON.
`holds("text")` tells whether any object of the process still has that text in it.
"""

import gc
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import strata

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 30.0


def holds(text: str) -> list[str]:
    """Return what in this process has a text in it: strings, bytes, replicas and matrices."""
    gc.collect()
    found: list[str] = []
    seen: set[int] = set()
    waiting: list[Any] = [gc.get_objects()]
    while waiting:
        item = waiting.pop()
        if id(item) in seen or item is text or item is sys.argv:
            continue
        seen.add(id(item))
        if _has(item, text):
            found.append(type(item).__name__)
        # Strings and bytes are no containers, so they are met through what holds them.
        waiting.extend(gc.get_referents(item))
        if isinstance(item, type(sys)) or len(seen) > 20_000_000:
            continue
    return sorted(set(found))


def _has(item: object, text: str) -> bool:
    if isinstance(item, str):
        return text in item
    if isinstance(item, bytes):
        return text.encode() in item
    replica_text = getattr(item, "text", None) if type(item).__name__ == "Replica" else None
    return isinstance(replica_text, str) and text in replica_text


class Holder:
    """Such a process, from outside."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.contract.holder", str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, expression: str, *values: object) -> Any:
        """Return what an expression gives there; `v` are the values."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([expression, values]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer
        return answer["value"]

    def drops(self, text: str) -> float:
        """Wait, without any call of the store, until nothing holds a text; return how long."""
        return self.ask("wait_until_gone(*v)", text.encode().hex())

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def wait_until_gone(encoded: str) -> float:
    began = time.monotonic()
    while found := holds(bytes.fromhex(encoded).decode()):
        if time.monotonic() - began > PATIENCE_S:
            raise TimeoutError(f"still held by {found}")
        time.sleep(0.05)
    return time.monotonic() - began


def main() -> None:
    with strata.open(sys.argv[1], auto_embed=False) as db:
        known: dict[str, Any] = {"db": db, "holds": holds, "wait_until_gone": wait_until_gone}
        for line in sys.stdin:
            expression, known["v"] = json.loads(line)
            del line
            try:
                value = eval(expression, known)
                answer = {"value": value if isinstance(value, int | float | str | list) else None}
                del value
            except Exception as error:  # noqa: BLE001  (the test looks at it)
                answer = {"error": repr(error)}
            del expression, known["v"]
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
            del answer


if __name__ == "__main__":
    main()
