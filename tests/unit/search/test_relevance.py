"""Relevance: the same scale in every store, and silence where nothing is relevant."""

from typing import Any

import numpy as np
import pytest

import strata
from strata.base import limits
from strata.documents import Request
from strata.search import everyday, rank, relevance, scoring
from strata.search.cues import identifiers, named
from strata.search.entry import hash_term
from strata.search.selection import Selection
from strata.workspace.meaning import StoreMeaning

NONSENSE = "release quantum chromodynamics lattice gauge confinement"


def held(*shares: float) -> relevance.Held:
    share = np.array(shares)
    return relevance.Held(share, share, np.where(share > 0, 8.0, 0.0))


def test_more_of_the_question_is_more_relevant() -> None:
    found = relevance.by_words(held(0.0, 0.1, 0.3, 0.6, 1.0), 0)
    assert (np.diff(found) > 0).all()
    assert found[0] < relevance.FLOOR < found[2]
    assert found[-1] > 0.95


def test_a_text_holds_the_rarest_words_or_as_much_as_they_say() -> None:
    words = [(9.0, [0]), (8.0, [0, 1]), (7.0, [1]), (4.0, [2]), (3.0, [2]), (1.0, [0, 1, 2])]
    few, share, most = relevance.held([(told, np.array(at)) for told, at in words], 4)
    assert few == pytest.approx([17 / 24, 15 / 24, 0, 0])
    assert share == pytest.approx([18 / 31, 16 / 31, 8 / 31, 0])
    assert most.tolist() == [9, 8, 4, 0]
    long = relevance.held([(5.0, np.array([0]))] * 9, 1)
    assert (long.few, long.share) == (1, 1)


def test_one_item_holds_and_is_judged_as_it_is_among_many() -> None:
    told = [9.0, 8.0, 7.0, 4.0, 3.0, 1.0]
    at = [[0], [0, 1], [1], [2], [2], [0, 1, 2]]
    many = relevance.held(
        [(tells, np.array(held)) for tells, held in zip(told, at, strict=True)], 4
    )
    one = relevance.HeldByOne(told)
    near = relevance.Near(np.array([0.0, 4.0, 7.0, 1.0]), 300, np.array([True, False, True, False]))
    by_meaning = relevance.by_meaning(many, 0.5, near, lacks_identifier=True)
    by_words = relevance.by_words(many, 0.5)
    for item in range(4):
        held = one.held([float(item in held) for held in at])
        assert held == pytest.approx([column[item] for column in many])
        alone = relevance.Near(near.units[item], 300, near.is_talk[item])
        found = relevance.by_meaning_of_one(held, 0.5, alone, lacks_identifier=True)
        assert found == pytest.approx(by_meaning[item], rel=1e-5)
        assert relevance.by_words_of_one(held, 0.5) == pytest.approx(by_words[item], rel=1e-5)


def test_a_common_word_tells_less_than_a_rare_one_in_an_empty_store() -> None:
    use, work, heron = (hash_term(term) for term in ("use", "work", "heron"))
    assert (
        everyday.term_weight(0, 0, use)
        < everyday.term_weight(0, 0, work)
        < everyday.term_weight(0, 0, heron)
    )
    assert everyday.term_weight(0, 0, hash_term("사용")) < everyday.term_weight(
        0, 0, hash_term("왜가")
    )
    assert everyday.term_weight(0, 0, heron, use) == everyday.term_weight(0, 0, use)


def test_what_is_near_among_many_is_near_by_luck() -> None:
    words, units = held(0.0, 0.2), np.array([3.0, 3.0])
    few = relevance.by_meaning(words, 0, relevance.Near(units, 200))
    many = relevance.by_meaning(words, 0, relevance.Near(units, 1_000_000))
    assert (many < few).all()
    assert few[1] > few[0]
    assert many[1] > many[0]


def test_a_young_store_is_judged_like_one_of_some_size() -> None:
    one, hundred = (
        relevance.by_meaning(held(0.0), 0, relevance.Near(np.array([2.0]), items))
        for items in (1, 100)
    )
    assert one == hundred < relevance.FLOOR


def test_a_text_whose_vector_is_to_be_made_is_judged_by_its_words() -> None:
    words = held(0.5, 0.5)
    found = relevance.by_meaning(words, 0.5, relevance.Near(np.array([np.nan, 9.0]), 50))
    assert found[0] == pytest.approx(relevance.by_words(words, 0.5)[0])
    assert found[1] > found[0]


def test_the_more_that_is_named_occurs_nowhere_the_less_is_relevant() -> None:
    words, units = held(0.4), np.array([5.0])
    by_words = [float(relevance.by_words(words, absent)[0]) for absent in (0, 0.5, 1)]
    by_meaning = [
        float(relevance.by_meaning(words, absent, relevance.Near(units, 300))[0])
        for absent in (0, 0.5, 1)
    ]
    for found in (by_words, by_meaning):
        assert found == sorted(found, reverse=True)
        assert found[0] > 2 * found[-1]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Caroline buy for Mel's friend in March?", ("Caroline", "Mel")),
        ("Caroline bought what?", ()),
        ("what does the StdMapObserver of the API do", ()),
        ("which café does Zoë like, and Zoë only", ("Zoë",)),
        ("김지수 팀장님은 언제 오나요", ("김지수",)),
        ("지수 씨가 말한 배포 날짜", ("지수",)),
        ("선생님이 뭐라고 하셨나요", ()),
    ],
)
def test_what_a_question_names(question: str, names: tuple[str, ...]) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what does the StdMapObserver of the API do", ("StdMapObserver", "API")),
        (
            "is max_age of HTTP2 or of getUser v2 30 days, v2?",
            ("max_age", "HTTP2", "getUser", "v2"),
        ),
        ("ISA를 만들 때 K8s가 필요한가요", ("ISA", "K8s")),
        ("What did Caroline buy in 2024? I forgot", ()),
    ],
)
def test_the_identifiers_of_a_question(question: str, found: tuple[str, ...]) -> None:
    assert identifiers(question) == found


def test_an_identifier_that_occurs_nowhere_makes_less_relevant() -> None:
    words, near = held(0.4), relevance.Near(np.array([4.0]), 300)
    usual = relevance.by_meaning(words, 0, near)
    lacking = relevance.by_meaning(words, 0, near, lacks_identifier=True)
    one_of_two = relevance.by_meaning(words, 0.5, near)
    assert one_of_two < lacking < usual


def test_a_part_of_a_talk_needs_more_than_a_text_of_its_own() -> None:
    words, units = held(0.3, 0.3), np.array([3.5, 3.5])
    single, part = relevance.by_meaning(
        words, 0, relevance.Near(units, 300, np.array([False, True]))
    )
    assert part < relevance.FLOOR < single
    [answer] = relevance.by_meaning(held(1.0), 0, relevance.Near(np.array([6.0]), 300, True))
    assert answer > relevance.FLOOR


def test_an_answer_says_which_identifier_is_missing(db: strata.Workspace) -> None:
    db.kv.put("port", "The gateway listens on port 8443")
    answer = db.search("게이트웨이 gateway port TLS", mode="keyword", strict=False)
    assert answer.missing == ("TLS",)
    db.kv.put("tls", "TLS ends at the gateway")
    assert db.search("gateway port TLS", mode="keyword", strict=False).missing == ()


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("when did Caroline move the release to Friday", "Caroline"),
        ("김지수 팀장님이 금요일 배포를 미뤘나요", "김지수"),
    ],
)
def test_an_empty_answer_says_which_name_is_missing(
    db: strata.Workspace, question: str, other: str
) -> None:
    db.kv.put("plan", "The release is due on Friday")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    answer = db.search(question, mode="keyword")
    assert answer.missing == (other,)
    before = db.search(question, mode="keyword", strict=False)[0].relevance
    db.kv.put("who", f"{other} 옮김 moved house")
    answer = db.search(question, mode="keyword", strict=False)
    assert answer.missing == ()
    assert answer[0].relevance > before


def test_a_note_names_what_nothing_mentions(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    answer = db.search("where did Caroline go on vacation this summer", mode="keyword")
    assert not answer.known
    assert answer.missing == ("Caroline",)
    db.kv.put("trip", "The release party went on")
    answer = db.search("what did Oliver paint, release the bird", mode="keyword")
    assert not answer.hits
    assert any("mentions Oliver" in note for note in answer.notes)


def test_where_nothing_is_relevant_the_answer_is_empty(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    answer = db.search(NONSENSE, mode="keyword")
    assert not answer.known
    assert not answer.hits
    assert answer.nearest == "plan: The release is due on Friday"
    assert any("other words" in note for note in answer.notes)


def test_a_search_that_is_not_strict_shows_the_nearest(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    answer = db.search(NONSENSE, mode="keyword", strict=False)
    assert [hit.key for hit in answer] == ["plan"]
    assert 0 < answer[0].relevance < relevance.FLOOR
    assert not answer.known


def test_what_answers_is_known_however_few_hits_are_asked_for(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    for question in ("when is the release due", "금요일 배포"):
        answer = db.search(question, 1, mode="keyword")
        assert answer.known
        assert answer.nearest == ""
        assert answer[0].relevance > 0.5


def test_relevance_does_not_depend_on_what_else_is_stored(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    alone = db.search("release due", mode="keyword")[0].relevance
    for number in range(200):
        db.kv.put(f"other-{number}", f"Heron {number} 왜가리 waits at the river")
    among = db.search("release due", mode="keyword")[0].relevance
    assert among == pytest.approx(alone, abs=0.05)


def test_an_empty_store_knows_nothing(db: strata.Workspace) -> None:
    answer = db.search("release")
    assert not answer.known
    assert (answer.hits, answer.nearest) == ((), "")


def test_documents_obey_the_same_floor(db: strata.Workspace) -> None:
    db.documents.create("Plan", "# Plan\n\nThe release is due on Friday. 금요일에 배포한다.")
    assert db.documents.find(Request(query="release due")).items
    assert not db.documents.find(Request(query=NONSENSE)).items
    assert db.documents.find(Request(query=NONSENSE, strict=False)).items


PORTS = {
    "port": "The web server listens on port 8731",
    "휴가": "여름 휴가는 팔월에 간다",
    "bread": "After work the bread rises for two hours",
}
PORT = "which port does the web server listen on at work"


def test_beside_an_answer_nothing_weak_is_shown(db: strata.Workspace) -> None:
    db.kv.put_many(PORTS)
    assert db.embeddings.wait(60)
    nearest = db.search(PORT, strict=False)
    assert {hit.key for hit in nearest} == PORTS.keys()
    assert [hit.relevance >= relevance.WEAK for hit in nearest] == [True, False, False]
    answer = db.search(PORT)
    assert answer.known
    assert [(hit.key, hit.rank) for hit in answer] == [("port", 1)]


def test_beside_a_document_that_answers_no_weak_one_is_found(db: strata.Workspace) -> None:
    for title, text in PORTS.items():
        db.documents.create(title, f"# {title}\n\n{text}")
    assert db.embeddings.wait(60)
    nearest = db.documents.find(Request(query=PORT, strict=False))
    assert len(nearest.items) > 1
    assert [one.title for one in db.documents.find(Request(query=PORT)).items] == ["port"]


def test_by_words_what_is_beside_a_match_is_as_relevant(db: strata.Workspace) -> None:
    talk = ("Where did the heron nest?", "By the old mill", "정말 몰랐다", "Lunch is at noon")
    for number, text in enumerate(talk):
        db.kv.put(str(number), text, tags=["session:birds"])
    first, second, *_ = db.search("heron nest", mode="keyword")
    assert (first.key, second.key) == ("0", "1")
    assert second.relevance == first.relevance


def test_what_replaces_an_answer_is_as_relevant(db: strata.Workspace) -> None:
    db.kv.put("1", "[2026-01-10] Decision 인증: use JWT, because sessions do not scale")
    db.kv.put("2", "[2026-05-02] Decision 인증: server-side sessions in Redis")
    newer, older = db.search("JWT", mode="keyword")
    assert (newer.key, older.key) == ("2", "1")
    assert newer.relevance == older.relevance


def test_a_question_is_compared_with_what_is_usual_for_it(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.kv.put_many(PORTS)
    assert db.embeddings.wait(60)
    before = db.search("ports of servers", strict=False)[0].relevance
    monkeypatch.setattr(StoreMeaning, "usual", lambda *_args, **_more: 0.5)
    assert db.search("ports of servers", strict=False)[0].relevance < before


def test_decisions_obey_the_same_floor(db: strata.Workspace) -> None:
    db.decisions.save("plan", "The release is due on Friday", "금요일이 좋다")
    assert [one.memory.topic for one in db.decisions.search("release due")] == ["plan"]
    assert db.decisions.search(NONSENSE) == []
    assert [one.memory.topic for one in db.decisions.search(NONSENSE, strict=False)] == ["plan"]


SAID = ("Did you book the train?", "Yes, for Friday.", "좌석은 창가인가요?", "창가로 했어요.")


@pytest.mark.parametrize(
    ("texts", "session", "is_talk"),
    [
        (SAID * 3, "session:trip", True),
        (("The queue drains first.",) * 9 + ("Why?",), "session:trip", True),
        (("The queue drains first.",) * 10 + ("Why?",), "session:trip", False),
        (SAID[:3], "session:trip", False),
        (SAID * 3, "trip", False),
    ],
    ids=["talk", "one-in-ten-asks", "hardly-asks", "too-short", "texts-of-their-own"],
)
def test_what_is_a_talk(
    db: strata.Workspace,
    monkeypatch: pytest.MonkeyPatch,
    texts: tuple[str, ...],
    session: str,
    *,
    is_talk: bool,
) -> None:
    seen: list[Selection] = []
    match_words = rank.match_words

    def catch(selection: Selection, *rest: Any, **named: Any) -> rank.Matched:
        seen.append(selection)
        return match_words(selection, *rest, **named)

    monkeypatch.setattr(rank, "match_words", catch)
    for number, text in enumerate(texts):
        db.kv.put(f"n{number}", text, tags=[session])
    db.search("train", mode="keyword", strict=False)
    assert seen[0].are_talks().tolist() == [is_talk] * len(texts)


def test_the_whole_of_a_sequence_is_judged_where_only_some_of_it_is_ranked(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Selection] = []
    choose = scoring.choose

    def catch(*rest: Any) -> Selection:
        seen.append(choose(*rest))
        return seen[-1]

    monkeypatch.setattr(scoring, "choose", catch)
    monkeypatch.setattr(limits, "RANKED_WHOLE_MAX", 1)
    monkeypatch.setattr(limits, "CANDIDATES_MIN", 1)
    for number, text in enumerate(("The heron sleeps.", *["The queue drains."] * 8, "Why?")):
        db.kv.put(f"n{number}", text, tags=["session:pond"])
    db.search("heron", mode="keyword", strict=False)
    [selection] = seen
    assert 4 < selection.count < 10
    assert selection.are_talks().all(), "the question is at the other end"
