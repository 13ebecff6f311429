"""Three stores that write, purge and sync at random, while connections break and processes die.

    ./dev python -m tests.crash.remote_rounds --rounds 1000 --seed 7

Each store syncs through a folder, and two of them also through the server of the third, behind a
line that is cut at random. At the end all of them sync in peace and must show the same.
"""

import argparse
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import strata
from strata.base import limits
from strata.remotes import FolderShelf, places

NAMES = ("a", "b", "c")
KEYS = [f"열쇠/{number}" for number in range(12)]
SPACES = ("default", "일기")
# What users do, and how often.
KINDS = {
    "put": 40,
    "delete": 14,
    "json": 10,
    "event": 12,
    "fork": 3,
    "merge": 5,
    "purge": 3,
    "tag": 2,
    "state": 5,
    "document": 25,
    "review": 10,
    "decision": 6,
}


class CutShelf(FolderShelf):
    """A folder on a disk that goes away at a random step."""

    chance = 0.0
    random = random.Random(0)

    def _cut(self) -> None:
        if self.random.random() < self.chance:
            raise strata.Unavailable("the disk was pulled out")

    def put(self, store: str, name: str, source: Path) -> None:
        self._cut()
        super().put(store, name, source)
        self._cut()

    def fetch(self, store: str, name: str, target: Path) -> None:
        super().fetch(store, name, target)
        if self.random.random() < self.chance:
            target.write_bytes(target.read_bytes()[:40])
            raise strata.Unavailable("the disk was pulled out")


class CuttingLine:
    """A line to a server that breaks after a random number of bytes, when told to."""

    def __init__(self, port: int, chooser: random.Random) -> None:
        self._target = port
        self._random = chooser
        self.chance = 0.0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        is_cut = self._random.random() < self.chance
        room = self._random.randrange(0, 2_000) if is_cut else 1 << 60
        with (
            client,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._target)) as server,
        ):
            back = threading.Thread(target=_copy, args=(server, client, room), daemon=True)
            back.start()
            _copy(client, server, room)
            back.join()

    def close(self) -> None:
        self._listener.close()


def _copy(source: socket.socket, target: socket.socket, room: int) -> None:
    with suppress(OSError):
        while room > 0 and (data := source.recv(min(room, 65_536))):
            target.sendall(data)
            room -= len(data)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR if room <= 0 else socket.SHUT_WR)
            if one is target:
                break


class Rounds:
    """One run: the stores, what may go wrong, and what was purged."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.hub = folder / "hub"
        self.hub.mkdir()
        self.count = 0
        self.done: Counter[str] = Counter()
        self.purged: set[str] = set()
        for name in NAMES:
            (folder / name).mkdir()
        self.stores = {name: strata.open(self.path(name), auto_embed=False) for name in NAMES}
        for db in self.stores.values():
            db.remotes.add("hub", self.hub)

    def path(self, name: str) -> Path:
        return self.folder / name / "store.db"

    # What users do.

    def act(self) -> None:
        name = self.random.choice(NAMES)
        db = self.stores[name]
        branch = self.random.choice(sorted(_own(db)))
        here = db.on(branch).space(self.random.choice(SPACES)).as_actor(name)
        kind = self.random.choices(
            [*KINDS],
            [*KINDS.values()],
        )[0]
        self.done[kind] += 1
        with suppress(strata.NotFound, strata.AlreadyExists, strata.VersionConflict):
            getattr(self, f"_{kind}")(here, db)

    def _value(self) -> str:
        self.count += 1
        return f"값-{self.count}-{self.random.randrange(1 << 30)}"

    def _put(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        for _each in range(self.random.choice((1, 1, 1, 5))):
            here.kv.put(self.random.choice(KEYS), self._value())

    def _delete(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        here.kv.delete(self.random.choice(KEYS))

    def _json(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        field = self.random.choice(("이름", "나이", "도시"))
        here.json.set("사람", f"$.{field}", self._value()) if here.json.get(
            "사람"
        ) is not None else here.json.set("사람", "$", {field: self._value()})

    def _state(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        here.state.set("칸", self._value())

    def _event(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        here.events.append("메모", {"말": self._value()})

    def _document(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        known = sorted(here.documents.findable())
        if len(known) < 4:
            here.documents.create(f"문서 {self.count}", f"# 제목\n\n{self._value()}\n\n끝\n")
            return
        document = self.random.choice(known)
        text = here.documents.text(document)
        kind = self.random.choice(("append", "append", "replace", "rename"))
        if kind == "append":
            here.documents.edit(document, "끝", f"{self._value()}\n\n끝")
        elif kind == "replace":
            old = next(line for line in text.splitlines() if line.startswith("값-"))
            here.documents.write(document, text.replace(old, self._value()))
        elif self.random.random() < 0.3:
            here.documents.trash(document)
        else:
            here.documents.rename(document, f"문서 {self._value()}")

    def _review(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        known = sorted(here.documents.findable())
        if not known:
            return
        document = self.random.choice(known)
        waiting = here.review.suggestions(document)
        kind = self.random.choice(("comment", "propose", "reject"))
        if kind == "comment":
            here.review.comment(document, self._value(), quote="제목")
        elif kind == "propose":
            here.review.propose(document, "제목", self._value())
        elif waiting:
            here.review.reject(document, waiting[0].suggestion.id)

    def _decision(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        topic = self.random.choice(("auth", "배포"))
        here.decisions.save(topic, self._value(), "because")

    def _fork(self, here: strata.Workspace, db: strata.Workspace) -> None:
        if len(_own(db)) < 4:
            db.branches.fork(f"가지-{self.count}-{here.actor}", source=here.branch)

    def _merge(self, here: strata.Workspace, db: strata.Workspace) -> None:
        other = self.random.choice(sorted(_own(db)))
        if other != here.branch:
            db.branches.merge(other, into=here.branch, strategy="newest")

    def _tag(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        if here.log(limit=1):  # a tag of nothing names no commit, and does not travel
            here.tags.create(f"표-{self.count}-{here.actor}")

    def _purge(self, here: strata.Workspace, _db: strata.Workspace) -> None:
        key = self.random.choice(KEYS)
        for found in here.kv.history(key):
            if isinstance(found.value, str):
                self.purged.add(found.value)
        here.purge(key, kind="kv")

    # How they sync, and what goes wrong.

    def sync(self, line: CuttingLine | None) -> None:
        name = self.random.choice(NAMES)
        way = self.random.choices(["peace", "cut", "killed", "server"], [40, 25, 10, 25])[0]
        self.done[way] += 1
        if way == "killed":
            self._kill_syncing(name)
            return
        if way == "server" and (line is None or name == "a"):
            way = "peace"
        CutShelf.chance = 0.25 if way == "cut" else 0.0
        if line is not None:
            line.chance = 0.25
        remote = "server" if way == "server" else "hub"
        try:
            self.stores[name].remotes.sync(remote, strategy="newest")
        except strata.Unavailable:
            # No Conflict: nobody writes between the pull of a sync and its push.
            self.done["refused"] += 1
            if way == "peace":
                raise
        finally:
            CutShelf.chance = 0.0

    def _kill_syncing(self, name: str) -> None:
        """Let another process sync, and kill it somewhere on the way."""
        program = [
            sys.executable,
            "-m",
            "tests.crash.remote_rounds",
            "--sync",
            str(self.path(name)),
        ]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            assert child.stdout is not None
            child.stdout.readline()  # it begins now
            time.sleep(self.random.uniform(0.0, 0.08))
            child.send_signal(signal.SIGKILL)
            child.wait()

    # The end.

    def settle(self) -> None:
        """Sync in peace until nothing moves."""
        for _round in range(10):
            moved = 0
            for db in self.stores.values():
                done = db.remotes.sync("hub", strategy="newest")
                merged = [one for one in done.pull.branches if one.outcome != "unchanged"]
                moved += done.pull.commits + len(merged) + done.pull.erased + done.push.commits
            if not moved:
                return
        raise AssertionError("the stores do not come to rest")

    def check(self) -> None:
        """Raise unless all stores show the same, verify, and have nothing that was purged."""
        shown = {name: picture(db) for name, db in self.stores.items()}
        assert shown["a"] == shown["b"], difference(shown["a"], shown["b"])
        assert shown["a"] == shown["c"], difference(shown["a"], shown["c"])
        for name, db in self.stores.items():
            found = db.verify(full=True)
            assert found.ok, (name, found.problems[:5])
            file = self.path(name).read_bytes()
            left = [value for value in sorted(self.purged) if value.encode() in file]
            assert not left, (name, left[:3])


def _own(db: strata.Workspace) -> set[str]:
    return {one.name for one in db.branches.list() if "/" not in one.name}


def picture(db: strata.Workspace) -> dict[str, Any]:
    """Return all that a store shows on its own branches."""
    found: dict[str, Any] = {"tags": sorted(tag.name for tag in db.tags.list())}
    for branch in sorted(_own(db)):
        at = db.on(branch)
        documents = sorted(at.documents.findable())
        found[f"{branch}/documents"] = {
            one: (at.documents.get(one).title, at.documents.text(one)) for one in documents
        }
        found[f"{branch}/comments"] = sorted(
            (one, thread.comment.body) for one in documents for thread in at.review.comments(one)
        )
        found[f"{branch}/suggestions"] = sorted(
            (one, proposal.suggestion.replacement, proposal.suggestion.status)
            for one in documents
            for proposal in at.review.suggestions(one, status=None)
        )
        found[f"{branch}/decisions"] = sorted(
            (one.id, one.content) for one in at.decisions.recent(limit=100).all()
        )
        for space in SPACES:
            here = db.on(branch).space(space)
            found[f"{branch}/{space}/kv"] = {
                key: value.value for key in here.kv.list() if (value := here.kv.get(key))
            }
            person = here.json.get("사람")
            found[f"{branch}/{space}/json"] = None if person is None else person.value
            cell = here.state.get("칸")
            found[f"{branch}/{space}/state"] = None if cell is None else cell.value
            found[f"{branch}/{space}/events"] = sorted(
                str(event.payload) for event in here.events.list(limit=10_000)
            )
    return found


def difference(a: dict[str, Any], b: dict[str, Any]) -> str:
    places = [place for place in sorted({*a, *b}) if a.get(place) != b.get(place)]
    return "\n".join(f"{place}: {a.get(place)!r} | {b.get(place)!r}" for place in places)


@contextmanager
def server_of(path: Path, chooser: random.Random) -> Iterator[tuple[CuttingLine, str]]:
    """Serve a store behind a line that can be cut."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = [sys.executable, "-m", "strata", "--db", str(path), "serve", "--port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(program, **quiet) as server:  # type: ignore[call-overload]
        try:
            address = f"http://127.0.0.1:{port}"
            for _attempt in range(200):
                with suppress(OSError):
                    urllib.request.urlopen(f"{address}/health").close()
                    break
                time.sleep(0.1)
            line = CuttingLine(port, chooser)
            yield line, f"http://127.0.0.1:{line.port}"
            line.close()
        finally:
            server.terminate()
            server.wait(30)


def run(
    folder: Path,
    *,
    rounds: int,
    seed: int,
    serves: bool = True,
    report: Callable[[str], object] = lambda _text: None,
) -> Counter[str]:
    """Run so many rounds; return how often each thing happened."""
    this = Rounds(folder, seed)
    with ExitStack() as stack:
        line: CuttingLine | None = None
        if serves:
            secret = this.stores["a"].tokens.create("others").secret
            line, address = stack.enter_context(server_of(this.path("a"), this.random))
            for name in ("b", "c"):
                this.stores[name].remotes.add("server", address, token=secret)
        for number in range(1, rounds + 1):
            for _each in range(this.random.randrange(1, 4)):
                this.act()
            this.sync(line)
            if number % 50 == 0:
                report(f"{number} rounds: {dict(this.done)}")
    this.settle()
    this.check()
    for db in this.stores.values():
        db.close()
    return this.done


def sync_once(path: Path) -> None:
    """Sync in this process, which is about to be killed."""
    with strata.open(path, auto_embed=False) as db:
        sys.stdout.write("now\n")
        sys.stdout.flush()
        while True:
            db.remotes.sync("hub", strategy="newest")
            db.kv.put("죽음", str(time.time_ns()))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sync", type=Path)
    given = parser.parse_args()
    if given.sync is not None:
        sync_once(given.sync)
        return
    os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="strata-notes-")
    patch_shelf(given.seed)
    folder = Path(tempfile.mkdtemp(prefix="strata-rounds-"))
    began = time.monotonic()
    done = run(folder, rounds=given.rounds, seed=given.seed, report=print)
    print(f"{given.rounds} rounds in {time.monotonic() - began:.0f} s: {dict(done)}")
    print("equal and verified")
    shutil.rmtree(folder)


def patch_shelf(seed: int) -> None:
    """Let folders of this process be on a disk that goes away."""
    CutShelf.random = random.Random(seed)
    limits.REMOTE_PAUSE_S = 0.01
    places.FolderShelf = CutShelf


if __name__ == "__main__":
    main()
