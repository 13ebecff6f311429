"""Two stores that look the same to bob: in one of them others have documents, in one not.

Every word and every id that bob must never meet is collected while the first one is made.
"""

import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

import strata
from strata.access import Cap
from strata.documents.files import InStore, image_changes
from strata.tools import GROUPS, Session, StoreHost, expose

BOB = "bob@example.com"
# One word for each thing that may leak; none of them is a part of another.
CANARIES = {
    name: f"{name}quartz{number}칡"
    for number, name in enumerate(
        "title text frontmatter image folder team space person suggestion named branchdoc trashed "
        "oldtext conflict branchtext teamtext teamtitle ownertext ownertitle rename alias "
        "comment reply rationale".split()
    )
}
EMAIL = "personquartz7@canary.example"
# Both write on two of them, others alone on two: one merges quietly, one does not.
BRANCHES = ["default", "try", "conflict", "quiet", "apart"]
_ID = re.compile(
    r"\b(?:doc|folder|user|team|space|sug|cmt|chunk|upload|task|agent)_[0-9A-HJKMNP-TV-Z]{26}\b"
)
_HASH = re.compile(r"\b[0-9a-f]{12,64}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?")
_MEMORY = re.compile(r"\b(?:decision|checkpoint|insight|context|link)_\w+")
_VERSION = re.compile(r"\b[Vv]ersions? \d+")
_INSTEAD = (
    (_MEMORY, "memory_#"),
    (_TIME, "T"),
    (_HASH, "h"),
    (_VERSION, "version #"),
)
# Members that are numbers of versions, times, and what a process or a file has done so far.
_VARYING = frozenset(
    "version versions timestamp time created_at updated_at created updated oldest latest as_of "
    "oldest_ts latest_ts store_version updatedAt createdAt uptime_secs wal_appends sync_calls "
    "bytes_written sync_nanos started_at id offset bundle_size path after memory_bytes baseVersion "
    "base_version decided_at".split()
)


class World(NamedTuple):
    """A store, and what in it a call may be given."""

    path: Path
    bob: str
    own: str  # a document of bob's
    shared: str  # one that bob may read
    hidden: dict[str, str]  # ids that are only there in the first world
    moments: dict[str, int]  # versions after which something was written that bob does not see
    written: int  # a version that bob wrote
    words: frozenset[str]


def canaries(*but: str) -> list[str]:
    """Return the words that must not be met."""
    return [word for name, word in CANARIES.items() if name not in but]


def build(path: Path, *, secrets: bool) -> World:
    """Make a store; with secrets, other people's documents are woven into bob's work."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        return _build(path, db, secrets=secrets)


def _build(path: Path, db: strata.Workspace, *, secrets: bool) -> World:
    bob = db.users.add(BOB, "Bob")
    ann = db.users.add(EMAIL, CANARIES["person"])
    as_bob, as_ann = db.as_user(bob.id), db.as_user(ann.id)
    moments: dict[str, int] = {}
    hidden: dict[str, str] = {"user": ann.id}
    db.kv.put("deploy/target", "파란 cluster", tags=["ops"])
    if secrets:
        hidden |= _annes(db, as_ann)
    moments["first"] = db.resolve("now").version
    own = as_bob.documents.create("Bob's page", "# Bread\n\nRye and wheat. [[Plan]]\n")
    shared = db.documents.create("Common", "# Rules\n\n모두를 위한 글\n")
    db.documents.share(shared.document, BOB, "viewer")
    db.review.comment(shared.document, "Ask me", quote="모두를")
    db.review.propose(shared.document, "Rules", "규칙")
    as_bob.review.comment(own.document, "Which one?", quote="wheat")
    written = as_bob.kv.put("deploy/target", "green cluster").version
    as_bob.json.set("plan", "$.steps", ["build"])
    as_bob.events.append("deploy", {"to": "green"})
    as_bob.decisions.checkpoint("Halfway through", next_steps="Go on")
    for name in BRANCHES[1:]:
        db.branches.fork(name)
    if secrets:
        hidden |= _on_branches(db, as_ann, hidden)
    moments["second"] = db.resolve("now").version
    as_bob.on("try").kv.put("deploy/target", "red cluster")
    as_bob.on("try").documents.edit(own.document, "wheat", "oats")
    as_bob.on("conflict").kv.put("deploy/target", "grey cluster")
    as_bob.kv.put("deploy/target", "white cluster")
    if secrets:
        as_ann.documents.edit(hidden["doc"], "kept", "held")
        _transaction_of_both(db, hidden["doc"])
    else:
        db.kv.put("both", 1)
    moments["third"] = db.resolve("now").version
    return World(
        path,
        bob.id,
        own.document,
        shared.document,
        hidden,
        moments,
        written,
        frozenset([*canaries(), EMAIL]),
    )


def _annes(db: strata.Workspace, ann: strata.Workspace) -> dict[str, str]:
    """Make documents that are none of bob's business; return their ids."""
    c = CANARIES
    text = (
        f"---\naliases: [{c['alias']}]\nkey: {c['frontmatter']}\n---\n# {c['text']}\n\n"
        f"{c['oldtext']} kept words about deploy and the cluster 배포 [[Bob's page]]\n"
    )
    made = ann.documents.create(c["title"], text)
    ann.documents.edit(made.document, c["oldtext"], "newer")
    ann.documents.name_version(made.document, c["named"])
    ann.documents.rename(made.document, f"{c['title']} {c['rename']}")
    capped = db.as_user(ann.rights.user.id, cap=Cap(suggest_only=True))
    kept = capped.documents.edit(made.document, "newer", c["suggestion"])
    said = ann.review.comment(made.document, c["comment"], quote="newer").comment
    ann.review.reply(made.document, said.id, c["reply"])
    ann.review.propose(made.document, "newer", "older", rationale=c["rationale"])
    image = _attach(ann, made.document, c["image"])
    trashed = ann.documents.create(f"{c['trashed']}", "Thrown away deploy")
    ann.documents.trash(trashed.document)
    team = db.teams.add(c["team"])
    folder = db.folders.add(c["folder"], team=team.id)
    teams = db.documents.create(c["teamtitle"], f"# Deploy\n\n{c['teamtext']}", folder=folder.id)
    owners = db.documents.create(c["ownertitle"], f"# Deploy\n\n{c['ownertext']}")
    space = db.document_spaces.add(c["space"])
    db.document_spaces.put(space.id, owners.document)
    # What others show to everybody is told by its pages, and by no tool to who may not read it.
    db.publishing.publish(owners.document, pin=True)
    ann.publishing.publish(made.document)
    return {
        "doc": made.document,
        "trashed": trashed.document,
        "teams": teams.document,
        "owners": owners.document,
        "folder": folder.id,
        "team": team.id,
        "space": space.id,
        "home": ann.folders.personal().id,
        "sug": str(kept.suggestion),
        "image": image,
        "cmt": said.id,
        **_agents_of(ann, made.document),
        "chunk": ann.documents.pieces(made.document)[0].id,
    }


def _agents_of(ann: strata.Workspace, document: str) -> dict[str, str]:
    """Let ann define an agent, and ask another one for something."""
    from strata.tasks import Definition

    told = Definition(description=CANARIES["text"], instructions=CANARIES["text"])
    agent = ann.agents.define(f"{CANARIES['named']} helper", told)
    task = ann.agents.invoke("linker", document=document, instruction=CANARIES["text"])
    return {"agent": agent.id, "agentname": agent.name, "task": task.id}


def _attach(ann: strata.Workspace, document: str, name: str) -> str:
    out = BytesIO()
    Image.new("RGB", (3, 2), (10, 20, 30)).save(out, "PNG")
    view = ann._view
    image, changes = image_changes(
        view.snapshot, InStore(), document=document, data=out.getvalue(), name=f"{name}.png"
    )
    with view.writing("document image") as transaction:
        for change in changes:
            transaction.stage(change)
    return image.id


def _on_branches(
    db: strata.Workspace, ann: strata.Workspace, hidden: dict[str, str]
) -> dict[str, str]:
    """Write on branches: a document that is only there, and both sides of a conflict."""
    c = CANARIES
    on_branch = ann.on("try").documents.create(c["branchdoc"], f"# Deploy\n\n{c['branchtext']}")
    ann.on("quiet").documents.edit(hidden["doc"], "배포", f"배포 {c['branchtext']}")
    for name in ("conflict", "apart"):
        ann.on(name).documents.rename(hidden["doc"], f"{c['conflict']} there {name}")
    ann.on("conflict").documents.edit(hidden["doc"], "newer", f"{c['conflict']} one")
    ann.documents.rename(hidden["doc"], f"{c['conflict']} here")
    ann.documents.edit(hidden["doc"], "newer", "another")
    return {"branchdoc": on_branch.document}


def _transaction_of_both(db: strata.Workspace, document: str) -> None:
    """Write a fact and a document in one commit, as a merge would."""
    from strata.documents.records import card_of, change_of_card

    record = db._view.snapshot.get("documents", "document", document)
    assert record is not None
    with db._view.writing("put") as transaction:
        transaction.stage(change_of_card(document, card_of(record)))
        from strata.store import StagedChange

        transaction.stage(StagedChange("default", "kv", "both", b"1"))


def opened(world: World, folder: Path) -> tuple[strata.Workspace, Session]:
    """Return a copy of a world and a session in it that acts for bob."""
    folder.mkdir(parents=True)
    copy = folder / "store.db"
    shutil.copy(world.path, copy)
    db = strata.open(copy, durability="standard", auto_embed=False)
    if "doc" in world.hidden:
        # Others are at their documents this very moment.
        others = db.as_user(world.hidden["user"]).presence
        others.touch(world.hidden["doc"], session="window", section=CANARIES["text"])
    session = Session(StoreHost(lambda: db), caller="owner", exposure=expose(",".join(GROUPS)))
    session.caller = world.bob
    session.client = "tester"
    return db, session


def plain(value: Any, name: str = "") -> Any:
    """Return an answer without what differs between any two stores."""
    if isinstance(value, dict):
        return {_text(key): plain(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner, name) for inner in value]
    if name in _VARYING and value is not None:
        return "#"
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    text = _ID.sub(lambda found: found.group().partition("_")[0] + "_#", text)
    for pattern, instead in _INSTEAD:
        text = pattern.sub(instead, text)
    return text
