"""PDF and DOCX files over HTTP: sent, read, kept, and given to those who may read the document."""

from typing import Any
from urllib.parse import unquote, urlsplit

import httpx2
import pytest

from tests.surface.web.conftest import Browser, Serve
from tests.unit.documents.office import docx, heading, paragraph, pdf, run

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def sent(browser: Browser, data: bytes, kind: str, **where: Any) -> tuple[str, httpx2.Response]:
    """Announce a file and send it; return the upload and what the server says."""
    ready = browser.ok(
        "edit_document",
        action="presignUpload",
        contentType=kind,
        contentLength=len(data),
        **where,
    )
    to = urlsplit(ready["uploadUrl"])
    answer = browser.http.put(
        f"{browser.base}{to.path}?{to.query}",
        content=data,
        headers={"Content-Type": kind},
        timeout=60,
    )
    return ready["uploadId"], answer


def uploaded(browser: Browser, data: bytes, kind: str, **where: Any) -> dict[str, Any]:
    upload, answer = sent(browser, data, kind, **where)
    assert answer.status_code == 200, answer.text
    return browser.ok("edit_document", action="finalizeUpload", uploadId=upload)


def test_a_word_file_becomes_a_document(serve: Serve) -> None:
    owner = serve().signed_in()
    data = docx(heading("목표") + paragraph(run("Ship in May")))
    done = uploaded(owner, data, DOCX, title="계획.docx")
    assert done["created"]
    found = owner.ok("read_document", documentId=done["documentId"])
    assert (found["title"], found["content"]) == ("목표", "# 목표\n\nShip in May\n")
    (file,) = owner.ok("page_files", documentId=done["documentId"])["files"]
    assert (file["name"], file["mediaType"], file["bytes"]) == ("계획.docx", DOCX, len(data))
    again = owner.ok("edit_document", action="finalizeUpload", uploadId=done_upload(owner, data))
    assert again["created"]


def done_upload(browser: Browser, data: bytes) -> str:
    """Send a file and finalize it once; a second call must answer the same."""
    upload, _answer = sent(browser, data, DOCX, title="계획.docx")
    first = browser.ok("edit_document", action="finalizeUpload", uploadId=upload)
    second = browser.ok("edit_document", action="finalizeUpload", uploadId=upload)
    assert first == second
    return upload


def test_a_file_is_downloaded_by_readers_and_never_shown(serve: Serve) -> None:
    served = serve()
    owner = served.signed_in()
    made = served.db.documents.create("Plan", "Text").document
    data = pdf(["Hello."])
    done = uploaded(owner, data, PDF, documentId=made, title='a "b"\u202e.pdf')
    assert not done["created"]
    assert served.db.documents.text(made) == "Text"
    path = served.db.documents.files(made)[0].path
    assert path in done["markdown"]
    served.db.users.add("ann@example.com")
    ann = served.signed_in("ann@example.com")
    assert ann.get(path).status_code == 404
    assert served.browser().get(path, follow_redirects=False).status_code == 303
    served.db.documents.share(made, "ann@example.com", "viewer")
    answer = ann.get(path)
    assert (answer.status_code, answer.content) == (200, data)
    assert answer.headers["content-type"] == PDF
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    kind, _gap, name = answer.headers["content-disposition"].partition("; ")
    assert (kind, unquote(name)) == ("attachment", "filename*=UTF-8''a \"b\"\u202e.pdf")
    assert ann.call("page_detach_file", documentId=made, fileId=done["fileId"]).status_code == 403
    served.db.documents.unshare(made, "ann@example.com")
    assert ann.get(path).status_code == 404
    assert owner.get(f"{path[:-4]}0000").status_code == 404


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.4 broken", PDF),
        (b"PK\x03\x04 broken", DOCX),
        (docx("<w:p>"), DOCX),
    ],
)
def test_a_broken_file_is_refused_when_it_arrives(serve: Serve, data: bytes, kind: str) -> None:
    served = serve()
    owner = served.signed_in()
    before = served.db.info().versions
    upload, answer = sent(owner, data, kind, title="a.pdf" if kind == PDF else "a.docx")
    assert answer.status_code == 400
    assert "that can be read" in answer.text
    refused = owner.call("edit_document", action="finalizeUpload", uploadId=upload)
    assert refused.status_code != 200
    assert served.db.info().versions == before


def test_a_secret_in_a_file_is_refused_when_it_arrives(serve: Serve) -> None:
    owner = serve().signed_in()
    secret = f"the key is AKIA{'Q3ZJ7K2LM5XWTRTB'}"
    _upload, answer = sent(owner, docx(paragraph(run(secret))), DOCX, title="a.docx")
    assert answer.status_code == 422
