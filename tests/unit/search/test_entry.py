"""Entries of the text index: their bytes, sequences, traits, and the words they bring."""

import struct
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from strata.base.values import Json, encode
from strata.search import entry, tokens
from strata.search.entry import TextIndexer, hash_term, pack, words_of
from strata.store import BINARY, DELETED, ERASED, TRIMMED, StagedChange


def kv(value: Json, key: str = "k", **more: Any) -> StagedChange:
    """A fact as it would be put."""
    return StagedChange("default", "kv", key, encode(value), **more)


def event(type_: str, payload: Json, space: str = "default") -> StagedChange:
    """An event as it would be appended."""
    return StagedChange(space, "event", "1", encode(payload), meta=encode({"type": type_}))


class Read(NamedTuple):
    """An entry taken apart, by hand rather than by the code that writes it."""

    layout: int
    traits: int
    length: int
    date: int
    label: int
    sequence: int
    counts: dict[int, int]

    def has(self, *terms: str) -> bool:
        return {crc32(term.encode()) for term in terms} <= set(self.counts)


def taken_apart(data: bytes) -> Read:
    head, rest = struct.unpack("<BBHiIQ", data[:20]), data[20:]
    count = len(rest) // 5
    assert len(rest) == 5 * count
    hashes = struct.unpack(f"<{count}I", rest[: 4 * count])
    return Read(*head, dict(zip(hashes, rest[4 * count :], strict=True)))


def entry_of(change: StagedChange) -> Read:
    found = TextIndexer().entry(change)
    assert found is not None
    return taken_apart(found.data)


# ---------------------------------------------------------------- layout


def test_the_bytes_of_a_known_text_stay_as_they_are() -> None:
    text = "[2026-03-19] Anna: the cache, the 캐시 and 2 retries?"
    data = pack(kv(text, "talks/team/7"), text)
    assert data.hex() == (
        "010505006e490b00b7be5c2176af1e1fc267bcc1"
        "b7be5c21e66d453ce8f77b4c603c45b66d9bf5070dbed51a87415733bbd5249f1fa6e0c4"
        "010201010101010101"
    )
    found = taken_apart(data)
    assert found.layout == 1
    assert date.fromordinal(found.date) == date(2026, 3, 19)
    assert found.label == crc32(b"anna")
    assert [*found.counts] == [
        crc32(term.encode()) for term in "anna the cach 캐시 and 2 retri talk team".split()
    ]


def test_a_hash_is_that_of_the_term_in_utf_8() -> None:
    assert hash_term("캐시") == crc32("캐시".encode())
    assert hash_term("\ud800") == crc32(b"\xed\xa0\x80")


@pytest.mark.parametrize("text", ["", "…!?", "\ud800\0\udfff", " \n"])
def test_a_text_without_words_has_a_head_alone(text: str) -> None:
    found = taken_apart(pack(kv("", "1"), text))
    assert (found.length, found.counts) == (0, {})


def test_stop_words_are_indexed_and_add_no_length() -> None:
    found = entry_of(kv("who is it that we are"))
    assert found.length == 0
    assert found.has("who", "is", "it", "that", "we", "are")


def test_counts_end_at_a_byte_and_lengths_at_two() -> None:
    found = entry_of(kv("cache " * 70_000 + "price"))
    assert found.length == 0xFFFF
    assert found.counts == {crc32(b"cach"): 255, crc32(b"price"): 1}


@pytest.mark.slow
def test_a_value_of_the_largest_size_is_indexed_to_its_end() -> None:
    words = "The caches of the payment service were cold. " * (16 * 1024 * 1024 // 45)
    found = taken_apart(pack(kv(""), f"{words} 마지막 zebra"))
    assert found.counts[crc32(b"cach")] == 255
    assert found.has("마지", "지막", "zebra")


def test_half_surrogates_part_words_and_never_raise() -> None:
    found = taken_apart(pack(kv(""), "one\ud800two 서울\udfff"))
    assert found.has("one", "two", "서울")


# ---------------------------------------------------------------- what has no entry


@pytest.mark.parametrize("flags", [DELETED, TRIMMED, ERASED, BINARY, DELETED | TRIMMED])
def test_what_is_gone_or_no_json_has_no_entry(flags: int) -> None:
    assert TextIndexer().entry(kv("text", flags=flags)) is None


def test_a_value_whose_bytes_are_missing_has_no_entry() -> None:
    notes = encode({"tags": ["초안"]})
    assert TextIndexer().entry(StagedChange("default", "kv", "a/b", b"", meta=notes)) is None


def test_kinds_that_nobody_searches_have_no_entry() -> None:
    assert TextIndexer().entry(StagedChange("default", "vector", "v", b"\0" * 16, BINARY)) is None
    assert TextIndexer().entry(StagedChange("default", "policy", "p", b'"text"')) is None


# ---------------------------------------------------------------- sequences


def test_things_of_one_session_are_one_sequence_wherever_they_lie() -> None:
    one, other = (kv("text", key, tags=("urgent", "session:월요일")) for key in ("a/1", "b"))
    first, second = entry_of(one), entry_of(other)
    assert first.sequence == second.sequence != 0
    assert first.traits & second.traits & entry.GAPLESS
    assert first.sequence != entry_of(kv("text", tags=("session:화요일",))).sequence


def test_events_of_one_type_are_one_sequence_without_pauses() -> None:
    first, second = entry_of(event("deploy", "blue")), entry_of(event("deploy", "green"))
    assert first.sequence == second.sequence != 0
    assert first.traits & entry.GAPLESS
    assert first.sequence != entry_of(event("note", "blue")).sequence
    assert first.sequence != entry_of(event("deploy", "blue", "둘째")).sequence


def test_the_folder_of_a_key_is_a_sequence_that_a_pause_ends() -> None:
    first, second = entry_of(kv("text", "회의/3/1")), entry_of(kv("text", "회의/3/2"))
    assert first.sequence == second.sequence != 0
    assert not first.traits & entry.GAPLESS
    assert first.sequence != entry_of(kv("text", "회의/4/1")).sequence
    document = StagedChange("default", "json", "회의/3/1", b'"text"')
    assert first.sequence != entry_of(document).sequence


@pytest.mark.parametrize("key", ["plain", "with:colon", "계획"])
def test_a_plain_key_belongs_to_no_sequence(key: str) -> None:
    assert entry_of(kv("text", key, tags=("draft",))).sequence == 0


# ---------------------------------------------------------------- traits


@pytest.mark.parametrize(
    ("text", "is_topic"),
    [
        ("Decision cache_policy: LRU", True),
        ("Decision database: Postgres", True),
        ("[2026-05-02] 결정 캐시: LRU", True),
        ("Anna: hello", False),
        ("**Anna:** hello", False),
        ("- [10:32] Anna: hello", False),
        ("@anna: hello", False),
        ("[김지수] [오후 3:12] 안녕", False),
        ("Decision: LRU", False),
        ("no label at all", False),
    ],
)
def test_a_label_behind_the_kind_of_text_is_a_topic(text: str, is_topic: bool) -> None:  # noqa: FBT001 the table's column
    assert bool(entry_of(kv(text)).traits & entry.TOPIC) is is_topic


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("Did Kim come to Busan?", entry.QUESTION | 2 * entry.NAMES),
        ("we met yesterday", entry.TEMPORAL),
        ("there were three of them", entry.NUMBER),
        ("the year was 1999", entry.TEMPORAL | entry.NUMBER),
        ("어제 세 명이 왔습니까", 1 | entry.TEMPORAL | entry.NUMBER | entry.FOREIGN),
        ("어제 김지수 팀장과 만났다", entry.TEMPORAL | entry.NAMES | entry.FOREIGN),
        ("Anna: it rained in Jeju", entry.NAMES),
        ("nothing to tell", 0),
    ],
)
def test_traits_say_what_the_text_tells(text: str, traits: int) -> None:
    assert entry_of(kv(text)).traits == traits


def test_only_the_beginning_of_a_long_text_tells() -> None:
    text = "word " * 1_000 + "yesterday 3 friends and Kim came"
    found = entry_of(kv(text))
    assert found.traits == 0
    assert found.has("yesterday", "3", "friend", "kim")


# ---------------------------------------------------------------- words of keys


def test_words_of_a_key_are_found_and_add_no_length() -> None:
    found = entry_of(kv("LRU", "decisions/cache-policy"))
    assert found.has("decis", "cach", "polici", "cachepolici", "lru")
    assert found.length == 1


def test_numbers_and_ids_in_a_key_are_addresses() -> None:
    found = entry_of(kv("text", "proj/004/item-0004217:3f9a2bc4/회의록"))
    assert set(found.counts) == {crc32(t.encode()) for t in ("text", "proj", "회의", "의록")}


def test_the_key_of_an_event_is_only_its_number() -> None:
    found = entry_of(event("배포", {"to": "blue"}))
    assert set(found.counts) == {crc32(t.encode()) for t in ("배포", "to", "blue")}


def test_a_word_in_key_and_text_counts_as_often_as_in_the_text() -> None:
    assert entry_of(kv("cache cache", "cache")).counts == {crc32(b"cach"): 2}


# ---------------------------------------------------------------- words for prefixes


def test_words_are_new_until_they_are_remembered() -> None:
    indexer = TextIndexer()
    change = kv("Retries of getUserById 데이터베이스를", "notes/1")
    words = ("데이터베이스를", "get", "getuserbyid", "notes", "retries", "user")
    for _ in range(2):
        found = indexer.entry(change)
        assert found is not None
        assert sorted(found.new_words) == sorted(words)
    indexer.remember(words)
    for _ in range(2):
        found = indexer.entry(change)
        assert found is not None
        assert found.new_words == ()


def test_words_are_new_again_when_they_were_forgotten() -> None:
    indexer = TextIndexer()
    for _ in range(3):
        indexer.remember(("zebra",))
        seen = indexer.entry(kv("zebra"))
        assert seen is not None
        assert seen.new_words == ()
    indexer.forget()
    found = indexer.entry(kv("zebra"))
    assert found is not None
    assert found.new_words == ("zebra",)


def test_numbered_names_bring_no_new_words() -> None:
    indexer = TextIndexer()
    indexer.remember(("plan", "item"))
    for number in range(3):
        found = indexer.entry(kv(f"item-{number} 0.{number}79", f"plan-{number}"))
        assert found is not None
        assert found.new_words == ()


def test_words_of_a_change_are_those_of_its_text_and_its_key() -> None:
    change = kv({"text": "Zebras: 비밀번호는 hunter2x", "user": "Anna"}, "secrets/prod")
    assert set(words_of(change)) == {
        *("anna", "zebras", "비밀번호는", "hunter2x", "secrets", "prod"),
    }
    assert words_of(kv("x", flags=DELETED)) == ()


def test_what_is_kept_in_memory_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strata.base.limits.SEEN_WORDS_MAX", 100)
    indexer = TextIndexer()
    for number in range(40):
        letters = "abcdefghij"
        words = [f"{letters[number % 10]}{letters[number // 10]}{x}zz" for x in letters]
        for _ in range(2):
            found = indexer.entry(kv(" ".join(words)))
            assert found is not None
            indexer.remember(found.new_words)
    seen = indexer._seen
    assert len(seen.words) <= 110
    assert 0 < len(seen._chunks) <= 100


def test_no_long_chunk_is_kept_in_memory() -> None:
    indexer = TextIndexer()
    for text in ("x" * 10_000, "漢" * 10_000, "é" * 10_000, "a_" * 10_000, "x1" * 10_000):
        for _ in range(2):
            found = indexer.entry(kv(text))
            assert found is not None
            indexer.remember(found.new_words)
    kept = [*indexer._seen._chunks, *indexer._seen.words, *entry._NOTES, *entry._SURFACE]
    assert max(map(len, kept)) <= 32


def test_many_threads_make_the_entries_that_one_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = "abcdefghi"
    texts = [
        " ".join(f"word{letter * (n % 9)}z 회의{chr(0xAC00 + n)}를 v1.{n}.x" for letter in letters)
        for n in range(60)
    ]
    expected = [pack(kv(text), text) for text in texts]
    # So few that the memo is turned over all the time.
    monkeypatch.setattr(entry, "_NOTES", tokens.Memo(entry._note, 32))
    monkeypatch.setattr(entry, "_SURFACE", tokens.Memo(tokens.surface_words, 8))
    indexer = TextIndexer()

    def put(number: int) -> bytes:
        found = indexer.entry(kv(texts[number % 60]))
        assert found is not None
        indexer.remember(found.new_words)
        if number % 50 == 0:
            indexer.forget()
        return found.data

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(put, range(1_200)))
    assert made == expected * 20
