"""Links by meaning: made behind the vectors, once, on the branch where the memory is."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from strata import InvalidArgument, Workspace
from strata.base import limits
from strata.decisions import Link, WantedLink, change_of_link, new_link
from tests.unit.search.embedders import Words

ROOT = Path(__file__).resolve().parents[2]
WORDS = [f"{a}{b}{c}" for a in "abcdefghij" for b in "abcdefghij" for c in "abcdefghij"]
# Two texts that share all words but one; no others do.
TWINS = tuple(
    f"one cache holds prices {how} near every edge node on earth" for how in ("now", "forever")
)
# What the shipped models find nothing in common in.
SUBJECTS = (
    "Nightly backups go to object storage",
    "Uploads are capped at 200 MB",
    "Images are resized to WebP on upload",
    "Every editor action has a keyboard path",
    "The server is AGPL and the SDK is MIT",
    "Desktop updates are signed and staged",
    "A flat scan is enough for the vector index",
    "Jobs wait in a PostgreSQL table",
    "Feature flags live in a YAML file",
    "Mesh layers are loaded when selected",
    "Passkeys come first at sign-in",
    "Logs are JSON lines on stderr",
    "Progress is sent as server-sent events",
    "Browser tests run on pull requests",
    "Dependencies are updated on Mondays",
    "Telemetry is opt-in and counts only",
    "The first screen takes two seconds at most",
    "Invoices are sent by e-mail",
    "Prices are cached for sixty seconds",
    "Dates are stored in UTC",
)

Open = Callable[..., Workspace]


def filler(count: int, seed: int = 1) -> list[str]:
    chosen = random.Random(seed)
    return [" ".join(chosen.sample(WORDS, 6)) for _ in range(count)]


def remember(db: Workspace, *texts: str) -> list[str]:
    return [db.decisions.insight(text).memory.id for text in texts]


def embed(db: Workspace) -> None:
    """Make all vectors, and do nothing else in the background."""
    rule = db.settings.get("linking")
    db.settings.set("linking", "off")
    db.embeddings.use(Words())
    assert db.embeddings.wait(30)
    db._followers.following.stop()
    db.settings.set("linking", rule)


def work(db: Workspace) -> int:
    """Do what the background would; return how many steps there were."""
    linker, steps = db._followers.linker(), 0
    while linker.step():
        steps += 1
        assert steps < 100
    return steps


def found(db: Workspace) -> list[Link]:
    return [link for link in db.decisions.links() if link.relationship == "similar_to"]


def pairs(db: Workspace) -> set[tuple[str, str]]:
    return {(link.from_id, link.to_id) for link in found(db) if not link.is_suggestion}


@pytest.fixture
def db(open_store: Open) -> Workspace:
    """A store whose background rests until a test does its work."""
    db = open_store(auto_embed=False)
    db.settings.set("linking", "off")
    return db


@pytest.fixture
def twins(db: Workspace) -> Workspace:
    """Thirty memories, of which the first and the last are alike, with their vectors."""
    remember(db, TWINS[0], *filler(28), TWINS[1])
    embed(db)
    db.settings.set("linking", "signal")
    return db


def ends(db: Workspace) -> tuple[str, str]:
    """The newer and the older twin."""
    by_text = {memory.content: memory.id for memory in db.decisions.recent(limit=100)}
    return by_text[TWINS[1]], by_text[TWINS[0]]


def test_what_is_alike_is_linked_from_the_newer_to_the_older(twins: Workspace) -> None:
    assert work(twins) == 1
    assert ends(twins) in pairs(twins)
    link = next(link for link in found(twins) if (link.from_id, link.to_id) == ends(twins))
    assert (link.created_by, link.link_type, link.is_suggestion) == ("system", "association", False)
    assert 0.3 <= link.confidence < 0.8
    assert link.metadata["similarity"] > 0.6
    # Of the 434 pairs of random words not one in a hundred.
    assert len(pairs(twins)) <= 4


def test_a_pair_that_an_import_found_alike_is_not_linked_again(twins: Workspace) -> None:
    newer, older = ends(twins)
    imported = new_link(
        newer,
        older,
        "association",
        confidence=0.4,
        created_by="system",
        created_at=1,
        relationship="resembles",
        is_suggestion=True,
    )
    with twins._view.writing("import") as transaction:
        transaction.stage(change_of_link(imported))
    work(twins)
    twins.decisions.relink(rule="seed")
    between = [link for link in twins.decisions.links(newer) if older in (link.from_id, link.to_id)]
    assert [link.relationship for link in between] == ["resembles"]


def test_a_batch_is_one_commit_of_the_system(twins: Workspace) -> None:
    before = len(twins.log(limit=100))
    work(twins)
    newest, *older = twins.log(limit=100)
    assert newest.actor == "system"
    assert len(older) == before


def test_linking_again_changes_nothing(twins: Workspace) -> None:
    work(twins)
    links, version = found(twins), twins.info().versions
    assert work(twins) == 0
    again = twins.decisions.relink()
    assert (again.memories, again.links, again.suggestions, again.waiting) == (30, 0, 0, 0)
    assert found(twins) == links
    assert twins.info().versions == version


def test_linking_at_once_and_one_by_one_agree_on_what_is_alike(open_store: Open) -> None:
    ids: set[frozenset[str]] = set()
    for name in ("at once", "one by one"):
        db = open_store(name, auto_embed=False)
        for text in (TWINS[0], *filler(28), TWINS[1]):
            remember(db, text)
            if name == "one by one":
                embed(db)
                work(db)
        embed(db)
        work(db)
        texts = {memory.id: memory.content for memory in db.decisions.recent(limit=100)}
        ids.add(frozenset(texts[link.to_id] for link in found(db) if link.confidence > 0.6))
    assert len(ids) == 1
    assert ids == {frozenset({TWINS[0]})}


def test_a_link_that_was_removed_is_not_made_again(twins: Workspace) -> None:
    work(twins)
    link = next(link for link in found(twins) if (link.from_id, link.to_id) == ends(twins))
    twins.decisions.unlink(link.id)
    assert twins.decisions.relink().links == 0
    assert ends(twins) not in pairs(twins)


def test_undoing_a_save_passes_over_what_the_system_did(twins: Workspace) -> None:
    saved = twins.decisions.insight("one more thing").memory.id
    embed(twins)
    work(twins)
    twins.undo()
    assert twins.decisions.get(saved) is None
    assert found(twins)
    twins.undo(actor="system")
    assert not found(twins)


def test_a_pair_that_somebody_linked_is_left_out(db: Workspace) -> None:
    first = remember(db, TWINS[0], *filler(28))[0]
    db.decisions.insight(TWINS[1], links=[WantedLink(first, "motivated_by")])
    embed(db)
    db.settings.set("linking", "signal")
    work(db)
    assert ends(db) not in pairs(db)


def test_what_was_replaced_is_linked_no_more_and_its_chain_stays_a_chain(db: Workspace) -> None:
    remember(db, *filler(28))
    text = f"{TWINS[0]} and keeps them fresh and cheap for all that ask"
    for time_ in ("minute", "hour", "day"):
        db.decisions.save("cache", f"{text} {time_}", "shared")
    other = remember(db, f"{text} year")[0]
    embed(db)
    db.settings.set("linking", "signal")
    work(db)
    [head] = db.decisions.heads("cache")
    old = {memory.id for memory in db.decisions.on_topic("cache").chain} - {head.id}
    linked = {id_ for pair in pairs(db) for id_ in pair}
    assert (other, head.id) in pairs(db)
    assert not linked & old


def test_checkpoints_and_outcomes_are_linked_otherwise(db: Workspace) -> None:
    remember(db, *filler(28))
    decision = db.decisions.save("cache", TWINS[0], "shared").memory.id
    checkpoint = db.decisions.checkpoint(TWINS[1]).memory.id
    insight = db.decisions.outcome("SUCCESS", id=decision, reason=TWINS[1]).insight.id
    embed(db)
    db.settings.set("linking", "signal")
    work(db)
    assert not {checkpoint, insight} & {id_ for pair in pairs(db) for id_ in pair}


def test_a_suggestion_is_followed_only_by_who_asks_for_it(db: Workspace) -> None:
    remember(db, *filler(60))
    embed(db)
    db.settings.set("linking", "signal")
    work(db)
    suggested = [link for link in found(db) if link.is_suggestion]
    assert suggested
    assert all(0.3 <= link.confidence <= 0.5 for link in suggested)
    link = suggested[0]
    reach = {step.id for step in db.decisions.walk(link.from_id, depth=1, types=["association"])}
    assert link.to_id not in reach
    asked = db.decisions.walk(link.from_id, depth=1, types=["association"], suggestions=True)
    assert link.to_id in {step.id for step in asked}
    db.decisions.confirm(link.id)
    sure = db.decisions.walk(link.from_id, depth=1, types=["association"])
    assert link.to_id in {step.id for step in sure}


def test_few_memories_wait_until_there_are_enough(db: Workspace) -> None:
    enough = limits.LINKING_MEMORIES_MIN
    db.settings.set("linking", "signal")
    first, second, *_rest = remember(db, *TWINS, *filler(enough - 3))
    embed(db)
    work(db)
    assert not found(db)
    remember(db, *filler(1, seed=9))
    embed(db)
    work(db)
    assert (second, first) in pairs(db)


def test_a_memory_gets_at_most_five_links_by_meaning_and_eight_in_all(db: Workspace) -> None:
    remember(db, *filler(30), *[f"{TWINS[0]} {number}" for number in "abcdefghijk"])
    embed(db)
    for rule in ("signal", "seed"):
        db.decisions.relink(rule=rule)
        by_system = [link for link in db.decisions.links() if link.created_by == "system"]
        for id_ in {link.from_id for link in by_system}:
            own = [link for link in by_system if link.from_id == id_]
            assert len(own) <= limits.AUTOMATIC_LINKS_MAX
            assert sum(link.link_type == "association" for link in own) <= 5
    assert any(link.link_type == "association" for link in db.decisions.links())


def test_the_rule_of_the_seed_links_by_cosine(twins: Workspace) -> None:
    made = twins.decisions.relink(rule="seed")
    assert made.suggestions == 0
    assert made.links == len(found(twins)) > 0
    assert all(link.confidence == link.metadata["similarity"] >= 0.75 for link in found(twins))


def test_the_setting_says_by_which_rule(db: Workspace) -> None:
    remember(db, TWINS[0], *filler(28), TWINS[1])
    embed(db)
    assert work(db) == 0
    assert (db.decisions.linking().rule, db.decisions.linking().pending) == ("off", 0)
    assert db.decisions.relink().memories == 0
    db.settings.set("linking", "seed")
    assert db.decisions.linking().pending == 30
    assert work(db) == 1
    assert db.decisions.linking().pending == 0
    assert all(link.confidence >= 0.75 for link in found(db))
    with pytest.raises(InvalidArgument):
        db.settings.set("linking", "sometimes")
    with pytest.raises(InvalidArgument):
        db.decisions.relink(rule="sometimes")  # pyright: ignore[reportArgumentType]


def test_relinking_tells_how_far_it_is_and_what_waits(twins: Workspace) -> None:
    remember(twins, "a text without a vector")
    told: list[tuple[str, int, int]] = []
    made = twins.decisions.relink(progress=lambda *seen: told.append(seen))
    assert told == [("linking", 31, 31)]
    assert made.waiting == 1


def test_links_are_made_on_the_branch_where_the_memory_is(twins: Workspace) -> None:
    work(twins)
    before = found(twins)
    twins.branches.fork("갈래")
    side = twins.on("갈래")
    remember(side, TWINS[0] + " 다시", TWINS[1] + " 또")
    embed(twins)
    work(twins)
    assert found(twins) == before
    fresh = [link for link in found(side) if link not in before]
    assert fresh
    assert twins.log(limit=1)[0].actor == "system"
    assert side.log(limit=1)[0].actor == "system"
    twins.branches.merge("갈래")
    assert {link.id for link in fresh} <= {link.id for link in found(twins)}
    embed(twins)
    work(twins)
    assert twins.verify().ok


def test_a_branch_that_was_deleted_is_passed_over(twins: Workspace) -> None:
    work(twins)
    twins.branches.fork("side")
    remember(twins.on("side"), TWINS[0])
    embed(twins)
    twins.branches.delete("side", force=True)
    assert work(twins) == 1
    assert twins.decisions.linking().pending == 0


def test_a_korean_memory_finds_its_english_neighbour(open_store: Open) -> None:
    db = open_store(auto_embed=False)
    db.settings.set("linking", "off")
    remember(db, *SUBJECTS)
    db.decisions.save(
        "error_handling",
        "Keep typed errors and a catalogue of user-facing messages",
        "Users could not understand the error codes",
    )
    db.decisions.save(
        "오류_메시지",
        "오류 코드는 영어, 사용자 문구는 언어별 카탈로그에 둔다",
        "사용자가 오류 코드를 이해하지 못했다",
    )
    assert db.embeddings.wait(60)
    db._followers.following.stop()
    db.settings.set("linking", "signal")
    work(db)
    newer, older = (db.decisions.heads(topic)[0].id for topic in ("오류_메시지", "error_handling"))
    assert (newer, older) in pairs(db)


def test_the_background_links_what_is_saved(open_store: Open) -> None:
    db = open_store(auto_embed=False)
    db.embeddings.use(Words())
    remember(db, TWINS[0], *filler(28), TWINS[1])
    until = time.monotonic() + 30
    while ends(db) not in pairs(db):
        assert time.monotonic() < until, db.decisions.linking()
        time.sleep(0.05)
    assert db.log(limit=1)[0].actor == "system"


# Dying, and several at once.

_PROGRAM = """
import os, sys
import strata
from strata.decisions.linking import linker
from tests.contract.test_linking import embed, work
db = strata.open(sys.argv[1], durability="standard", auto_embed=False)
how = sys.argv[2]
if how == "before the commit":
    linker.Linker._written = lambda *_: os._exit(9)
if how == "before the mark":
    linker.remember = lambda *_: os._exit(9)
print("ready", flush=True)
sys.stdin.readline()
work(db)
db.close()
"""


def started(db: Workspace, how: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, db._store.database.location, how],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        process.communicate(timeout=60)
        pytest.fail("the program did not start")
    return process


def let_go(*processes: subprocess.Popen[str]) -> list[int]:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=60)
    return [process.returncode for process in processes]


@pytest.mark.parametrize(("how", "commits"), [("before the commit", 1), ("before the mark", 0)])
def test_who_dies_while_linking_leaves_the_rest_to_the_next(
    twins: Workspace, how: str, commits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert let_go(started(twins, how)) == [9]
    assert twins.decisions.linking().pending == 30
    left, before = found(twins), len(twins.log(limit=100))
    assert bool(left) is not bool(commits)
    # The dead one's turn has to end first.
    monkeypatch.setattr(twins._store, "clock", later(twins))
    assert work(twins) == 1
    assert ends(twins) in pairs(twins)
    assert commits or left == found(twins)
    assert len(twins.log(limit=100)) == before + commits
    assert twins.decisions.linking().pending == 0


def later(db: Workspace) -> Callable[[], int]:
    now = db._store.clock
    return lambda: now() + int(2 * limits.LEASE_S * 1_000_000)


def test_two_processes_at_once_make_each_link_once(twins: Workspace) -> None:
    assert let_go(started(twins, "whole"), started(twins, "whole")) == [0, 0]
    assert ends(twins) in pairs(twins)
    by_system = [commit for commit in twins.log(limit=100) if commit.actor == "system"]
    assert len(by_system) == 1
    assert twins.decisions.relink().links == 0
    assert twins.verify().ok


def test_a_memory_that_was_purged_is_forgotten(twins: Workspace) -> None:
    newer, older = ends(twins)
    twins.purge(newer, kind="memory", space="decisions")
    work(twins)
    assert all(newer not in (link.from_id, link.to_id) for link in found(twins))
    assert twins.decisions.get(older) is not None
