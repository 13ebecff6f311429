"""Texts that somebody wrote to stop the store: each is answered soon, and with few words."""

import time
from collections.abc import Callable

import pytest

from strata import Workspace
from strata.base.errors import Conflict, InvalidArgument, LimitExceeded, NotFound, SecretRefused
from strata.documents import quotes, templates
from strata.documents.markdown import frontmatter, references, sections

# What these took before was minutes; a slow machine needs a fraction of this.
PATIENCE_S = 5.0
KEY = "AKIA" + "QYLPMN5HHH3K2J4D"


def fields(*lines: str) -> str:
    return "\n".join(("---", *lines, "---", "# 계획", ""))


def took(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


# What stands in front of a text.


@pytest.mark.parametrize(
    "source", ["a: " + "[" * 30_000, "a: " + "{b: " * 15_000, "- " * 30_000, "? " * 30_000]
)
def test_fields_nested_without_end_are_refused_and_end_no_process(source: str) -> None:
    found = frontmatter(fields(source))
    assert found.values == {}
    assert found.error is not None
    assert "too deep" in found.error


def test_fields_may_be_nested_as_deep_as_anybody_writes_them() -> None:
    deep = frontmatter(fields("a: " + "[" * 31 + "가" + "]" * 31))
    assert deep.error is None
    assert frontmatter(fields("a: " + "[" * 32 + "가" + "]" * 32)).error is not None


@pytest.mark.parametrize("merge", ["[*a{0}, *a{0}]", "*a{0}, <<: *a{0}"])
def test_merges_that_double_with_every_line_are_refused(merge: str) -> None:
    lines = [f"a{at}: &a{at} {{<<: {merge.format(at - 1)}}}" for at in range(1, 40)]
    text = fields("a0: &a0 {가: 1, 나: 2}", *lines)
    assert took(lambda: frontmatter(text)) < PATIENCE_S
    assert "merges too much" in str(frontmatter(text).error)


def test_merges_within_bounds_are_made() -> None:
    found = frontmatter(fields("base: &base {가: 1, 나: 2}", "more: {<<: *base, 나: 3}"))
    assert found.values["more"] == {"가": 1, "나": 3}


@pytest.mark.parametrize("number", ["0x" + "F" * 6_000, "1" + ":1" * 20_000, "0b" + "1" * 60_000])
def test_a_number_without_end_is_told_and_not_raised(number: str) -> None:
    found = frontmatter(fields(f"a: {number}"))
    assert found.error == "line 2: a number that is too long"


def test_what_is_wrong_with_fields_is_told_in_few_words() -> None:
    found = frontmatter(fields("a: !" + "x" * 60_000 + " 1"))
    assert 0 < len(found.error or "") < 300


# Words that an edit looks for.


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("a " * 2_000, "a " * 100_000 + "b"),
        ("ab " * 1_000_000, "ab " * 3_000 + "c"),
        ("".join("가 나 " * 500 + f"{at}\n" for at in range(400)), "가 나 " * 450 + "다"),
    ],
)
def test_words_that_almost_occur_everywhere_are_looked_for_within_bounds(
    text: str, old: str
) -> None:
    def look() -> None:
        with pytest.raises(NotFound) as told:
            quotes.matches(text, old, replace_all=False)
        assert len(str(told.value)) < 5_000

    assert took(look) < PATIENCE_S


def test_the_nearest_words_are_still_found_in_a_long_text() -> None:
    text = "".join(f"줄 {at}: nothing to see\n" for at in range(5_000)) + "봄에 시작한다, 아마도\n"
    assert quotes.nearest(text, "봄에 시작한다, 아마") == "봄에 시작한다, 아마도"


def test_long_words_that_occur_twice_are_not_repeated_whole() -> None:
    old = "가나다 " * 100_000
    with pytest.raises(Conflict) as told:
        quotes.matches(f"{old}\n{old}\n", old, replace_all=False)
    assert len(str(told.value)) + len(str(told.value.details)) < 20_000


def test_a_title_that_is_none_is_not_repeated_whole(db: Workspace) -> None:
    with pytest.raises(InvalidArgument) as told:
        db.documents.create("제목\n" * 100_000)
    assert len(str(told.value)) < 1_000


# Templates.


def test_a_template_is_not_filled_beyond_what_a_document_holds() -> None:
    text = fields("variables: [x]") + "{{x}}" * 1_000_000
    with pytest.raises(LimitExceeded) as told:
        templates.fill(text, {"x": "가" * 1_000_000})
    assert told.value.details["size"] == 3 * 10**12


def test_what_is_filled_in_is_not_filled_again() -> None:
    filled = templates.fill(fields("variables: [x, y]") + "{{x}}", {"x": "{{y}}", "y": "{{x}}"})
    assert filled.endswith("{{y}}")


def test_names_that_a_template_does_not_know_are_told_in_few_words() -> None:
    given = {f"{at}{'이' * 10_000}": "" for at in range(1_000)}
    with pytest.raises(InvalidArgument) as told:
        templates.fill(fields("variables: [x]"), given)
    assert len(str(told.value)) + len(str(told.value.details)) < 50_000


# One line of megabytes.


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "[[나]] " * 600_000,
        "> " * 300_000 + "x " + "~~~ " * 100_000,
        "> " * 300_000 + "x " + "```a " * 100_000,
    ],
    ids=["links", "tildes", "ticks"],
)
def test_links_in_one_long_line_are_found_without_looking_back_at_all_of_it(line: str) -> None:
    assert took(lambda: references(line)) < 2 * PATIENCE_S


def test_links_are_told_from_code_on_every_line_as_before() -> None:
    indented = "a [[하나]]\n\n    [[code]]\n\n- x\n\n    [[둘]]\n"
    text = f"{indented}~~~\n[[no]]\n~~~\n> ```\n> [[no]]\n> ```\n[[셋]]"
    assert [one.target for one in references(text)] == ["하나", "둘", "셋"]


@pytest.mark.slow
def test_headings_of_nothing_but_ticks_are_read_soon() -> None:
    text = ("# " + "`" * 480 + "\n") * 6_000
    assert took(lambda: sections(text)) < PATIENCE_S
    assert sections("# ``a ` b`` 와 `c`\n")[0].title == "a ` b 와 c"


# Secrets where no section has them.


@pytest.mark.parametrize("front", [f"# {KEY}\n가: 1", f'가: "{KEY}'], ids=["comment", "broken"])
def test_a_secret_in_front_of_a_text_is_refused_wherever_it_stands(
    db: Workspace, front: str
) -> None:
    text = f"---\n{front}\n---\n# 계획\n"
    with pytest.raises(SecretRefused):
        db.documents.create("계획", text)
    made = db.documents.create("계획", "---\n가: 1\n---\n# 계획\n")
    with pytest.raises(SecretRefused):
        db.documents.write(made.document, text)
    assert KEY not in db.documents.text(made.document)
    db.settings.set("secrets", "mask")
    masked = db.documents.create("계획", text)
    assert KEY not in db.documents.text(masked.document)


def test_a_text_goes_on_below_fields_that_stay_as_they_are(db: Workspace) -> None:
    db.settings.set("secrets", "allow")
    made = db.documents.create("계획", f"---\n# {KEY}\n가: 1\n---\n본문\n")
    db.settings.set("secrets", "refuse")
    assert db.documents.edit(made.document, "본문", "다른 글").status == "applied"
