"""PDF and DOCX files become documents; hostile ones become nothing."""

import io
import zipfile

import pytest
from pypdf import PdfReader, PdfWriter

from strata import Workspace
from strata.base import limits
from strata.base.errors import (
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
    SecretRefused,
    StrataError,
)
from strata.documents.files import converting
from strata.documents.files.docx import docx_markdown
from strata.documents.files.pdf import pdf_markdown
from tests.unit.documents.office import docx, heading, item, paragraph, pdf, run

TABLE = (
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc>"
    "<w:tc><w:p><w:r><w:t>a|b</w:t></w:r></w:p></w:tc></w:tr>"
    "<w:tr><w:tc><w:p><w:r><w:t>소연</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
)


def test_a_word_document_becomes_markdown() -> None:
    link = '<w:hyperlink r:id="r1">' + run("the page") + "</w:hyperlink>"
    bad = '<w:hyperlink r:id="r2">' + run("no page") + "</w:hyperlink>"
    body = (
        heading("목표")
        + paragraph(run("Ship in ") + run("May", "<w:b/>") + run(", see ") + link + run(".") + bad)
        + paragraph(run("not bold", '<w:b w:val="0"/>') + run(" slanted ", "<w:i/>"))
        + heading("Dates", 2)
        + item("one")
        + item("two", 1)
        + item("three", 1)
        + item("four")
        + TABLE
        + paragraph(run("1. is no list, * is no mark"))
    )
    assert docx_markdown(docx(body)) == (
        "# 목표\n\n"
        "Ship in **May**, see [the page](https://example.com/a).no page\n\n"
        "not bold *slanted*\n\n"
        "## Dates\n\n"
        "- one\n"
        "    1. two\n"
        "    2. three\n"
        "- four\n\n"
        "| Name | a\\|b |\n| --- | --- |\n| 소연 |  |\n\n"
        "1\\. is no list, \\* is no mark\n"
    )


def test_deleted_words_are_left_out_and_inserted_ones_are_there() -> None:
    deleted = "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    body = paragraph(run("a ") + deleted + "<w:ins>" + run("new") + "</w:ins>")
    assert docx_markdown(docx(body)) == "a new\n"


def test_a_pdf_becomes_paragraphs_page_by_page() -> None:
    data = pdf(
        ["This is a first paragraph that goes on to the sec-", "ond line and ends there."],
        ["# 5 is the (second) page."],
    )
    assert pdf_markdown(data) == (
        "## Page 1\n\n"
        "This is a first paragraph that goes on to the second line and ends there.\n\n"
        "## Page 2\n\n"
        "\\# 5 is the (second) page.\n"
    )
    assert pdf_markdown(pdf(["Alone."])) == "Alone.\n"
    assert pdf_markdown(pdf([])) == ""


def test_a_file_becomes_a_document_and_is_kept_with_it(db: Workspace) -> None:
    data = docx(heading("목표") + paragraph(run("Ship in May")))
    done, file = db.documents.import_file(data, name="계획 1.docx")
    assert db.documents.get(done.document).title == "목표"
    assert db.documents.text(done.document) == "# 목표\n\nShip in May\n"
    assert db.documents.files(done.document) == [file]
    assert db.documents.images(done.document) == []
    assert db.documents.file(done.document, file.id) == (file, data)
    assert file.markdown == f"[계획 1.docx](/d/{done.document}/files/{file.id})"
    with pytest.raises(NotFound, match="no image"):
        db.documents.image_file(done.document, file.id)
    pdf_done, _file = db.documents.import_file(pdf(["Text."]), name="보고서.pdf")
    assert db.documents.get(pdf_done.document).title == "보고서"


def test_a_file_is_attached_and_taken_away_again(db: Workspace) -> None:
    made = db.documents.create("Plan", "Text").document
    file = db.documents.attach_file(made, pdf(["x"]), name="a.pdf")
    before = db.log(limit=1)[0].version
    db.documents.detach_file(made, file.id)
    assert db.documents.files(made) == []
    assert db.at(before).documents.file(made, file.id)[0] == file
    assert db.documents.text(made) == "Text"
    with pytest.raises(NotFound, match="no file"):
        db.documents.detach_file(made, file.id)


def test_who_may_only_read_attaches_nothing(db: Workspace) -> None:
    made = db.documents.create("Plan").document
    db.documents.share(made, "ann@example.com", "commenter")
    ann = db.as_user(db.users.add("ann@example.com").id)
    with pytest.raises(NotAllowed, match="attach files"):
        ann.documents.attach_file(made, pdf(["x"]), name="a.pdf")
    bob = db.as_user(db.users.add("bob@example.com").id)
    with pytest.raises(NotFound, match="no document"):
        bob.documents.files(made)


def test_a_secret_in_a_file_is_refused_also_where_texts_are_masked(db: Workspace) -> None:
    secret = f"the key is AKIA{'Q3ZJ7K2LM5XWTRTB'}"
    db.settings.set("secrets", "mask")
    with pytest.raises(SecretRefused):
        db.documents.import_file(docx(paragraph(run(secret))), name="a.docx")
    assert dict(db.rights.visible()) == {}


def bomb() -> bytes:
    data = io.BytesIO()
    with (
        zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(limits.FILE_PART_BYTES_MAX // 2**20 + 1):
            part.write(b" " * 2**20)
    return data.getvalue()


def encrypted() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(["secret"]))))
    writer.encrypt("password", algorithm="RC4-128")
    data = io.BytesIO()
    writer.write(data)
    return data.getvalue()


LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">]><w:document xmlns:w='
    '"http://schemas.openxmlformats.org/wordprocessingml/2006/main">&a;</w:document>'
)
HOSTILE = {
    "a zip bomb": (bomb(), "a.docx", "more than"),
    "entities": (docx("", **{"word/document.xml": LAUGHS}), "a.docx", "declares"),
    "no main part": (docx("")[:40] + b"x", "a.docx", "no Word document"),
    "half a file": (docx(paragraph(run("x")))[:-30], "a.docx", "no Word document"),
    "broken XML": (docx("<w:p>"), "a.docx", "no Word document"),
    "an encrypted PDF": (encrypted(), "a.pdf", "password"),
    "half a PDF": (b"%PDF-1.4\n1 0 obj\n<<", "a.pdf", "no PDF file"),
    "another file": (b"GIF89a", "a.pdf", "no file that can be attached"),
    "a renamed zip": (b"PK\x03\x04....", "a.pdf", "no file that can be attached"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_clear_words_and_changes_nothing(
    db: Workspace, name: str
) -> None:
    data, called, words = HOSTILE[name]
    before = db.info().versions
    with pytest.raises(StrataError, match=words):
        db.documents.import_file(data, name=called)
    assert db.info().versions == before


def test_a_file_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_READ_S", 0.001)
    with pytest.raises(LimitExceeded, match="time or memory"):
        converting.markdown_of_file(pdf(["x"]), converting.PDF)


def test_a_file_of_too_many_bytes_is_refused_before_it_is_read(db: Workspace) -> None:
    with pytest.raises(LimitExceeded, match="bytes"):
        db.documents.import_file(b"%PDF-" + bytes(limits.IMAGE_BYTES_MAX), name="a.pdf")


def test_a_file_is_erased_with_its_document(db: Workspace) -> None:
    done, file = db.documents.import_file(pdf(["x"]), name="a.pdf")
    other = db.documents.create("Other").document
    db.documents.attach_file(other, pdf(["x"]), name="b.pdf")
    db.purge_document(done.document)
    assert db.documents.file(other, file.id)[1] == pdf(["x"])
    db.purge_document(other)
    with pytest.raises((NotFound, InvalidArgument)):
        db.documents.files(other)
