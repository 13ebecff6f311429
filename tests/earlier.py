"""A store from before the first release: what it holds, and what a program says about it.

`furnish` and `told` are run by the program of that time (see fixtures/README.md) to make the
fixture and what it said; the tests let today's program say the same of the store it has taken over.
"""

import gzip
import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import strata

_FOLDER = Path(__file__).parent / "fixtures"
STORE, SAID = _FOLDER / "earlier.strata.gz", _FOLDER / "earlier.json"
DOT = bytes.fromhex(
    "47494638396101000100800000ffffff00000021f90400000000002c00000000010001000002024401003b"
)


def earlier_store(path: Path) -> Path:
    """Write the store to a path, and return it."""
    path.write_bytes(gzip.decompress(STORE.read_bytes()))
    path.chmod(0o600)
    return path


def said() -> dict[str, Any]:
    """Return what the program that wrote the store said about it, and the secret of its token."""
    return json.loads(SAID.read_text(encoding="utf-8"))


def furnish(db: strata.Workspace) -> str:
    """Put something of everything into a store; return the secret of a token."""
    _furnish_history(db)
    _furnish_branches(db)
    secret = _furnish_people(db)
    _furnish_documents(db)
    db.kv.put("끝", "마지막")
    return secret


def _furnish_history(db: strata.Workspace) -> None:
    db.kv.put("배포", "금요일에는 하지 않는다")
    db.kv.put("배포", "금요일 오후에는 하지 않는다", tags=["규칙", "ops"])
    db.kv.put_many(
        {f"team/{number:02}": {"이름": f"사람 {number}", "n": number} for number in range(30)}
    )
    db.kv.put("큰 값", "긴 글 " * 400)
    db.kv.delete("team/03")
    db.json.set("config", "$", {"limits": {"cpu": 4}, "이름": "기본"})
    db.state.set("leader", "박")
    db.state.set("leader", "김")
    db.events.append_many([("deploy", {"환경": "운영"}), ("incident", {"n": 1})])
    db.vectors.create("docs", dimension=3)
    db.vectors.upsert("docs", "하나", [1.0, 0.5, 0.25], metadata={"lang": "ko"})
    db.space("연구").kv.put("메모", "다른 공간")
    db.kv.put("erased", "지워진 값")
    db.purge("erased")
    for number in range(4):
        db.kv.put("trimmed", number)
    db.retention.set(kind="kv", space="default", max_versions=3)
    db.retention.apply()
    db.tags.create("v1", message="첫 판")
    first = db.decisions.save("database", "SQLite", reasoning="한 파일")
    db.decisions.save("database", "SQLite in WAL mode", reasoning=f"builds_on: {first.memory.id}")


def _furnish_branches(db: strata.Workspace) -> None:
    fork = db.branches.fork("실험", source="default")
    trial = db.on("실험")
    trial.kv.put("team/00", {"이름": "바뀐 사람", "n": 0})
    trial.kv.put("only/here", 1)
    trial.kv.delete("team/01")
    trial.events.append("trial", {"n": 2})
    db.kv.put("team/02", "default goes on")
    db.branches.merge("실험", into="default")
    db.undo()
    db.branches.fork("from the past", source="default", at=f"v{fork.version}")
    db.branches.fork("untouched", source="실험")
    deep = db.branches.fork("deep", source="실험")
    db.on(deep.name).kv.put("deep", "깊은")
    db.branches.fork("gone", source="default")
    db.on("gone").kv.put("gone", 1)
    db.branches.delete("gone", force=True)


def _furnish_people(db: strata.Workspace) -> str:
    ann = db.users.add("ann@example.com", "Ann")
    db.users.add("소연@예시.한국", "소연")
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "editor")
    db.folders.add("Shared", team=team.id)
    return db.tokens.create("노트북", groups=["memory"], user="ann@example.com").secret


def _furnish_documents(db: strata.Workspace) -> None:
    plan = db.documents.create("계획", "# 목표\n\n여름에 출시한다.\n\n## 일정\n\nShip in May.\n")
    db.documents.edit(plan.document, "여름에", "가을에")
    db.documents.name_version(plan.document, "초안")
    asked = db.review.comment(plan.document, "왜 5월?", quote="May").comment
    db.review.reply(plan.document, asked.id, "Because.")
    db.review.propose(plan.document, "May", "유월")
    taken = db.review.propose(plan.document, "출시한다", "배포한다").suggestion
    db.review.accept(plan.document, taken.id)
    db.documents.attach_image(plan.document, DOT, name="점.gif")
    db.documents.share(plan.document, "ann@example.com", "editor")
    db.as_user("ann@example.com").documents.edit(plan.document, "# 목표", "# 큰 목표")
    db.publishing.publish(plan.document)
    db.branches.fork("edits", source="default")
    db.on("edits").documents.edit(plan.document, "Ship in May", "Ship in June")
    db.documents.create("회의록", "- [ ] 안건\n")


def told(db: strata.Workspace) -> dict[str, Any]:
    """Say everything about a store that does not depend on hashes."""
    branches = [branch.name for branch in db.branches.list()]
    info = db.info()
    return {
        "info": [
            info.branches,
            info.keys,
            info.events,
            info.documents,
            info.versions,
            info.commits,
        ],
        "branches": {name: _told_branch(db, name) for name in branches},
        "deleted": [branch.name for branch in db.branches.list(deleted=True)],
        "tags": [[tag.name, tag.branch, tag.version, tag.message] for tag in db.tags.list()],
        "then": [_digest(_values(db.at(version))) for version in range(1, info.versions + 1)],
        "history": [[one.value, one.version, one.timestamp] for one in db.kv.history("배포")],
        "state": [[one.value, one.counter] for one in db.state.history("leader")],
        "vectors": _vector(db),
        "space": _values(db.space("연구")),
        "people": [[one.id, one.email, one.name, one.is_owner] for one in db.users.list()],
        "teams": [[one.id, one.name] for one in db.teams.list()],
        "tokens": [[one.id, one.label, one.user] for one in db.tokens.list()],
        "audit": [[entry.action, entry.subject] for entry in db.audit.list()],
        "documents": {
            title: _told_document(db, db.documents.called(title)) for title in ("계획", "회의록")
        },
        "decisions": [[one.id, one.content, one.topic] for one in db.decisions.recent()],
        "search": sorted(hit.key for hit in db.search("금요일 오후")),
        "undone": list(db.branches.merge("실험", into="default", preview=True).undone_by),
        "published": [
            [one.number, one.title, db.publishing.text(one.document, one.number)]
            for one in db.publishing.versions(db.documents.called("계획"))
        ],
        "retention": [
            [policy.space, policy.kind, policy.max_versions] for policy in db.retention.list()
        ],
    }


def _told_branch(db: strata.Workspace, name: str) -> dict[str, Any]:
    view, branch = db.on(name), db.branches.get(name)
    assert branch is not None
    return {
        "about": [branch.parent, branch.fork_version, branch.version],
        "times": [branch.created_at, branch.updated_at],
        "values": _values(view),
        "events": [
            [one.sequence, one.type, one.payload, one.timestamp] for one in view.events.list()
        ],
        "log": [
            [one.version, one.operation.partition(" ")[0], one.actor, one.message, one.timestamp]
            for one in view.log(limit=500)
        ],
    }


def _values(db: strata.Workspace) -> dict[str, Any]:
    return {
        "kv": {key: _value(db.kv, key) for key in db.kv.list()},
        "json": {key: _value(db.json, key) for key in db.json.list()},
        "counts": [db.kv.count(), db.json.count(), db.events.count()],
    }


def _vector(db: strata.Workspace) -> list[float]:
    found = db.vectors.get("docs", "하나")
    assert found is not None
    return list(found.vector)


def _digest(found: object) -> str:
    data = json.dumps(found, ensure_ascii=False, sort_keys=True).encode()
    return blake2b(data, digest_size=8).hexdigest()


def _value(kind: Any, key: str) -> object:
    try:
        return kind.get(key).value
    except strata.TooOld:
        return "trimmed"


def _told_document(db: strata.Workspace, document: str) -> dict[str, Any]:
    versions = db.documents.history(document)
    return {
        "text": db.documents.text(document),
        "texts": [db.documents.text(document, version=one.version) for one in versions],
        "by": [[one.operation, one.timestamp] for one in versions],
        "comments": [
            [thread.comment.id, thread.comment.body, [reply.body for reply in thread.replies]]
            for thread in db.review.comments(document)
        ],
        "suggestions": [
            [one.suggestion.id, one.state, one.suggestion.replacement]
            for one in db.review.suggestions(document, status=None)
        ],
        "images": [
            [image.id, len(db.documents.image_file(document, image.id) or b"")]
            for image in db.documents.images(document)
        ],
        "named": db.documents.named(document),
    }
