"""What texts tell beside their words, and what questions want."""

from datetime import date
from time import process_time

import pytest

from strata.search import cues
from strata.search.cues import ask, closeness, names, read

# ---------------------------------------------------------------- in front of a text


@pytest.mark.parametrize(
    ("text", "day", "label", "body"),
    [
        # chats
        ("[1:56 pm on 8 May, 2023] Caroline: Hi!", "2023-05-08", "caroline", "Hi!"),
        ("Caroline: Hi!", None, "caroline", "Hi!"),
        ("**Kim Ji-soo:** hi", None, "kim ji-soo", "hi"),
        ("- Ludwig van Beethoven: da da", None, "ludwig van beethoven", "da da"),
        ("김지수: 내일 봐요", None, "김지수", "내일 봐요"),
        ("김지수 팀장: 네", None, "김지수 팀장", "네"),
        ("[김지수] [오후 3:12] 안녕", None, "김지수", "안녕"),
        ("2026년 3월 19일 오후 3:12, 김지수 : 안녕", "2026-03-19", "김지수", "안녕"),
        ("[김지수] [오후 3시] 안녕", None, "김지수", "안녕"),
        ("[10:32] Caroline: hi", None, "caroline", "hi"),
        ("18/05/2023, 13:56 - Caroline: hi", "2023-05-18", "caroline", "hi"),
        ("[08/05/2023, 13:56:12] Caroline: hi", None, "caroline", "hi"),
        ("Caroline (10:32): hi", None, "caroline", "hi"),
        ("@jisoo: hi", None, "jisoo", "hi"),
        ("user: hello", None, "user", "hello"),
        ("田中：こんにちは", None, "田中", "こんにちは"),
        ("José: hola", None, "josé", "hola"),
        # notes, logs, minutes, decisions
        ("2026-03-19: shipped", "2026-03-19", "", "shipped"),
        ("May 8th, 2023 - kickoff", "2023-05-08", "", "kickoff"),
        ("Monday, 8 May 2023: x", "2023-05-08", "", "x"),
        ("2026-03-19T10:00:01.123Z ERROR db: lost", "2026-03-19", "db", "lost"),
        ("2026-03-19 [INFO] started", "2026-03-19", "", "[INFO] started"),
        ("# Meeting 2026-03-19\nWe met", "2026-03-19", "", "We met"),
        ("Date: 2026-03-19\nBudget is fine", "2026-03-19", "", "Budget is fine"),
        ("회의록 2026. 3. 19. (목)\n예산 논의", "2026-03-19", "", "예산 논의"),
        ("2026年3月19日 会議", "2026-03-19", "", "会議"),
        ("[2026-05-02] 결정 cache_policy: LRU", "2026-05-02", "cache_policy", "LRU"),
        ("Decision auth_strategy: JWT", None, "auth_strategy", "JWT"),
        ("2026-03-19", "2026-03-19", "", ""),
    ],
)
def test_a_date_and_a_label_are_read_in_front(
    text: str, day: str | None, label: str, body: str
) -> None:
    told = read(text)
    assert (date.fromordinal(told.date).isoformat() if told.date else None) == day
    assert told.label == label
    assert text[told.body :] == body


@pytest.mark.parametrize(
    "text",
    [
        *("Note: buy milk", "TODO: fix it", "http: is a scheme", "https://example.com: down"),
        *("Re: hello", "region: seoul", "Next steps: rest", "Meeting Notes: none", "A: hi"),
        *(
            "We said: no",
            "메모: 우유 사기",
            "할 일: 청소",
            "Caroline:hi",
            "10:30 is fine",
            "[ ] task",
        ),
        *("2026-13-45: never", "5/8/2023: unclear", "12345678901: id", "", "   ", ":", "**: x"),
        *("In March 2026 we met", "2026: a year", "Version 1.2.3: out now", "the Caroline: x"),
        "A sentence that goes on for a while before it says: this",
    ],
)
def test_what_only_looks_like_a_date_or_a_label_is_text(text: str) -> None:
    told = read(text)
    assert (told.date, told.label, told.start, told.body) == (0, "", 0, 0)


def test_the_start_is_behind_the_date_and_keeps_the_label() -> None:
    text = "[1:56 pm on 8 May, 2023] Caroline: Hi!"
    assert text[read(text).start :] == "Caroline: Hi!"


@pytest.mark.parametrize(
    ("text", "is_topic"),
    [
        ("Decision cache_policy: LRU", True),
        ("2026-05-02 결정 캐시: LRU", True),
        ("Context database: slow", True),
        ("Anna: hi", False),
        ("**Anna:** hi", False),
        ("Decision: LRU", False),
    ],
)
def test_a_label_behind_the_kind_of_text_is_a_topic(text: str, is_topic: bool) -> None:  # noqa: FBT001 the table's column
    assert read(text).is_topic is is_topic


def test_dates_and_labels_further_on_are_mentioned_not_meant() -> None:
    told = read("We met Kim: on 2026-03-19, as planned")
    assert (told.date, told.label) == (0, "")


# ---------------------------------------------------------------- what a text tells


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Caroline: How are you?", True),
        ('She asked "really?" 🙂', True),
        ("뭐 먹을까요", True),
        ("어디 갑니까.", True),
        ("本当ですか？", True),
        ("Really? I think so.", False),
        ("급하니까", False),
        ("", False),
    ],
)
def test_a_question_is_known_by_its_end(text: str, expected: bool) -> None:  # noqa: FBT001 the table's column
    assert read(text).is_question is expected


@pytest.mark.parametrize(
    "text",
    [
        *("see you tomorrow", "in 2023", "on Friday", "지난 금요일에 봤다", "3시에 봐", "2주 전"),
        *("한 시간 전에 갔다", "한시간전에 갔다", "3 일 걸렸다", "１９９９년", "last-minute"),
    ],
)
def test_times_are_noticed(text: str) -> None:
    assert read(text).is_temporal


@pytest.mark.parametrize("text", ["it may be fine", "port 20231", "좋은 생각이다", ""])
def test_what_tells_no_time_is_not_temporal(text: str) -> None:
    assert not read(text).is_temporal


@pytest.mark.parametrize(
    "text",
    ["we have 3", "two kids", "twice a week", "세 명이 왔다", "세명이 왔다", "셋", "½ 컵", "v2"],
)
def test_numbers_are_noticed(text: str) -> None:
    assert read(text).has_number


def test_words_are_not_taken_for_numbers() -> None:
    assert not read("many kids came often").has_number
    assert not read("사람들이 왔다").has_number


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("We met Bob in Paris on Monday", 2),
        ("I saw Ann, Bob, Carl and Dora", 3),
        ("Nothing here", 0),
        ("어제 김지수 팀장과 박민수 님을 만났다", 2),
    ],
)
def test_names_inside_sentences_are_counted_up_to_three(text: str, count: int) -> None:
    assert read(text).names == count


def test_the_label_is_no_part_of_what_is_told() -> None:
    told = read("[8 May 2023] Caroline: fine")
    assert (told.is_temporal, told.has_number, told.names) == (False, False, 0)


# ---------------------------------------------------------------- what a question wants


@pytest.mark.parametrize(
    ("question", "dates"),
    [
        ("What happened on 8 May 2023?", [(2023, 5, 8)]),
        ("on May 8th", [(None, 5, 8)]),
        ("the 8th of May, 2023", [(2023, 5, 8)]),
        ("Sept. 3rd", [(None, 9, 3)]),
        ("in March 2026", [(2026, 3, None)]),
        ("what happened in march", [(None, 3, None)]),
        ("2026-03 release", [(2026, 3, None)]),
        ("on 2026-03-19?", [(2026, 3, 19)]),
        ("2026. 3. 19. 회의", [(2026, 3, 19)]),
        ("2026년 3월 19일에 뭐 했지?", [(2026, 3, 19)]),
        ("3월 19일 회의", [(None, 3, 19)]),
        ("작년 3월", [(None, 3, None)]),
        ("2023년에", [(2023, None, None)]),
        ("in 2023?", [(2023, None, None)]),
        ("last March", [(None, 3, None)]),
        ("between March and May 2026", [(None, 3, None), (2026, 5, None)]),
        ("5/18/2023 or 18/5/2023", [(2023, 5, 18)]),
        ("２０２６年３月", [(2026, 3, None)]),
        ("december plans", [(None, 12, None)]),
    ],
)
def test_dates_in_questions_are_read(question: str, dates: list[cues.PartialDate]) -> None:
    assert list(ask(question).dates) == dates


@pytest.mark.parametrize(
    "question",
    [
        *("this may be wrong", "What did April say?", "march to victory", "the last march failed"),
        *("version 1.2.2023", "3개월 동안", "99 March 2023", "5/8/2023", "issue #2023", "13월"),
        *("port 20231", "id2023-05-08x1", "at 10:30", "4/5"),
    ],
)
def test_what_may_mean_something_else_is_no_date(question: str) -> None:
    assert ask(question).dates == ()


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("When did it start?", "when"),
        ("Do you know when Kim joined?", "when"),
        ("In which month was it?", "when who"),
        ("how long did it take", "when many"),
        ("What did she say when they met?", ""),
        ("언제 시작했지?", "when"),
        ("Who wrote it?", "who"),
        ("Where is the office?", "who"),
        ("by whom was it made", "who"),
        ("누가 만들었어?", "who"),
        ("How many kids has she?", "many"),
        ("모두 몇 명이야?", "many"),
        ("What is the policy?", ""),
    ],
)
def test_the_kind_of_answer_is_known(question: str, wants: str) -> None:
    asked = ask(question)
    found = {"when": asked.is_when, "who": asked.is_who, "many": asked.is_how_many}
    assert [kind for kind, is_wanted in found.items() if is_wanted] == wants.split()


@pytest.mark.parametrize(
    ("label", "question"),
    [
        ("Caroline: hi", "What did Caroline's mother say?"),
        ("Kim Ji-soo: hi", "what did kim ji-soo decide"),
        ("김지수: 네", "김지수가 뭐라고 했어?"),
        ("김지수 팀장: 네", "김지수 팀장에게 물어봤나?"),
        ("Will: hi", "What did Will say?"),
        ("Decision cache_policy: LRU", "why cache_policy?"),
        ("José: hola", "what did JOSÉ say"),
    ],
)
def test_a_label_is_among_the_names_in_a_question(label: str, question: str) -> None:
    assert read(label).label in names(question)


def test_common_words_and_numbers_are_no_names() -> None:
    assert names("What will they do in 2026?") == []


# ---------------------------------------------------------------- closeness


@pytest.mark.parametrize(
    ("asked", "day", "near"),
    [
        ((2023, 5, 8), "2023-05-08", 1.0),
        ((2023, 5, 8), "2023-05-12", 0.5),
        ((2023, 5, 8), "2023-05-30", 0.3),
        ((2023, 5, 8), "2023-05-05", 0.3),
        ((2023, 5, 8), "2023-07-05", 0.0),
        ((2023, 12, 31), "2024-01-02", 0.5),
        ((None, 12, 31), "2024-01-02", 0.5),
        ((2023, 12, None), "2023-12-24", 0.6),
        ((2023, 12, None), "2024-01-05", 0.25),
        ((2022, 12, None), "2023-12-24", 0.0),
        ((None, 12, None), "2024-01-05", 0.25),
        ((2023, None, None), "2023-03-03", 0.1),
        ((2022, None, None), "2023-03-03", 0.0),
        ((None, 2, 30), "2023-03-01", 0.0),
        ((None, None, None), "2023-03-01", 0.0),
        ((None, 1, 1), "0001-01-01", 1.0),
        ((None, 12, 31), "9999-12-31", 1.0),
    ],
)
def test_closeness_prefers_the_day_then_the_days_after(
    asked: cues.PartialDate, day: str, near: float
) -> None:
    assert closeness(asked, date.fromisoformat(day).toordinal()) == near


@pytest.mark.parametrize("ordinal", [0, -1, 10_000_000])
def test_no_date_is_close_to_nothing(ordinal: int) -> None:
    assert closeness((2023, 5, 8), ordinal) == 0.0


# ---------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    "unit", [" ", "[", "1", "a ", "Aa ", "김 ", "?", "note ", "2026-03-19 ", "_", "*", "\n", "(1:1"]
)
def test_a_hundred_kilobytes_of_anything_are_read_at_once(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    for work in (read, ask, names):
        work(text)  # Patterns are compiled here.
    started = process_time()
    for work in (read, ask, names):
        work(text)
    # Measured: five milliseconds. By the square of the length it would be minutes.
    assert process_time() - started < 1
