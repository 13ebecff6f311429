"""Sections of a text: their paths, their ends, and finding one by what somebody calls it."""

import time

import pytest

from strata.documents.markdown import (
    Section,
    find_section,
    nearest_paths,
    normal_title,
    path_name,
    resections,
    sections,
    tokens,
)
from strata.documents.text import Splice

GUIDE = "intro\n\n# 설치\n\n## 준비\na\n## 실행\nb\n### Linux\nc\n# 설치\n## 준비\nd\n"


def names(text: str) -> list[str]:
    return [path_name(section.path) for section in sections(text)]


def test_a_path_leads_to_each_section() -> None:
    assert names(GUIDE) == [
        "",
        "설치",
        "설치 > 준비",
        "설치 > 실행",
        "설치 > 실행 > Linux",
        "설치 (2)",
        "설치 (2) > 준비",
    ]


def test_a_section_knows_its_own_text_and_that_of_all_below_it() -> None:
    intro, first, _, run, linux, *_ = sections(GUIDE)
    assert GUIDE[intro.start : intro.end] == "intro\n\n"
    assert GUIDE[first.start : first.end] == "# 설치\n\n"
    assert GUIDE[first.start : first.whole_end].endswith("### Linux\nc\n")
    assert GUIDE[run.body : run.end] == "b\n"
    assert (run.end, run.whole_end, linux.whole_end) == (linux.start, linux.end, first.whole_end)


def test_text_before_the_first_heading_counts_only_if_there_is_any() -> None:
    assert [one.level for one in sections(" \n\n# a\n")] == [1]
    assert sections("---\na: b\n---\n\n# x\n")[0].path == ("x",)
    assert sections("---\na: b\n---\nhello\n# x\n")[0] == Section((), 0, "", 13, 13, 19, 19)
    assert sections("") == sections("\n \n") == []


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# **The** `store` [[Notes#part|notes]]", "The store notes"),
        ("# [a *link*](http://x.org/a_b) and ![image](y.png)", "a link and image"),
        ("# 5 * 3 * 2 and snake_case_name __init__", "5 * 3 * 2 and snake_case_name init"),
        ("# &copy; &#44032; \\*stars\\* \\# ", "© 가 *stars* #"),
        ("# ``a ` b`` <b>bold</b> <http://x.org>", "a ` b bold http://x.org"),
        ("여러\n  *줄*\n===", "여러 줄"),
        ("# 日本語の *見出し* 👩‍🚀 e\u0301 ##", "日本語の 見出し 👩‍🚀 e\u0301"),
        ("# \u202bעברית\u202c __مهم__", "\u202bעברית\u202c مهم"),
        ("# a#", "a#"),
        ("# #", ""),
        ("# ~~old~~ new", "old new"),
        ("# tab\tand\u3000wide", "tab and wide"),
    ],
)
def test_a_title_is_what_a_reader_sees(source: str, title: str) -> None:
    assert [one.title for one in sections(source)] == [title]


def test_the_same_title_twice_gets_a_path_of_its_own() -> None:
    assert names("# A\n# a\n# A (2)\n# A\n#\n#\n") == [
        "A",
        "a (2)",
        "A (2) (2)",
        "A (3)",
        "(untitled)",
        "(untitled) (2)",
    ]


def test_only_markdown_line_ends_end_a_line() -> None:
    assert names("# a\r# b\r\n# c\n# d\u2028# e\x0c# f\x85# g\n") == [
        "a",
        "b",
        "c",
        "d # e # f # g",
    ]


@pytest.mark.parametrize(
    ("wanted", "first", "count"),
    [
        ("설치", "설치", 4),
        ("# 설치", "설치", 4),
        (" 설치  >  실행 ", "설치 > 실행", 2),
        ("## 설치 > ### 실행 > #linux", "설치 > 실행 > Linux", 1),
        ("LINUX", "설치 > 실행 > Linux", 1),
        ("실행 > ｌｉｎｕｘ", "설치 > 실행 > Linux", 1),
        ("설치 (2)", "설치 (2)", 2),
        ("", "", 1),
    ],
)
def test_a_section_is_found_with_all_below_it(wanted: str, first: str, count: int) -> None:
    found = find_section(sections(GUIDE), wanted)
    assert (path_name(found[0].path), len(found)) == (first, count)


@pytest.mark.parametrize("wanted", ["준비", "없음", "설치 > Linux", "설", "A > B > C > D"])
def test_what_is_not_there_or_could_be_two_is_not_found(wanted: str) -> None:
    assert find_section(sections(GUIDE), wanted) == []


def test_the_nearest_paths_are_offered_for_a_wrong_one() -> None:
    found = sections(GUIDE)
    assert nearest_paths(found, "설치 > 실헹")[0] == "설치 > 실행"
    assert nearest_paths(found, "Linx")[0] == "설치 > 실행 > Linux"
    assert nearest_paths(found, "설지 (2)", k=1) == ["설치 (2)"]
    assert nearest_paths([], "x") == []


def test_titles_are_compared_without_case_width_and_blanks() -> None:
    assert normal_title(" Straße\t Ｇｕｉｄｅ ") == normal_title("STRASSE guide")
    assert normal_title("가") == normal_title("\u1100\u1161")


def test_tokens_are_a_quarter_of_the_bytes_rounded_up() -> None:
    assert [tokens(text) for text in ("", "abcd", "abcde", "한국어", "👩‍🚀", "\ud800")] == [
        0,
        1,
        2,
        3,
        3,
        1,
    ]


def test_an_edit_of_the_text_moves_what_stands_behind_it_only() -> None:
    before = sections(GUIDE)
    at = GUIDE.index("b\n###")
    after = resections(GUIDE[:at] + "더 " + GUIDE[at:], before, [Splice(at, at, "더 ")]).sections
    assert [one.path for one in after] == [one.path for one in before]
    assert [new.start - old.start for new, old in zip(after, before, strict=True)] == [
        0,
        0,
        0,
        0,
        2,
        2,
        2,
    ]
    end = len(GUIDE) - 1
    late = resections(GUIDE[:end] + "!" + GUIDE[end:], before, [Splice(end, end, "!")]).sections
    assert all(new is old for new, old in zip(late[1:5], before[1:5], strict=True))
    assert late[6].end == late[5].whole_end == len(GUIDE) + 1
    assert resections(GUIDE, before, []).sections == before


@pytest.mark.parametrize(
    "piece",
    [
        "[a]: /u\n'x\n===\n",
        "=\n",
        "- ```\ntext\n",
        "> [a]: /u '\nx\n",
        "x\n<b>\n",
        "- a\nb\n",
        "[\n",
    ],
)
def test_texts_that_are_made_to_be_hard_take_time_in_proportion(piece: str) -> None:
    def seconds(times: int) -> float:
        start = time.process_time()
        sections(piece * times)
        return time.process_time() - start

    assert seconds(4_000) < 20 * (seconds(500) + 0.005)


def test_nesting_deeper_than_anybody_writes_is_survived() -> None:
    assert sections("> " * 3_000 + "x\n\n# a\n")[-1].title == "a"
    assert sections("- " * 3_000 + "x\n\n# a\n")[-1].title == "a"
    assert sections("".join(f"{'  ' * n}- x\n" for n in range(200)) + "\n# a\n")[-1].title == "a"
