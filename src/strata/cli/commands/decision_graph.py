"""The graph of memories: links between them, and drawing how decisions evolved."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import click
import msgspec

import strata
from strata.base import limits
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, group, reads, writes
from strata.cli.completion import complete_links, complete_memories
from strata.cli.session import Invocation
from strata.cli.show.evolution import DecisionNode, DecisionTie, EvolutionPicture, drawn_lines
from strata.cli.show.memories import OUTCOMES, described_links, when
from strata.cli.show.pictures import mermaid, svg
from strata.cli.show.progress import progress
from strata.cli.show.text import cut, one_line, table
from strata.cli.words import LIMIT
from strata.decisions import Link, LinkType, Memory, Rule
from strata.workspace import Workspace

link = group(
    "link",
    """Tie memories together, and look after the ties.

    Alone it lists the links. Links that Strata suggests are not followed until a user confirms
    them; confidence fades with time, except along the evolution of a decision.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save mobile "앱을 만든다" --because "손님이 원한다"
        strata decisions link add auth constrains mobile
        strata decisions link
    """,
    takes="branch at",
    alone="list",
)


@link.writes("add", takes="branch actor allow-secrets")
def add(
    db: Workspace,
    source: Annotated[
        str,
        "An id or a topic: the newer or dependent end.",
        Spelling("FROM", complete=complete_memories),
    ],
    relationship: Annotated[str, "What ties them, in your words.", Spelling("WORD")],
    target: Annotated[
        str, "An id or a topic: the other end.", Spelling("TO", complete=complete_memories)
    ],
    *,
    link_type: Annotated[
        LinkType | None, "The type, if the word leaves it open.", Spelling(flags="--type")
    ] = None,
    reason: Annotated[str | None, "Why they belong together."] = None,
) -> Output:
    """Tie two memories together by a word.

    Reads like a sentence: mobile motivated_by auth. The word decides the type of the link, in
    English or Korean; one that says nothing of the kind makes an association.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save mobile "앱을 만든다" --because "손님이 원한다"
        strata decisions link add mobile motivated_by auth --reason "같은 손님"
    """
    ends = db.decisions.called(source).id, db.decisions.called(target).id
    made = db.decisions.link(*ends, relationship, link_type=link_type, reason=reason)
    [document] = described_links(db, [made])
    return Output(document, _line("linked", made), branch=db.branch)


@link.writes("confirm", takes="branch actor")
def confirm(
    db: Workspace,
    ids: Annotated[
        tuple[str, ...],
        "The id of a link; several may be named.",
        Spelling("[LINK]...", complete=complete_links),
    ] = (),
    *,
    everything: Annotated[bool, "Every suggestion there is.", Spelling(flags="--all")] = False,
) -> Output:
    """Take suggested links for true.

    From then on they are followed, and never pruned because of their age.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions link suggestions
        strata decisions link confirm --all
    """
    if not (ids or everything):
        raise click.UsageError("Name a link, or say --all.")
    wanted = [one.id for one in _suggestions(db)] if everything else ids
    made = [db.decisions.confirm(one) for one in wanted]
    return Output(
        {"links": described_links(db, made)},
        [_line("confirmed", one) for one in made],
        empty="there is nothing to confirm",
    )


@link.writes("remove", takes="branch actor")
def remove(
    db: Workspace,
    name: Annotated[
        str,
        "The id of a link, or the memory at one end.",
        Spelling("LINK|FROM", complete=complete_links),
    ],
    target: Annotated[
        str | None, "The memory at the other end.", Spelling("[TO]", complete=complete_memories)
    ] = None,
) -> Output:
    """Remove a link, or all links from one memory to another.

    History keeps them: `strata undo` brings back the last one.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save mobile "앱을 만든다" --because "손님이 원한다"
        strata decisions link add mobile motivated_by auth
        strata decisions link remove mobile auth
    """
    wanted = [name] if target is None else _between(db, name, target)
    gone = [db.decisions.unlink(id_) for id_ in wanted]
    lines = [_line("removed", one) for one in gone]
    return Output({"links": described_links(db, gone)}, lines, branch=db.branch)


def _between(db: Workspace, source: str, target: str) -> list[str]:
    """Return the ids of the links from one memory to another."""
    ends = db.decisions.called(source).id, db.decisions.called(target).id
    found = [one.id for one in db.decisions.links(ends[0]) if (one.from_id, one.to_id) == ends]
    if not found:
        raise strata.NotFound(
            f"There is no link from {source!r} to {target!r} on branch {db.branch!r}.",
            hint=f"`strata decisions link list {source}` shows the links there are.",
        )
    return found


def _line(done: str, made: Link) -> str:
    word, (first, second) = one_line(made.relationship), made.reads
    return f"{done} {first} {word} {second} ({made.link_type}, {made.id})"


@link.reads("list")
def list_links(
    db: Workspace,
    name: Annotated[
        str | None,
        "Only the links of this memory.",
        Spelling("[ID|TOPIC]", complete=complete_memories),
    ] = None,
    *,
    link_type: Annotated[
        LinkType | None, "Only links of this type.", Spelling(flags="--type")
    ] = None,
) -> Output:
    """List links, newest first.

    NOW is the confidence as it has faded by now; WAS is what it was when the link was made.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
        strata decisions link list auth --type evolution
    """
    found = db.decisions.links(None if name is None else db.decisions.called(name).id)
    kept = [one for one in found if link_type in (None, one.link_type)]
    return _listed(db, kept, empty="no links; `strata decisions link add` makes one")


@link.reads("suggestions")
def suggestions(db: Workspace) -> Output:
    """List links that wait for a user to confirm them.

    Strata suggests a link where two memories look alike and it is not certain.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions link suggestions
    """
    return _listed(db, _suggestions(db), empty="no suggestions are waiting")


def _suggestions(db: Workspace) -> list[Link]:
    return [found for found in db.decisions.links() if found.is_suggestion]


def _listed(db: Workspace, found: list[Link], *, empty: str) -> Output:
    rows = [
        (
            one.id,
            one.from_id,
            one.relationship,
            one.to_id,
            f"{one.link_type}?" if one.is_suggestion else one.link_type,
            f"{db.decisions.faded(one):.2f}",
            f"{one.confidence:.2f}",
            one.created_by,
        )
        for one in found
    ]
    headers = ("LINK", "FROM", "WORD", "TO", "TYPE", "NOW", "WAS", "BY")
    lines = table(headers, rows, right=["NOW", "WAS"])
    return Output({"links": described_links(db, found)}, lines, empty=empty, branch=db.branch)


@command("prune", takes="branch")
def prune(
    session: Invocation,
    *,
    preview: Annotated[bool, "Show what would be removed, remove nothing."] = False,
) -> Output:
    """Remove automatic links that have faded.

    Links that a user or a model named stay, whatever their age. A server does this once a week;
    `strata undo --actor system` brings back what it removed last.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions prune --preview
        strata decisions prune
    """
    if preview:
        with session.reading() as db:
            return _pruned(db, db.decisions.prune(preview=True).links, "would be removed")
    with session.writing() as db, progress("prune"):
        return _pruned(db, db.decisions.prune().links, "removed")


def _pruned(db: Workspace, found: Sequence[Link], done: str) -> Output:
    rows = [
        (
            one.id,
            one.link_type,
            one.relationship,
            f"{db.decisions.faded(one):.2f}",
            one.from_id,
            one.to_id,
        )
        for one in found
    ]
    return Output(
        {"links": described_links(db, found)},
        table(("LINK", "TYPE", "WORD", "NOW", "FROM", "TO"), rows, right=["NOW"]),
        notes=[f"{plural(len(found), 'link')} {done}"],
        count=len(found),
    )


@writes("relink", takes="branch")
def relink(
    db: Workspace,
    *,
    rule: Annotated[Rule | None, "Another rule than is set.", Spelling(flags="--linking")] = None,
) -> Output:
    """Link memories by meaning now, as far as their vectors are made.

    Servers do it in the background. What looks alike without being certain becomes a suggestion:
    `strata decisions link suggestions` lists them.

        strata decisions save cache "Cache prices" --because "Speed"
        strata decisions save latency "Answer within 100 ms" --because "Speed"
        strata embeddings wait
        strata decisions relink
    """
    with progress("relink") as report:
        found = db.decisions.relink(rule=rule, progress=report)
    made = f"{plural(found.links, 'link')} and {plural(found.suggestions, 'suggestion')} made"
    waiting = f"{found.waiting:,} wait for their vectors: `strata embeddings wait`"
    return Output(
        found,
        f"{plural(found.memories, 'memory')} looked at, {made}",
        notes=[waiting] if found.waiting else [],
    )


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
