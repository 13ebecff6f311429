"""Looking after documents in a terminal: erasing one, and proving them."""

from pathlib import Path

import pytest

import strata
from strata.store import DELETED, StagedChange
from tests.surface.conftest import Run


def made(ok: Run, title: str, text: str) -> str:
    return ok("doc", "new", title, text, "--json").json["document"]


def test_a_document_is_erased_by_its_title_or_its_id(ok: Run, run: Run, project: Path) -> None:
    ok("init")
    first = made(ok, "계획", "zebratext")
    second = made(ok, "Other", "zebraother")
    found = ok("purge", "--document", "계획", "--yes", "--json").json
    assert (found["document_id"], found["is_complete"]) == (first, True)
    assert "erased" in ok("purge", "--document", second, "--yes").out
    for document in (first, second):
        assert run("doc", "show", document).code == 1
        assert run("purge", "--document", document, "--yes").code == 1
    assert not [file for file in project.rglob("store.db*") if b"zebra" in file.read_bytes()]
    assert ok("verify", "--full").out.startswith("ok")


def test_a_key_and_a_document_are_not_erased_at_once(run: Run, ok: Run) -> None:
    ok("put", "k", "1")
    assert run("purge", "k", "--document", "doc_1", "--yes").code == 2
    assert run("purge", "--yes").code == 2
    assert run("purge", "--document", "doc_1", "--kind", "text", "--yes").code == 2


def test_what_a_document_held_is_not_erased_key_by_key(run: Run, ok: Run) -> None:
    document = made(ok, "Plan", "hunter2 하나")
    refused = run("purge", document, "--space", "documents", "--kind", "text", "--yes", "--json")
    assert refused.code == 1
    assert "--document" in refused.error["hint"]
    assert "hunter2 하나" in ok("doc", "show", document).out


def test_verify_and_doctor_name_the_document_that_is_wrong(run: Run, ok: Run) -> None:
    document = made(ok, "Plan", "# One\n\n하나")
    place = ok("status", "--json").json["path"]
    with strata.open(place, auto_embed=False) as db:
        piece = db.documents.pieces(document)[0]
        with db._view.writing("forged") as transaction:
            key = f"{document}/{piece.id}"
            transaction.stage(StagedChange("documents", "section", key, flags=DELETED))
    found = run("verify", "--json")
    assert found.code == 1
    assert [one["kind"] for one in found.json["problems"]] == ["document"]
    assert document in found.json["problems"][0]["message"]
    told = run("doctor", "--deep")
    assert told.code == 1
    assert document in told.out


def test_status_counts_documents_as_such(ok: Run) -> None:
    ok("put", "k", "1")
    made(ok, "Plan", "# One\n\n# Two\n")
    assert "1 key, 0 events, 1 document" in ok("status").out
    assert ok("status", "--json").json["documents"] == 1


def test_an_export_says_that_it_leaves_documents_out(ok: Run, tmp_path: Path) -> None:
    ok("put", "k", "1")
    made(ok, "Plan", "zebratext")
    wrote = ok("export", tmp_path / "all.jsonl")
    assert "documents" in wrote.err
    assert "zebratext" not in (tmp_path / "all.jsonl").read_text()
    assert ok("export", tmp_path / "again.jsonl", "--json").json["left_out"] == ["documents"]


def test_the_command_line_of_somebody_shows_nothing_of_others(
    ok: Run, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "파란 것")
    made(ok, "Zebratitle", "zebratext")
    ok("fork", "try")
    ok("put", "k", "red", "--branch", "try")
    ok("doc", "edit", "Zebratitle", "--replace", "zebratext", "zebranew", "--branch", "try")
    newest = ok("log", "--json").json["commits"][0]["version"]
    assert "zebra" in ok("diff", "try").out
    ok("user", "add", "bob@example.com")
    monkeypatch.setenv("STRATA_USER", "bob@example.com")
    for words in (("diff", "try"), ("log",), ("merge", "try", "--preview"), ("doc",), ("status",)):
        told = ok(*words)
        assert "zebra" not in (told.out + told.err).lower()
        assert "doc_" not in told.out
    assert "red" in ok("diff", "try").out
    assert run("show", newest).code == run("show", 999_999).code == 1
    assert run("bundle", "export", "out.bundle").code == 1
