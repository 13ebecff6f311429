"""Drawing how decisions evolved: in the terminal, as SVG, as Mermaid text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

import strata
from strata.base import limits
from strata.cli.commands.decisions.group import decisions, unknown
from strata.cli.commands.decisions.reading import now_ms
from strata.cli.completion import complete_memories
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.evolution import DecisionNode, DecisionTie, EvolutionPicture, drawn_lines
from strata.cli.show.memories import OUTCOMES, when
from strata.cli.show.mermaid import mermaid
from strata.cli.show.svg import svg
from strata.cli.show.text import cut, one_line
from strata.decisions import Link, Memory

_FILE = click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path)
_NOTE_COLUMNS = 60


@command(
    "graph",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
    strata decisions outcome auth failed --reason "A token leaked"
    strata decisions supersede auth "Passkeys" --because "Nothing to leak"
    strata decisions graph auth
    strata decisions graph --svg decisions.svg
    strata decisions graph auth --mermaid -
    """,
)
@click.argument("name", metavar="[ID|TOPIC]", required=False, shell_complete=complete_memories,
                help="Only the evolution of this; all topics otherwise.")  # fmt: skip
@click.option("--svg", "svg_file", type=_FILE, help="Write a picture; - prints it.")
@click.option("--mermaid", "mermaid_file", type=_FILE, help="Write Mermaid text; - prints it.")
@click.option("--no-links", is_flag=True, help="Leave out links beside the evolution.")
@click.option("-n", "--limit", type=click.IntRange(1, 500), default=50, show_default=True,
              help="How many decisions at most, the newest, without a name.")  # fmt: skip
def graph(
    session: Invocation, *, name: str | None, svg_file: Path | None, mermaid_file: Path | None,
    no_links: bool, limit: int,
) -> None:  # fmt: skip
    """Draw how the decisions on a topic evolved, oldest first.

    ◉ is current, ○ was replaced. A topic with two current decisions is in conflict: branches
    that each decided were merged. Links beside the evolution stand below a decision, with their
    confidence by now.
    """
    with session.reading() as db:
        groups = _one(db, name) if name is not None else _all(db, limit)
        drawer = _Drawer(session, db, with_links=not no_links)
        pictures = [drawer.picture(group) for group in groups]
    files = {
        svg_file: svg(pictures, title=_title(name)),
        mermaid_file: mermaid(pictures),
    }
    written = {path: text for path, text in files.items() if path is not None}
    _finish(session, pictures, written)


def _title(name: str | None) -> str:
    return "Evolution of decisions" if name is None else f"Evolution of {name}"


def _finish(
    session: Invocation, pictures: Sequence[EvolutionPicture], written: dict[Path, str]
) -> None:
    """Write the files, or print: to print two things at once would make neither readable."""
    printed = [text for path, text in written.items() if str(path) == "-"]
    files = [path for path in written if str(path) != "-"]
    for path in files:
        path.write_text(written[path], encoding="utf-8")
    if printed and not session.json:
        click.echo("".join(printed), nl=False)
        return
    lines = [f"wrote {path}" for path in files] or list(drawn_lines(pictures))
    documents = [_document(picture) for picture in pictures]
    answer(
        session, {"pictures": documents}, lines, files=files,
        empty="no decisions here; `strata decisions save` makes one",
    )  # fmt: skip


def _document(picture: EvolutionPicture) -> dict[str, object]:
    places = {place.id: place for place in picture.layout.places}
    return {
        "topic": picture.name, "current": picture.heads, "has_conflict": picture.heads > 1,
        "decisions": [
            {"id": node.id, "content": node.title, "why": node.why, "day": node.day,
             "state": node.state, "outcome": node.outcome or None, "lesson": node.lesson or None,
             "lane": places[node.id].lane, "links": list(node.notes)}
            for node in picture.nodes
        ],
        "grown": [{"older": older, "newer": newer} for older, newer in picture.grown],
    }  # fmt: skip


def _one(db: strata.Workspace, name: str) -> list[list[Memory]]:
    """Return the evolution that an id or a topic belongs to."""
    memory = db.decisions.get(name)
    if memory is not None:
        return [db.decisions.evolution(memory.id)]
    chain = db.decisions.on_topic(name).chain
    if not chain:
        raise unknown(db, name)
    return [list(chain)]


def _all(db: strata.Workspace, limit: int) -> list[list[Memory]]:
    """Return the newest decisions in groups that grew from each other, the newest group first."""
    seen: set[str] = set()
    groups: list[list[Memory]] = []
    for memory in db.decisions.recent(limit=limit, types=("decision",)):
        if memory.id in seen:
            continue
        chain = _whole(db, memory)
        seen |= {one.id for one in chain}
        groups.append(chain)
    return groups


def _whole(db: strata.Workspace, memory: Memory) -> list[Memory]:
    """Return everything on a decision's topic, and what that grew from."""
    chain = {one.id: one for one in db.decisions.evolution(memory.id)}
    if memory.topic is not None:
        chain |= {one.id: one for one in db.decisions.on_topic(memory.topic).chain}
    ordered = sorted(chain.values(), key=lambda one: (one.created_at, one.version))
    return ordered[-limits.CHAIN_MAX :]


class _Drawer:
    """Turns decisions into pictures of them."""

    def __init__(self, session: Invocation, db: strata.Workspace, *, with_links: bool) -> None:
        self._db = db
        self._with_links = with_links
        self._now_ms = now_ms(session)

    def picture(self, group: Sequence[Memory]) -> EvolutionPicture:
        """Return a picture of decisions that belong together."""
        ids = {memory.id for memory in group}
        links = {
            link.id: link
            for memory in group
            for link in self._db.decisions.links(memory.id, suggestions=False)
        }
        own = [one for one in links.values() if one.from_id in ids and one.to_id in ids]
        grown = [one for one in own if one.link_type == "evolution"]
        others = [one for one in links.values() if self._is_told(one) and one not in grown]
        ties = [one for one in others if one.from_id in ids]
        return EvolutionPicture(
            name=next((one.topic for one in reversed(group) if one.topic), "decisions"),
            nodes=tuple(self._node(memory, others) for memory in group),
            grown=tuple((one.to_id, one.from_id) for one in grown),
            ties=tuple(DecisionTie(one.from_id, one.to_id, self._word(one)) for one in ties),
        )

    def _is_told(self, link: Link) -> bool:
        """What was merely saved about the same time says little, and outcomes are told anyway."""
        return (
            self._with_links
            and link.link_type != "temporal"
            and link.relationship != "outcome_of"
        )  # fmt: skip

    def _word(self, link: Link) -> str:
        return f"{link.relationship} {link.faded(self._now_ms):.2f}"

    def _node(self, memory: Memory, links: Iterable[Link]) -> DecisionNode:
        replaced = self._db.decisions.superseded_by(memory.id)
        found = memory.metadata
        lesson = found.get("failure_reason") or found.get("outcome_reason")
        limitation = found.get("limitation")
        told = [str(part) for part in (lesson, limitation) if part]
        return DecisionNode(
            id=memory.id, title=one_line(memory.content), why=one_line(memory.reasoning),
            day=when(memory.created_at)[:10],
            state="replaced" if replaced else "current",
            outcome=OUTCOMES.get(memory.outcome or "", ""), lesson=one_line("; ".join(told)),
            notes=tuple(self._note(memory.id, one) for one in links if _touches(one, memory.id)),
        )  # fmt: skip

    def _note(self, here: str, link: Link) -> str:
        leaves = link.from_id == here
        other = link.to_id if leaves else link.from_id
        found = self._db.decisions.get(other)
        name = other if found is None else cut(one_line(found.content), _NOTE_COLUMNS)
        return f"{'→' if leaves else '←'} {self._word(link)} {name}"


def _touches(link: Link, id_: str) -> bool:
    return id_ in (link.from_id, link.to_id)
