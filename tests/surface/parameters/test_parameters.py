"""A parameter changes the answer, or what the call leaves behind, or it is refused.

Tools and parameters are taken from the registry: one without a case fails, and nothing is exempt.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import strata
from strata.tools import Parameter, Tool, registry
from tests.surface.developer.loopback import Endpoint
from tests.surface.parameters.cases import CASES, Instead, On
from tests.surface.parameters.world import Names, World, as_text, build, copied


class Target(NamedTuple):
    """A tool, or one action of it, as cases name it."""

    name: str
    tool: Tool
    action: str | None
    parameters: tuple[Parameter, ...]


def targets() -> Iterator[Target]:
    first: set[str] = set()
    for tool in registry().all():
        # Two groups have a tool of this name, each with parameters of its own.
        name = f"{tool.group}:{tool.name}" if tool.name in first else tool.name
        first.add(tool.name)
        if not tool.actions:
            yield Target(name, tool, None, tool.parameters)
        for action, one in tool.actions.items():
            yield Target(f"{name}.{action}", tool, action, one.parameters)


TARGETS = list(targets())
EACH = [(target, one.name) for target in TARGETS for one in target.parameters]

Try = Callable[[Target, dict[str, Any]], str]


class Place(NamedTuple):
    """The store that is copied, and what is called by name in it."""

    template: Path
    names: Names
    endpoint: Endpoint


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    endpoint = Endpoint()
    template = tmp_path_factory.mktemp("세계") / "store.db"
    names = build(template, endpoint)
    yield Place(template, names, endpoint)
    endpoint.close()


@pytest.fixture(scope="module")
def attempt(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Try:
    """Call a tool on a fresh copy of the store; return the answer and what it left behind."""
    folder = tmp_path_factory.mktemp("시도") / "copy"
    done: dict[str, str] = {}

    def run(target: Target, arguments: dict[str, Any]) -> str:
        told = f"{target.name} {arguments!r}"
        if told not in done:
            done[told] = _outcome(place, folder, target, arguments)
        return done[told]

    return run


def _outcome(place: Place, folder: Path, target: Target, arguments: dict[str, Any]) -> str:
    names = {**place.names, "folder": str(folder)}
    found = CASES[target.name]
    with copied(place.template, folder, place.endpoint) as world:
        for name, before in found.before:
            made = world.call(registry().find(name), filled(before, names))
            assert not made.is_error, made.value
        sent = filled(arguments, names)
        if target.action is not None:
            sent["action"] = target.action
        outcome = world.call(target.tool, sent)
        is_bad = outcome.is_error and outcome.value["code"] in ("invalid_input", "internal")
        assert not is_bad, outcome.value
        sent_file = world.send(outcome.value) if "uploadUrl" in outcome.value else None
        for name, after in found.after:
            world.call(registry().find(name), filled(after, names))
        # What only reads leaves nothing behind but what a model was asked.
        asks = any(word in target.name for word in ("generate", "developer:strata_search"))
        picture = "" if target.tool.reads_only and not asks else world.picture()
        told = [without_echo(outcome.value), sent_file, str(outcome.png)]
        return as_text(told) + picture


def filled(value: Any, names: Names) -> Any:
    """Put the world's names into arguments; one that stands alone keeps its type."""
    if isinstance(value, dict):
        return {key: filled(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, names) for one in value]
    if isinstance(value, str) and "{" in value:
        alone = value[1:-1]
        return names[alone] if value[0] == "{" and alone in names else value.format(**names)
    return value


def without_echo(value: dict[str, Any]) -> dict[str, Any]:
    """Leave out what only repeats the call: that is no effect of a parameter."""
    return {name: one for name, one in value.items() if name not in ("branch", "next", "example")}


def test_every_tool_and_action_has_a_case_and_no_case_is_for_nothing() -> None:
    named = {target.name: {one.name for one in target.parameters} for target in TARGETS}
    lacking = [
        f"{name}: {parameter}"
        for name, parameters in named.items()
        for parameter in sorted(parameters)
        if name not in CASES or parameter not in CASES[name].values
    ]
    assert not lacking, "write a case that shows its effect, or take it away:\n" + "\n".join(
        lacking
    )
    odd = [
        f"{name}: {parameter}"
        for name, found in CASES.items()
        for parameter in found.values
        if parameter not in named.get(name, set())
    ]
    assert not odd, "there is no such parameter:\n" + "\n".join(odd)


@pytest.mark.parametrize(
    ("target", "parameter"), EACH, ids=lambda one: one if isinstance(one, str) else one.name
)
def test_a_parameter_changes_the_answer(target: Target, parameter: str, attempt: Try) -> None:
    found = CASES[target.name]
    value = found.values[parameter]
    usual = value.call if isinstance(value, On) else found.call
    if isinstance(value, Instead):
        assert parameter in value.call
        changed = value.call
    else:
        changed = {**usual, parameter: value.value if isinstance(value, On) else value}
    assert changed != usual
    assert attempt(target, usual) != attempt(target, changed), "it has no effect"


@pytest.mark.parametrize("target", TARGETS, ids=lambda one: one.name)
def test_a_parameter_that_is_not_declared_is_refused(target: Target, db: strata.Workspace) -> None:
    world = World(db, _Silent(), Path())  # pyright: ignore[reportArgumentType]
    known = {one.name for one in target.parameters}
    for name in ("branch", "space", "no_such_thing"):
        if name in known:
            continue
        sent = {**target.tool.example, name: "x"}
        if target.action is not None:
            sent |= {"action": target.action}
        outcome = world.call(target.tool, sent)
        assert outcome.is_error
        assert outcome.value["code"] == "invalid_input"


class _Silent:
    """Stands where nothing is asked."""

    asked: tuple[()] = ()


@pytest.fixture(scope="module")
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as opened:
        yield opened
