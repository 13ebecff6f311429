"""Links between memories: adding, confirming, removing, listing, and care of all of them."""

from collections.abc import Sequence
from typing import Annotated

import click

import strata
from strata.cli.command import Output, Spelling, command, group, writes
from strata.cli.completion import complete_links, complete_memories
from strata.cli.output import plural
from strata.cli.session import Invocation
from strata.cli.show.memories import described_links
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line, table
from strata.decisions import Link, LinkType, Rule
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
            one_line(one.relationship),
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
            one_line(one.relationship),
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
        f"{found.memories:,} memories looked at, {made}",
        notes=[waiting] if found.waiting else [],
    )
