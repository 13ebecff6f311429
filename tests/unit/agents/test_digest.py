"""The digest: every sentence stands in a source, and what was changed is told."""

import re
from random import Random

import pytest

from strata.access import Cap
from strata.documents import Request
from tests.unit.agents.conftest import Desk
from tests.unit.agents.notebooks import Prose

_KEY = (
    "The launch was moved to 14 March because the audit is not done.",
    "우리는 결제 서버를 서울로 옮기기로 결정했다.",
    "The contract with Halden ends on 30 June and must be cancelled before.",
    "새 가격은 다음 달부터 12% 오른다.",
)


def bullets(text: str) -> list[str]:
    return [
        re.sub(r" \(\[\[.*\]\]\)$", "", line[2:])
        for line in text.splitlines()
        if line.startswith("- ")
    ]


@pytest.mark.parametrize("seed", [1, 2, 3, 44, 501, 502, 503])
def test_changes_are_told_in_sentences_that_stand_there(editing: Desk, seed: int) -> None:
    random, docs = Random(seed), editing.db.documents
    prose = Prose(random)
    texts: dict[str, str] = {}
    for number, key in enumerate(_KEY):
        around = prose.paragraph(random.randint(0, 6), korean=number % 2 == 1)
        parts = [*around, key]
        random.shuffle(parts)
        made = docs.create(f"Page {number}", " ".join(parts) + "\n")
        texts[made.document] = docs.text(made.document)
    done = editing.ask("digest")
    told = bullets(str(done.output))
    everything = " ".join(" ".join(text.split()) for text in texts.values())
    assert told
    assert [one for one in told if one not in everything] == []
    assert [key for key in _KEY if key not in told] == []
    assert all(f"[[Page {number}]]" in str(done.output) for number in range(len(_KEY)))


def test_it_becomes_a_document_of_the_callers_own_and_is_not_digested_again(editing: Desk) -> None:
    db = editing.db
    ann = db.users.add("ann@example.com", "Ann")
    as_ann = db.as_user(ann.id)
    as_ann.documents.create("Plan", f"{_KEY[0]} It rains a lot in this town.\n")
    first = editing.ask("digest", user=ann.id)
    (made,) = [one for one in as_ann.documents.find(_all()).items if one.title != "Plan"]
    assert made.title.startswith("Digest of ")
    assert made.folder_name == "Personal"
    assert _KEY[0] in as_ann.documents.text(made.id)
    assert _KEY[0] in str(first.output)
    second = editing.ask("digest", user=ann.id)
    assert "[[Digest" not in str(second.output)


def test_only_what_is_new_is_told_of_what_was_there_before(
    editing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, store = editing.db.documents, editing.db._store
    now = store.clock()
    day = 24 * 3600 * 1_000_000
    monkeypatch.setattr(store, "clock", lambda: now - 20 * day)
    old = "Everybody knows this sentence for a long time."
    made = docs.create("Plan", f"{old}\n")
    monkeypatch.setattr(store, "clock", lambda: now)
    docs.write(made.document, f"{old} {_KEY[0]}\n")
    assert bullets(str(editing.ask("digest", instruction="last 3 days").output)) == [_KEY[0]]


def test_of_one_document_the_sentences_lead_back_to_their_sections(editing: Desk) -> None:
    text = "# Plan\n\n## 일정\n\n" + _KEY[1] + "\n\n## Money\n\n" + _KEY[0] + "\n"
    made = editing.db.documents.create("Year", text)
    done = editing.ask("digest", document=made.document)
    assert f"- {_KEY[1]} ([[Year#일정]])" in str(done.output)
    assert f"- {_KEY[0]} ([[Year#Money]])" in str(done.output)


def test_whoever_may_only_suggest_gets_a_comment_and_a_reader_only_the_output(
    editing: Desk,
) -> None:
    db = editing.db
    made = db.documents.create("Year", f"{_KEY[0]} {_KEY[2]}\n")
    for cap, comments in ((Cap(read_only=True), 0), (Cap(suggest_only=True), 1)):
        task = db.as_user("owner", cap=cap).agents.invoke("digest", document=made.document)
        done = editing.worker.run_one(task.id)
        assert done is not None
        assert _KEY[0] in str(done.output)
        assert len(db.review.comments(made.document)) == comments
    assert len(db.documents.find(_all()).items) == 1


def _all() -> Request:
    return Request(intent="list", limit=50)


def test_a_digest_of_the_same_day_is_renewed_and_says_what_it_understood(editing: Desk) -> None:
    docs = editing.db.documents
    docs.create("Plan", f"{_KEY[0]} {_KEY[0]} {_KEY[1]}\n")
    first = editing.ask("digest", instruction="write me a poem")
    assert "Understood of the instruction: nothing." in str(first.output)
    assert bullets(str(first.output)) == [_KEY[0], _KEY[1]], "a sentence is told once"
    again = editing.ask("digest")
    assert "Renewed the document" in str(again.output)
    titles = [one.title for one in docs.find(_all()).items]
    assert len(titles) == len(set(titles)) == 2


def test_a_digest_of_korean_texts_is_korean(editing: Desk) -> None:
    docs = editing.db.documents
    made = docs.create(
        "결제", "환불은 오월에 출시하기로 결정했다. 창고에는 상자가 열두 개 남았다.\n"
    )
    done = editing.ask("digest")
    assert "요약’ 문서(" in str(done.output)
    assert "개인 폴더에 만들었습니다." in str(done.output)
    of_one = editing.ask("digest", document=made.document, instruction="write me a poem")
    assert "Made the document 'Digest of 결제'" in str(of_one.output)
    assert "Understood of the instruction: nothing." in str(of_one.output)
    empty = docs.create("빈 글", "짧다.\n")
    told = editing.ask("digest", document=empty.document, instruction="최대 세 문장")
    assert str(told.output).startswith("알릴 것이 없습니다.")
