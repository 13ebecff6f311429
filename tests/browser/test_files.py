"""Files of a document: attached from its menu, listed below the text, downloaded, removed."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

import strata
from tests.browser.people import ANN, Person, Server
from tests.unit.documents.office import pdf

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_file_is_attached_downloaded_and_removed(
    ann: Person, vic: Person, server: Server, document: str, tmp_path: Path
) -> None:
    report = tmp_path / "보고서.pdf"
    report.write_bytes(pdf(["Hello."]))
    sheet, theirs = ann.opens(document), vic.opens(document)
    sheet.goes_to("with care.")
    with sheet.page.expect_file_chooser() as chosen:
        sheet.chooses("Attach a file…")
    chosen.value.set_files(report)
    files = sheet.page.get_by_role("region", name="Files")
    expect(files.get_by_role("link", name="보고서.pdf")).to_be_visible()
    sheet.page.wait_for_function("() => window.strata.text.toString().includes('보고서.pdf')")
    link = theirs.page.get_by_role("region", name="Files").get_by_role("link")
    with theirs.page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "보고서.pdf"
    assert Path(download.value.path()).read_bytes() == report.read_bytes()
    expect(theirs.page.get_by_role("button", name="Remove 보고서.pdf")).to_have_count(0)
    sheet.page.get_by_role("button", name="Remove 보고서.pdf").click()
    expect(files).to_have_count(0)
    with strata.open(server.path) as db:
        assert db.as_user(ANN).documents.files(document) == []
    assert sheet.complaints == theirs.complaints == []


def test_a_file_that_cannot_be_read_is_refused_in_clear_words(
    ann: Person, document: str, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 broken")
    sheet = ann.opens(document)
    before = sheet.text()
    with sheet.page.expect_file_chooser() as chosen:
        sheet.chooses("Attach a file…")
    chosen.value.set_files(broken)
    expect(sheet.page.get_by_text("no PDF file that can be read")).to_be_visible()
    assert sheet.text() == before
