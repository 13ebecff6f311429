"""JSON paths against a naive model that copies everything and walks by hand."""

from copy import deepcopy
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from strata.base.errors import InvalidPath
from strata.memory.json_path import MISSING, assign, format_path, lookup, parse, remove

# Names and numbers; Any, so that the model may index with them as it pleases.
Steps: TypeAlias = tuple[Any, ...]

NAMES = st.sampled_from(["a", "b", "이름", "key with space", "", "0", "it's", 'q"', "語\\"])
ANY_NAME = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
STEPS = st.lists(NAMES | st.integers(-4, 4), max_size=5).map(tuple)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = VALUES | st.just(MISSING)


@st.composite
def documents_with_a_place(draw: st.DrawFn) -> tuple[Any, Steps]:
    """Draw a document and a path that leads somewhere in it."""
    document: Any = draw(VALUES)
    node, steps = document, list[Any]()
    while node and isinstance(node, (dict, list)) and draw(st.booleans()):
        if isinstance(node, dict):
            step = draw(st.sampled_from(sorted(node)))
        else:
            step = draw(st.integers(-len(node), len(node) - 1))
        steps.append(step)
        node = node[step]
    return document, tuple(steps)


def model_lookup(document: Any, steps: Steps) -> tuple[bool, Any]:
    try:
        for step in steps:
            assert isinstance(document, list if isinstance(step, int) else dict)
            document = document[step]
    except (AssertionError, IndexError, KeyError):
        return False, None
    return (document is not MISSING), (None if document is MISSING else document)


def model_assign(document: Any, steps: Steps, value: Any) -> Any:
    """Assign by mutating a deep copy; raises DoesNotFit where a step does not fit."""
    holder: Any = {} if document is MISSING else {"root": deepcopy(document)}
    place: Any = holder
    key: Any = "root"
    for step in steps:
        if key not in (range(-len(place), len(place)) if isinstance(place, list) else place):
            put(place, key, [] if isinstance(step, int) else {})
        place, key = place[key], step
        if not isinstance(place, list if isinstance(key, int) else dict):
            raise DoesNotFit
        if isinstance(key, int) and not -len(place) <= key <= len(place):
            raise DoesNotFit
    put(place, key, value)
    return holder["root"]


def put(place: Any, key: Any, value: Any) -> None:
    if isinstance(place, list) and key == len(place):
        place.append(value)
    else:
        place[key] = value


class DoesNotFit(Exception):
    pass


@given(st.lists(ANY_NAME | st.integers(-(2**53) + 1, 2**53 - 1), max_size=64).map(tuple))
def test_every_list_of_steps_survives_being_written_and_read(steps: Steps) -> None:
    path = format_path(steps)
    assume(len(path) <= 4096)
    assert parse(path) == steps


@given(st.text(max_size=40))
def test_any_text_is_a_path_or_is_refused_and_the_spelling_is_stable(text: str) -> None:
    try:
        steps = parse(text)
    except InvalidPath:
        return
    assert parse(format_path(steps)) == steps


@given(st.text("$.[]'\"*0-1:, ab\\u?(@)한", max_size=25))
def test_texts_made_of_path_signs_are_read_or_refused(text: str) -> None:
    try:
        steps = parse(text)
    except InvalidPath:
        return
    assert all(isinstance(step, (str, int)) for step in steps)
    assert parse(format_path(steps)) == steps


@given(DOCUMENTS, STEPS)
def test_looking_up_agrees_with_walking(document: Any, steps: Steps) -> None:
    assert lookup(document, steps) == model_lookup(document, steps)


@given(documents_with_a_place())
def test_what_is_there_is_found(case: tuple[Any, Steps]) -> None:
    document, steps = case
    assert lookup(document, steps) == (True, model_lookup(document, steps)[1])


@given(DOCUMENTS, STEPS, VALUES)
def test_assigning_agrees_with_mutating_a_copy(document: Any, steps: Steps, value: Any) -> None:
    before = deepcopy(document)
    try:
        expected = model_assign(document, steps, value)
    except DoesNotFit:
        with pytest.raises(InvalidPath):
            assign(document, steps, value)
    else:
        assert assign(document, steps, value) == expected
        assert lookup(expected, steps) == (True, value)
    assert document == before


@given(documents_with_a_place(), VALUES)
def test_what_was_assigned_is_found_and_nothing_else_moves(
    case: tuple[Any, Steps], value: Any
) -> None:
    document, steps = case
    before = deepcopy(document)
    changed = assign(document, steps, value)
    assert lookup(changed, steps) == (True, value)
    assert assign(changed, steps, model_lookup(before, steps)[1]) == before
    assert document == before


@given(documents_with_a_place())
def test_what_was_removed_is_gone_and_the_input_is_not_touched(
    case: tuple[Any, Steps],
) -> None:
    document, steps = case
    before = deepcopy(document)
    changed, removed = remove(document, steps)
    assert removed
    assert document == before
    if not steps:
        assert changed is MISSING
        return
    _, parent_before = model_lookup(before, steps[:-1])
    _, parent_after = model_lookup(changed, steps[:-1])
    if isinstance(parent_before, list):
        parent_before.pop(steps[-1])
    else:
        del parent_before[steps[-1]]
    assert parent_after == parent_before
    # `before` now lacks the same place, so everything around it must agree too.
    assert changed == before


@given(DOCUMENTS, STEPS)
def test_removing_what_is_not_there_gives_the_same_document_back(
    document: Any, steps: Steps
) -> None:
    assume(not model_lookup(document, steps)[0])
    changed, removed = remove(document, steps)
    assert changed is document
    assert not removed
