"""Care of what is said about documents: erasing, proving, bundles, and what is shown of it."""

from pathlib import Path

import strata
from strata import Workspace
from tests.unit.conftest import Bench

BODY, QUOTE, WORDS = "몸통quartz1", "인용quartz2", "제안quartz3"


def reviewed(db: Workspace) -> str:
    made = db.documents.create("Plan", f"Ship in May. {QUOTE}").document
    asked = db.review.with_request("하나").comment(made, BODY, quote=QUOTE).comment
    db.review.reply(made, asked.id, BODY)
    db.review.propose(made, "May", WORDS)
    return made


def test_erasing_a_document_erases_what_was_said_about_it(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with strata.open(path, auto_embed=False) as db:
        made = reviewed(db)
        other = db.documents.create("Other", "stays").document
        db.review.comment(other, "이것은 남는다")
        db.branches.fork("try")
        db.on("try").review.comment(made, f"there {BODY}")
        db.purge_document(made)
        assert [one.comment.body for one in db.review.comments(other)] == ["이것은 남는다"]
        assert [one.document for one in db.review.waiting()] == [other]
        assert db.verify(full=True).ok
    raw = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not [word for word in (BODY, QUOTE, WORDS) if word.encode() in raw]


def test_a_bundle_carries_comments_and_suggestions(tmp_path: Path) -> None:
    with strata.open(tmp_path / "a.db", auto_embed=False) as db:
        made = reviewed(db)
        db.bundles.export(tmp_path / "b.bundle")
    with strata.open(tmp_path / "c.db", auto_embed=False) as db:
        db.bundles.load(tmp_path / "b.bundle", branch="arrived")
        review = db.on("arrived").review
        (thread,) = review.comments(made)
        assert thread.spot is not None
        assert (thread.spot.text, len(thread.replies)) == (QUOTE, 1)
        (found,) = review.suggestions(made)
        review.accept(made, found.suggestion.id)
        assert db.on("arrived").documents.text(made) == f"Ship in {WORDS}. {QUOTE}"
        assert db.verify(full=True).ok


def test_old_states_of_comments_are_dropped_by_retention(bench: Bench) -> None:
    db = bench.db
    made = db.documents.create("Plan", "Ship in May").document
    asked = db.review.comment(made, "왜?", quote="May").comment
    for _ in range(3):
        db.review.resolve(made, asked.id)
        db.review.reopen(made, asked.id)
    db.retention.set(kind="comment", max_versions=1)
    bench.clock.us += 10**14
    assert db.retention.apply().versions > 0
    (thread,) = db.review.comments(made)
    assert thread.spot is not None
    assert (thread.comment.body, thread.spot.text) == ("왜?", "May")


def test_differences_show_what_was_said_and_not_the_anchors(db: Workspace) -> None:
    db.branches.fork("try")
    made = reviewed(db)
    db.branches.delete("try")
    changes = [one for one in db.changes(0) if one.key.startswith(f"{made}/")]
    assert {one.kind for one in changes} == {"comment", "suggestion"}
    for change in changes:
        assert isinstance(change.after, dict)
        assert not {"start", "end", "around"} & change.after.keys()
    assert BODY in str(changes[0].after)
