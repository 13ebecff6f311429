"""Workspaces spread over several nodes with Citus: other forms of statements, and other tables.

A workspace lies on one node, because every table is divided by `ws`. A statement that is limited to
it runs there as it is. One that inserts what another part of it has numbered does not: it would be
taken apart by the coordinator and committed on all nodes. Those have a form of several statements,
which travel together.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from strata.sql.queries import load, postgres_form, statements

_FOLDER = Path(__file__).parent.parent / "statements" / "distributed"
_THEN = re.compile(r"^-- then$", re.MULTILINE)
_NUMBER = re.compile(r"\?(\d+)")


class Step(NamedTuple):
    """One statement of several, and which values of the whole it takes, the workspace last."""

    statement: str
    takes: tuple[int, ...]

    def values(self, given: Sequence[Any]) -> tuple[Any, ...]:
        """Return its own values of those that were given, whose last one is the workspace."""
        return (*(given[at - 1] for at in self.takes), given[-1])


@cache
def steps() -> Mapping[str, tuple[Step, ...]]:
    """Return the statements that take the place of one, by the text of that one."""
    queries = load("postgres")
    found = {
        name: body
        for path in sorted(_FOLDER.glob("*.sql"))
        for name, body in named_steps(path.read_text(encoding="utf-8")).items()
    }
    return {getattr(queries, name): tuple(map(_step, body)) for name, body in found.items()}


def named_steps(text: str) -> dict[str, list[str]]:
    """Return the statements of each name of a text, as they are written."""
    found: dict[str, list[str]] = {}
    for part in f"\n{text}".split("\n-- name: ")[1:]:
        name, _end, body = part.partition("\n")
        written = [f"-- name: {name}\n{one.strip()}\n" for one in _THEN.split(body)]
        found[name] = [statements(one)[name] for one in written]
    return found


def _step(text: str) -> Step:
    """Number the parameters of a statement from 1 on."""
    takes = sorted({int(number) for number in _NUMBER.findall(text)})
    renumbered = _NUMBER.sub(lambda found: f"?{takes.index(int(found[1])) + 1}", text)
    return Step(postgres_form(renumbered), tuple(takes))
