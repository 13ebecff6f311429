"""Calls that ask for too much at once, by somebody who may only suggest or read."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

import strata
from strata.access import OWNER, Grant
from strata.base.errors import LimitExceeded
from strata.tools import Session, StoreHost, call_tool, registry

PROPOSES = Grant("제안", OWNER, suggest_only=True)


@pytest.fixture
def host() -> Iterator[StoreHost]:
    host = StoreHost(lambda: strata.open(durability="cache", auto_embed=False))
    yield host
    host.close()


def read(host: StoreHost, **arguments: Any) -> dict[str, Any]:
    tool = registry().find("read_document")
    assert tool is not None
    return call_tool(Session(host, caller="owner"), tool, arguments).value


def test_a_suggestion_of_nothing_but_ticks_is_cut_at_once(host: StoreHost) -> None:
    made = host.db.documents.create("계획", "봄")
    host.db.serving.as_granted(PROPOSES).documents.edit(made.document, "봄", "`" * 300_000)
    begin = time.process_time()
    found = read(host, documentId=made.document, includeSuggestions=True)
    assert time.process_time() - begin < 5
    assert found["content"] == "봄"
    (shown,) = found["suggestions"]
    assert 100 < len(shown["replacementText"]) < 10_000


def test_one_edit_becomes_no_more_suggestions_than_anybody_reads(host: StoreHost) -> None:
    documents, proposing = host.db.documents, host.db.serving.as_granted(PROPOSES).documents
    made = documents.create("계획", "봄 " * 51)
    with pytest.raises(LimitExceeded):
        proposing.edit(made.document, "봄", "여름", replace_all=True)
    assert documents.suggestions(made.document) == []
    documents.write(made.document, "봄 " * 50)
    assert len(proposing.edit(made.document, "봄", "여름", replace_all=True).suggestions) == 50


def test_sections_are_read_a_bounded_number_at_once(host: StoreHost) -> None:
    made = host.db.documents.create("계획", "# 봄\n\n하나\n\n# 여름\n\n둘\n")
    few = read(host, documentId=made.document, sections=["봄"] * 50)
    assert few["content"] == "# 봄\n\n하나\n\n"
    many = read(host, documentId=made.document, sections=["봄"] * 51)
    assert many["code"] == "limit_exceeded"
