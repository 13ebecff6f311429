"""Memories and their links as text for people, and as JSON for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import click

from strata.base.clock import iso
from strata.cli.output import local_time
from strata.cli.show.tables import terminal_width
from strata.cli.show.text import cut, one_line
from strata.decisions import Link, Memory

# How an outcome is told, and its colour.
OUTCOMES = {"SUCCESS": "worked", "FAILED": "failed", "PARTIAL": "worked in part"}
_COLORS = {"SUCCESS": "green", "FAILED": "red", "PARTIAL": "yellow"}
_INDENT = "    "
_NARROWEST = 20


def described(memory: Memory, *, replaced: Sequence[str] = (), **more: object) -> dict[str, object]:
    """Return a memory as JSON, with readable times and whether it still holds."""
    return {
        "id": memory.id, "type": memory.type, "topic": memory.topic, "content": memory.content,
        "outcome": memory.outcome, "is_current": not replaced, "replaced_by": list(replaced),
        "metadata": memory.metadata, "created_at": memory.created_at,
        "created_time": memory.iso_time, "updated_at": memory.updated_at,
        "updated_time": iso(memory.updated_at * 1000), "version": memory.version, **more,
    }  # fmt: skip


def described_link(link: Link, *, now_ms: int) -> dict[str, object]:
    """Return a link as JSON, with its confidence as it was and as it is."""
    return {
        "id": link.id, "from_id": link.from_id, "to_id": link.to_id, "type": link.link_type,
        "relationship": link.relationship, "confidence": link.confidence,
        "confidence_now": round(link.faded(now_ms), 4), "created_by": link.created_by,
        "created_at": link.created_at, "created_time": iso(link.created_at * 1000),
        "is_suggestion": link.is_suggestion, "reason": link.metadata.get("reason"),
        "version": link.version,
    }  # fmt: skip


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


def section(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines under a title; nothing where there are none."""
    found = list(lines)
    return ["", click.style(title, bold=True), *(f"  {line}" for line in found)] if found else []


def paragraph(text: str) -> list[str]:
    """Return a text as its own lines, harmless to the terminal."""
    return [one_line(line) for line in text.splitlines()]


def link_line(link: Link, *, here: str, names: Mapping[str, str], now_ms: int) -> str:
    """Return a link as seen from one of its ends: → leaves it, ← comes to it."""
    first, second = link.reads
    leaves = first == here
    other = second if leaves else first
    sure = f"{link.faded(now_ms):.2f}"
    if sure != f"{link.confidence:.2f}":
        sure += f" of {link.confidence:.2f}"
    told = [link.link_type, sure, link.created_by, *(["suggested"] if link.is_suggestion else [])]
    arrow = "→" if leaves else "←"
    word = one_line(link.relationship)
    details = click.style(f"({', '.join(told)})", dim=True)
    name = fitted(names.get(other, ""), 64)
    return f"{arrow} {word} {click.style(other, fg='yellow')} {name} {details}"


def joined(value: object) -> str:
    """Return a member of the metadata on one line, a list with commas."""
    if isinstance(value, list):
        return ", ".join(one_line(str(item)) for item in cast("list[object]", value))
    return one_line(str(value or ""))
