"""Branches that were merged into each other crosswise have several bases, and none is lost."""

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.property.conftest import STRATEGIES, Draft
from tests.property.examples import examples
from tests.property.test_store_model import MergeMachine

Step: TypeAlias = Callable[[MergeMachine], None]
BRANCHES = ("default", "left", "오른쪽")
# Few keys and few values, so that what one side did is soon undone by the other.
values = st.sampled_from([1, 2, {"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 1}])
pairs = st.permutations(BRANCHES).map(lambda names: (names[0], names[1]))
deciding = st.sampled_from(STRATEGIES[1:])


def write(branch: str, key: str, value: Any) -> Step:
    def step(machine: MergeMachine) -> None:
        found = machine.view(branch).kv.put(key, value)
        machine.record(branch, {("default", "kv", key): Draft(value)}, [found])

    return step


def delete(branch: str, key: str) -> Step:
    def step(machine: MergeMachine) -> None:
        address = ("default", "kv", key)
        if machine.view(branch).kv.delete(key):
            machine.model.write(branch, {address: None}, now=machine.now)

    return step


def cross(sides: tuple[str, ...], strategy: Any) -> Step:
    return lambda machine: machine.cross(sides, strategy)


def merge(sides: tuple[str, str], strategy: Any) -> Step:
    return lambda machine: machine.merge_one(*sides, strategy)


keys = st.sampled_from(["a", "가"])
steps = st.one_of(
    st.builds(write, st.sampled_from(BRANCHES), keys, values),
    st.builds(delete, st.sampled_from(BRANCHES), keys),
    st.builds(cross, pairs | st.just(BRANCHES), deciding),
    st.builds(cross, pairs | st.permutations(BRANCHES).map(tuple), deciding),
    st.builds(merge, pairs, st.sampled_from(STRATEGIES)),
)


@settings(max_examples=examples(300))
@example(
    [
        delete("left", "a"),
        write("default", "a", {"a": 2, "b": 1}),
        cross(("left", "default", "오른쪽"), "target_wins"),
        write("left", "a", {"a": 1, "b": 1}),
        cross(("default", "left"), "source_wins"),
        cross(("default", "left", "오른쪽"), "source_wins"),
        cross(("default", "left", "오른쪽"), "source_wins"),
    ]
)
@given(st.lists(steps, min_size=6, max_size=24))
def test_crossing_histories_merge_as_the_model_says(chosen: list[Step]) -> None:
    machine = MergeMachine()
    try:
        found = machine.view("default").kv.put("a", 0)
        machine.record("default", {("default", "kv", "a"): Draft(0)}, [found])
        for name in BRANCHES[1:]:
            machine.view("default").branches.fork(name)
            machine.model.start(name, machine.model.heads["default"])
        for step in chosen:
            step(machine)
        machine.everything_reads_alike()
        machine.differences_are_what_they_should_be()
    finally:
        machine.teardown()
