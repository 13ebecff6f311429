"""What one may not read cannot be told from what does not exist, by whatever is called.

Two stores are made: in one of them others have documents, in the other they have none. Bob, who
may read none of those, calls every tool of every group with many arguments in both. No answer
may hold a word or an id of theirs, and both answers must be the same.
"""

from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import strata
from strata.access import Grant
from strata.hooks import PromptEvent, reply_to
from strata.tools import Session, Tool, call_tool, registry
from tests.surface.documents.two_worlds import CANARIES, World, build, opened, plain
from tests.surface.documents.variations import calls, given_words, tools


class Pair(NamedTuple):
    """The store with secrets, and the one without."""

    full: World
    bare: World


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("worlds")
    return Pair(build(folder / "full.db", secrets=True), build(folder / "bare.db", secrets=False))


@pytest.fixture
def sides(
    worlds: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[tuple[World, strata.Workspace, Session]]]:
    """Copies of both, with a session each that acts for bob."""
    monkeypatch.chdir(tmp_path)
    # Both worlds take turns, and a name that is made up has to be the same in both.
    numbers = count()
    monkeypatch.setattr("strata.base.ids.readable_name", lambda: f"made-up-{next(numbers) // 2}")
    found = [(one, *opened(one, tmp_path / str(at))) for at, one in enumerate(worlds)]
    yield found
    for _world, db, _session in found:
        db.close()


def answer(session: Session, tool: Tool, arguments: dict[str, Any]) -> str:
    outcome = call_tool(session, tool, arguments)
    assert outcome.value.get("code") != "internal", (tool.name, arguments, outcome.value)
    return msgspec.json.encode([outcome.is_error, outcome.value]).decode()


def comparable(tool: Tool, text: str) -> Any:
    """Return an answer without numbers of versions and times."""
    found = plain(msgspec.json.decode(text))
    if tool.name == "strata_state_cas" and found[1].get("result") is not None:
        found[1]["result"] = "#"  # the version that it wrote
    return found


def met(text: str, world: World, told: str) -> list[str]:
    """Return what an answer holds of what it must not, unless bob said it himself."""
    secret = {*world.words, *world.hidden.values()}
    return sorted(word for word in secret if word in text and word not in told)


def test_the_worlds_hold_what_could_leak(worlds: Pair) -> None:
    with strata.open(worlds.full.path, auto_embed=False) as db:
        everything = " ".join(
            map(
                str,
                [
                    *db.changes(0),
                    *db.branches.diff("default", "try").changes,
                    *db.teams.list(),
                    *db.branches.diff("default", "conflict").changes,
                    *db.folders.list(),
                    *db.document_spaces.list(),
                    *db.users.list(),
                ],
            )
        )
        missing = [word for word in CANARIES.values() if word not in everything]
        assert not missing
        # A merge of the branch conflicts for whoever sees all of it.
        for name in ("conflict", "apart"):
            with pytest.raises(strata.MergeConflict):
                db.branches.merge(name, into="default")
    with strata.open(worlds.bare.path, auto_embed=False) as db:
        shown = " ".join(map(str, [*db.changes(0), *db.teams.list(), *db.folders.list()]))
        assert not [word for word in CANARIES.values() if word in shown]


@pytest.mark.parametrize("tool", tools(), ids=lambda tool: f"{tool.group}-{tool.name}")
def test_no_tool_tells_of_what_others_have(
    sides: list[tuple[World, strata.Workspace, Session]], tool: Tool
) -> None:
    (full, _db, one), (bare, _bare_db, other) = sides
    pairs = zip(calls(tool, full, full.hidden), calls(tool, bare, full.hidden), strict=True)
    told = ""
    for arguments, same in pairs:
        told += f" {given_words(arguments)}"
        text = answer(one, tool, arguments)
        assert not met(text, full, told), (arguments, text)
        expected = comparable(tool, answer(other, tool, same))
        assert comparable(tool, text) == expected, arguments
    assert told


@pytest.mark.parametrize("action", ["revert", "log"])
def test_a_commit_that_is_not_seen_is_as_one_that_never_was(
    sides: list[tuple[World, strata.Workspace, Session]], action: str
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None
    seen = {commit.version for commit in db.as_user(world.bob).log(limit=1000)}
    hidden = [commit.version for commit in db.log(limit=1000) if commit.version not in seen]
    assert hidden
    for version in hidden if action == "revert" else ():
        text = answer(session, tool, {"action": "revert", "version": version})
        never = answer(session, tool, {"action": "revert", "version": 999_999})
        assert text.replace(str(version), "999999") == never
    listed = answer(session, tool, {"action": "log", "limit": 1000})
    assert not [version for version in hidden if f'"version":{version},' in listed]


def test_the_local_owner_sees_what_is_theirs_and_nothing_of_others(
    worlds: Pair, tmp_path: Path
) -> None:
    db, session = opened(worlds.full, tmp_path / "owner")
    session.caller = "owner"
    tool = registry().find("strata_branch")
    history = registry().find("strata_history")
    assert tool is not None
    assert history is not None
    with db:
        changes = answer(session, history, {"after": 0, "limit": 1000})
        assert CANARIES["ownertext"] in changes
        assert CANARIES["teamtext"] in changes
        told = answer(session, tool, {"action": "diff", "compare": "try"})
        hers = {word for name, word in CANARIES.items() if name not in OWNERS}
        assert not [word for word in hers if word in changes + told]


# What the owner made, or is in a team of.
OWNERS = frozenset({"ownertext", "ownertitle", "teamtext", "teamtitle", "team", "folder", "space"})


def test_a_merge_carries_over_what_whoever_merges_does_not_see(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None
    before = db.log(limit=1)[0].version
    text = answer(session, tool, {"action": "merge", "source": "quiet"})
    assert '"applied":0' in text
    assert '"version"' not in text
    assert db.log(limit=1)[0].version > before
    ann = db.as_user(world.hidden["user"])
    assert CANARIES["branchtext"] in ann.documents.text(world.hidden["doc"])
    assert not [one for one in db.as_user(world.bob).log(limit=1000) if one.version > before]


def test_where_both_sides_changed_what_is_not_seen_the_target_keeps_its_own(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None
    ann = db.as_user(world.hidden["user"])
    title = ann.documents.get(world.hidden["doc"]).title
    answer(session, tool, {"action": "merge", "source": "apart"})
    assert ann.documents.get(world.hidden["doc"]).title == title


def test_taking_a_commit_back_leaves_what_is_not_seen_as_it_is(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None
    both = db.kv.get("both")
    assert both is not None
    title = db.as_user(world.hidden["user"]).documents.get(world.hidden["doc"]).title
    text = answer(session, tool, {"action": "revert", "version": both.version})
    assert '"applied":1' in text
    assert db.kv.get("both") is None
    assert db.as_user(world.hidden["user"]).documents.get(world.hidden["doc"]).title == title


def test_what_is_seen_but_may_not_be_changed_is_not_taken_back(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None
    changed = db.documents.edit(world.shared, "모두를", "우리를")
    text = answer(session, tool, {"action": "revert", "version": changed.version})
    assert "not_allowed" in text
    assert "viewer" in text
    assert "우리를" in db.documents.text(world.shared)


def test_a_space_is_deleted_without_the_documents_of_that_name(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_space_delete")
    assert tool is not None
    db.space("documents").kv.put("mine", 1)
    answer(session, tool, {"space": "documents", "force": True})
    assert db.space("documents").kv.get("mine") is None
    assert db.documents.text(world.hidden["owners"])


def test_a_merge_that_fails_over_what_is_not_seen_does_not_name_it(
    sides: list[tuple[World, strata.Workspace, Session]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None

    joiner = db._view.store.joiner
    assert joiner is not None

    def fail(_plan: object, _task: object, pairs: list[Any]) -> None:
        for pair in pairs:
            raise strata.Conflict(f"The document {pair.address[2]} cannot be merged.")

    monkeypatch.setattr(joiner, "join", fail)
    before = db.log(limit=1)[0].version
    text = answer(session, tool, {"action": "merge", "source": "quiet"})
    assert '"conflict"' in text
    assert not met(text, world, "")
    assert db.log(limit=1)[0].version == before


def test_a_hook_adds_nothing_of_documents_to_a_prompt(
    worlds: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_TRUST", str(worlds.full.path))  # hooks say nothing of others
    prompt = f"what was it with {CANARIES['text']} and the deploy cluster again? 배포"
    lines = " ".join(reply_to(PromptEvent(prompt), str(worlds.full.path)).lines)
    assert "cluster" in lines
    assert not met(lines, worlds.full, prompt)


def test_a_past_that_lacks_only_what_is_not_seen_can_be_forked(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    tool = registry().find("strata_branch")
    assert tool is not None
    ann, words = db.as_user(world.hidden["user"]), ["held", "하나", "둘", "셋"]
    edits = [ann.documents.edit(world.hidden["doc"], old, new) for old, new in pairwise(words)]
    db.retention.set(kind="section", max_versions=1)
    assert db.retention.apply().versions
    then = edits[0].version
    with pytest.raises(strata.TooOld, match="doc_"):
        db.branches.fork("theirs", at=then)
    text = answer(session, tool, {"action": "fork", "name": "mine", "at": then})
    assert '"branch":"mine"' in text
    assert db.verify(full=True).ok


def test_undo_passes_over_what_is_not_seen(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, _session), _bare = sides
    bob, ann = db.as_user(world.bob), db.as_user(world.hidden["user"])
    bob.kv.put("mine", 1)
    ann.documents.edit(world.hidden["doc"], "held", "last")
    bob.undo()
    assert db.kv.get("mine") is None
    assert "last" in ann.documents.text(world.hidden["doc"])


def test_a_token_of_nobody_sees_no_document_at_all(
    sides: list[tuple[World, strata.Workspace, Session]],
) -> None:
    (world, db, session), _bare = sides
    session.caller = Grant("somebody", user=None)
    tool = registry().find("strata_history")
    assert tool is not None
    text = answer(session, tool, {"after": 0, "limit": 1000})
    assert "cluster" in text
    assert not met(text, world, "")
    assert world.own not in text
    assert db.serving.confined().changes(0)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("strata_branch", {"action": "diff", "compare": "try"}),
        ("strata_branch", {"action": "merge", "source": "apart"}),
        ("strata_history", {"after": 0, "limit": 1000}),
        ("strata_branch_diff", {"branch_a": "default", "branch_b": "conflict"}),
    ],
)
def test_without_the_sight_these_would_tell(
    sides: list[tuple[World, strata.Workspace, Session]],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    arguments: dict[str, Any],
) -> None:
    (world, _db, session), _bare = sides
    monkeypatch.setattr("strata.workspace.visibility.UserVisibility.shows", lambda _self, _at: True)
    tool = registry().find(name)
    assert tool is not None
    assert met(answer(session, tool, arguments), world, "")
