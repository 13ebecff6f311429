"""Text in columns: widths of scripts, cutting, and nothing that could command a terminal."""

import pytest

from strata.base.counts import plural
from strata.base.values import Json
from strata.cli.output import size
from strata.cli.show.changes import field_changes
from strata.cli.show.progress import line
from strata.cli.show.text import cut, inline, one_line, table, width
from tests.surface.conftest import Run


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("안녕", 4), ("日本", 4), ("é", 1), ("e\u0301", 1), ("память", 6), ("😀", 2)],
)
def test_width_counts_columns_of_the_terminal(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize("columns", range(1, 12))
def test_a_cut_text_never_takes_more_columns(columns: int) -> None:
    for text in ("안녕하세요", "abcdefghijkl", "a안b녕c하d"):
        short = cut(text, columns)
        assert width(short) <= columns
        assert short == text or short.endswith("…")


def test_columns_stay_aligned_with_hangul_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = table(("KEY", "N"), [("안녕", "1"), ("hello", "22")], right=["N"])
    assert [width(text) for text in lines[1:]] == [9, 9]
    assert lines[1:] == ["안녕    1", "hello  22"]


def test_a_table_fits_the_terminal(ok: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok("put", "긴/열쇠/" + "가" * 40, "나" * 200)
    ok("put", "short", "x")
    monkeypatch.setenv("COLUMNS", "60")
    cut_lines = ok("list").out.splitlines()
    assert max(width(text) for text in cut_lines) <= 60
    assert "…" in cut_lines[2]
    monkeypatch.delenv("COLUMNS")
    assert "나" * 200 in ok("list").out


def test_no_value_can_command_the_terminal(ok: Run) -> None:
    ok("put", "k\x1b[2J", "--text", "\x1b]0;title\x07 \u202eevil\nsecond")
    shown = ok("list").out + ok("show").out + ok("history", "k\x1b[2J").out
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert "\\x1b[2J" in shown
    assert one_line("a\tb\r\n") == "a\\tb\\r\\n"


def test_every_cell_of_a_table_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = table(("FOLDER", "VERSION"), [("초안\x1b[2J\n", None), ("plain", 3)])
    assert lines[1:] == ["초안\\x1b[2J\\n", "plain          3"]


def test_text_that_reads_as_json_is_quoted_in_tables() -> None:
    values: list[Json] = ["안녕", "42", 42, None, ["a"]]
    assert [inline(value) for value in values] == [
        "안녕",
        '"42"',
        "42",
        "null",
        '["a"]',
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.5}, ["- a: 1", "+ a: 1.5"]),
        ({"a": 1}, {"a": True}, ["- a: 1", "+ a: true"]),
        ({"가": {"나": 1}}, {"가": {"나": 2, "다": 3}}, ["- 가.나: 1", "+ 가.나: 2", "+ 가.다: 3"]),
        ({"a b": 1}, {}, ['- ["a b"]: 1']),
        ([1, 2, 3, 4], [1, 3, 4], ["- [1]: 2"]),
        ({"l": [1, 2]}, {"l": [1, 2, 3]}, ["+ l[2]: 3"]),
        ([{"a": 1}], [{"a": 2}], ["- [0].a: 1", "+ [0].a: 2"]),
        ({"a": None}, {}, ["- a: null"]),
        ("text", {"a": 1}, ['- "text"', '+ {"a":1}']),
    ],
)
def test_only_the_fields_that_changed_are_shown(
    before: object, after: object, expected: list[str]
) -> None:
    found = field_changes(before, after)  # pyright: ignore[reportArgumentType]
    assert [f"{mark} {text}" for mark, text in found] == expected


def test_numbers_are_spelled_for_people() -> None:
    assert [size(count) for count in (0, 1023, 1024, 1536, 5 * 1024**3)] == [
        "0 B",
        "1023 B",
        "1 KiB",
        "1.5 KiB",
        "5 GiB",
    ]
    assert [plural(1, "branch"), plural(2, "branch"), plural(1000, "key")] == [
        "1 branch",
        "2 branches",
        "1,000 keys",
    ]
    assert [plural(0, "memory"), plural(1, "memory"), plural(3, "day")] == [
        "0 memories",
        "1 memory",
        "3 days",
    ]


def test_a_bar_shows_how_far_the_work_is() -> None:
    assert line("verify", ("commits", 50, 200), 3.2) == (
        "verify  ██████░░░░░░░░░░░░░░░░░░  25 %  commits 50/200  3 s, 10 s left"
    )
    assert line("embed", ("vectors", 1_000, 100_000), 61.0).endswith("1 min, 2 h left")
    assert line("embed", ("vectors", 7, 7), 2.0).endswith("7/7  2 s")
    assert line("compact", ("compact", 0, 1), 0.6) == "compact  compact  1 s"
