"""Links between memories: adding, confirming, removing, listing."""

import click

import strata
from strata.cli.commands.decisions.group import decisions, the_memory
from strata.cli.commands.decisions.reading import now_ms
from strata.cli.completion import complete_links, complete_memories
from strata.cli.decorated import command, group
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.memories import described_link
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.decisions import LINK_TYPES, Link, LinkType

_TYPE = click.Choice(LINK_TYPES)


@group(
    "link",
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save mobile "앱을 만든다" --because "손님이 원한다"
    strata decisions link add auth constrains mobile
    strata decisions link
    """,
)
def link(session: Invocation) -> None:
    """Tie memories together, and look after the ties.

    Alone it lists the links. Links that Strata suggests are not followed until somebody confirms
    them; confidence fades with time, except along the evolution of a decision.
    """
    _list(session, None)


@command(
    "add",
    group=link,
    takes="branch actor allow-secrets",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save mobile "앱을 만든다" --because "손님이 원한다"
    strata decisions link add mobile motivated_by auth --reason "같은 손님"
    """,
)
@click.argument("source", metavar="FROM", shell_complete=complete_memories,
                help="An id or a topic: the newer or dependent end.")  # fmt: skip
@click.argument("relationship", metavar="WORD", help="What ties them, in your words.")
@click.argument("target", metavar="TO", shell_complete=complete_memories,
                help="An id or a topic: the other end.")  # fmt: skip
@click.option("--type", "link_type", type=_TYPE, help="The type, if the word leaves it open.")
@click.option("--reason", help="Why they belong together.")
def add(
    session: Invocation, *, source: str, relationship: str, target: str, link_type: LinkType | None,
    reason: str | None,
) -> None:  # fmt: skip
    """Tie two memories together by a word.

    Reads like a sentence: mobile motivated_by auth. The word decides the type of the link, in
    English or Korean; one that says nothing of the kind makes an association.
    """
    with session.writing() as db:
        ends = the_memory(db, source).id, the_memory(db, target).id
        made = db.decisions.link(*ends, relationship, link_type=link_type, reason=reason)
        _told(session, db, made, done="linked")


@command(
    "confirm",
    group=link,
    takes="branch actor",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions link suggestions
    strata decisions link confirm --all
    """,
)
@click.argument("ids", metavar="[LINK]...", nargs=-1, shell_complete=complete_links,
                help="The id of a link; several may be named.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Every suggestion there is.")
def confirm(session: Invocation, *, ids: tuple[str, ...], everything: bool) -> None:
    """Take suggested links for true.

    From then on they are followed, and never pruned because of their age.
    """
    if not (ids or everything):
        raise click.UsageError("Name a link, or say --all.")
    with session.writing() as db:
        wanted = [found.id for found in _suggestions(db)] if everything else list(ids)
        made = [db.decisions.confirm(one) for one in wanted]
        documents = [described_link(one, now_ms=now_ms(session)) for one in made]
        lines = [_line("confirmed", one) for one in made]
        answer(session, {"links": documents}, lines, empty="there is nothing to confirm")


@command(
    "remove",
    group=link,
    takes="branch actor",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save mobile "앱을 만든다" --because "손님이 원한다"
    strata decisions link add mobile motivated_by auth
    strata decisions link remove mobile auth
    """,
)
@click.argument("name", metavar="LINK|FROM", shell_complete=complete_links,
                help="The id of a link, or the memory at one end.")  # fmt: skip
@click.argument("target", metavar="[TO]", required=False, shell_complete=complete_memories,
                help="The memory at the other end.")  # fmt: skip
def remove(session: Invocation, *, name: str, target: str | None) -> None:
    """Remove a link, or all links from one memory to another.

    History keeps them: `strata undo` brings back the last one.
    """
    with session.writing() as db:
        wanted = [name] if target is None else _between(db, name, target)
        gone = [db.decisions.unlink(id_) for id_ in wanted]
        documents = [described_link(one, now_ms=now_ms(session)) for one in gone]
        lines = [_line("removed", one) for one in gone]
        answer(session, {"links": documents}, lines, branch=db.branch)


def _between(db: strata.Workspace, source: str, target: str) -> list[str]:
    """Return the ids of the links from one memory to another."""
    ends = the_memory(db, source).id, the_memory(db, target).id
    found = [one.id for one in db.decisions.links(ends[0]) if (one.from_id, one.to_id) == ends]
    if not found:
        raise strata.NotFound(
            f"There is no link from {source!r} to {target!r} on branch {db.branch!r}.",
            hint=f"`strata decisions link list {source}` shows the links there are.",
        )
    return found


@command(
    "list",
    group=link,
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
    strata decisions link list auth --type evolution
    """,
)
@click.argument("name", metavar="[ID|TOPIC]", required=False, shell_complete=complete_memories,
                help="Only the links of this memory.")  # fmt: skip
@click.option("--type", "link_type", type=_TYPE, help="Only links of this type.")
def list_links(session: Invocation, *, name: str | None, link_type: LinkType | None) -> None:
    """List links, newest first.

    NOW is the confidence as it has faded by now; WAS is what it was when the link was made.
    """
    _list(session, name, link_type=link_type)


@command(
    "suggestions",
    group=link,
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions link suggestions
    """,
)
def suggestions(session: Invocation) -> None:
    """List links that wait for somebody to confirm them.

    Strata suggests a link where two memories look alike and it is not certain.
    """
    with session.reading() as db:
        _print(session, db, _suggestions(db), empty="no suggestions are waiting")


def _suggestions(db: strata.Workspace) -> list[Link]:
    return [found for found in db.decisions.links() if found.is_suggestion]


def _list(session: Invocation, name: str | None, *, link_type: LinkType | None = None) -> None:
    with session.reading() as db:
        id_ = None if name is None else the_memory(db, name).id
        found = db.decisions.links(id_)
        kept = [one for one in found if link_type in (None, one.link_type)]
        _print(session, db, kept, empty="no links; `strata decisions link add` makes one")


def _print(session: Invocation, db: strata.Workspace, found: list[Link], *, empty: str) -> None:
    moment = now_ms(session)
    headers = ("LINK", "FROM", "WORD", "TO", "TYPE", "NOW", "WAS", "BY")
    rows = [
        (one.id, one.from_id, one_line(one.relationship), one.to_id,
         f"{one.link_type}?" if one.is_suggestion else one.link_type,
         f"{one.faded(moment):.2f}", f"{one.confidence:.2f}", one.created_by)
        for one in found
    ]  # fmt: skip
    documents = [described_link(one, now_ms=moment) for one in found]
    lines = table(headers, rows, right=["NOW", "WAS"])
    answer(session, {"links": documents}, lines, empty=empty, branch=db.branch)


def _told(session: Invocation, db: strata.Workspace, made: Link, *, done: str) -> None:
    document = described_link(made, now_ms=now_ms(session))
    answer(session, document, [_line(done, made)], branch=db.branch)


def _line(done: str, made: Link) -> str:
    word, (first, second) = one_line(made.relationship), made.reads
    return f"{done} {first} {word} {second} ({made.link_type}, {made.id})"


decisions.add_command(link)
