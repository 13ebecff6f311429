"""What pages write live: many documents and people in one commit, pieces that follow later."""

import random
from collections.abc import Callable, Sequence

import pytest

from strata import Workspace
from strata.base import limits
from strata.base.errors import DamagedUpdate, LimitExceeded, NotFound, SecretRefused, UpdateGap
from strata.documents import Arrival, ArrivalOutcome, Author, LiveLog, Request
from strata.documents.records import SNAPSHOT, SPACE
from strata.documents.sections import stored_pieces
from strata.documents.text import Replica, Splice
from strata.store import Snapshot, StagedChange

ANN, BOB = Author("user_ann"), Author("user_bob", "헬퍼")
# Put together here, so that nobody takes this file for one that holds a key.
KEY = "AKIA" + "Q3EGRIZDMFKTW7HP"


@pytest.fixture
def document(db: Workspace) -> str:
    return db.documents.create("함께", "# 머리\n\n앞 가운데 뒤\n").document


@pytest.fixture
def log(db: Workspace) -> LiveLog:
    return db.documents.live()


def page(log: LiveLog, document: str) -> Replica:
    """Return a replica as a page has it that was opened now."""
    return Replica([log.difference(document).update])


def typed(there: Replica, text: str, at: int = 0) -> bytes:
    return there.splice([Splice(at, at, text)])


def errors(outcomes: list[ArrivalOutcome]) -> list[type | None]:
    return [None if one.error is None else type(one.error) for one in outcomes]


def test_what_several_people_type_in_several_documents_is_one_commit(
    db: Workspace, log: LiveLog, document: str
) -> None:
    other = db.documents.create("다른", "other").document
    before = len(db.log())
    here, there = page(log, document), page(log, other)
    outcomes = log.append(
        [
            Arrival(document, typed(here, "😀"), ANN),
            Arrival(other, typed(there, "둘 "), BOB),
            Arrival(document, typed(here, "하나 "), ANN),
        ]
    )
    assert errors(outcomes) == [None, None, None]
    assert outcomes[0].version == outcomes[2].version != outcomes[1].version
    assert len(db.log()) == before + 1
    assert db.log(limit=1)[0].actor == "2 people"
    assert db.documents.text(document) == here.text
    assert db.documents.text(other) == "둘 other"
    assert db.documents.history(other)[0].via == ("헬퍼",)


def test_a_bad_update_is_refused_alone(db: Workspace, log: LiveLog, document: str) -> None:
    good, late = page(log, document), page(log, document)
    typed(late, "먼저")
    gap = typed(late, "나중", 2)
    outcomes = log.append(
        [
            Arrival(document, typed(good, "a"), ANN),
            Arrival(document, gap, BOB),
            Arrival(document, b"\x07 no update", BOB),
            Arrival("doc_nowhere", typed(page(log, document), "x"), BOB),
            Arrival(document, typed(good, "b"), ANN),
        ]
    )
    assert errors(outcomes) == [None, UpdateGap, DamagedUpdate, NotFound, None]
    assert db.documents.text(document) == good.text == "ba# 머리\n\n앞 가운데 뒤\n"
    assert page(log, document).text == good.text


def test_a_secret_is_refused_and_what_others_typed_is_kept(
    db: Workspace, log: LiveLog, document: str
) -> None:
    ann, bob = page(log, document), page(log, document)
    outcomes = log.append(
        [
            Arrival(document, typed(ann, "안녕 "), ANN),
            Arrival(document, typed(bob, KEY + " "), BOB),
            Arrival(document, typed(ann, "끝 ", 3), ANN),
        ]
    )
    assert errors(outcomes) == [None, SecretRefused, None]
    assert KEY not in db.documents.text(document)
    assert db.documents.text(document) == ann.text
    # Letter by letter it is refused as soon as it is one.
    bob = page(log, document)
    answers = [log.append([Arrival(document, typed(bob, letter), BOB)]) for letter in KEY[::-1]]
    refused = [one.error for (one,) in answers]
    assert isinstance(refused[-1], SecretRefused)
    assert KEY not in db.documents.text(document)


def test_a_secret_that_two_users_type_side_by_side_is_refused(
    db: Workspace, log: LiveLog, document: str
) -> None:
    (kept,) = log.append([Arrival(document, typed(page(log, document), KEY[9:]), BOB)])
    assert kept.error is None
    there = page(log, document)
    outcomes = log.append(
        [
            Arrival(document, typed(page(log, document), "밖 ", len(there.text)), BOB),
            Arrival(document, typed(there, KEY[:9]), ANN),
        ]
    )
    assert errors(outcomes) == [None, SecretRefused]
    assert KEY not in db.documents.text(document)
    assert db.documents.text(document).endswith("밖 ")


def test_a_secret_that_a_deletion_completes_is_refused(
    db: Workspace, log: LiveLog, document: str
) -> None:
    there = page(log, document)
    written = f"{KEY[:9]} 사이\n{KEY[9:]} "
    assert errors(log.append([Arrival(document, typed(there, written), ANN)])) == [None]
    gap = Splice(9, written.index(KEY[9:]), "")
    assert errors(log.append([Arrival(document, there.splice([gap]), BOB)])) == [SecretRefused]
    assert db.documents.text(document).startswith(written)


def test_a_secret_far_from_other_edits_of_its_commit_is_refused_alone(
    db: Workspace, log: LiveLog
) -> None:
    made = db.documents.create("긴 글", "줄 하나\n" * 5_000).document
    end = len(db.documents.text(made))
    outcomes = log.append(
        [
            Arrival(made, typed(page(log, made), "처음 "), ANN),
            Arrival(made, typed(page(log, made), KEY, end // 2), BOB),
            Arrival(made, typed(page(log, made), "끝", end), ANN),
        ]
    )
    assert errors(outcomes) == [None, SecretRefused, None]
    assert KEY not in db.documents.text(made)


def test_a_secret_that_is_there_already_does_not_stop_anybody(db: Workspace, log: LiveLog) -> None:
    made = db.allowing_secrets().documents.create("열쇠", f"key {KEY}\n").document
    there = page(log, made)
    assert errors(log.append([Arrival(made, typed(there, "더 "), ANN)])) == [None]
    assert db.documents.text(made) == f"더 key {KEY}\n"


def test_a_secret_that_was_let_in_does_not_stop_search_when_its_section_is_cut(
    db: Workspace, log: LiveLog
) -> None:
    text = f"# 열쇠\n\nfirst\n\nkey {KEY}\n"
    made = db.allowing_secrets().documents.create("열쇠", text).document
    there = page(log, made)
    log.append([Arrival(made, typed(there, "# 새 절\n\n", text.index("key")), ANN)])
    assert db.documents.find(Request(query="first")).items
    assert log.behind() == []
    log.append([Arrival(made, typed(there, "# 또 절\n\n", there.text.index("first")), ANN)])
    assert db.documents.edit(made, "또 절", "다른 절").status == "applied"
    assert db.verify().problems == ()


def test_a_text_that_grows_too_long_is_refused(
    db: Workspace, log: LiveLog, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_BYTES_MAX", 400)
    ann, bob = page(log, document), page(log, document)
    long, short = typed(bob, "x" * 500), typed(ann, "y")
    outcomes = log.append([Arrival(document, long, BOB), Arrival(document, short, ANN)])
    assert errors(outcomes) == [LimitExceeded, None]
    assert db.documents.text(document) == ann.text


def test_what_is_here_already_makes_no_version(db: Workspace, log: LiveLog, document: str) -> None:
    there = page(log, document)
    update = typed(there, "한 번")
    (first,) = log.append([Arrival(document, update, ANN)])
    for again in (update, there.state(), Replica().state()):
        (same,) = log.append([Arrival(document, again, ANN)])
        assert (same.version, same.before, same.error) == (first.version, first.version, None)
    deletion = there.splice([Splice(0, 1, "")])
    (second,) = log.append([Arrival(document, deletion, ANN)])
    assert second.version > first.version
    assert log.append([Arrival(document, deletion, ANN)])[0].version == second.version


def test_search_knows_at_once_what_was_typed(db: Workspace, log: LiveLog, document: str) -> None:
    there = page(log, document)
    log.append([Arrival(document, typed(there, "해파리 관찰 일지\n\n## 새 절\n\n"), ANN)])
    assert log.behind() == [document]
    assert db.verify().problems == ()
    found = db.documents.find(Request(query="해파리"))
    assert [item.id for item in found.items] == [document]
    assert log.behind() == []
    assert "".join(piece.text for piece in db.documents.pieces(document)) == there.text
    assert db.verify().problems == ()


def between(monkeypatch: pytest.MonkeyPatch, db: Workspace, work: Callable[[], object]) -> None:
    """Do something once, after the pieces of a text were made and before they are written."""
    store = db.rights.store
    make, todo = store.all_indexed, [work]

    def all_indexed(changes: Sequence[StagedChange]) -> Sequence[StagedChange]:
        made = make(changes)
        if todo:
            todo.pop()()
        return made

    monkeypatch.setattr(store, "all_indexed", all_indexed)


def test_users_type_on_while_pieces_are_made(
    db: Workspace, log: LiveLog, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = page(log, document)
    log.append([Arrival(document, typed(here, "수선화 "), ANN)])
    between(monkeypatch, db, lambda: log.append([Arrival(document, typed(here, "은방울꽃 "), ANN)]))
    assert log.settle() == 1
    there = Snapshot(db.rights.store, db.branch)
    written = "".join(piece.text for piece in stored_pieces(there, document))
    assert "수선화" in written
    assert "은방울꽃" not in written
    assert db.verify().problems == ()
    # What was typed meanwhile is written the next time.
    assert log.behind() == [document]
    found = db.documents.find(Request(query="은방울꽃"))
    assert [item.id for item in found.items] == [document]
    assert log.behind() == []
    assert db.documents.text(document) == here.text
    assert db.verify().problems == ()


def test_pieces_that_a_tool_has_overtaken_are_not_written(
    db: Workspace, log: LiveLog, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.append([Arrival(document, typed(page(log, document), "수선화 "), ANN)])
    between(monkeypatch, db, lambda: db.documents.edit(document, "수선화", "은방울꽃"))
    log.settle()
    assert log.behind() == []
    there = Snapshot(db.rights.store, db.branch)
    written = [piece.text for piece in stored_pieces(there, document)]
    assert sum("은방울꽃" in text for text in written) == 1
    assert not any("수선화" in text for text in written)
    assert db.verify().problems == ()


def test_pieces_keep_their_ids_while_somebody_types(db: Workspace, log: LiveLog) -> None:
    text = "# 하나\n\n첫째 절이다.\n\n# 둘\n\n둘째 절이다.\n"
    made = db.documents.create("절", text).document
    before = {piece.path: piece.id for piece in db.documents.pieces(made)}
    there = page(log, made)
    for letter in "고쳐 쓴 ":
        log.append([Arrival(made, typed(there, letter, text.index("둘째")), ANN)])
    after = {piece.path: piece.id for piece in db.documents.pieces(made)}
    assert after == before


def test_an_edit_behind_live_typing_brings_the_pieces_along(
    db: Workspace, log: LiveLog, document: str
) -> None:
    there = page(log, document)
    log.append([Arrival(document, typed(there, "---\ntags: [물]\n---\n"), ANN)])
    db.documents.edit(document, "가운데", "한가운데")
    assert log.behind() == []
    assert db.documents.get(document).frontmatter == {"tags": ["물"]}
    assert db.verify().problems == ()


def test_branches_that_were_typed_on_live_can_be_merged(
    db: Workspace, log: LiveLog, document: str
) -> None:
    db.branches.fork("try")
    side = db.on("try").documents.live()
    mine, theirs = page(log, document), page(side, document)
    log.append([Arrival(document, typed(mine, "여기 "), ANN)])
    side.append([Arrival(document, typed(theirs, "거기", len(theirs.text)), BOB)])
    db.branches.merge("try")
    assert db.documents.text(document) == "여기 # 머리\n\n앞 가운데 뒤\n거기"
    db.documents.find(Request(query="거기"))
    assert log.behind() == []
    assert db.verify().problems == ()


def test_typing_without_a_pause_is_one_version(db: Workspace, log: LiveLog, document: str) -> None:
    now = [db._store.clock()]
    db._store.clock = lambda: now[0]
    there = page(log, document)
    for pause in (1, 1, 1, 9, 1, 1):
        now[0] += pause * 1_000_000
        log.append([Arrival(document, typed(there, "가"), ANN)])
    db.documents.edit(document, "머리", "Head")
    shown = [(one.operation, one.edits) for one in db.documents.history(document)]
    assert shown == [("edit", 1), ("live", 3), ("live", 3), ("create", 1)]
    assert [one.edits for one in db.documents.history(document, limit=2)] == [1, 3]
    pages = db.documents.history(document, limit=1).all()
    assert [(one.operation, one.edits) for one in pages] == shown
    # The number is that of the last letter.
    version = db.documents.history(document)[2].version
    assert db.documents.text(document, version=version) == "가가가# 머리\n\n앞 가운데 뒤\n"


def test_a_named_moment_is_a_version_of_its_own(db: Workspace, log: LiveLog, document: str) -> None:
    there = page(log, document)
    log.append([Arrival(document, typed(there, "가"), ANN)])
    db.documents.name_version(document, "여기")
    log.append([Arrival(document, typed(there, "나"), ANN)])
    assert [one.name for one in db.documents.history(document)] == [None, "여기", None]


def test_others_hear_what_was_written_and_by_whom(
    db: Workspace, log: LiveLog, document: str
) -> None:
    at, version = log.position(), log.version(document)
    there, elsewhere = page(log, document), page(log, document)
    update = typed(there, "가")
    log.append([Arrival(document, update, BOB)])
    db.documents.edit(document, "뒤", "끝")
    now, changed = log.changed_since(at)
    assert changed == {document: {"text"}}
    assert log.changed_since(now) == (now, {})
    entries = log.entries_after(document, version)
    assert next((entry.author, entry.via) for _version, entry in entries) == ("user_bob", "헬퍼")
    for _version, entry in entries:
        elsewhere.apply(entry.update)
    assert elsewhere.text == db.documents.text(document)
    assert log.owner_of_client(document, there.client) == (BOB, db._view.snapshot.branch_id)
    assert log.owner_of_client(document, 4711) is None


def test_what_a_tool_writes_between_two_live_commits_is_built_on(
    db: Workspace, log: LiveLog, document: str
) -> None:
    there = page(log, document)
    (first,) = log.append([Arrival(document, typed(there, "하나 "), ANN)])
    (second,) = log.append([Arrival(document, typed(there, "둘 "), ANN)])
    assert second.before == first.version
    edited = db.documents.edit(document, "가운데", "한가운데").version
    db.kv.put("other", 1)
    position = log.position()
    (third,) = log.append([Arrival(document, typed(there, "셋 "), ANN)])
    assert third.before == edited
    assert db.documents.text(document) == "셋 둘 하나 # 머리\n\n앞 한가운데 뒤\n"
    # Nothing but its own commit was written since, which a server knows already.
    assert log.changed_since(position) == (log.position(), {})
    before = position - 1
    assert log.changed_since(before)[1] == {document: {"text"}}


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let a snapshot be due after so few rows that a test can write them."""
    monkeypatch.setattr(limits, "DOCUMENT_SNAPSHOT_ROWS", 4)
    return 4


def snapshots(db: Workspace, document: str) -> int:
    store = db.rights.store
    return len(Snapshot(store, db.branch).history(SPACE, SNAPSHOT, document))


def test_a_snapshot_is_prepared_beside_the_commits(
    db: Workspace, log: LiveLog, document: str, few_rows: int
) -> None:
    there, known = page(log, document), snapshots(db, document)
    for _row in range(few_rows - 1):  # one row has made the document
        assert log.due is None
        log.append([Arrival(document, typed(there, "글 "), ANN)])
    assert log.due == document
    log.prepare(document)
    assert log.due is None
    assert snapshots(db, document) == known
    # The row that brings it has newer rows behind it, and so have those that follow.
    for author in (BOB, ANN, BOB):
        log.append([Arrival(document, typed(there, "뒤\n"), author)])
        assert snapshots(db, document) == known + 1
        assert page(log, document).text == there.text
    authors = [one.author for one in db.documents.blame(document)]
    assert authors[:3] == [BOB.user, ANN.user, BOB.user]
    assert db.verify(full=True).problems == ()


def test_a_snapshot_that_was_overtaken_by_another_writer_is_dropped(
    db: Workspace, log: LiveLog, document: str, few_rows: int
) -> None:
    there = page(log, document)
    for _row in range(few_rows):
        log.append([Arrival(document, typed(there, "글 "), ANN)])
    log.prepare(document)
    db.documents.edit(document, "가운데", "한가운데")
    known = snapshots(db, document)
    log.append([Arrival(document, typed(there, "뒤 "), ANN)])
    assert snapshots(db, document) == known
    assert db.verify(full=True).problems == ()


def test_a_snapshot_that_nobody_prepares_is_made_by_a_commit(
    db: Workspace, log: LiveLog, document: str, few_rows: int
) -> None:
    there, known = page(log, document), snapshots(db, document)
    for _row in range(2 * few_rows + 2):
        log.append([Arrival(document, typed(there, "글 "), ANN)])
    assert snapshots(db, document) == known + 1
    assert db.verify(full=True).problems == ()


def test_a_difference_is_what_a_page_lacks(log: LiveLog, document: str) -> None:
    old, new = page(log, document), page(log, document)
    log.append([Arrival(document, typed(new, "새로 "), ANN)])
    lacking = log.difference(document, old.vector())
    assert len(lacking.update) < len(new.state())
    old.apply(lacking.update)
    assert old.text == new.text
    assert lacking.vector == new.vector()


class Page:
    """An open page that hears of others late."""

    def __init__(self, log: LiveLog, document: str, author: Author) -> None:
        self.replica = page(log, document)
        self.unheard: list[bytes] = []
        self._document, self._author = document, author

    def types(self, dice: random.Random) -> list[Arrival]:
        """Change something at random, or nothing."""
        size = len(self.replica.text)
        start = dice.randint(0, size)
        end = min(size, start + dice.choice([0, 0, 1, 5]))
        put = dice.choice(["", "a", "한글", "😀", "e\u0301", "שלום", "\n## 절\n"])
        update = self.replica.splice([Splice(start, end, put)]) if put or end > start else b""
        return [Arrival(self._document, update, self._author)] if update else []

    def hears(self) -> None:
        for update in self.unheard:
            self.replica.apply(update)
        self.unheard.clear()


def test_random_pages_converge_with_the_log(db: Workspace, log: LiveLog, document: str) -> None:
    dice = random.Random(11)
    pages = [Page(log, document, Author(f"user_{number}")) for number in range(6)]
    version = log.version(document)
    for _round in range(60):
        typing = [one for one in pages if dice.random() < 0.5]
        arrivals = [arrival for one in typing for arrival in one.types(dice)]
        assert set(errors(log.append(arrivals))) <= {None}
        for heard, entry in log.entries_after(document, version):
            version = heard
            for one in pages:
                one.unheard.append(entry.update)
        for one in (one for one in pages if dice.random() < 0.3):
            one.hears()
        if dice.random() < 0.1:
            log.settle()
    for one in pages:
        one.hears()
    assert {one.replica.text for one in pages} == {db.documents.text(document)}
    log.settle()
    assert db.verify(full=True).problems == ()
