"""Memories and their links as text for people, and as JSON for programs."""

from collections.abc import Iterable, Iterator, Sequence

import click

from strata.base.clock import iso
from strata.cli.output import local_time
from strata.cli.show.text import cut, one_line, terminal_width
from strata.decisions import Link, Memory
from strata.workspace import Workspace

# The word for an outcome, and its colour.
OUTCOMES = {"SUCCESS": "worked", "FAILED": "failed", "PARTIAL": "worked in part"}
_COLORS = {"SUCCESS": "green", "FAILED": "red", "PARTIAL": "yellow"}
_INDENT = "    "
_NARROWEST = 20


def described(memory: Memory, *, replaced: Sequence[str] = (), **more: object) -> dict[str, object]:
    """Return a memory as JSON, with readable times and whether it still holds."""
    return {
        "id": memory.id,
        "type": memory.type,
        "topic": memory.topic,
        "content": memory.content,
        "outcome": memory.outcome,
        "is_current": not replaced,
        "replaced_by": list(replaced),
        "metadata": memory.metadata,
        "created_at": memory.created_at,
        "created_time": memory.iso_time,
        "updated_at": memory.updated_at,
        "updated_time": iso(memory.updated_at * 1000),
        "version": memory.version,
        **more,
    }


def described_links(db: Workspace, links: Iterable[Link]) -> list[dict[str, object]]:
    """Return links as JSON, with their confidence as it was and as it is."""
    return [
        {
            "id": link.id,
            "from_id": link.from_id,
            "to_id": link.to_id,
            "type": link.link_type,
            "relationship": link.relationship,
            "confidence": link.confidence,
            "confidence_now": round(db.decisions.faded(link), 4),
            "created_by": link.created_by,
            "created_at": link.created_at,
            "created_time": iso(link.created_at * 1000),
            "is_suggestion": link.is_suggestion,
            "reason": link.metadata.get("reason"),
            "version": link.version,
        }
        for link in links
    ]


def when(ms: int) -> str:
    """Spell a time to the minute."""
    return local_time(ms * 1000)[:16]


def states(memory: Memory, *, replaced: Sequence[str]) -> list[str]:
    """Return the marks of a memory: whether a decision holds, and how it turned out."""
    if memory.type != "decision":
        return []
    holds = click.style("replaced", dim=True) if replaced else click.style("current", fg="green")
    outcome = memory.outcome or ""
    told = OUTCOMES.get(outcome)
    return [holds, click.style(told, fg=_COLORS[outcome])] if told else [holds]


def listed(memory: Memory, *, replaced: Sequence[str], note: str = "") -> Iterator[str]:
    """Yield a memory as two lines: what it is, and what it says."""
    parts = [click.style(memory.id, fg="yellow")]
    if memory.topic:
        parts.append(click.style(one_line(memory.topic), bold=True))
    parts.append(click.style(when(memory.created_at), dim=True))
    marks = [*states(memory, replaced=replaced), *([note] if note else [])]
    yield "  ".join([*parts, ", ".join(marks)]).rstrip()
    yield _INDENT + fitted(memory.content, len(_INDENT))


def fitted(text: str, used: int) -> str:
    """Return a text on one line, cut where the terminal ends."""
    columns = terminal_width()
    shown = one_line(text)
    return shown if columns is None else cut(shown, max(columns - used, _NARROWEST))
