"""A glance sees the whole store: what is sealed by its segments, the rest by its entries."""

from random import Random

import pytest

from strata import Workspace
from strata.base import limits
from strata.search.index.sealing import Sealer

WORDS = (
    "cache price queue deploy window staging export account index owner retry review release"
    " summary cluster token session passkey timeout backup shard replica cursor batch latency"
).split()
KOREAN = "배포 일정 검토 결과 회의 고객 요청 지연 원인 결제 검색 알림 저장소 정산 쿠폰 통계".split()


class Turn:
    """The right to seal, which nobody else wants."""

    def take(self) -> bool:
        return True

    def release(self) -> None: ...

    def abandon(self) -> None: ...


def seal(db: Workspace) -> None:
    Sealer(db._store, Turn()).catch_up()
    assert db._store.connection().rows(db._store.queries.segments)


@pytest.fixture(autouse=True)
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEAL_VERSIONS", 64)


def fact(chance: Random, number: int) -> str:
    words = chance.sample(KOREAN if number % 25 == 0 else WORDS, 6)
    return " ".join([*words, f"item_{number}x", f"place_{number % 40}y", *chance.sample(WORDS, 3)])


@pytest.fixture
def facts(db: Workspace) -> dict[str, str]:
    chance = Random(7)
    made = {f"note/{number:04d}": fact(chance, number) for number in range(600)}
    pairs = list(made.items())
    for start in range(0, 600, 100):
        db.kv.put_many(dict(pairs[start : start + 100]))
    return made


def prompt_of(text: str) -> str:
    return " ".join(text.split()[:14])


def test_the_oldest_facts_are_found(
    db: Workspace, facts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seal(db)
    monkeypatch.setattr(limits, "LOOK_TEXTS_MAX", 50)
    for key, text in list(facts.items())[:20]:
        assert db.glance(prompt_of(text))[0].key == key


def test_sealing_changes_no_answer(db: Workspace, facts: dict[str, str]) -> None:
    chance = Random(11)
    prompts = [" ".join(chance.sample(text.split(), 5)) for text in list(facts.values())[::7]]
    before = [[(hit.key, hit.score) for hit in db.glance(prompt)] for prompt in prompts]
    seal(db)
    db.kv.put("new", "nothing of that sort")
    after = [[(hit.key, hit.score) for hit in db.glance(prompt)] for prompt in prompts]
    assert [[key for key, _score in hits] for hits in after] == [
        [key for key, _score in hits] for hits in before
    ]


def test_facts_behind_the_segments_are_found_too(db: Workspace, facts: dict[str, str]) -> None:
    seal(db)
    db.kv.put("새 메모", "금요일 배포는 item_9999x 때문에 쉰다")
    assert db.glance("item_9999x 때문에 금요일 배포가?")[0].key == "새 메모"
    assert db.glance(prompt_of(facts["note/0003"]))[0].key == "note/0003"


def test_what_was_replaced_or_deleted_is_not_found(db: Workspace, facts: dict[str, str]) -> None:
    seal(db)
    db.kv.put("note/0003", "something else entirely")
    db.kv.delete("note/0004")
    db.purge("note/0005")
    for key in ("note/0003", "note/0004", "note/0005"):
        found = db.glance(prompt_of(facts[key]))
        assert key not in [hit.key for hit in found]


def test_a_branch_and_the_past_have_their_own(db: Workspace, facts: dict[str, str]) -> None:
    version = db.kv.put("rules", "배포는 금요일에 쉰다 item_7777x").version
    db.branches.fork("시도")
    db.on("시도").kv.put("rules", "배포는 목요일에 쉰다 item_8888x")
    db.kv.put("rules", "release whenever you like")
    seal(db)
    assert db.on("시도").glance("item_8888x 목요일 배포?")[0].key == "rules"
    assert db.at(version).glance("item_7777x 금요일 배포?")[0].key == "rules"
    assert db.glance("item_7777x 금요일 배포?") == ()
    assert db.glance("item_8888x 목요일 배포?") == ()
    assert db.on("시도").glance(prompt_of(facts["note/0003"]))[0].key == "note/0003"


def test_texts_of_documents_are_left_out(db: Workspace, facts: dict[str, str]) -> None:
    db.documents.create("계획", prompt_of(facts["note/0003"]))
    db.documents.create("item_6666x", "# place_6666y\n\nitem_6666x place_6666y cache price")
    seal(db)
    assert db.glance(prompt_of(facts["note/0003"]))[0].key == "note/0003"
    assert db.glance("item_6666x place_6666y") == ()


def test_of_a_damaged_segment_the_entries_are_read(db: Workspace, facts: dict[str, str]) -> None:
    seal(db)
    db.kv.put_many({f"more/{number}": f"much more of item_{number}z" for number in range(200)})
    seal(db)
    store = db._store
    oldest, newest = (row[0] for row in store.connection().rows(store.queries.segments))
    for damaged in (newest, oldest):
        with store.database.writing() as connection:
            connection.run("UPDATE segments SET summary = x'00' WHERE id = ?", (damaged,))
        assert db.glance(prompt_of(facts["note/0003"]))[0].key == "note/0003"
        assert db.glance("more of item_77z, much more")[0].key == "more/77"
