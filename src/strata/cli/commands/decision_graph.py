"""Drawing how decisions evolved: in the terminal, as SVG, as Mermaid text."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import click
import msgspec

from strata.base import limits
from strata.cli.command import Output, Spelling, reads
from strata.cli.completion import complete_memories
from strata.cli.show.evolution import DecisionNode, DecisionTie, EvolutionPicture, drawn_lines
from strata.cli.show.memories import OUTCOMES, when
from strata.cli.show.pictures import mermaid, svg
from strata.cli.show.text import cut, one_line
from strata.cli.words import LIMIT
from strata.decisions import Link, Memory
from strata.workspace import Workspace

_FILE = click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path)
_NOTE_COLUMNS = 60


@reads("graph", takes="branch at")
def graph(
    db: Workspace,
    name: Annotated[
        str | None,
        "Only the evolution of this; all topics otherwise.",
        Spelling("[ID|TOPIC]", complete=complete_memories),
    ] = None,
    *,
    svg_file: Annotated[
        Path | None, "Write a picture; - prints it.", Spelling(flags="--svg", type=_FILE)
    ] = None,
    mermaid_file: Annotated[
        Path | None, "Write Mermaid text; - prints it.", Spelling(flags="--mermaid", type=_FILE)
    ] = None,
    no_links: Annotated[bool, "Leave out links beside the evolution."] = False,
    limit: Annotated[
        int,
        "How many decisions at most, the newest, without a name.",
        LIMIT,
        msgspec.Meta(ge=1, le=500),
    ] = 50,
) -> Output:
    """Draw how the decisions on a topic evolved, oldest first.

    ◉ is current, ○ was replaced. A topic with two current decisions is in conflict: branches
    that each decided were merged. Links beside the evolution are below a decision, with their
    confidence by now.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
        strata decisions outcome auth failed --reason "A token leaked"
        strata decisions supersede auth "Passkeys" --because "Nothing to leak"
        strata decisions graph auth
        strata decisions graph --svg decisions.svg
        strata decisions graph auth --mermaid -
    """
    groups = _all(db, limit) if name is None else [_one(db, name)]
    pictures = [_picture(db, group, with_links=not no_links) for group in groups]
    title = "Evolution of decisions" if name is None else f"Evolution of {name}"
    written: dict[Path, str] = {}
    if svg_file is not None:
        written[svg_file] = svg(pictures, title=title)
    if mermaid_file is not None:
        written[mermaid_file] = mermaid(pictures)
    printed = written.pop(Path("-"), None)
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    lines = [f"wrote {path}" for path in written] or drawn_lines(pictures)
    return Output(
        {"pictures": [_described(picture) for picture in pictures]},
        # To print two things at once would make neither readable.
        lines if printed is None else printed.removesuffix("\n"),
        files=list(written),
        empty="no decisions here; `strata decisions save` makes one",
    )


def _described(picture: EvolutionPicture) -> dict[str, object]:
    places = {place.id: place for place in picture.layout.places}
    return {
        "topic": picture.name,
        "current": picture.heads,
        "has_conflict": picture.heads > 1,
        "decisions": [
            {
                "id": node.id,
                "content": node.title,
                "why": node.why,
                "day": node.day,
                "state": node.state,
                "outcome": node.outcome or None,
                "lesson": node.lesson or None,
                "lane": places[node.id].lane,
                "links": list(node.notes),
            }
            for node in picture.nodes
        ],
        "grown": [{"older": older, "newer": newer} for older, newer in picture.grown],
    }


def _one(db: Workspace, name: str) -> list[Memory]:
    """Return the evolution that an id or a topic belongs to."""
    memory = db.decisions.get(name)
    if memory is not None:
        return db.decisions.evolution(memory.id)
    return list(db.decisions.on_topic(name).chain) or [db.decisions.called(name)]


def _all(db: Workspace, limit: int) -> list[list[Memory]]:
    """Return the newest decisions in groups that grew from each other, the newest group first."""
    seen: set[str] = set()
    groups: list[list[Memory]] = []
    for memory in db.decisions.recent(limit=limit, types=("decision",)):
        if memory.id not in seen:
            groups.append(_whole(db, memory))
            seen |= {one.id for one in groups[-1]}
    return groups


def _whole(db: Workspace, memory: Memory) -> list[Memory]:
    """Return everything on a decision's topic, and what that grew from."""
    chain = {one.id: one for one in db.decisions.evolution(memory.id)}
    if memory.topic is not None:
        chain |= {one.id: one for one in db.decisions.on_topic(memory.topic).chain}
    ordered = sorted(chain.values(), key=lambda one: (one.created_at, one.version))
    return ordered[-limits.CHAIN_MAX :]


def _picture(db: Workspace, group: Sequence[Memory], *, with_links: bool) -> EvolutionPicture:
    """Return a picture of decisions that belong together."""
    ids = {memory.id for memory in group}
    links = {
        link.id: link
        for memory in group
        for link in db.decisions.links(memory.id, suggestions=False)
    }.values()
    grown = [
        one for one in links if one.link_type == "evolution" and {one.from_id, one.to_id} <= ids
    ]
    # What was merely saved about the same time says little, and outcomes are shown anyway.
    others = [
        one
        for one in links
        if with_links
        and one not in grown
        and one.link_type != "temporal"
        and one.relationship != "outcome_of"
    ]
    ties = [one for one in others if one.from_id in ids]
    return EvolutionPicture(
        name=next((one.topic for one in reversed(group) if one.topic), "decisions"),
        nodes=tuple(_node(db, memory, others) for memory in group),
        grown=tuple((one.to_id, one.from_id) for one in grown),
        ties=tuple(DecisionTie(one.from_id, one.to_id, _word(db, one)) for one in ties),
    )


def _node(db: Workspace, memory: Memory, links: Iterable[Link]) -> DecisionNode:
    known = memory.metadata
    lesson = known.get("failure_reason") or known.get("outcome_reason")
    lessons = [str(part) for part in (lesson, known.get("limitation")) if part]
    return DecisionNode(
        id=memory.id,
        title=one_line(memory.content),
        why=one_line(memory.reasoning),
        day=when(memory.created_at)[:10],
        state="replaced" if db.decisions.superseded_by(memory.id) else "current",
        outcome=OUTCOMES.get(memory.outcome or "", ""),
        lesson=one_line("; ".join(lessons)),
        notes=tuple(
            _note(db, memory.id, one) for one in links if memory.id in (one.from_id, one.to_id)
        ),
    )


def _note(db: Workspace, here: str, link: Link) -> str:
    leaves = link.from_id == here
    other = link.to_id if leaves else link.from_id
    found = db.decisions.get(other)
    name = other if found is None else cut(one_line(found.content), _NOTE_COLUMNS)
    return f"{'→' if leaves else '←'} {_word(db, link)} {name}"


def _word(db: Workspace, link: Link) -> str:
    return f"{link.relationship} {db.decisions.faded(link):.2f}"
