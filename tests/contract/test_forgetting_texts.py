"""What is derived from a text goes with it: vectors, tokens, what was read behind it, words."""

import secrets
from collections.abc import Callable
from typing import Any

import pytest

from strata import Workspace
from strata.search import TextIndexer
from tests.contract.test_forgetting import seen_in_file
from tests.databases import rows_of
from tests.unit.search.embedders import Tokens

UNDER = "SELECT version FROM embedded WHERE ws = :ws AND (version = ? OR before = ?)"
VECTORS = "SELECT count(*) FROM embeddings WHERE ws = :ws AND vector = ?"


@pytest.fixture
def db(open_store: Callable[..., Workspace]) -> Workspace:
    """A store whose vectors are made when a test says so, by a model that reads behind."""
    db = open_store(auto_embed=False)
    db.embeddings.use(Tokens("test"))
    db.kv.put("first", "Ein erster Zettel")
    assert db.embeddings.wait(60)
    return db


def rows(db: Workspace, statement: str, *values: int | bytes) -> list[tuple[Any, ...]]:
    """Read past the SDK."""
    return rows_of(db._store.database, statement, *values)


def words(db: Workspace) -> set[str]:
    return {word for (word,) in rows(db, "SELECT word FROM words WHERE ws = :ws")}


def made(db: Workspace, version: int) -> list[bytes]:
    """Return the bytes of all that was made of a version."""
    statement = """
        SELECT e.vector, t.ids, t.tokens FROM embedded AS d
        JOIN embeddings AS e ON e.number = d.number
        LEFT JOIN embedding_tokens AS t ON t.ws = :ws AND t.number = d.number
        WHERE d.ws = :ws AND e.ws = :ws AND d.version = ?"""
    return [part for row in rows(db, statement, version) for part in row if part]


def token() -> str:
    """Return a word that nobody has written before; one with digits would not be completed."""
    return "".join(secrets.choice("bcdfghjklmnpqrtvwxz") for _ in range(20))


def test_a_purge_erases_vectors_tokens_and_what_was_read_behind(db: Workspace) -> None:
    secret = token()
    first = db.kv.put("talk/1", f"Das Passwort lautet {secret}").version
    second = db.kv.put("talk/2", "Danke, das merke ich mir").version
    other = db.kv.put("talk/3", "Gern geschehen").version
    assert db.embeddings.wait(60)
    own, behind, kept = made(db, first), made(db, second), made(db, other)
    assert (len(own), len(behind), len(kept)) == (3, 3, 3)
    db.flush()
    # Of what was read behind it, the tokens' own bytes may be those of the text alone.
    derived = [*own, *behind[:2]]
    assert seen_in_file(db, secret.encode(), *derived) == [secret.encode(), *derived]
    db.purge("talk/1")
    assert seen_in_file(db, secret.encode(), *derived) == []
    assert rows(db, UNDER, first, first) == []
    assert seen_in_file(db, *kept) == kept
    assert db.embeddings.wait(60)
    assert len(made(db, second)) == 3
    assert made(db, second)[0] != behind[0], "it was made anew, behind nothing"
    assert db.verify().ok


def test_what_two_versions_share_stays_until_the_last_goes(db: Workspace) -> None:
    text = f"Geteilt {token()}"
    one, two = db.kv.put("one", text).version, db.kv.put("two", text).version
    assert db.embeddings.wait(60)
    shared = made(db, one)
    assert shared == made(db, two)
    db.purge("one")
    assert made(db, one) == []
    assert made(db, two) == shared
    assert text.split()[1] in words(db)
    db.purge("two")
    assert seen_in_file(db, *shared) == []
    assert text.split()[1] not in words(db)


def test_a_word_goes_with_the_last_text_that_holds_it(db: Workspace) -> None:
    secret = token()
    db.kv.put("k", f"Runners meet {secret} on Friday, 금요일에 만난다")
    db.json.set("plan", "$", {"note": "The runner meets them on Friday", "때": "금요일"})
    assert {"runners", "runner", "friday", secret} <= words(db)
    before = words(db)
    db.purge("k")
    gone = before - words(db)
    # The stem of "runners" stands elsewhere, but not the word itself.
    assert {"runners", "meet", secret} <= gone
    assert {"runner", "friday", "meets"} <= words(db)
    assert seen_in_file(db, secret.encode()) == []
    assert [hit.key for hit in db.search("frid*", mode="keyword")] == ["plan"]


def test_a_purged_word_can_come_back(db: Workspace) -> None:
    secret = token()
    db.kv.put("k", secret)
    db.purge("k")
    assert secret not in words(db)
    db.kv.put("l", secret)
    assert secret in words(db)
    assert [hit.key for hit in db.search(f"{secret[:10]}*", mode="keyword")] == ["l"]


def test_purging_one_version_keeps_the_words_of_the_next(db: Workspace) -> None:
    slip, mended = token(), token()
    first = db.kv.put("k", f"Zettel {slip}").version
    db.kv.put("k", f"Zettel {mended}")
    db.purge("k", version=first)
    assert slip not in words(db)
    assert {"zettel", mended} <= words(db)
    assert seen_in_file(db, slip.encode()) == []


def test_a_store_written_without_an_index_is_purged_all_the_same(
    open_store: Callable[..., Workspace],
) -> None:
    secret = token()
    with_index = open_store(auto_embed=False)
    with_index.kv.put("k", f"Zettel {secret}")
    with_index.close()
    db = open_store(text_index=False)
    db.purge("k")
    assert words(db) == set()
    assert seen_in_file(db, secret.encode()) == []


def test_retention_takes_the_vectors_of_what_it_trims(db: Workspace) -> None:
    old = db.kv.put("k", f"Alter Stand {token()}").version
    new = db.kv.put("k", f"Neuer Stand {token()}").version
    assert db.embeddings.wait(60)
    derived = made(db, old)
    assert derived
    db.retention.set(max_versions=1)
    assert db.retention.apply(preview=True).versions == 1
    assert made(db, old) == derived, "a preview changes nothing"
    assert db.retention.apply().versions == 1
    assert made(db, old) == []
    assert rows(db, VECTORS, derived[0]) == [(0,)]
    assert made(db, new)
    assert db.embeddings.status().pending == 0
    assert db.verify().ok


def test_the_index_of_this_process_forgets_purged_words_too(db: Workspace) -> None:
    secret = token()
    db.kv.put("k", secret)
    indexer = db._store.indexer
    assert isinstance(indexer, TextIndexer)
    db.purge("k")
    assert secret not in repr(vars(indexer))
