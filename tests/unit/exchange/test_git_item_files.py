"""Facts and decisions as files: the same bytes everywhere, and read back exactly."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.base.values import Json
from strata.decisions import Memory
from strata.exchange.gitfiles.item_files import (
    SharedDecision,
    SharedFact,
    decision_file,
    fact_file,
    fact_path,
    read_item,
)

_TEXTS = st.text(max_size=60) | st.sampled_from(
    ["", "\n", "---\n", "a\r\nb", "<<<<<<< x\n=======\n>>>>>>> y", "```json\n1\n```", "\ufeff시작"]
)
_KEYS = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=40
) | st.sampled_from(
    ["../../etc/passwd", "/etc/passwd", "a/../b", ".git/config", "CON", "a.md/b", "a/", "A", "a"]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(key=_KEYS, value=_VALUES, tags=st.lists(_TEXTS.filter(bool), max_size=3, unique=True))
def test_a_fact_comes_back_as_it_was(key: str, value: Json, tags: list[str]) -> None:
    fact = SharedFact("default", key, value, tuple(tags))
    path, text = fact_file(fact)
    again = read_item(path, text)
    assert isinstance(again, SharedFact)
    assert (again.key, again.value, set(again.tags)) == (key, value, set(tags))
    assert fact_file(again) == (path, text)
    assert "\r" not in text
    assert not path.is_absolute()
    assert ".." not in path.parts
    assert path.parts[0] == "facts"
    assert all(len(part.encode()) <= 255 for part in path.parts)


@given(st.lists(_KEYS, min_size=2, max_size=8, unique=True))
def test_no_two_keys_have_one_file(keys: list[str]) -> None:
    paths = {str(fact_path("default", key)).casefold() for key in keys}
    assert len(paths) == len(keys)


@given(
    topic=_TEXTS.filter(lambda text: text.strip() != ""),
    content=_TEXTS.filter(lambda text: text.strip() != ""),
    reasoning=st.none() | _TEXTS,
    more=st.dictionaries(
        st.sampled_from(["confidence", "outcome", "Odd Name", "sources", "id", "alias"]),
        st.just(0.5),
        max_size=3,
    ),
)
def test_a_decision_comes_back_as_it_was(
    topic: str, content: str, reasoning: str | None, more: dict[str, float]
) -> None:
    metadata: dict[str, object] = {name: more[name] for name in more if name != "outcome"}
    if reasoning is not None:
        metadata["reasoning"] = reasoning
    memory = Memory(
        id="decision_1795014453557_f945c74f",
        type="decision",
        topic=topic,
        content=content,
        metadata=metadata,
        created_at=1795014453557,
        updated_at=1795014453558,
    )
    wanted = SharedDecision(memory, ("decision_1", "decision_2"))
    path, text = decision_file(wanted)
    assert read_item(path, text) == wanted


def test_a_file_that_a_person_wrote_needs_no_front_matter() -> None:
    found = read_item(PurePosixPath("facts/규칙/이름.md"), "명사로\n")
    assert found == SharedFact("default", "규칙/이름", "명사로")


_FACT = PurePosixPath("facts/a.md")
_DECISION = PurePosixPath("decisions/x~0000000000.md")


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        (_FACT, '---\nkey: "../../b"\n---\nx\n', "belongs into"),
        (_FACT, '---\nkey: ""\n---\nx\n', "cannot be a key"),
        (_FACT, "---\nkey: [1]\n---\nx\n", "cannot be a key"),
        (_FACT, '---\nspace: "-x"\n---\nx\n', "cannot be the name"),
        (_FACT, "---\nkey: a\n", "has no end"),
        (_FACT, "---\nkey: a\nkey: a\n---\n", "twice"),
        (_FACT, "---\nno colon\n---\n", "without a name"),
        (_FACT, "---\na: &x [*x]\n---\n", "no JSON"),
        (_FACT, "---\nwho: me\n---\n", "do not have"),
        (_FACT, "---\ntags: 1\n---\n", "tags"),
        (_FACT, '---\ntype: "json"\n---\nx\n', "between fences"),
        (_FACT, f'---\ntype: "json"\n---\n```json\n{"[" * 5000}\n```\n', "cannot be read"),
        (_FACT, f"---\nkey: {'a' * 70_000}\n---\n", "too long"),
        (_FACT, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "conflict"),
        (_DECISION, "no front matter\n", "its id"),
        (_DECISION, '---\nid: "checkpoint_1"\ntopic: "x"\n---\nx\n', "its id"),
        (_DECISION, '---\nid: "decision_1"\n---\nx\n', "no topic"),
        (_DECISION, '---\nid: "decision_1"\ntopic: "x"\n---\n\n', "no content"),
        (_DECISION, '---\nid: "decision_1"\ntopic: "x"\noutcome: "FINE"\n---\nx\n', "outcome"),
        (_DECISION, '---\nid: "decision_1"\ntopic: "x"\nconfidence: 7\n---\nx\n', "confidence"),
        (_DECISION, '---\nid: "decision_1"\ntopic: "x"\n---\nx\n', "time"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(path: PurePosixPath, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_item(path, text)
