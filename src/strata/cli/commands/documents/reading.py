"""Reading documents: lists, one with its sections, searches, and what is linked to what."""

import sys

import click

from strata.base import limits
from strata.base.errors import NotFound
from strata.cli.commands.documents.group import DOCUMENT, doc, show_listed
from strata.cli.decorated import command
from strata.cli.output import answer, local_time, size
from strata.cli.session import Invocation, say
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line
from strata.documents import (
    DocumentGraph,
    Filters,
    Request,
    Scope,
    Section,
    find_section,
    nearest_paths,
    path_name,
    sections,
    tokens,
)

_STATUS = click.Choice(["draft", "published", "template", "trashed"])
_LIMIT = click.option("-n", "--limit", type=click.IntRange(1, limits.FIND_ITEMS_MAX), default=20,
                      show_default=True, help="How many at most.")  # fmt: skip


@command(
    "list",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan "# Goals"
    strata doc list
    strata doc list --status trashed --owner me
    """,
)
@click.option("--folder", help="Only what lies in this folder (id or name).")
@click.option("--in-space", help="Only what is in this Space (id or name).")
@click.option("--status", type=_STATUS, multiple=True, help="Only these; may be repeated.")
@click.option("--owner", help='Only documents of this user: id, email or "me".')
@click.option("--since", metavar="TIME", help="Only what changed since then.")
@click.option("--next", "next_token", metavar="TOKEN", help="Go on behind the page before.")
@_LIMIT
def list_documents(
    session: Invocation,
    *,
    folder: str | None,
    in_space: str | None,
    status: tuple[str, ...],
    owner: str | None,
    since: str | None,
    next_token: str | None,
    limit: int,
) -> None:
    """List documents, the one that changed last first.

    Only those that you may read are there; what lies in the trash is shown when asked for.
    """
    scope = Scope()
    if folder is not None or in_space is not None:
        with session.reading() as db:
            scope = (
                Scope("folder", db.folders.require(folder).id)
                if folder is not None
                else Scope("space", db.document_spaces.require(in_space or "").id)
            )
    filters = Filters(status=status, owner=owner, updated_after=since)  # pyright: ignore[reportArgumentType]
    request = Request(
        intent="list", scope=scope, filters=filters, limit=limit, next_token=next_token
    )
    show_listed(session, request)


@command(
    "search",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new 배포 "금요일에는 배포하지 않는다"
    strata doc search 금요일 배포
    """,
)
@click.argument("words", metavar="QUERY...", nargs=-1, required=True,
                help="What to look for, in any language; quotes are not needed.")  # fmt: skip
@_LIMIT
def search(session: Invocation, *, words: tuple[str, ...], limit: int) -> None:
    """Find documents by words and by meaning.

    Each is shown once, by the section that answers best.
    """
    with session.reading() as db:
        found = db.documents.find(Request(query=" ".join(words), limit=limit, token_budget=60))
    lines: list[str] = []
    for item in found.items:
        where = f"  {path_name(item.heading_path)}" if item.heading_path else ""
        lines += [f"{click.style(item.title, bold=True)}{where}  {click.style(item.id, dim=True)}"]
        lines += [f"    {one_line(item.snippet)}"] if item.snippet else []
    answer(session, found, lines, empty=" ".join(found.hints))


@command(
    "show",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan "# Goals"
    strata doc show Plan
    strata doc show Plan --section Goals
    strata doc show Plan --outline
    strata doc show Plan --info --json
    """,
)
@DOCUMENT
@click.option("--section", "wanted", metavar="PATH", help='Only this section: "Goals > 일정".')
@click.option("--outline", is_flag=True, help="Only the headings, with the size of each section.")
@click.option("--info", is_flag=True, help="What is known of it instead of its text.")
@click.option("--version", help="As this version, by number or name, had it.")
def show(
    session: Invocation,
    *,
    name: str,
    wanted: str | None,
    outline: bool,
    info: bool,
    version: str | None,
) -> None:
    """Print a document's text, byte for byte.

    With --json the text comes with what is known about the document.
    """
    with session.reading() as db:
        found = db.documents.get(db.documents.called(name))
        text = db.documents.text(found.id, version=version)
        audience = db.documents.audience(found.id)
    if wanted is not None:
        text = _section(text, wanted)
    if info and not session.json:
        pairs = [
            ("id", found.id), ("title", found.title), ("status", found.status),
            ("version", str(found.version)), ("size", size(found.bytes)),
            ("changed", local_time(found.updated)), ("folder", audience.folder_name),
            ("read by", ", ".join(f"{one.name} ({one.role})" for one in audience.people)),
        ]  # fmt: skip
        answer(session, None, facts(pairs))
    elif outline and not session.json:
        answer(session, None, _outline(text), empty="it has no headings")
    elif session.json:
        answer(session, found, text=text, audience=audience)
    else:
        # The prompt of a shell begins a line of its own; a file gets what is there.
        click.echo(text, nl=sys.stdout.isatty() and not text.endswith("\n"))


def _section(text: str, wanted: str) -> str:
    known = sections(text)
    found = find_section(known, wanted)
    if not found:
        near = nearest_paths(known, wanted)
        raise NotFound(
            f"There is no section {wanted!r}.",
            hint=f"There is {', '.join(map(repr, near))}." if near else "It has no headings.",
            nearest=near,
        )
    return "".join(text[one.start : one.end] for one in found)


def _outline(text: str) -> list[str]:
    rows = [(_indented(one), f"{tokens(text[one.start : one.end]):,}") for one in sections(text)]
    return table(("SECTION", "TOKENS"), rows, right=["TOKENS"])


def _indented(section: Section) -> str:
    return f"{'  ' * max(len(section.path) - 1, 0)}{section.title or '(before the first heading)'}"


@command(
    "graph",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan "See [[Budget]]."
    strata doc new Budget 돈
    strata doc graph Plan
    """,
)
@DOCUMENT
@click.option("--depth", type=click.IntRange(1, limits.DOCUMENT_GRAPH_DEPTH_MAX), default=2,
              show_default=True, help="How many steps to follow.")  # fmt: skip
@click.option("--max-nodes", type=click.IntRange(1, limits.DOCUMENT_GRAPH_NODES_MAX), default=50,
              show_default=True, help="How many documents at most.")  # fmt: skip
@click.option("--mermaid", is_flag=True, help="Print it as a Mermaid diagram.")
def graph(session: Invocation, *, name: str, depth: int, max_nodes: int, mermaid: bool) -> None:
    """Show which documents link to which, around one of them.

    Neighbours by meaning are marked as such; they come with vectors (`strata embeddings wait`).
    """
    with session.reading() as db:
        found = db.documents.graph(db.documents.called(name), depth=depth, max_nodes=max_nodes)
    answer(session, found, _mermaid(found) if mermaid else _drawn(found))
    if not session.json and found.unresolved:
        say(f"{found.unresolved:,} links lead to no document that you see")


def _drawn(found: DocumentGraph) -> list[str]:
    titles = {node.id: node.title for node in found.nodes}
    lines: list[str] = []
    for node in found.nodes:
        lines.append(f"{click.style(node.title, bold=True)}  {click.style(node.id, dim=True)}")
        lines += [
            f"    {'~' if edge.type == 'semantic' else '→'} {titles[edge.target]}  ({edge.type})"
            for edge in found.edges
            if edge.source == node.id
        ]
    return lines


def _mermaid(found: DocumentGraph) -> list[str]:
    names = {node.id: f"d{at}" for at, node in enumerate(found.nodes)}
    quoted = {node.id: node.title.replace('"', "#quot;") for node in found.nodes}
    lines = ["graph LR", *(f'    {names[id_]}["{title}"]' for id_, title in quoted.items())]
    arrows = {"semantic": "-.->"}
    return lines + [
        f"    {names[edge.source]} {arrows.get(edge.type, '-->')} {names[edge.target]}"
        for edge in found.edges
    ]
