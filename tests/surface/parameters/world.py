"""A store with something of everything, made once and copied for each call that is tried."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import msgspec

import strata
from strata.documents import Request
from strata.mcp.loopback import Loopback
from strata.store import Store
from strata.tools import CallOutcome, Session, StoreHost, call_tool, expose, registry
from tests.databases import database_at
from tests.opened import workspace_over
from tests.surface.developer.loopback import Endpoint

TEXT = "# 목표\n\nShip in May.\n\n## 일정\n\nShip in May. 다섯째 달.\n"
LONG = "".join(f"## Part {number}\n\n{'words and more words ' * 30}\n\n" for number in range(40))
TEMPLATE = "---\nvariables: [project]\n---\n# {{project}}\n"
EVERY_GROUP = ",".join(registry().groups)

Names = dict[str, Any]


def build(path: Path, endpoint: Endpoint) -> Names:
    """Make the store, and return what the cases call by name."""
    _remember_long_ago(path)
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.reindex()
        db.trust.give()  # where models are asked is said by the store
        names: Names = {"url": endpoint.url, "folder": str(path.parent)}
        names |= _facts(db) | _decisions(db) | _documents(db)
        names["early"] = db.resolve("now").version
        db.branches.fork("곁")
        _change_everything(db, names)
        names["changed_since"] = db.kv.put("k", "곧 바뀐다").version
        db.branches.fork("일")
        db.on("일").kv.put("k", "일에서")
        db.on("일").space("팀").kv.put("k", "팀의 일")
        db.kv.put("k", "여기서")
        db.branches.create_empty("빈")
        db.branches.fork("옛")
        db.branches.delete("옛")
        folder = path.parent / "bundles"  # the only one that tools may reach
        folder.mkdir()
        for name, branch in (("곁", "곁"), ("일", "일"), ("새", "일")):
            db.bundles.export(folder / f"{name}.bundle", branch=branch)
        db.models.configure(endpoint.url, "writer")
        names["token"] = db.documents.find(Request(intent="list", limit=1)).next_token
        names["last"] = db.log(limit=1)[0].version
        names["before_last"] = db.log(limit=2)[1].version
    return names


def _remember_long_ago(path: Path) -> None:
    """Decide something sixty days ago, so that age can count."""
    then = time.time_ns() // 1000 - 60 * 86_400_000_000
    store = Store(database_at(path), now=lambda: then)
    with workspace_over(store) as db:
        db.decisions.save("login", "Use JWT tokens for login sessions", "mobile login")


def _facts(db: strata.Workspace) -> Names:
    for space in (db, db.space("팀")):
        space.facts.remember("k", f"cache 하나 {space.space_name}", tags=["ops"])
        space.state.set("cell", f"김 {space.space_name}")
        space.json.set("plan", "$.steps", ["build", space.space_name])
        for number in range(3):
            space.events.append("deploy", {"cache": number, "at": space.space_name})
        space.vectors.create("c", dimension=2)
        space.vectors.upsert("c", "east", [1, 0], metadata={"n": 1, "at": space.space_name})
        space.vectors.upsert("c", "north", [0.6, 0.8], metadata={"n": 2})
    for number in range(3):
        db.kv.put(f"a/{number}", f"cache {number}")
        db.state.set(f"a/{number}", number)
        db.json.set(f"a/{number}", "$", {"n": number})
    db.space("팀").kv.put("team-only", 1)
    db.kv.put("old", "the lighthouse keeper", tags=["until:2020-01-01"])
    return {}


def _decisions(db: strata.Workspace) -> Names:
    first = db.decisions.save("auth", "Use JWT tokens", "stateless", confidence=0.4).memory.id
    room = db.decisions.save("cache", "Cache prices", "cheap", confidence=0.9).memory.id
    db.decisions.insight("Caches hide slow queries", topic="cache")
    stand = db.decisions.checkpoint("캐시가 된다", next_steps="tests").memory.id
    db.decisions.save("newer", "Use tokens", "short")
    near = db.decisions.save("near", "Keep it in Redis", "fast", implements=room).memory.id
    far = db.decisions.save("far", "Buy a machine", "big", implements=near).memory.id
    return {"decision": first, "other_decision": room, "checkpoint": stand, "far": far}


def _documents(db: strata.Workspace) -> Names:
    team = db.teams.add("팀")
    folder = db.folders.add("Briefs", team=team.id)
    templates = db.folders.add("Templates", team=team.id, templates=True)
    db.users.add("ann@example.com", "Ann")
    plan = db.documents.create("계획", TEXT).document
    other = db.documents.create("Other", "See [[계획]].\n\nShip in May.\n").document
    shared = db.documents.create("Shared", "x").document
    db.documents.share(shared, "ann@example.com", "viewer")
    long = db.documents.create("Long", LONG).document
    template = db.documents.create("Kickoff", TEMPLATE, folder=templates.id).document
    retro = db.documents.create("Retro", f"{TEMPLATE}뒤\n", folder=templates.id).document
    image = db.documents.attach_image(plan, _picture(), name="점.png")
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    second = db.documents.attach_image(plan, drawing, name="선.svg")
    thread = db.review.comment(plan, "정말?", quote="다섯째 달").comment.id
    done = db.review.comment(plan, "done", quote="목표").comment.id
    db.review.resolve(plan, done)
    kept = db.review.propose(plan, "다섯째 달", "여섯째 달").suggestion.id
    db.publishing.publish(other)
    task = db.agents.invoke(db.agents.get("linker").id, document=plan)
    pieces = db.documents.pieces(plan)
    upload = db.serving.uploads(lambda: "http://127.0.0.1:9").presign(
        db.documents.rights.user.id, length=3, title="Up"
    )
    return {
        "plan": plan,
        "other": other,
        "shared": shared,
        "long": long,
        "template": template,
        "retro": retro,
        "briefs": folder.id,
        "image": image.id,
        "drawing": second.id,
        "thread": thread,
        "done": done,
        "suggestion": kept,
        "task": task.id,
        "upload": upload.id,
        "chunk": pieces[0].id,
        "next_chunk": pieces[-1].id,
        "linker": db.agents.get("linker").id,
        "outliner": db.agents.get("outliner").id,
    }


def _picture() -> bytes:
    from io import BytesIO

    from PIL import Image

    kept = BytesIO()
    Image.new("RGB", (64, 48), (200, 30, 30)).save(kept, "PNG")
    return kept.getvalue()


def _change_everything(db: strata.Workspace, names: Names) -> None:
    """Let now differ from early, and the branch `곁` from the current one."""
    for space in (db, db.space("팀")):
        space.facts.remember("k", f"cache 둘 {space.space_name}")
        space.state.set("cell", "이")
        space.json.set("plan", "$.steps", ["ship"])
        space.events.append("deploy", {"cache": "late"})
        space.vectors.upsert("c", "east", [0.9, 0.1], metadata={"n": 3})
        space.vectors.create("late", dimension=2)
    db.kv.put("a/9", "cache late")
    db.state.set("a/9", 9)
    db.json.set("a/9", "$", {})
    db.space("나중").kv.put("k", 1)
    db.decisions.save("auth", "Use sessions", "tokens leaked")
    db.decisions.checkpoint("later", next_steps="more")
    db.documents.edit(names["plan"], "Ship in May. 다섯째 달.", "Ship in June. 다섯째 달.")
    names["late"] = db.documents.create("Late", "Ship late, see [[계획]].\n").document
    db.review.comment(names["plan"], "late", quote="June")
    names["second"] = db.review.propose(names["plan"], "June", "July").suggestion.id


class World:
    """A copy of the store, and a connection to it."""

    def __init__(self, db: strata.Workspace, endpoint: Endpoint, bundles: Path) -> None:
        self.db, self._endpoint, self._bundles = db, endpoint, bundles
        host = StoreHost(lambda: db, auto_embed=False)
        host.uploads_at = Loopback(host).url
        self.session = Session(host, caller="owner", exposure=expose(EVERY_GROUP))
        self._asked = len(endpoint.asked)

    def call(self, tool: Any, arguments: dict[str, Any]) -> CallOutcome:
        return call_tool(self.session, tool, arguments)

    def send(self, told: dict[str, Any]) -> Any:
        """Send a file where an answer says, and return what it has become."""
        headers = told["requiredHeaders"]
        content = b"a" * int(headers["Content-Length"])
        httpx2.put(told["uploadUrl"], content=content, headers=headers, timeout=30)
        tool = registry().find("edit_document")
        done = self.call(tool, {"action": "finalizeUpload", "uploadId": told["uploadId"]})
        return done.value

    def picture(self) -> str:
        """Return everything that a call may have changed, as a text."""
        db, session, opened = self.db, self.session, self.session.transaction
        listed = db.documents.find(Request(intent="list", limit=50))
        documents = sorted(one.id for one in listed.items)
        return as_text(
            {
                "session": [session.branch, session.space, opened and opened.branch],
                "reads_only": getattr(getattr(opened, "opened", None), "reads_only", None),
                "branches": [(one.name, one.parent, one.metadata) for one in db.branches.list()],
                "deleted": [one.name for one in db.branches.list(deleted=True)],
                "values": {one.name: _values(db.on(one.name)) for one in db.branches.list()},
                "texts": {
                    name: {id_: _text(db.on(name), id_) for id_ in documents}
                    for name in ("default", "곁")
                    if db.branches.exists(name)
                },
                "people": {id_: _seen_by(db, id_) for id_ in documents},
                "tasks": [
                    (t.agent, t.document, t.instruction, t.branch) for t in db.agents.tasks()
                ],
                "settings": db.settings.list(),
                "files": sorted(path.name for path in self._bundles.iterdir()),
                "asked": self._endpoint.asked[self._asked :],
                "keys": self._endpoint.keys[self._asked :],
            }
        )


def _values(db: strata.Workspace) -> list[Any]:
    return [(one.space, one.kind, one.key, one.action, one.after) for one in db.changes(0)] + [
        db.spaces.list(),
        [(key, held.tags) for key, held in db.kv.items(limit=100)],
        [(one.type, one.payload, one.iso_time[:10]) for one in db.events.list(limit=100)],
        [db.vectors.search(name, [1, 0], limit=10) for name in ("c", "late") if _has(db, name)],
    ]


def _has(db: strata.Workspace, collection: str) -> bool:
    return any(one.name == collection for one in db.vectors.list())


def _text(db: strata.Workspace, document: str) -> Any:
    try:
        return [
            db.documents.text(document),
            [
                (one.comment.body, one.comment.status, one.spot)
                for one in db.review.comments(document)
            ],
            [one.suggestion for one in db.review.suggestions(document)],
        ]
    except strata.NotFound:
        return None


def _seen_by(db: strata.Workspace, document: str) -> Any:
    status = db.publishing.status(document)
    audience = db.documents.audience(document)
    return [status.state, status.number, status.is_pinned, status.has_changes, audience]


@contextmanager
def copied(template: Path, folder: Path, endpoint: Endpoint) -> Iterator[World]:
    """Open a copy of the store, with its files beside it."""
    shutil.copytree(template.parent, folder)
    bundles = folder / "bundles"
    try:
        with strata.open(folder / template.name, durability="standard", auto_embed=False) as db:
            db.trust.give()
            bundles = _bundles_of(db)
            if bundles.parent != folder:  # of a store in PostgreSQL, in the user's own folder
                shutil.copytree(folder / "bundles", bundles, dirs_exist_ok=True)
            world = World(db, endpoint, bundles)
            yield world
            world.session.close()
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(bundles, ignore_errors=True)


def _bundles_of(db: strata.Workspace) -> Path:
    """Return the only folder in which tools read and write bundles."""
    return db.bundles.place("a").parent


_NEW = re.compile(r"\b[a-z]+_(?:[0-9A-HJKMNP-TV-Z]{26}|\d{13}_[0-9a-f]{8})\b")
_TIMES = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?|\b\d{12,17}\b|\b[0-9a-f]{12,64}\b"
)
_MEASURED = re.compile(r'"(uptime_secs|uptime_s)":[^,}]+')


def as_text(value: Any) -> str:
    """Return a value without what differs from run to run: new ids, times and hashes."""
    told = json.dumps(
        msgspec.to_builtins(value, enc_hook=str), ensure_ascii=False, separators=(",", ":")
    )
    return _TIMES.sub("T", _NEW.sub("NEW", _MEASURED.sub("", told)))
