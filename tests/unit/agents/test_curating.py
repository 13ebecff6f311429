"""The curator: what it finds, proposes, and does not propose twice."""

import os
import subprocess
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.agents import fact_twins
from strata.agents.curating import Curation, curate_memory
from strata.base import limits
from strata.memory import NewFact
from tests.unit.agents.conftest import Desk
from tests.unit.conftest import Bench


@pytest.fixture
def curator(db: Workspace) -> Workspace:
    return db.as_actor("curator")


def found(done: Curation) -> list[tuple[str, str, str]]:
    return [(one.key, one.reason, one.change) for one in done.findings]


def test_the_same_text_under_two_keys_is_forgotten_once(db: Workspace, curator: Workspace) -> None:
    db.facts.remember("배포/요일", "금요일에는 배포하지 않는다, 예외는 없다")
    db.kv.put("deploy", " 금요일에는  배포하지 않는다, 예외는 없다")
    assert found(curate_memory(curator)) == [("deploy", "the same text as 배포/요일", "forget")]
    db.proposals.accept("deploy")
    assert db.kv.get("deploy") is None
    assert db.kv.exists("배포/요일")
    assert found(curate_memory(curator)) == []


def test_texts_with_one_hash_are_no_twins(
    db: Workspace, curator: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_twins, "_HASH", 0)
    db.facts.remember("a", "We deploy to Frankfurt on Fridays")
    db.facts.remember("b", "Prices are cached for sixty seconds at the edge")
    assert found(curate_memory(curator)) == []


def test_tags_of_a_twin_are_not_lost(db: Workspace, curator: Workspace) -> None:
    db.facts.remember("a", "We deploy to Frankfurt on Fridays")
    db.facts.remember("b", "We deploy to Frankfurt on Fridays", sources=["docs/x.md"])
    [(key, reason, change)] = found(curate_memory(curator))
    assert (key, change) == ("b", "replaces a")
    assert "other tags" in reason
    db.proposals.accept("b")
    assert db.kv.get("b").tags == ("source:docs/x.md", "supersedes:a")  # pyright: ignore[reportOptionalMemberAccess]
    assert found(curate_memory(curator)) == []


def test_what_says_nearly_the_same_is_replaced_by_the_later_one(
    db: Workspace, curator: Workspace
) -> None:
    db.facts.remember("ops", "We deploy the service to the Frankfurt region on Fridays")
    db.facts.remember("other", "Prices are cached for sixty seconds at the edge")
    db.facts.remember("when", "On Fridays we deploy our service to the Frankfurt region")
    [(key, reason, change)] = found(curate_memory(curator))
    assert (key, change) == ("when", "replaces ops")
    assert "nearly the same as ops" in reason
    db.proposals.accept("when")
    assert found(curate_memory(curator)) == []


def test_texts_with_other_numbers_are_no_twins(db: Workspace, curator: Workspace) -> None:
    db.facts.remember_many(
        [NewFact(f"port/{n}", f"The port of the service is {8000 + n}") for n in range(300)]
    )
    assert found(curate_memory(curator)) == []


def test_what_has_expired_is_forgotten(db: Workspace, curator: Workspace) -> None:
    db.space("팀").facts.remember("할인", "모든 의자 20 % 할인", until="2020-12-31")
    db.facts.remember("later", "30 % off", until="2999-12-31")
    [one] = curate_memory(curator).findings
    assert (one.space, one.key, one.reason) == ("팀", "할인", "expired 2020-12-31")
    assert db.proposals.get("할인").action == "removed"
    assert db.proposals.get("할인").reason == "expired 2020-12-31"


def test_a_decision_without_an_outcome_is_to_be_looked_at(bench: Bench) -> None:
    db = bench.db
    db.decisions.save("auth", "Use sessions", "Simple")
    bench.clock.us += 40 * limits.DAY_MS * 1000
    db.decisions.save("cache", "No cache", "Simple")
    [one] = curate_memory(db.as_actor("curator")).findings
    assert (one.kind, one.reason) == ("outcome", "no outcome since 2023-11-14")
    db.proposals.accept(one.key)
    assert "review was due" not in db.decisions.caveat(db.decisions.heads("auth")[0])
    assert db.decisions.heads("auth")[0].metadata["review_by"] == "2023-12-24"
    assert curate_memory(db.as_actor("curator")).findings == ()


def test_a_link_that_leads_nowhere_is_removed(db: Workspace, curator: Workspace) -> None:
    first = db.decisions.save("db", "Use SQLite", "One file").memory
    second = db.decisions.save("cache", "None", "SQLite is quick", implements=first.id).memory
    db.purge(first.id, space="decisions", kind="memory")
    done = curate_memory(curator)
    assert {(one.kind, one.change) for one in done.findings} == {("link", "unlink")}
    db.proposals.accept(*[one.id for one in db.proposals.list()])
    assert db.decisions.links(second.id) == []
    assert db.verify().ok


def test_sources_that_are_gone_are_told(db: Workspace, curator: Workspace, tmp_path: Path) -> None:
    made = db.documents.create("Plan", "Ship in May").document
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "가격.md").write_text("20 %")
    os.utime(tmp_path / "docs" / "가격.md", (1, 1))
    for key, source in (
        ("kept", "docs/가격.md"),
        ("line", "docs/가격.md:12"),
        ("gone", "docs/old.md"),
        ("address", "https://example.com/a.html"),
        ("words", "a talk with Ann"),
        ("outside", "../secret.txt"),
        ("absolute", "/etc/passwd.txt"),
        ("turn", "codex/01a1#12"),
        ("document", made),
        ("lost", "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"),
    ):
        db.facts.remember(key, f"값 {key}", sources=[source])
    done = curate_memory(curator, files=tmp_path)
    assert sorted(found(done)) == sorted(
        (key, reason, f"review_by {found_day(done)}")
        for key, reason in (
            ("gone", "it cites docs/old.md, which is gone"),
            ("lost", "its source doc_01JABCDEFGHJKMNPQRSTVWXYZ0 is gone"),
        )
    )
    db.documents.trash(made)
    assert [one.key for one in curate_memory(curator, files=tmp_path).findings] == ["document"]


def found_day(done: Curation) -> str:
    return done.findings[0].change.removeprefix("review_by ")


def test_a_file_that_changed_in_git_is_told_whatever_its_time_says(
    db: Workspace, curator: Workspace, tmp_path: Path
) -> None:
    def git(*words: str, when: str = "2020-01-01T00:00:00Z") -> None:
        names = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        by = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        subprocess.run(
            ["git", *by, *words], cwd=tmp_path, env={**os.environ, **names}, check=True,
            capture_output=True,
        )  # fmt: skip

    git("init")
    for name in ("old.py", "new.py"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "-m", "one")
    db.facts.remember("old", "what old.py does", sources=["old.py"])
    db.facts.remember("new", "what new.py does", sources=["new.py:1"])
    assert found(curate_memory(curator, files=tmp_path)) == []
    (tmp_path / "new.py").write_text("2")
    git("commit", "-am", "two", when="2099-05-04T00:00:00Z")
    [(key, reason, _change)] = found(curate_memory(curator, files=tmp_path))
    assert (key, reason) == ("new", "it cites new.py:1, which changed on 2099-05-04")


def test_what_waits_or_was_rejected_is_not_proposed_again(
    db: Workspace, curator: Workspace
) -> None:
    for n in range(3):
        db.facts.remember(f"sale/{n}", f"{n} % off", until="2020-12-31")
    assert len(curate_memory(curator, limit=2).findings) == 2
    again = curate_memory(curator)
    assert (len(again.findings), again.known) == (1, 2)
    db.proposals.reject("sale/0", reason="아직 쓴다")
    assert curate_memory(curator).findings == ()
    db.facts.remember("sale/0", "0 % off", until="2021-12-31")
    assert [one.reason for one in curate_memory(curator).findings] == ["expired 2021-12-31"]


def test_a_look_stops_at_its_limit_and_says_so(db: Workspace, curator: Workspace) -> None:
    db.facts.remember_many(
        [NewFact(f"n/{n}", "every one of these has the same text") for n in range(30)]
    )
    done = curate_memory(curator, limit=10)
    assert (len(done.findings), done.more) == (10, True)
    with pytest.raises(strata.LimitExceeded):
        curate_memory(curator, limit=limits.CURATOR_FINDINGS_MAX + 1)


def test_a_branch_of_the_curator_can_be_merged_or_thrown_away(
    db: Workspace, curator: Workspace
) -> None:
    db.facts.remember("sale", "20 % off", until="2020-12-31")
    branch = curate_memory(curator).branch
    assert [one.key for one in db.branches.diff("default", branch).changes] == ["sale"]
    db.branches.delete(branch, force=True)
    assert db.proposals.count() == 0
    db.branches.merge(curate_memory(curator).branch, into="default")
    assert db.kv.get("sale") is None
    assert db.proposals.count() == 0


def test_nothing_to_do_leaves_no_branch(db: Workspace, curator: Workspace) -> None:
    assert curate_memory(curator).branch == ""
    assert [branch.name for branch in db.branches.list()] == ["default"]


def tell(desk: Desk, **more: str) -> str:
    """Ask the curator, and return what it says."""
    return str(desk.ask("curator", **more).output)


def comments_on(desk: Desk, document: str) -> list[str]:
    return [thread.comment.body for thread in desk.db.review.comments(document)]


def test_links_that_lead_nowhere_are_commented_on_once(editing: Desk) -> None:
    docs = editing.db.documents
    docs.create("Budget", "---\naliases: [돈]\n---\nMoney")
    made = docs.create(
        "Plan",
        "See [[Budget]], [[돈]], [[plans/Budget]], `[[code]]`, [[Costs#all|costs]] and [[Costs]].",
    )
    korean = docs.create("계획", "먼저 [[비용]] 문서를 읽고 시작한다.")
    said = tell(editing)
    assert "Commented on 2 links that lead nowhere in documents:" in said
    assert "- Plan: [[Costs]]" in said
    [body] = comments_on(editing, made.document)
    assert body.startswith("[[Costs]] leads nowhere")
    [thread] = editing.db.review.comments(korean.document)
    assert thread.comment.body.startswith("[[비용]] 링크가 가리키는 문서가 없습니다.")
    assert thread.comment.via == "curator"
    assert "Commented" not in tell(editing)
    assert len(comments_on(editing, made.document)) == 1


def test_a_link_that_was_resolved_or_leads_somewhere_again_is_left_alone(editing: Desk) -> None:
    docs = editing.db.documents
    made = docs.create("Plan", "See [[Costs]] and [[Later]].")
    editing.ask("curator")
    for thread in editing.db.review.comments(made.document):
        editing.db.review.resolve(made.document, thread.comment.id)
    docs.create("Costs", "Ten")
    assert [link.title for link in docs.broken_links()] == ["Later"]
    assert "Commented" not in tell(editing)
    docs.trash(docs.called("Costs"))
    assert [link.title for link in docs.broken_links()] == ["Costs", "Later"]


def test_one_limit_holds_for_changes_and_comments(editing: Desk) -> None:
    editing.db.facts.remember("sale", "20 % off all chairs", until="2020-12-31")
    made = editing.db.documents.create("Plan", "See [[가]], [[나]] and [[다]].")
    said = tell(editing, instruction="at most 2")
    assert "proposed 1 change." in said
    assert len(comments_on(editing, made.document)) == 1


def test_what_the_caller_may_only_read_is_told_and_not_commented_on(editing: Desk) -> None:
    db = editing.db
    ann = db.users.add("ann@example.com", "Ann")
    made = db.documents.create("Plan", "See [[Costs]].")
    hidden = db.documents.create("Costs", "Ten")
    db.documents.share(made.document, "ann@example.com", "viewer")
    assert list(db.documents.broken_links()) == []
    said = tell(editing, user=ann.id)
    assert "Found 1 link that leads nowhere in documents, and left no comment:" in said
    assert comments_on(editing, made.document) == []
    assert hidden.document not in said


def test_links_of_a_template_are_left_alone(editing: Desk) -> None:
    home = editing.db.folders.add("틀", templates=True)
    made = editing.db.documents.create("Report", "See [[{{project}}]].", folder=home.id)
    assert "in documents" not in tell(editing)
    assert comments_on(editing, made.document) == []
