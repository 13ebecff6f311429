"""Markdown as pages show it."""

import pytest

from strata.base import limits
from strata.publishing.summary import summary_of
from strata.web.public.rendering import RenderContext, RenderedText, render
from strata.web.public.words import language_of

PAGES = {"다른 글": "/@a/%EB%8B%A4%EB%A5%B8-%EA%B8%80", "doc_" + "0" * 26: "/@a/by-id"}


def rendered(text: str, title: str = "") -> RenderedText:
    return render(text, RenderContext(title=title, home="/@a/b", pages=PAGES))


def html(text: str) -> str:
    return rendered(text).html


def test_headings_have_anchors_of_their_own_in_every_script() -> None:
    found = rendered("## 목표\n\n## 목표\n\n### `code` & *more*\n\n## !!!\n\n## text\n")
    assert [heading.id for heading in found.headings] == [
        "목표",
        "목표-2",
        "code-more",
        "section",
        "text-2",
    ]
    assert [heading.level for heading in found.headings] == [2, 2, 3, 2, 2]
    for heading in found.headings:
        assert f'id="{heading.id}"' in found.html


def test_a_text_that_begins_with_its_title_does_not_say_it_twice() -> None:
    found = rendered("# 계획\n\n## 목표\n", "계획")
    assert "계획" not in found.html
    assert "<h2" in found.html


def test_the_heading_that_a_text_has_for_itself_stands_for_the_title() -> None:
    found = rendered("# 2027년 *계획*\n\n## 목표\n", "초안")
    assert found.title is not None
    assert (found.title.text, found.title.id) == ("2027년 계획", "2027년-계획")
    assert "계획" not in found.html
    assert [heading.level for heading in found.headings] == [2]
    assert rendered("## 목표\n", "초안").title is None
    assert rendered("# 초안\n", "초안").title is None


def test_the_page_has_the_only_heading_of_the_first_level() -> None:
    found = rendered("# One\n\n## Two\n\n###### Six\n\n# Other\n", "Title")
    assert "<h1" not in found.html
    assert [heading.level for heading in found.headings] == [2, 3, 6, 2]


@pytest.mark.slow
def test_ten_thousand_equal_headings_take_no_time_worth_mentioning() -> None:
    found = rendered("## 같은 제목\n\n" * 10_000)
    assert len({heading.id for heading in found.headings}) == 10_000


def test_footnotes_are_numbered_as_the_text_comes_to_them_and_lead_back() -> None:
    found = html("B[^b] A[^a] B[^b] [^none]\n\n[^a]: 가\n[^b]: 나\n    more\n\n[^c]: unused\n")
    assert found.index('href="#note-1"') < found.index('href="#note-2"')
    assert '<li id="note-1"><p>나\nmore' in found
    assert '<a class="back" href="#ref-1-2"' in found
    assert "[^none]" in found
    assert "unused" not in found


def test_a_footnote_may_refer_to_another_and_to_itself() -> None:
    found = html("A[^a]\n\n[^a]: see[^b] and[^a]\n[^b]: end\n")
    assert found.count('<li id="note-') == 2
    assert 'id="ref-1-2"' in found


def test_boxes_of_tasks_can_only_be_looked_at() -> None:
    found = html("- [ ] 하나\n- [x] 둘\n- [y] no\n")
    assert found.count("<input") == 2
    assert found.count("disabled") == 2
    assert found.count("checked=") == 1
    assert 'aria-label="하나"' in found
    assert 'aria-label="둘"' in found
    assert 'aria-label="Task"' in html("<input>\n")


def test_tables_say_how_they_are_aligned_without_a_style() -> None:
    found = html("| a | b | c |\n|:--|:-:|--:|\n| 1 | ~~2~~ | 3 |\n")
    assert '<th class="center">' in found
    assert '<td class="right">' in found
    assert "style" not in found
    assert "<s>2</s>" in found


def test_code_is_coloured_by_classes_and_stays_what_it_is() -> None:
    found = html("```python\ndef f(): return '<b>'\n```\n\n```nonsense\n<i>\n```\n")
    assert '<span class="k">def</span>' in found
    assert "&lt;b&gt;" in found
    assert "&lt;i&gt;" in found
    assert "style=" not in found


def test_long_code_is_shown_without_colours() -> None:
    found = html("```python\n" + "x = 1\n" * 20_000 + "```\n")
    assert "<span" not in found
    assert found.count("x = 1") == 20_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[다른 글]]", '<a class="wiki" href="/@a/%EB%8B%A4%EB%A5%B8-%EA%B8%80"'),
        ("[[다른  글|거기]]", ">거기</a>"),
        ("[[다른 글#A b]]", "%EA%B8%80#a-b"),
        ("[x](doc_00000000000000000000000000)", 'href="/@a/by-id"'),
        ("[x](https://old.test/d/doc_00000000000000000000000000)", 'href="/@a/by-id"'),
        ("[x](%EB%8B%A4%EB%A5%B8%20%EA%B8%80.md)", 'href="/@a/%EB%8B%A4'),
        ("[x](https://ok.test/a?b=c&d=e#f)", 'href="https://ok.test/a?b=c&amp;d=e#f"'),
        ("[x](mailto:ann@example.com)", 'href="mailto:ann@example.com"'),
        ("[x](#Some%20Heading)", 'href="#some-heading"'),
        ("see https://ok.test/a_(b), or", '<a href="https://ok.test/a_(b)"'),
        ("<https://ok.test>", 'href="https://ok.test"'),
        ("(https://ok.test/x).", 'href="https://ok.test/x"'),
    ],
)
def test_links_lead_where_a_visitor_may_go(text: str, expected: str) -> None:
    assert expected in html(text)


@pytest.mark.parametrize(
    "text",
    [
        "[[Unpublished]]",
        "[[Unpublished#part|shown]]",
        "[shown](doc_11111111111111111111111111)",
        "[shown](Unpublished.md)",
        "[shown](../up)",
        "[shown](/admin)",
        "[shown](//evil.test)",
        '<a href="/d/doc_11111111111111111111111111">shown</a>',
        '<a href="rel">shown</a>',
        "[shown](http//[)",
    ],
)
def test_links_to_what_is_not_public_are_their_words_alone(text: str) -> None:
    found = html(text)
    assert "href" not in found
    assert "doc_1" not in found
    assert "shown" in found or "Unpublished" in found


def test_an_address_inside_code_or_a_link_is_left_alone() -> None:
    assert "<a" not in html("`https://ok.test`")
    assert html("[see https://a.test](https://b.test)").count("<a ") == 1


def test_a_summary_is_what_the_text_says_of_itself_or_how_it_begins() -> None:
    assert summary_of("---\ndescription: 짧은 소개\n---\n# A\n\nb") == "짧은 소개"
    assert summary_of("# A\n\n![x](y)\n\n- [ ] **first** [[x|that]]\n") == "first that"
    assert summary_of("# A\nright below\n\nmore") == "right below"
    assert summary_of("```\ncode\n```\n\n| a |\n|---|\n\nwords[^1]") == "words"
    assert summary_of("") == ""
    long = summary_of("가나다 " * 200)
    assert len(long) <= 200
    assert long.endswith("…")


@pytest.mark.parametrize(
    ("text", "told", "language"),
    [
        ("강은 바다로 흐른다. Some English words.", None, "ko"),
        ("A river, 강 in Korean, and many English words around it.", None, "en"),
        ("これは日本語です。漢字が多い", None, "ja"),
        ("河流带着石头", None, "zh"),
        ("Hello", "fr", "fr"),
        ("Hello", 'en" onload=x', "en"),
        ("", 7, "en"),
    ],
)
def test_a_language_is_told_or_seen(text: str, told: object, language: str) -> None:
    assert language_of(text, told) == language


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        ">" * 5_000 + "x",
        "<div>" * 20_000,
        "*a " * 20_000,
        "[[" * 20_000,
        "[^a]" * 20_000 + "\n\n[^a]: x",
        "`" * 20_001,
        "- " * 3_000 + "x",
        "|" * 20_000 + "\n|-",
        "http://" * 10_000,
        "![" * 10_000,
        "&" * 50_000,
        "<a href=" * 10_000,
        "\\" * 50_000,
    ],
)
@pytest.mark.timeout(30)
def test_texts_made_to_take_long_do_not(text: str) -> None:
    assert isinstance(html(text), str)


@pytest.mark.parametrize(
    "address", ["http://[", "https://[::1", "http://a b", "http://%zz", "mailto:"]
)
def test_addresses_that_are_none_break_nothing(address: str) -> None:
    assert "shown" in html(f"[shown](<{address}>) <{address}> {address} ![shown](<{address}>)")


def test_a_text_that_is_too_long_is_shown_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PAGE_CHARACTERS_MAX", 20)
    page = render("# 긴 글\n\n<script>run()</script>", RenderContext(title="긴 글"))
    assert page.html == "<pre><code># 긴 글\n\n&lt;script&gt;run()&lt;/script&gt;</code></pre>\n"
    assert page.headings == ()
