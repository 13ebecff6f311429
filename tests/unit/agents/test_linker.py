"""The linker, measured on notes whose links are known, and held to what it must never do."""

import re

import pytest

from strata.access import Cap
from strata.documents import NewDocument
from tests.unit.agents.conftest import Desk
from tests.unit.agents.journals import linked_journals
from tests.unit.agents.notebooks import Linked, linked_notes

_LINK = re.compile(r"\[\[([^\]|#]+)")


def measured(editing: Desk, made: Linked) -> tuple[float, float]:
    """Return precision and recall of what the linker proposes for some notes."""
    new = [NewDocument(title=note.title, content=note.text) for note in made.notes]
    ids = {one.title: one.document for one in editing.db.documents.create_many(new)}
    assert editing.ask("linker").status == "completed"
    found = {(title, target) for title, id_ in ids.items() for target in proposed(editing, id_)}
    linked = {(note.title, to) for note in made.notes for to in _LINK.findall(note.text)}
    wanted = made.links - linked
    return len(found & wanted) / len(found), len(found & wanted) / len(wanted)


def proposed(editing: Desk, document: str) -> list[str]:
    """Return the titles that suggestions on a document would link to."""
    found: list[str] = []
    for one in editing.db.documents.suggestions(document):
        assert one.via == "linker"
        new = _LINK.findall(one.replacement)
        for old in _LINK.findall(one.original):
            new.remove(old)
        found += new
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "made", [linked_notes(1), linked_journals(5)], ids=["team notes", "held out: journals"]
)
def test_of_two_hundred_notes_nine_links_in_ten_are_right_and_most_are_found(
    editing: Desk, made: Linked
) -> None:
    assert len(made.notes) == 200
    precision, recall = measured(editing, made)
    assert precision >= 0.9, (precision, recall)
    assert recall >= 0.6, (precision, recall)


def test_a_name_becomes_a_link_and_other_words_of_it_keep_their_form(editing: Desk) -> None:
    docs = editing.db.documents
    docs.create("Release Plan", "---\naliases: [product roadmap]\n---\nWe ship in May.\n")
    docs.create("배포 계획서", "금요일에는 하지 않는다.\n")
    text = "As the product roadmap of this year says, and 배포 계획서에서도, it is May.\n"
    made = docs.create("Notes of today", text)
    editing.ask("linker", document=made.document)
    new = [one.replacement for one in docs.suggestions(made.document)]
    assert new == ["[[Release Plan|product roadmap]]", "[[배포 계획서]]"]
    assert all(one.rationale and one.confidence for one in docs.suggestions(made.document))


@pytest.mark.parametrize(
    "text",
    [
        "```\nopen Release Plan\n```\n",
        "Run `open Release Plan` now.\n",
        "# About the Release Plan\n\nNothing else.\n",
        "---\nsource: Release Plan\n---\nNothing else.\n",
        "See [the Release Plan](other.md) there.\n",
        "See [[Release Plan]], the Release Plan.\n",
        "    Release Plan as code\n",
        "<!-- Release Plan -->\n\nNothing else.\n",
        "Open https://example.com/Release Plan-less.\n\nReleases Planned differently.\n",
        "ReleasePlan and Release Planning are others.\n",
    ],
)
def test_nothing_is_proposed_in_code_links_headings_fields_or_parts_of_words(
    editing: Desk, text: str
) -> None:
    docs = editing.db.documents
    docs.create("Release Plan", "We ship in May.\n")
    made = docs.create("Elsewhere", text)
    done = editing.ask("linker", document=made.document)
    assert done.status == "completed"
    assert docs.suggestions(made.document) == []


def test_a_second_run_proposes_nothing_twice(editing: Desk) -> None:
    docs = editing.db.documents
    docs.create("Release Plan", "We ship in May.\n")
    made = docs.create("Elsewhere", "As the Release Plan says.\n")
    first, second = editing.ask("linker"), editing.ask("linker")
    assert "Proposed 1 link." in str(first.output)
    assert "Proposed 0 links." in str(second.output)
    assert len(docs.suggestions(made.document)) == 1


def test_the_output_is_in_the_language_of_the_instruction_or_of_the_texts(editing: Desk) -> None:
    docs = editing.db.documents
    docs.create("배포 계획", "목요일에 배포한다.\n")
    made = docs.create("회의록", "이번 주에는 배포 계획을 정했다.\n")
    korean = editing.ask("linker")
    assert korean.output == "링크 1개를 제안했습니다.\n- 회의록: [[배포 계획]]"
    english = editing.ask("linker", instruction="at most 5 links")
    assert str(english.output).startswith("Proposed 0 links.")
    # What stays in a document is in its language, whatever the instruction was.
    [suggestion] = docs.suggestions(made.document)
    assert suggestion.rationale == "‘배포 계획’ 문서를 가리킵니다."
    told = editing.ask("linker", document=made.document, instruction="보고만 해 줘")
    assert str(told.output).endswith("지시에서 이해한 것: 알리기만.")


def test_a_title_that_some_reader_may_not_see_is_not_told(editing: Desk) -> None:
    db = editing.db
    ann = db.users.add("ann@example.com", "Ann")
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "editor")
    folder = db.folders.add("Briefs", team=team.id)
    db.documents.create("Secret Merger", "Ours alone.\n")
    db.documents.create("Open Brief", "For all of us.\n", folder=folder.id)
    text = "The Secret Merger and the Open Brief are due.\n"
    shown = db.documents.create("Agenda", text, folder=folder.id)
    own = db.documents.create("Diary", text)
    editing.ask("linker")
    assert proposed(editing, shown.document) == ["Open Brief"]
    assert sorted(proposed(editing, own.document)) == ["Open Brief", "Secret Merger"]


def test_a_share_counts_as_a_reader_too(editing: Desk) -> None:
    db = editing.db
    target = db.documents.create("Secret Merger", "Ours alone.\n")
    made = db.documents.create("Agenda", "The Secret Merger is due.\n")
    db.documents.share(made.document, "later@example.com", "viewer")  # not even here yet
    editing.ask("linker")
    assert proposed(editing, made.document) == []
    db.documents.share(target.document, "later@example.com", "viewer")
    editing.ask("linker")
    assert proposed(editing, made.document) == ["Secret Merger"]


def test_a_folder_and_a_number_narrow_it(editing: Desk) -> None:
    db = editing.db
    folder = db.folders.add("기획")
    db.documents.create("Release Plan", "x\n", folder=folder.id)
    db.documents.create("Budget Review", "x\n", folder=folder.id)
    text = "The Release Plan and the Budget Review.\n"
    inside = db.documents.create("Inside", text, folder=folder.id)
    outside = db.documents.create("Outside", text)
    done = editing.ask("linker", instruction="'기획' 폴더만, 최대 1개")
    assert "지시에서 이해한 것: 최대 1개, ‘기획’ 폴더." in str(done.output)
    assert len(proposed(editing, inside.document)) == 1
    assert proposed(editing, outside.document) == []
    wrong = editing.ask("linker", instruction="only folder Nowhere")
    assert wrong.status == "failed"
    assert "You see no folder 'Nowhere'." in str(wrong.error)


@pytest.mark.parametrize("cap", [Cap(read_only=True), Cap()])
def test_whoever_may_only_read_is_told_and_nothing_is_left(editing: Desk, cap: Cap) -> None:
    db = editing.db
    ann = db.users.add("ann@example.com", "Ann")
    for title, text in (("Release Plan", "x\n"), ("Agenda", "The Release Plan is due.\n")):
        made = db.documents.create(title, text)
        role = "viewer" if cap == Cap() else "editor"
        db.documents.share(made.document, "ann@example.com", role)
    task = db.as_user(ann.id, cap=cap).agents.invoke("linker")
    done = editing.worker.run_one(task.id)
    assert done is not None
    assert "Agenda: [[Release Plan]]" in str(done.output)
    assert proposed(editing, made.document) == []
