"""search: what is found, how it is shown, and what is refused."""

from pathlib import Path

import click
import pytest

import strata
from strata.base import limits
from strata.cli.commands.search import hit_lines
from strata.search import Hit
from tests.surface.conftest import Answer, Run

RED = "\x1b[31m\x1b[1m"


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands search by words: whatever is near in meaning would be found as well."""
    monkeypatch.setattr(limits, "EMBED_CATCH_UP_S", 0.0)


@pytest.fixture
def notes(ok: Run) -> None:
    """A few things worth finding, of every kind, in two spaces."""
    ok("put", "cache/prices", "Prices are cached for sixty seconds", "--tag", "decision")
    ok("put", "배포/규칙", "배포는 금요일에 하지 않는다", "--tag", "decision", "--tag", "규칙")
    ok("put", "plan", '{"title": "분기 계획", "budget": 300}', "--kind", "json", "--space", "기획")
    ok("put", "turn", "cached", "--kind", "state")
    ok("event", "append", "deploy", '{"to": "blue", "by": "소연"}')


def keys(answer: Answer) -> list[str]:
    return [hit["key"] for hit in answer.json["hits"]]


# What is found.


def test_what_no_longer_holds_says_so_beside_its_name(ok: Run, notes: None) -> None:
    ok(
        "put",
        "캐시/새",
        "1분 보관",
        "--tag",
        "supersedes:cache/prices",
        "--tag",
        "until:2020-01-02",
    )
    shown = ok("search", "how", "long", "are", "prices", "cached").out.splitlines()
    assert shown[0].startswith("1  캐시/새  20")
    assert shown[0].endswith("  expired 2020-01-02")
    assert shown[2].startswith("2  cache/prices  20")
    assert shown[2].endswith("  replaced by 캐시/새")
    found = ok("search", "how long are prices cached", "--json").json["hits"]
    assert [hit["caveat"] for hit in found[:2]] == ["expired 2020-01-02", "replaced by 캐시/새"]
    assert found[1]["superseded_by"] == ["캐시/새"]


def test_words_need_no_quotes(ok: Run, notes: None) -> None:
    shown = ok("search", "how", "long", "are", "prices", "cached").out.splitlines()
    assert shown[0].startswith("1  cache/prices  20")
    assert shown[1] == "   Prices are cached for sixty seconds"
    assert keys(ok("search", "how long are prices cached", "--json"))[0] == "cache/prices"


def test_the_beginning_of_a_word_stands_for_it(ok: Run, notes: None) -> None:
    assert keys(ok("search", "sixt*", "--json")) == ["cache/prices"]


def test_all_spaces_are_searched_unless_one_is_named(ok: Run, run: Run, notes: None) -> None:
    assert keys(ok("search", "계획", "--json")) == ["plan"]
    assert keys(ok("search", "계획", "--space", "기획", "--json")) == ["plan"]
    assert keys(ok("--space", "기획", "search", "계획", "--json")) == ["plan"]
    assert keys(ok("search", "계획", "--space", "없다", "--space", "기획", "--json")) == ["plan"]
    assert run("search", "계획", "--space", "default").code == 1
    ok("config", "space", "default")
    assert keys(ok("search", "계획", "--json")) == ["plan"]


def test_kinds_tags_and_members_narrow_it_down(ok: Run, run: Run, notes: None) -> None:
    assert keys(ok("search", "cached", "--kind", "state", "--json")) == ["turn"]
    both = ("--kind", "state", "--kind", "kv")
    assert sorted(keys(ok("search", "cached", *both, "--json"))) == ["cache/prices", "turn"]
    assert keys(
        ok("search", "금요일", "배포", "prices", "--tag", "decision", "--tag", "규칙", "--json")
    ) == ["배포/규칙"]
    assert keys(ok("search", "계획", "--filter", "budget", "gt", "200", "--json")) == ["plan"]
    assert run("search", "계획", "--filter", "budget", "gt", "400").code == 1
    assert keys(ok("search", "blue", "--filter", "by", "eq", "소연", "--json")) == ["1"]


@pytest.mark.parametrize(
    ("op", "value", "is_found"),
    [
        ("eq", "300", True),
        ("ne", "300", False),
        ("gt", "299", True),
        ("gte", "301", False),
        ("lt", "301", True),
        ("lte", "299", False),
        ("in", "[1, 300]", True),
        ("contains", "3", False),
    ],
)
def test_every_operator_compares(
    run: Run, notes: None, op: str, value: str, *, is_found: bool
) -> None:
    assert run("search", "계획", "--filter", "budget", op, value).code == (0 if is_found else 1)


def test_the_time_of_writing_narrows_it_down(ok: Run, run: Run, notes: None) -> None:
    assert keys(ok("search", "금요일", "--since", "1h ago", "--json")) == ["배포/규칙"]
    assert run("search", "금요일", "--until", "어제").code == 1
    assert run("search", "금요일", "--since", "whenever").code == 2


def test_the_past_is_searched_and_the_moment_told(ok: Run, run: Run) -> None:
    ok("put", "규칙", "배포는 금요일에 하지 않는다")
    ok("put", "규칙", "배포는 언제나 한다")
    assert run("search", "금요일").code == 1
    for words in (("search", "금요일", "--as-of", "1"), ("--at", "1", "search", "금요일")):
        answer = ok(*words)
        assert "금요일에 하지" in answer.out
        assert "as of version 1, 20" in answer.err
    assert ok("search", "금요일", "--as-of", "1", "--json").json["as_of"]["version"] == 1


def test_a_branch_is_searched_by_itself(ok: Run, run: Run, notes: None) -> None:
    ok("fork", "실험")
    ok("put", "배포/규칙", "배포는 아무 때나 한다", "--branch", "실험")
    assert run("search", "금요일", "--branch", "실험").code == 1
    answer = ok("search", "아무", "--branch", "실험")
    assert "아무 때나" in answer.out
    assert "on branch 실험" in answer.err
    assert ok("--branch", "실험", "search", "아무", "--json").json["branch"] == "실험"
    assert run("search", "금요일", "--branch", "없다").code == 1


def test_nothing_found_is_exit_code_1_and_says_what_to_try(ok: Run, run: Run, notes: None) -> None:
    answer = run("search", "zebra", "--mode", "keyword")
    assert (answer.code, answer.out) == (1, "")
    assert "nothing found by words; try other words" in answer.err
    assert "fewer conditions" in run("search", "금요일", "--tag", "없다").err
    found = run("search", "zebra", "--mode", "keyword", "--json")
    assert (found.code, found.json["hits"]) == (1, [])
    assert "nothing is kept here" in run("search", "금요일", "--at", "2020-01-01").err


@pytest.mark.parametrize("group", [(), ("doc",), ("decisions",)])
def test_every_search_by_words_ends_with_1_when_nothing_is_found(
    ok: Run, run: Run, group: tuple[str, ...]
) -> None:
    ok("put", "배포/규칙", "금요일에는 배포하지 않는다")
    ok("doc", "new", "배포", "금요일에는 배포하지 않는다")
    ok("decisions", "save", "deploys", "금요일에는 배포하지 않는다", "--because", "쉰다")
    assert run(*group, "search", "금요일").code == 0
    assert run(*group, "search", "zebra").code == 1
    assert run(*group, "search", "zebra", "--json").code == 1


def test_a_search_of_vectors_ends_with_1_when_nothing_is_found(ok: Run, run: Run) -> None:
    ok("vector", "create", "places", 2)
    assert run("vector", "search", "places", "[1, 0]").code == 1
    ok("vector", "put", "places", "서울", "[0.9, 0.1]")
    assert run("vector", "search", "places", "[1, 0]").code == 0


def test_an_empty_answer_says_which_name_nothing_mentions(run: Run, notes: None) -> None:
    for question, name in (("what did Caroline paint", "Caroline"), ("지수 씨 그림", "지수")):
        answer = run("search", question, "--mode", "keyword")
        assert (answer.code, answer.out) == (1, "")
        assert f"nothing here mentions {name}" in answer.err
        assert run("search", question, "--mode", "keyword", "--json").json["missing"] == [name]


def test_without_a_store_none_is_made(run: Run, project: Path) -> None:
    answer = run("search", "아무거나")
    assert answer.code == 1
    assert "There is no store" in answer.err
    assert not (project / ".strata").exists()


def test_what_was_written_without_an_index_is_found_after_a_reindex(ok: Run, run: Run) -> None:
    with strata.open(".strata/store.db", text_index=False) as db:
        db.kv.put("규칙", "배포는 금요일에 하지 않는다")
    assert run("search", "금요일").code == 1
    assert ok("reindex").out == "1 text indexed anew\n"
    assert keys(ok("search", "금요일", "--json")) == ["규칙"]
    assert ok("reindex", "--json").json["changed"] == 0


# How it is shown.


def test_a_korean_word_is_found_inside_another_and_marked(ok: Run, notes: None) -> None:
    shown = ok("search", "금요일", "배포", "--color", "always").out
    assert f"{RED}배포\x1b[0m는 {RED}금요일\x1b[0m에 하지 않는다" in shown
    assert "\x1b" not in ok("search", "금요일", "배포").out


def test_kind_and_space_are_named_where_they_are_not_the_usual_ones(ok: Run, notes: None) -> None:
    assert "1  plan  (json, space 기획)  20" in ok("search", "분기", "계획").out
    assert "1  event 1  20" in ok("search", "소연").out
    assert "  turn  (state)  20" in ok("search", "cached").out
    ok("config", "space", "기획")
    assert "1  plan  (json)  20" in ok("search", "분기", "계획").out
    assert "1  cache/prices  (space default)  20" in ok("search", "prices").out


def test_scores_are_shown_on_demand(ok: Run, notes: None) -> None:
    assert "score" not in ok("search", "금요일").out
    assert "version 2, tags decision, 규칙" in ok("search", "금요일", "-v").out
    hit = ok("search", "금요일", "--json").json["hits"][0]
    assert hit["score"] > 0
    assert hit["time"].endswith("Z")
    assert hit["snippet"][slice(*hit["marks"][0])] == "금요일"


def test_what_is_shown_cannot_command_the_terminal(ok: Run) -> None:
    ok("put", "k\x1b[2J", "배포 \x1b]0;title\x07 \x1b[31mred \u202eevil\r\nrm", "--tag", "t\x1b[0m")
    answer = ok("search", "배포", "-v", "--color", "always")
    bare = answer.out.replace(RED, "").replace("\x1b[0m", "").replace("\x1b[1m", "")
    assert "\x1b" not in bare.replace("\x1b[2m", "")
    assert "\\x1b]0;title\\x07 \\x1b[31mred \\u202eevil" in answer.out
    assert "\r" not in answer.out


def test_marks_stay_where_they_belong_behind_what_is_written_out() -> None:
    hit = Hit("k", "default", "kv", "", 1.0, 1, "\x1b\x1b금요일 끝", ((2, 5),), 1, 0)
    # Times are shown in the zone of the running command.
    with click.Context(click.Command("search")):
        lines = list(hit_lines([hit], space="default"))
    assert lines[1] == f"   \\x1b\\x1b{RED}금요일\x1b[0m 끝"


def test_a_long_text_is_broken_to_the_width_of_the_terminal(
    ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "긴글", "금요일 " + "아주긴한국어문장" * 8 + " and some words of English")
    monkeypatch.setenv("COLUMNS", "40")
    lines = ok("search", "금요일").out.splitlines()
    assert lines[1] == "   금요일"
    assert all(line.startswith("   ") for line in lines[1:])
    assert max(sum(2 if ord(letter) > 0x1100 else 1 for letter in line) for line in lines) <= 40
    assert lines[-1].endswith("of English")
    monkeypatch.delenv("COLUMNS")
    assert len(ok("search", "금요일").out.splitlines()) == 2


def test_ten_hits_stand_in_line(ok: Run) -> None:
    with strata.open(".strata/store.db", auto_embed=False) as db:
        db.kv.put_many({f"메모-{number}": f"금요일 회의 {number}" for number in range(20)})
    lines = ok("search", "회의").out.splitlines()
    assert lines[0].startswith(" 1  메모")
    assert lines[18].startswith("10  메모")
    assert len(ok("search", "회의", "-k", "3", "--json").json["hits"]) == 3


def test_a_wish_that_no_model_can_meet_is_told(ok: Run, notes: None) -> None:
    answer = ok("search", "금요일", "--expand", "--rerank")
    assert "배포는 금요일에" in answer.out
    assert "expand" in answer.err
    assert "rerank" in answer.err


# What is odd.


@pytest.mark.parametrize(
    "query",
    [
        "the",
        "of the and",
        '"금요일" AND (배포 OR -x)',
        "title:금요일",
        "NEAR(a, b)",
        "* ? %",
        "🚀",
        "👩‍👩‍👧‍👦 가족",
        "שלום עולם",
        "\u202eمرحبا",
        "배포deploy데プロイ",
        "e\u0301 ﬁ Å",
        "\x00\x1b[31m",
        "'; DROP TABLE versions; --",
    ],
)
def test_any_text_is_a_question(run: Run, notes: None, query: str) -> None:
    answer = run("search", "--", query)
    assert answer.code in (0, 1)
    assert "strata: " in answer.err
    assert " hit" in answer.err or "nothing found" in answer.err


def test_an_emoji_is_found(ok: Run) -> None:
    ok("put", "출시", "오늘 🚀 올렸다")
    assert keys(ok("search", "🚀", "--json")) == ["출시"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "QUERY"),
        (("",), 2, "The query is empty."),
        ((" ", "\t"), 2, "The query is empty."),
        (("가" * 50_000,), 1, "The query is 150,000 bytes; the limit is 4,096."),
        (("a", "-k", "0"), 2, "1<=x<=1000"),
        (("a", "-k", "1001"), 2, "1<=x<=1000"),
        (("a", "-k", "셋"), 2, "'셋'"),
        (("a", "--mode", "magic"), 2, "'magic'"),
        (("a", "--kind", "vector"), 2, "'vector'"),
        (("a", "--filter", "budget", "over", "3"), 2, "'over'"),
        (("a", "--filter", "budget", "in", "3"), 2, "needs a list"),
        (("a", "--space", "\n"), 2, "space"),
        (("a", "--as-of", "nonsense"), 2, "nonsense"),
        (("--unknown",), 2, "--unknown"),
    ],
)
def test_what_cannot_be_asked_is_refused_clearly(
    run: Run, notes: None, words: tuple[str, ...], code: int, said: str
) -> None:
    answer = run("search", *words)
    assert answer.code == code
    assert said in answer.err
    assert len(answer.err) < 1000


def test_bytes_that_are_no_text_are_refused(process: Run, ok: Run) -> None:
    ok("put", "k", "v")
    answer = process("search", "금\udcff요일")
    assert answer.code == 2
    assert "well-formed text" in answer.err
    assert "Traceback" not in answer.err


def test_a_word_that_begins_with_a_dash_stands_behind_two(ok: Run) -> None:
    ok("put", "플래그", "run it with --verbose 켜고")
    assert keys(ok("search", "--json", "--", "--verbose")) == ["플래그"]
