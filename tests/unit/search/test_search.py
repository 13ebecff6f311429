"""Search through the SDK: what is found, what never is, and what cannot be asked."""

import threading

import pytest

import strata
from strata.base import limits


def _keys(answer: strata.Answer) -> list[str]:
    return [hit.key for hit in answer]


def test_every_kind_of_value_is_found(db: strata.Workspace) -> None:
    db.kv.put("fact", "the heron waits")
    db.json.set("document", "$", {"새": {"이름": "heron"}})
    db.state.set("cell", "heron")
    db.events.append("sighting", {"what": "heron", "where": "한강"})
    db.vectors.create("collection", dimension=1)
    db.vectors.upsert("collection", "vector", [1.0], metadata={"text": "heron"})
    answer = db.search("heron")
    assert {(hit.kind, hit.key) for hit in answer} == {
        ("kv", "fact"),
        ("json", "document"),
        ("state", "cell"),
        ("event", "1"),
    }
    assert [hit.rank for hit in answer] == [1, 2, 3, 4]
    assert sorted(answer, key=lambda hit: -hit.score) == list(answer)


def test_a_hit_says_what_where_and_when(db: strata.Workspace) -> None:
    written = db.space("노트").kv.put("k", "왜가리를 한강에서 보았다", tags=["새", "한강"])
    hit = db.search("왜가리")[0]
    assert (hit.namespace, hit.kind, hit.key) == ("노트", "kv", "k")
    assert (hit.value, hit.version) == ("왜가리를 한강에서 보았다", written.version)
    assert hit.tags == ("새", "한강")
    assert hit.entity == "kv:노트/k"
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["왜가리"]


def test_what_was_deleted_or_replaced_is_not_found(db: strata.Workspace) -> None:
    db.kv.put("a", "heron")
    db.kv.put("b", "heron")
    db.kv.delete("a")
    db.kv.put("b", "stork")
    assert _keys(db.search("heron")) == []
    assert _keys(db.search("stork")) == ["b"]


def test_what_was_purged_is_not_found_in_any_past(db: strata.Workspace) -> None:
    first = db.kv.put("secret", "hunter2 password")
    db.kv.put("other", "password policy")
    db.purge("secret")
    assert _keys(db.search("password hunter2")) == ["other"]
    assert _keys(db.at(first.version).search("password")) == []


def test_branches_do_not_see_each_other(db: strata.Workspace) -> None:
    db.kv.put("shared", "heron on main")
    db.branches.fork("try")
    db.on("try").kv.put("own", "heron on a branch")
    db.on("try").kv.delete("shared")
    assert _keys(db.search("heron")) == ["shared"]
    assert _keys(db.search("heron", branch="try")) == ["own"]
    db.branches.merge("try", into="default", strategy="source_wins")
    assert _keys(db.search("heron")) == ["own"]


def test_the_past_is_searched_as_it_was(db: strata.Workspace) -> None:
    before = db.kv.put("k", "heron")
    db.kv.put("k", "stork")
    assert _keys(db.search("heron", at=before.version)) == ["k"]
    assert db.search("heron", at=before.version)[0].value == "heron"
    assert _keys(db.search("stork", at=before.version)) == []


def test_namespaces_kinds_and_tags_narrow_the_answer(db: strata.Workspace) -> None:
    db.kv.put("a", "heron", tags=["blue", "tall"])
    db.kv.put("b", "heron", tags=["blue"])
    db.space("other").kv.put("c", "heron")
    db.state.set("d", "heron")
    assert set(_keys(db.search("heron"))) == {"a", "b", "c", "d"}
    assert _keys(db.search("heron", spaces=["other"])) == ["c"]
    assert _keys(db.search("heron", kinds=["state"])) == ["d"]
    assert _keys(db.search("heron", tags=["blue", "tall"])) == ["a"]
    assert _keys(db.search("heron", spaces=["nowhere"])) == []


def test_since_and_until_are_times_of_writing(db: strata.Workspace) -> None:
    first = db.kv.put("a", "heron")
    second = db.kv.put("b", "heron")
    assert _keys(db.search("heron", since=second.timestamp)) == ["b"]
    assert _keys(db.search("heron", until=first.timestamp)) == ["a"]
    assert set(_keys(db.search("heron", since="2020-01-01", until="now"))) == {"a", "b"}
    assert _keys(db.search("heron", until="2020-01-01")) == []


def test_a_filter_tests_members_of_the_value(db: strata.Workspace) -> None:
    for number in range(30):
        db.kv.put(f"n{number}", {"text": "heron", "n": number})
    passing = [{"field": "n", "op": "gte", "value": 28}]
    assert set(_keys(db.search("heron", filter=passing))) == {"n28", "n29"}


def test_unrelated_facts_stored_in_a_row_do_not_lift_each_other(db: strata.Workspace) -> None:
    db.kv.put("lunch", "the canteen has soup")
    db.kv.put("heron", "a heron stands in the river")
    db.kv.put("printer", "the printer is on floor two")
    assert _keys(db.search("heron in the river")) == ["heron"]


def test_turns_of_one_talk_lend_each_other_context(db: strata.Workspace) -> None:
    db.kv.put("talk/1", "Anna: What did you see at the river?")
    db.kv.put("talk/2", "Bo: Two of them, standing on one leg.")
    db.kv.put("elsewhere", "Cleo: I like the sea.")
    found = _keys(db.search("what stood at the river"))
    assert set(found) == {"talk/1", "talk/2"}


def test_a_long_message_that_ends_in_a_question_ranks_above_the_reply(
    db: strata.Workspace,
) -> None:
    told = "The release in 서울 is due on Friday, the budget is nine hundred euro, Mina signs it"
    more = "and two old servers move to the new rack before that, which nobody has planned yet"
    db.kv.put("talk/1", f"{told} {more}. Can you help me with the release?")
    advice = "List every step, give each an owner, check the rack and the servers, then rehearse"
    db.kv.put("talk/2", f"A release needs a plan. {' '.join([advice] * 5)} the release.")
    assert _keys(db.search("release budget", mode="keyword"))[0] == "talk/1"


@pytest.mark.parametrize(
    ("label", "note", "question"),
    [
        ("결제 서비스", "새 결제 서비스는 민지 팀이 맡는다", "결제 서비스 담당자"),
        ("Billing", "the billing queue moved to Redis", "billing outage runbook"),
    ],
)
def test_a_question_keeps_the_words_of_a_label(
    db: strata.Workspace, label: str, note: str, question: str
) -> None:
    for number, text in enumerate(["배포했다", "로그를 지웠다", "재시도는 세 번"]):
        db.kv.put(f"labelled{number}", f"{label}: {text}")
    db.kv.put("note", note)
    db.kv.put("other", "회의는 금요일 on Friday")
    found = _keys(db.search(question, mode="keyword", strict=False))
    assert "note" in found
    assert "other" not in found


@pytest.mark.parametrize(
    ("label", "note", "other", "question"),
    [
        (
            "Payment Service",
            "The payment service gives up after 30 seconds",
            "The order desk gives up: a timeout comes after 10 seconds",
            "timeout of the payment service",
        ),
        (
            "결제 서비스",
            "결제 서비스는 30초 뒤에 포기한다",
            "주문 창구는 10초 뒤에 시도한다",
            "결제 서비스 시도",
        ),
    ],
)
@pytest.mark.parametrize("is_large", [False, True])
def test_a_label_takes_no_weight_from_its_words_in_texts_without_a_label(
    db: strata.Workspace,
    monkeypatch: pytest.MonkeyPatch,
    label: str,
    note: str,
    other: str,
    question: str,
    *,
    is_large: bool,
) -> None:
    if is_large:
        monkeypatch.setattr(limits, "RANKED_WHOLE_MAX", 0)
    for number, text in enumerate(["배포했다", "로그를 지웠다", "sealed"]):
        db.kv.put(f"labelled{number}", f"{label}: {text}")
    db.kv.put_many({f"room{number}": f"Room {number} is cleaned weekly" for number in range(10)})
    db.kv.put("note", note)
    db.kv.put("other", other)
    found = _keys(db.search(question, mode="keyword", strict=False))
    assert found.index("note") < found.index("other")


def test_a_newer_decision_on_a_topic_ranks_above_the_older(db: strata.Workspace) -> None:
    db.kv.put("1", "[2026-01-10] Decision auth_strategy: use JWT, because sessions do not scale")
    db.kv.put("2", "[2026-05-02] Decision auth_strategy: server-side sessions in Redis")
    assert _keys(db.search("auth_strategy")) == ["2", "1"]
    assert _keys(db.search("JWT")) == ["2", "1"]


def test_ties_are_stable_and_newest_first(db: strata.Workspace) -> None:
    for key in "abc":
        db.kv.put(key, "heron")
    assert all(_keys(db.search("heron")) == ["c", "b", "a"] for _ in range(3))


def test_the_beginning_of_a_word_is_enough_with_a_star(db: strata.Workspace) -> None:
    db.kv.put("k", "authentication by certificate")
    assert _keys(db.search("authen*")) == ["k"]
    assert _keys(db.search("cert* auth*")) == ["k"]
    assert _keys(db.search("zzz*")) == []


def test_a_word_that_is_being_typed_finds_what_it_may_become(db: strata.Workspace) -> None:
    db.kv.put("k", "authentication by certificate")
    db.kv.put("other", "the author of the report")
    assert _keys(db.search("authentica")) == ["k"]
    assert _keys(db.search("certificate authen")) == ["k"]
    # A word that stands somewhere is finished, and so is one with a sign behind it.
    assert _keys(db.search("author")) == ["other"]
    assert _keys(db.search("authentica?")) == []
    assert _keys(db.search("au")) == []


def test_identifiers_meet_however_they_are_spelled(db: strata.Workspace) -> None:
    db.kv.put("k", "call getUserById before max_retry_count is reached")
    for spelling in ("get_user_by_id", "GetUserByID", "user", "maxRetryCount", "retry"):
        assert _keys(db.search(spelling)) == ["k"], spelling


def test_a_question_of_stop_words_finds_texts_with_them(db: strata.Workspace) -> None:
    db.kv.put("k", "to be or not to be")
    db.kv.put("other", "heron")
    assert _keys(db.search("to be or not to be")) == ["k"]


@pytest.mark.parametrize(
    "question",
    [
        '"quoted" AND NOT (broken',
        "NEAR(a b, 5) col:term ^x",
        "😀👩‍👩‍👧",
        "שלום عالم",
        "mixed 한글 и русский",
        "*",
        "---",
        "a" * 4000,
        "\0",
        "%_'; DROP TABLE versions",
    ],
)
def test_anything_can_be_asked(db: strata.Workspace, question: str) -> None:
    db.kv.put("k", "heron 😀 한글 русский שלום")
    assert len(db.search(question)) <= 1


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_refused(db: strata.Workspace, question: str) -> None:
    with pytest.raises(strata.InvalidArgument, match="empty"):
        db.search(question)


def test_what_is_out_of_range_is_refused(db: strata.Workspace) -> None:
    with pytest.raises(strata.LimitExceeded):
        db.search("a" * 100_000)
    for k in (0, -1, limits.SEARCH_RESULTS_MAX + 1, True, "10"):
        with pytest.raises((strata.InvalidArgument, strata.LimitExceeded, strata.WrongType)):
            db.search("a", k)  # type: ignore[arg-type]
    with pytest.raises(strata.InvalidArgument, match="mode"):
        db.search("a", mode="magic")  # type: ignore[arg-type]
    with pytest.raises(strata.InvalidArgument, match="searched"):
        db.search("a", kinds=["vector"])
    for question in (7, None, "half a pair \ud800"):
        with pytest.raises(strata.InvalidArgument, match="text"):
            db.search(question)  # type: ignore[arg-type]
    with pytest.raises(strata.BranchNotFound):
        db.search("a", branch="nowhere")


def test_an_empty_store_answers_with_nothing(db: strata.Workspace) -> None:
    for mode in ("auto", "keyword", "semantic", "hybrid"):
        assert len(db.search("heron", mode=mode)) == 0


def test_k_bounds_the_answer(db: strata.Workspace) -> None:
    db.kv.put_many({f"k{n}": f"heron number {n}" for n in range(50)})
    assert len(db.search("heron", 7)) == 7
    assert len(db.search("heron", 100)) == 50


def test_many_threads_may_search_and_write_at_once(db: strata.Workspace) -> None:
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(30):
                db.kv.put(f"{name}/{number}", f"heron {name} {number}")
                assert f"{name}/{number}" in _keys(db.search(f"heron {name} {number}", 200))
        except BaseException as error:  # noqa: BLE001  (told to the test below)
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_another_process_s_writes_are_found_at_once(tmp_path: object) -> None:
    path = f"{tmp_path}/store.strata"
    with strata.open(path, auto_embed=False) as one, strata.open(path, auto_embed=False) as two:
        one.kv.put("a", "heron")
        assert _keys(two.search("heron")) == ["a"]
        two.kv.put("b", "heron")
        assert set(_keys(one.search("heron"))) == {"a", "b"}


def test_a_read_only_store_can_be_searched(tmp_path: object) -> None:
    path = f"{tmp_path}/store.strata"
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("a", "heron")
    with strata.open(path, read_only=True) as db:
        assert _keys(db.search("heron")) == ["a"]


def test_of_an_enormous_text_the_beginning_is_found(db: strata.Workspace) -> None:
    db.kv.put("huge", "heron " + "x " * (limits.INDEXED_CHARACTERS_MAX // 2) + "stork")
    assert _keys(db.search("heron")) == ["huge"]
    assert _keys(db.search("stork")) == []
    assert db.verify().ok


def test_a_decision_ranks_above_the_one_it_replaces_under_another_topic(
    db: strata.Workspace,
) -> None:
    old = db.decisions.save("bundler", "Webpack bundles the UI code", "module federation").memory
    new = db.decisions.save(
        "화면 빌드", "Vite bundles the UI code", "빌드가 빠르다", supersedes=old.id
    ).memory
    for question in ("Webpack bundles UI code", "what bundles the UI code"):
        answer = db.search(question, mode="keyword")
        assert _keys(answer) == [new.id, old.id]
        assert [hit.rank for hit in answer] == [1, 2]
        assert sorted(answer, key=lambda hit: -hit.score) == list(answer)
