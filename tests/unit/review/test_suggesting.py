"""Suggestions: proposed, found again in a text that moved on, decided once."""

from collections.abc import Callable

import pytest

from strata import Workspace
from strata.base.errors import Conflict, InvalidArgument, NotAllowed, NotFound, SecretRefused
from strata.documents import Suggestion
from strata.review import Proposal
from tests.unit.review.conftest import TEXT, Team


def propose(db: Workspace, document: str, old: str, new: str) -> Suggestion:
    return db.review.propose(document, old, new).suggestion


def only(db: Workspace, document: str) -> Proposal:
    (found,) = db.review.suggestions(document)
    return found


def test_a_suggestion_waits_and_accepting_it_makes_the_edit(team: Team) -> None:
    done = team.commenter.review.propose(
        team.document,
        "다섯째 달",
        "여섯째 달",
        severity="warning",
        confidence=0.75,
        rationale="검토에 4주",
    )
    assert team.text == TEXT
    found = only(team.viewer, team.document)
    assert (found.state, found.applies, found.overlaps) == ("applies", True, ())
    assert found.spot is not None
    assert (found.spot.line, found.spot.text) == (7, "다섯째 달")
    kept = found.suggestion
    assert (kept.severity, kept.confidence, kept.rationale) == ("warning", 0.75, "검토에 4주")
    accepted = team.editor.review.accept(team.document, done.suggestion.id)
    assert team.text == TEXT.replace("다섯째", "여섯째")
    assert (accepted.edited, accepted.suggestion.status) == (True, "accepted")
    assert accepted.version == team.owner.documents.get(team.document).version
    assert accepted.suggestion.decided_by == team.editor.rights.user.id
    assert team.viewer.review.suggestions(team.document) == []


def test_the_words_are_the_proposers_and_the_decision_the_editors(team: Team) -> None:
    kept = team.suggester.review.propose(team.document, "다섯째", "여섯째").suggestion
    team.owner.review.accept(team.document, kept.id)
    newest = team.owner.documents.history(team.document)[0]
    assert newest.operation == "accept"
    assert newest.authors == (team.editor.rights.user.id,)
    assert newest.via == ("codex",)
    line = team.owner.documents.blame(team.document)[6]
    assert (line.author, line.via) == (team.editor.rights.user.id, "codex")
    assert team.owner.log(limit=1)[0].actor == "owner"


def test_one_commit_holds_the_edit_and_the_decision_and_undo_takes_both_back(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째", "여섯째")
    before = len(team.owner.log(limit=100))
    team.owner.review.accept(team.document, kept.id)
    assert len(team.owner.log(limit=100)) == before + 1
    team.owner.undo()
    assert team.text == TEXT
    found = only(team.owner, team.document)
    assert (found.suggestion.status, found.state) == ("pending", "applies")
    team.owner.review.accept(team.document, kept.id)
    assert "여섯째" in team.text


def test_accepting_twice_is_said_and_is_no_error(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째", "여섯째")
    team.editor.review.accept(team.document, kept.id)
    version = team.owner.documents.get(team.document).version
    again = team.editor.review.accept(team.document, kept.id)
    assert (again.unchanged, again.edited, again.version) == (True, False, version)
    with pytest.raises(Conflict, match="accepted already"):
        team.editor.review.reject(team.document, kept.id)
    with pytest.raises(Conflict, match="accepted already"):
        team.commenter.review.withdraw(team.document, kept.id)


def test_a_rejected_suggestion_stays_rejected(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째", "여섯째")
    assert team.editor.review.reject(team.document, kept.id).suggestion.status == "rejected"
    assert team.editor.review.reject(team.document, kept.id).unchanged
    with pytest.raises(Conflict, match="rejected already"):
        team.editor.review.accept(team.document, kept.id)
    assert team.text == TEXT
    (found,) = team.viewer.review.suggestions(team.document, status="rejected")
    assert found.suggestion.decided_by == team.editor.rights.user.id


def test_the_words_may_move_and_the_text_around_them_may_change(team: Team) -> None:
    kept = propose(team.commenter, team.document, "五月に出荷する。👩‍👩‍👧", "六月に。🎉")
    team.editor.documents.edit(team.document, "# 목표 🎯", "# 새 목표 😀\n\n긴 문단")
    team.editor.documents.edit(team.document, "## 日程", "## 予定")
    team.editor.review.accept(team.document, kept.id)
    assert team.text.endswith("## 予定\n\n六月に。🎉\n")


def test_words_that_changed_are_not_overwritten(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째 달", "여섯째 달")
    team.editor.documents.edit(team.document, "다섯째 달", "아홉째 달")
    before = team.text
    assert only(team.owner, team.document).state == "changed"
    with pytest.raises(Conflict) as raised:
        team.editor.review.accept(team.document, kept.id)
    assert raised.value.details["current_text"] == "아홉째 달"
    assert raised.value.details["original_text"] == "다섯째 달"
    assert "Propose it anew" in (raised.value.hint or "")
    assert team.text == before
    assert only(team.owner, team.document).suggestion.status == "pending"


def test_words_that_are_gone_are_not_looked_for_elsewhere(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째 달", "여섯째 달")
    team.editor.documents.write(team.document, "# 목표\n\n끝.\n")
    team.editor.documents.edit(team.document, "끝.", "끝.\n\n더 많은 글, 그리고 다섯째 달")
    with pytest.raises(Conflict) as raised:
        team.editor.review.accept(team.document, kept.id)
    assert raised.value.details["state"] == "gone"
    assert "line 5" in (raised.value.hint or "")
    assert "여섯째" not in team.text


def test_what_the_text_says_already_is_accepted_without_an_edit(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째", "여섯째")
    team.editor.documents.edit(team.document, "다섯째", "여섯째")
    version = team.owner.documents.get(team.document).version
    assert only(team.owner, team.document).state == "done"
    done = team.editor.review.accept(team.document, kept.id)
    assert (done.edited, done.unchanged, done.version) == (False, False, version)
    assert done.suggestion.status == "accepted"


def test_a_deletion_is_a_suggestion_too(team: Team) -> None:
    kept = propose(team.commenter, team.document, " 다섯째 달.", "")
    team.editor.review.accept(team.document, kept.id)
    assert team.text == TEXT.replace(" 다섯째 달.", "")
    gone = propose(team.commenter, team.document, "## 日程\n\n", "")
    team.editor.documents.edit(team.document, "## 日程\n\n", "")
    assert only(team.owner, team.document).state == "done"
    assert not team.editor.review.accept(team.document, gone.id).edited


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (("two", "둘"), "one\nNEW\n둘\n"),
        (("one", "하나"), "하나\nNEW\ntwo\n"),
        (("one\ntwo", "one\nbetween\ntwo"), "one\nNEW\nbetween\ntwo\n"),
    ],
)
def test_an_insertion_goes_where_it_was_put(
    db: Workspace, edit: tuple[str, str], expected: str
) -> None:
    made = db.documents.create("Lines", "one\ntwo\n").document
    capped = _suggester(db)
    capped.documents.write(made, "one\nNEW\ntwo\n")
    (found,) = db.review.suggestions(made)
    assert (found.suggestion.original, found.suggestion.reason) == ("", "proposed")
    db.documents.edit(made, *edit)
    db.review.accept(made, found.suggestion.id)
    assert db.documents.text(made) == expected


def test_words_put_at_the_end_go_to_the_end_whatever_becomes_of_it(db: Workspace) -> None:
    made = db.documents.create("Lines", "one\ntwo").document
    _suggester(db).documents.write(made, "one\ntwo\nthree")
    (found,) = db.review.suggestions(made)
    db.documents.edit(made, "two", "둘은 다르다")
    db.review.accept(made, found.suggestion.id)
    assert db.documents.text(made) == "one\n둘은 다르다\nthree"


def test_an_insertion_into_what_is_gone_is_not_made(db: Workspace) -> None:
    made = db.documents.create("Lines", "alpha beta\ngamma delta\n").document
    _suggester(db).documents.write(made, "alpha beta\nNEW\ngamma delta\n")
    (found,) = db.review.suggestions(made)
    db.documents.write(made, "")
    assert db.review.suggestions(made)[0].state == "gone"
    with pytest.raises(Conflict, match="gone"):
        db.review.accept(made, found.suggestion.id)


def test_an_insertion_into_an_empty_document_is_made(db: Workspace) -> None:
    made = db.documents.create("Empty").document
    _suggester(db).documents.write(made, "처음")
    (found,) = db.review.suggestions(made)
    db.review.accept(made, found.suggestion.id)
    assert db.documents.text(made) == "처음"


def test_overlapping_suggestions_name_each_other_and_one_makes_the_other_stale(team: Team) -> None:
    wide = propose(team.commenter, team.document, "Ship in May. 다섯째 달.", "Nothing.")
    narrow = propose(team.suggester, team.document, "다섯째", "여섯째")
    apart = propose(team.suggester, team.document, "五月", "六月")
    found = {one.suggestion.id: one for one in team.viewer.review.suggestions(team.document)}
    assert found[wide.id].overlaps == (narrow.id,)
    assert found[narrow.id].overlaps == (wide.id,)
    assert found[apart.id].overlaps == ()
    team.editor.review.accept(team.document, narrow.id)
    found = {one.suggestion.id: one for one in team.viewer.review.suggestions(team.document)}
    assert (found[wide.id].state, found[apart.id].state) == ("changed", "applies")
    with pytest.raises(Conflict):
        team.editor.review.accept(team.document, wide.id)
    team.editor.review.accept(team.document, apart.id)
    assert "六月" in team.text


def test_neighbours_do_not_overlap(db: Workspace) -> None:
    made = db.documents.create("Words", "onetwo three").document
    first, second = propose(db, made, "one", "1"), propose(db, made, "two", "2")
    assert [one.overlaps for one in db.review.suggestions(made)] == [(), ()]
    db.review.accept(made, second.id)
    db.review.accept(made, first.id)
    assert db.documents.text(made) == "12 three"


def test_edits_that_came_too_late_are_reviewed_by_the_same_calls(team: Team) -> None:
    version = team.owner.documents.get(team.document).version
    team.owner.documents.edit(team.document, "다섯째", "여섯째")
    late = team.editor.documents.edit(team.document, "다섯째 달", "일곱째 달", base_version=version)
    found = only(team.owner, team.document)
    assert (found.suggestion.id, found.suggestion.reason) == (late.suggestion, "stale")
    assert found.state == "applies"
    team.owner.review.accept(team.document, found.suggestion.id)
    assert "일곱째 달" in team.text


def test_each_role_may_do_its_part(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째", "여섯째")
    refusals: list[tuple[Workspace, Callable[[Workspace], object], str]] = [
        (team.viewer, lambda db: propose(db, team.document, "Ship", "x"), "commenter"),
        (team.viewer, lambda db: db.review.withdraw(team.document, kept.id), "commenter"),
        (team.viewer, lambda db: db.review.accept(team.document, kept.id), "editor"),
        (team.commenter, lambda db: db.review.accept(team.document, kept.id), "editor"),
        (team.commenter, lambda db: db.review.reject(team.document, kept.id), "editor"),
        (team.suggester, lambda db: db.review.accept(team.document, kept.id), "editor"),
        (team.suggester, lambda db: db.review.reject(team.document, kept.id), "editor"),
    ]
    for db, attempt, need in refusals:
        with pytest.raises(NotAllowed) as raised:
            attempt(db)
        assert raised.value.details["need"] == need
    with pytest.raises(NotAllowed, match="not yours"):
        team.editor.review.withdraw(team.document, kept.id)
    assert team.commenter.review.withdraw(team.document, kept.id).suggestion.status == "withdrawn"


def test_somebody_takes_back_what_their_agent_proposed(team: Team) -> None:
    kept = propose(team.suggester, team.document, "다섯째", "여섯째")
    assert kept.via == "codex"
    assert team.editor.review.withdraw(team.document, kept.id).suggestion.via == "codex"


def test_for_strangers_there_is_no_suggestion(team: Team) -> None:
    kept = propose(team.commenter, team.document, "다섯째", "여섯째")
    review = team.stranger.review
    for attempt in (
        review.suggestions,
        lambda id_: review.suggestion(id_, kept.id),
        lambda id_: review.propose(id_, "다섯째", "x"),
        lambda id_: review.accept(id_, kept.id),
        lambda id_: review.reject(id_, kept.id),
        lambda id_: review.withdraw(id_, kept.id),
    ):
        told: list[str] = []
        for id_ in (team.document, "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"):
            with pytest.raises(NotFound) as raised:
                attempt(id_)
            told.append(str(raised.value).replace(id_, "X"))
        assert told[0] == told[1]


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({"original": "다섯째", "replacement": "다섯째"}, "replacement"),
        ({"original": "", "replacement": "x"}, "original"),
        ({"original": "다섯째", "replacement": "x", "severity": "fatal"}, "severity"),
        ({"original": "다섯째", "replacement": "x", "confidence": 1.5}, "confidence"),
        ({"original": "다섯째", "replacement": "x", "confidence": float("nan")}, "confidence"),
        ({"original": "다섯째", "replacement": "x", "rationale": " "}, "rationale"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(
    team: Team, given: dict[str, str], parameter: str
) -> None:
    with pytest.raises(InvalidArgument) as raised:
        team.commenter.review.propose(team.document, **given)  # pyright: ignore[reportArgumentType]
    assert raised.value.details["parameter"] == parameter


def test_errors_about_words_speak_of_the_original_text(team: Team) -> None:
    with pytest.raises(Conflict) as several:
        team.commenter.review.propose(team.document, "Ship in May", "x")
    assert several.value.details["parameter"] == "original"
    with pytest.raises(NotFound) as missing:
        team.commenter.review.propose(team.document, "Ship in Mai, 다섯째", "x")
    assert "text to replace" in missing.value.message
    done = team.commenter.review.propose(team.document, "Ship in May", "x", under=["일정"])
    team.editor.review.accept(team.document, done.suggestion.id)
    assert team.text == "x".join(TEXT.rsplit("Ship in May", 1))


def test_secrets_are_screened(team: Team) -> None:
    secret = "AKIA" + "Q3ZJ7K2LM5XWTRTB"
    with pytest.raises(SecretRefused):
        team.commenter.review.propose(team.document, "다섯째", secret)
    with pytest.raises(SecretRefused):
        team.commenter.review.propose(team.document, "다섯째", "x", rationale=f"use {secret}")
    assert team.owner.review.suggestions(team.document) == []


def test_the_same_request_counts_once(team: Team) -> None:
    once = team.commenter.review.with_request("한 번")
    first, again = (once.propose(team.document, "다섯째", "여섯째") for _ in range(2))
    assert (first.suggestion, again.repeated) == (again.suggestion, True)
    deciding = team.editor.review.with_request("결정")
    deciding.accept(team.document, first.suggestion.id)
    repeated = deciding.accept(team.document, first.suggestion.id)
    assert (repeated.repeated, repeated.edited) == (True, True)
    assert team.text.count("여섯째") == 1


def test_a_comment_within_accepted_words_stays_with_them(team: Team) -> None:
    team.commenter.review.comment(team.document, "?", quote="다섯째")
    kept = propose(
        team.commenter, team.document, "Ship in May. 다섯째 달.", "Ship it in May. 다섯째 달!"
    )
    team.editor.review.accept(team.document, kept.id)
    (thread,) = team.owner.review.comments(team.document)
    assert not thread.changed
    assert thread.spot is not None
    assert thread.spot.text == "다섯째"


def _suggester(db: Workspace) -> Workspace:
    from strata.access import Cap

    return db.as_user(db.users.owner().id, cap=Cap(suggest_only=True))


def test_the_edit_of_a_commenter_waits_as_a_suggestion(team: Team) -> None:
    done = team.commenter.documents.edit(team.document, "다섯째", "여섯째")
    assert (done.status, done.proposed) == ("suggested", True)
    assert "다섯째" in team.text
    team.editor.review.accept(team.document, str(done.suggestion))
    assert "여섯째" in team.text
    with pytest.raises(NotAllowed) as raised:
        team.viewer.documents.edit(team.document, "여섯째", "x")
    assert raised.value.details["need"] == "editor"


def test_whoever_may_not_decide_who_sees_a_document_hears_whom_to_ask(team: Team) -> None:
    with pytest.raises(NotAllowed, match="user who made it"):
        team.editor.documents.share(team.document, "new@example.com", "viewer")
