"""Documents: reading and writing them, their past, and where they are."""

import sys
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import click
import msgspec

import strata
from strata.access import Audience
from strata.base import limits
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, group, more_notes
from strata.cli.commands.foreign import export_folder, import_folder
from strata.cli.output import local_time, size, with_times
from strata.cli.session import Invocation
from strata.cli.show.changes import filed_lines
from strata.cli.show.links import table_of_links
from strata.cli.show.text import facts, one_line, table
from strata.cli.words import LIMIT, DocumentName, LinkDays, LinkRole, LinkUses, NewUsers, Query
from strata.documents import (
    FILE_TYPES,
    Document,
    DocumentGraph,
    Filters,
    Request,
    Scope,
    Section,
    WriteResult,
    find_section,
    nearest_paths,
    path_name,
    sections,
    tokens,
)
from strata.workspace import Workspace

FoundLimit = Annotated[
    int, "How many at most.", LIMIT, msgspec.Meta(ge=1, le=limits.FIND_ITEMS_MAX)
]

doc = group(
    "doc",
    """Write, read and look after documents.

    Alone it lists the ones that changed last. A document is a page of Markdown that users and
    agents edit together; every edit is a version. Its folder decides who may read it.

        strata doc new Plan "# Goals"
        strata doc edit Plan --replace Goals 목표
        strata doc show Plan
        strata doc history Plan
        strata doc
    """,
    takes="branch at user",
    alone="list",
)
for _command in (import_folder, export_folder):
    doc.add_command(_command)


# Reading.


@doc.reads("list")
def list_documents(
    db: Workspace,
    *,
    folder: Annotated[str | None, "Only what lies in this folder (id or name)."] = None,
    in_space: Annotated[str | None, "Only what is in this Space (id or name)."] = None,
    status: Annotated[
        tuple[Literal["draft", "published", "template", "trashed"], ...],
        "Only these; may be repeated.",
    ] = (),
    owner: Annotated[str | None, 'Only documents of this user: id, email or "me".'] = None,
    since: Annotated[str | None, "Only what changed since then.", Spelling("TIME")] = None,
    next_token: Annotated[
        str | None, "Go on behind the page before.", Spelling("TOKEN", "--next")
    ] = None,
    limit: FoundLimit = 20,
) -> Output:
    """List documents, the one that changed last first.

    Only those that you may read are there; what lies in the trash is shown when asked for.

        strata doc new Plan "# Goals"
        strata doc list
        strata doc list --status trashed --owner me
    """
    scope = Scope()
    if folder is not None:
        scope = Scope("folder", db.folders.require(folder).id)
    elif in_space is not None:
        scope = Scope("space", db.document_spaces.require(in_space).id)
    filters = Filters(status=status, owner=owner, updated_after=since)
    found = db.documents.find(
        Request(intent="list", scope=scope, filters=filters, limit=limit, next_token=next_token)
    )
    rows = [
        (
            item.id,
            item.title,
            item.status or item.type,
            item.folder_name or "",
            size(4 * (item.tokens or 0)),
            local_time(item.updated or 0),
        )
        for item in found.items
    ]
    headers = ("DOCUMENT", "TITLE", "STATUS", "FOLDER", "SIZE", "CHANGED")
    total = found.total or 0
    more = f"{plural(total, 'document')}; --limit and --next show more"
    return Output(
        found,
        table(headers, rows, right=["SIZE"]),
        empty=" ".join(found.hints) or "no documents here; `strata doc new TITLE` makes one",
        notes=[more] if total > len(rows) else [],
    )


@doc.reads("search")
def search(
    db: Workspace,
    words: Query,
    *,
    limit: FoundLimit = 20,
) -> Output:
    """Find documents by words and by meaning.

    Each is shown once, by the section that answers best. When nothing is found, the exit code
    is 1.

        strata doc new 배포 "금요일에는 배포하지 않는다"
        strata doc search 금요일 배포
    """
    found = db.documents.find(Request(query=" ".join(words), limit=limit, token_budget=60))
    lines: list[str] = []
    for item in found.items:
        where = f"  {path_name(item.heading_path)}" if item.heading_path else ""
        lines.append(
            f"{click.style(item.title, bold=True)}{where}  {click.style(item.id, dim=True)}"
        )
        if item.snippet:
            lines.append(f"    {one_line(item.snippet)}")
    nearest = f" Nearest is {one_line(found.nearest)}." if found.nearest else ""
    empty = " ".join(found.hints) + nearest
    return Output(found, lines, empty=empty, code=0 if found.items else 1)


@doc.command_of("show")
def show(
    session: Invocation,
    document: DocumentName,
    *,
    section: Annotated[str | None, 'Only this section: "Goals > 일정".', Spelling("PATH")] = None,
    outline: Annotated[bool, "Only the headings, with the size of each section."] = False,
    info: Annotated[bool, "What is known of it instead of its text."] = False,
    version: Annotated[str | None, "As this version, by number or name, had it."] = None,
) -> Output | None:
    """Print a document's text, byte for byte.

    With --json the text comes with what is known about the document.

        strata doc new Plan "# Goals"
        strata doc show Plan
        strata doc show Plan --section Goals
        strata doc show Plan --outline
        strata doc show Plan --info --json
    """
    with session.reading() as db:
        found = db.documents.get(db.documents.called(document))
        text = db.documents.text(found.id, version=version)
        audience = db.documents.audience(found.id)
    if section is not None:
        text = _section(text, section)
    if session.json:
        return Output(found, text=text, audience=audience)
    if info:
        return Output(found, _info(found, audience))
    if outline:
        return Output(found, _outline(text), empty="it has no headings")
    # The prompt of a shell begins a line of its own; a file gets what is there.
    click.echo(text, nl=sys.stdout.isatty() and not text.endswith("\n"))
    return None


def _section(text: str, wanted: str) -> str:
    known = sections(text)
    found = find_section(known, wanted)
    if not found:
        near = nearest_paths(known, wanted)
        raise strata.NotFound(
            f"There is no section {wanted!r}.",
            hint=f"There is {', '.join(map(repr, near))}." if near else "It has no headings.",
            nearest=near,
        )
    return "".join(text[one.start : one.end] for one in found)


def _info(found: Document, audience: Audience) -> list[str]:
    return facts(
        [
            ("id", found.id),
            ("title", found.title),
            ("status", found.status),
            ("version", str(found.version)),
            ("size", size(found.bytes)),
            ("changed", local_time(found.updated)),
            ("folder", audience.folder_name),
            ("read by", ", ".join(f"{one.name} ({one.role})" for one in audience.people)),
        ]
    )


def _outline(text: str) -> list[str]:
    def indented(section: Section) -> str:
        title = section.title or "(before the first heading)"
        return "  " * max(len(section.path) - 1, 0) + title

    rows = [(indented(one), f"{tokens(text[one.start : one.end]):,}") for one in sections(text)]
    return table(("SECTION", "TOKENS"), rows, right=["TOKENS"])


@doc.reads("graph")
def graph(
    db: Workspace,
    document: DocumentName,
    *,
    depth: Annotated[
        int,
        "How many steps to follow.",
        msgspec.Meta(ge=1, le=limits.DOCUMENT_GRAPH_DEPTH_MAX),
    ] = 2,
    max_nodes: Annotated[
        int,
        "How many documents at most.",
        msgspec.Meta(ge=1, le=limits.DOCUMENT_GRAPH_NODES_MAX),
    ] = 50,
    mermaid: Annotated[bool, "Print it as a Mermaid diagram."] = False,
) -> Output:
    """Show which documents link to which, around one of them.

    Neighbours by meaning are marked as such; they come with vectors (`strata embeddings wait`).

        strata doc new Plan "See [[Budget]]."
        strata doc new Budget 돈
        strata doc graph Plan
    """
    found = db.documents.graph(db.documents.called(document), depth=depth, max_nodes=max_nodes)
    lead = "leads" if found.unresolved == 1 else "lead"
    unresolved = f"{plural(found.unresolved, 'link')} {lead} to no document that you see"
    return Output(
        found,
        _mermaid(found) if mermaid else _drawn(found),
        notes=[unresolved] if found.unresolved else [],
    )


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
    titles = {node.id: node.title.replace('"', "#quot;") for node in found.nodes}
    boxes = [f'    {names[id_]}["{title}"]' for id_, title in titles.items()]
    arrows = [
        f"    {names[one.source]} {'-.->' if one.type == 'semantic' else '-->'} {names[one.target]}"
        for one in found.edges
    ]
    return ["graph LR", *boxes, *arrows]


@doc.reads("who", takes="branch user")
def who(db: Workspace, document: DocumentName) -> Output:
    """Show which users and agents have a document open, and in which section.

    Those that were not seen for 30 seconds are not shown. What is written at the command line
    does not count: it is over at once.

        strata doc new Plan "# Goals"
        strata doc who Plan
    """
    called = db.documents.called(document)
    found = db.presence.list(called)
    people = [{**with_times(one), "entity_type": one.entity_type} for one in found]
    rows = [
        (one.name, one.via or "", one.status, one.section or "", local_time(one.seen))
        for one in found
    ]
    return Output(
        {"document": called, "people": people},
        table(("NAME", "AGENT", "STATUS", "SECTION", "SEEN"), rows),
        empty="no user or agent has this document open now",
    )


# Writing.


@doc.command_of("new", takes="branch user actor allow-secrets")
def new(
    session: Invocation,
    title: Annotated[str, "What it is called."],
    text: Annotated[str | None, "Its text, in markdown."] = None,
    *,
    source: Annotated[
        BinaryIO | None,
        "Take the text from a file; - is the standard input.",
        Spelling(flags="--file", type=click.File("rb")),
    ] = None,
    edit: Annotated[bool, "Write the text in your editor ($VISUAL or $EDITOR)."] = False,
    folder: Annotated[
        str | None, "Put it into this folder (id or name) instead of your own."
    ] = None,
    template: Annotated[str | None, "Fill in this template (id or title)."] = None,
    variables: Annotated[
        tuple[str, ...],
        "A variable of the template; may be repeated.",
        Spelling("NAME=VALUE", "--set"),
    ] = (),
) -> Output:
    """Make a document.

    Without a text it is empty. It goes to your own folder, which only you see, unless another
    one is named.

        strata doc new Plan "# Goals"
        strata doc new 회의록 --json
    """
    if sum((text is not None, source is not None, template is not None)) > 1:
        raise click.UsageError("Give the text, --file or --template: one of them.")
    content = _read(source) if source is not None else text or ""
    if edit:
        content = edited(content) or content
    values = dict(_variable(one) for one in variables)

    def make(db: Workspace) -> Output:
        place = None if folder is None else db.folders.require(folder).id
        if template is None:
            made = db.documents.create(title, content, folder=place)
        else:
            called = db.documents.called(template)
            made = db.documents.create_from_template(called, title, variables=values, folder=place)
        return Output(made, made.document)

    return session.creating(make)


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"{text!r} is no NAME=VALUE.")
    return name, value


def _read(source: BinaryIO) -> str:
    data = source.read()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise strata.InvalidArgument(
            f"{source.name} is no UTF-8 text: byte {error.start} cannot be read.",
            hint="Convert it first, or `strata doc attach` it if it is an image.",
        ) from None


@doc.writes("edit", takes="branch user actor allow-secrets")
def edit(
    db: Workspace,
    document: DocumentName,
    *,
    replace: Annotated[
        tuple[str, str] | None, "Replace these words, which must occur once.", Spelling("OLD NEW")
    ] = None,
    everywhere: Annotated[
        bool, "With --replace: wherever they occur.", Spelling(flags="--all")
    ] = False,
    source: Annotated[
        BinaryIO | None,
        "Replace the whole text by a file's; - is the standard input.",
        Spelling(flags="--file", type=click.File("rb")),
    ] = None,
    base: Annotated[
        int | None,
        "The version that you have read, if others may have written since.",
        Spelling("VERSION"),
    ] = None,
) -> Output:
    """Change a document: in your editor, by words, or from a file.

    Without options $VISUAL or $EDITOR opens. What others write meanwhile is kept; where you both
    changed the same words theirs stay, and yours wait as a suggestion.

        strata doc new Plan "Ship in May"
        strata doc edit Plan --replace May 유월
        strata doc edit Plan --replace 유월 칠월 --all
    """
    if replace is not None and source is not None:
        raise click.UsageError("Give --replace or --file, not both.")
    called = db.documents.called(document)
    if replace is not None:
        written = db.documents.edit(called, *replace, replace_all=everywhere, base_version=base)
    elif source is not None:
        written = db.documents.write(called, _read(source), base_version=base)
    else:
        written = _in_editor(db, db.documents.get(called))
    words = {
        "applied": f"version {written.version}",
        "partly": f"version {written.version}, partly: others changed some of the same words",
        "unchanged": "nothing changed",
        "suggested": "kept as a suggestion: "
        + ("you may suggest here, not edit" if written.proposed else "others changed these words"),
    }
    lines = [f"{written.document} {words[written.status]}", *filed_lines(written.filed)]
    if written.withdrawn:
        lines.append("your earlier suggestion for these words was withdrawn")
    if written.trashed:
        lines.append("it is in the trash: `strata doc trash DOCUMENT --undo` takes it out")
    return Output(written, lines)


def _in_editor(db: Workspace, found: Document) -> WriteResult:
    """Let a user change the text, and write what they saved over what they read."""
    before = db.documents.text(found.id)
    after = edited(before, name=found.title)
    if after is None or after == before:
        return WriteResult(
            document=found.id, title=found.title, version=found.version, status="unchanged"
        )
    try:
        return db.documents.write(found.id, after, base_version=found.version)
    except strata.StrataError as error:
        # Work of half an hour must not go with a temporary file.
        saved = Path(f"{found.id}.rescued.md").absolute()
        saved.write_text(after, encoding="utf-8", newline="")
        error.hint = f"Your text is in {saved}. {error.hint or ''}".strip()
        raise


def has_terminal() -> bool:
    """Whether a user can type into an editor."""
    return sys.stdin.isatty()


def edited(text: str, *, name: str = "document") -> str | None:
    """Open an editor on a text; return what was saved, or None if nothing was."""
    if not has_terminal():
        raise click.UsageError(
            "No editor can be opened without a terminal. Give the text by --file, where - is the"
            " standard input, or change words with `strata doc edit DOCUMENT --replace OLD NEW`."
        )
    safe = "".join(letter if letter.isalnum() else "-" for letter in name)[:40]
    found = click.edit(text, extension=f".{safe}.md", require_save=True)
    if found is None:
        return None
    # Editors end a file with a line feed; a text that had none keeps none.
    is_added = found.endswith("\n") and text and not text.endswith("\n")
    return found[:-1] if is_added else found


@doc.writes("rename", takes="branch user actor")
def rename(
    db: Workspace, document: DocumentName, title: Annotated[str, "The new title."]
) -> Output:
    """Give a document another title.

    Links by id stay whole; [[links]] by the old title find it no more, unless it is an alias.

        strata doc new Plan
        strata doc rename Plan 계획
    """
    found = db.documents.rename(db.documents.called(document), title)
    return Output(found, f"{found.id} is now {found.title!r}")


@doc.writes("trash", takes="branch user actor")
def trash(
    db: Workspace, document: DocumentName, *, undo: Annotated[bool, "Take it out again."] = False
) -> Output:
    """Put a document into the trash, or take it out.

    It is not found any more, but nothing of it is lost; `strata purge --document` erases.

        strata doc new Old
        strata doc trash Old
        strata doc trash Old --undo
    """
    called = db.documents.called(document)
    found = db.documents.untrash(called) if undo else db.documents.trash(called)
    return Output(found, f"{found.id} {found.title!r} is {found.status}")


@doc.writes("attach", takes="branch user actor")
def attach(
    db: Workspace,
    document: DocumentName,
    file: Annotated[
        Path,
        "An image (PNG, JPEG, GIF, WebP or SVG), or a PDF or DOCX file.",
        Spelling(type=click.Path(exists=True, dir_okay=False, path_type=Path)),
    ],
) -> Output:
    """Keep an image or a file with a document, and print its markdown.

    Put that line into the text where it should be; agents can look at an image then. Of a PDF or
    DOCX file it is a link. `strata doc import` makes a document of such a file.

        strata doc new Plan
        printf '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' > dot.svg
        strata doc attach Plan dot.svg
    """
    called = db.documents.called(document)
    if file.suffix.lower() in FILE_TYPES.values():
        kept = db.documents.attach_file(called, file.read_bytes(), name=file.name)
        return Output(kept, kept.markdown)
    image = db.documents.attach_image(called, file.read_bytes(), name=file.name)
    return Output(image, image.markdown)


# The past of a document.


@doc.reads("history")
def history(
    db: Workspace,
    document: DocumentName,
    *,
    limit: Annotated[int, "How many at most.", LIMIT, msgspec.Meta(ge=1)] = 50,
    before: Annotated[int | None, "Only versions before this one.", msgspec.Meta(ge=1)] = None,
) -> Output:
    """List a document's versions, newest first, with who wrote them.

    Every edit, merge and restore is one, and what was typed live without a pause of five
    seconds. An agent that wrote for a user is listed behind their name.

        strata doc new Plan one
        strata doc edit Plan --replace one 하나
        strata doc history Plan
    """
    found = db.documents.history(db.documents.called(document), limit=limit, before=before)
    names = db.users.names()
    rows = [
        (
            one.version,
            local_time(one.timestamp),
            one.operation,
            ", ".join([*(names.get(id_, id_) for id_ in one.authors), *one.via]),
            size(one.bytes),
            one.name or "",
        )
        for one in found
    ]
    headers = ("VERSION", "TIME", "DID", "WHO", "SIZE", "NAME")
    return Output(
        {"versions": found, "more": found.more},
        table(headers, rows, right=["VERSION", "SIZE"]),
        notes=more_notes(found, "--before"),
    )


@doc.reads("diff")
def diff(
    db: Workspace,
    document: DocumentName,
    a: Annotated[str | None, "A version, by number or name; else the last but one."] = None,
    b: Annotated[str | None, "Another version; else the newest."] = None,
) -> Output:
    """Show what changed between two versions, line by line.

    Alone it shows what the last edit did.

        strata doc new Plan one
        strata doc edit Plan --replace one 하나
        strata doc diff Plan
    """
    called = db.documents.called(document)
    if a is None:
        a = str(db.documents.history(called, limit=2)[-1].version)
    text = db.documents.diff(called, a, b)
    colors = {"+": "green", "-": "red", "@": "cyan"}
    lines = [
        click.style(line, fg=colors[line[0]]) if line[:1] in colors else line
        for line in text.splitlines()
    ]
    return Output({"diff": text}, lines, empty="nothing differs")


@doc.reads("blame")
def blame(db: Workspace, document: DocumentName) -> Output:
    """Show who last wrote something of each line.

    Lines that came by a merge name their authors on the branch.

        strata doc new Plan one
        strata doc blame Plan
    """
    found = db.documents.blame(db.documents.called(document))
    names = db.users.names()
    rows = [
        (
            one.via or names.get(one.author, one.author),
            local_time(one.timestamp),
            one.text.rstrip("\n"),
        )
        for one in found
    ]
    return Output({"lines": found}, table(("WHO", "TIME", "LINE"), rows))


@doc.writes("restore", takes="branch user actor")
def restore(
    db: Workspace,
    document: DocumentName,
    version: Annotated[str, "The version to bring back, by number or name."],
) -> Output:
    """Bring back the text of a version, as a new one.

    What came between stays in the history; comments and links follow the words that stay.

        strata doc new Plan one
        strata doc name Plan first
        strata doc edit Plan --replace one two
        strata doc restore Plan first
    """
    written = db.documents.restore(db.documents.called(document), version)
    done = f"version {written.version}" if written.status == "applied" else "nothing changed"
    return Output(written, f"{written.document} {done}")


@doc.writes("name", takes="branch user actor")
def name_version(
    db: Workspace,
    document: DocumentName,
    label: Annotated[str, "What to call it.", Spelling("NAME")],
    *,
    version: Annotated[int | None, "Which one; else the newest."] = None,
) -> Output:
    """Name a version, so that it can be found and is kept.

    Wherever a command takes a version, its name will do; retention leaves it alone.

        strata doc new Plan one
        strata doc name Plan "초안 1"
    """
    number = db.documents.name_version(db.documents.called(document), label, version)
    return Output({"version": number, "name": label}, f"version {number} is {label!r}")


# Where a document is, and who may read it.


@doc.writes("move", takes="branch user actor")
def move(
    db: Workspace,
    document: DocumentName,
    folder: Annotated[str, "The folder, by id or name."],
) -> Output:
    """Put a document into another folder, which decides who may read it.

    It counts at once, on every branch and for all of its past.

        strata doc new Plan
        strata folder add Archive
        strata doc move Plan Archive
    """
    called = db.documents.called(document)
    return _readers(db.documents.move(called, db.folders.require(folder).id))


@doc.command_of("share", takes="branch user actor")
def share(
    session: Invocation,
    document: DocumentName,
    email: Annotated[str | None, "The user; without one, its readers are shown."] = None,
    *,
    role: Annotated[Literal["viewer", "commenter", "editor"], "What they may do."] = "viewer",
    remove: Annotated[bool, "Take the share back."] = False,
) -> Output:
    """Share a document with a user, or take a share back.

    Those that are not in the workspace yet are invited, and see it as soon as they are added.

        strata doc new Plan
        strata doc share Plan ann@example.com --role commenter
        strata doc share Plan
    """
    with session.reading() if email is None else session.writing() as db:
        called = db.documents.called(document)
        if email is None:
            return _readers(db.documents.audience(called))
        if remove:
            return _readers(db.documents.unshare(called, email))
        return _readers(db.documents.share(called, email, role)[1])


@doc.writes("invite", takes="user")
def invite(
    db: Workspace,
    document: DocumentName,
    *,
    role: LinkRole = "viewer",
    days: LinkDays = limits.SHARE_LINK_DAYS,
    uses: LinkUses = 1,
    new_users: NewUsers = False,
    open_: Annotated[
        bool,
        "All users who have the link, until it is taken back; viewers or commenters.",
        Spelling(flags="--open"),
    ] = False,
) -> Output:
    """Make a link that lets others into a document.

    It prints the address below that of the server; the store keeps only a hash of it, so that it
    is not shown again. What an invitation gave stays; with --open it ends with the link.

        strata doc new Plan
        strata doc invite Plan --role editor --days 3 --uses 5
        strata doc invite Plan --open
        strata doc links Plan
    """
    called, links = db.documents.called(document), db.share_links
    made = (
        links.open(called, role)
        if open_
        else links.invite(called, role, days=days, uses=uses, newcomers=new_users)
    )
    return Output({"link": made.link, "path": made.path}, made.path)


@doc.reads("links", takes="user")
def links(db: Workspace, document: DocumentName) -> Output:
    """List the links that let others into a document, ended ones too.

    Their addresses are not kept.

        strata doc new Plan
        strata doc invite Plan --uses 5
        strata doc links Plan
    """
    return table_of_links(db.share_links.of(db.documents.called(document)), "this document")


@doc.writes("unlink", takes="user")
def unlink(
    db: Workspace,
    link: Annotated[str, "Its id, which `strata doc links` lists.", Spelling("LINK")],
) -> Output:
    """Take a link back that lets others into a document.

    Who reads the document by its open link no longer does; what an invitation gave stays.

        strata doc new Plan
        strata doc invite Plan --open
        strata doc unlink $(strata doc links Plan --json | jq -r .links[0].id)
    """
    gone = db.share_links.revoke(link)
    return Output({"link": gone}, f"{gone.id} is taken back")


def _readers(audience: Audience) -> Output:
    people = [f"{one.name} <{one.email}> as {one.role}" for one in audience.people]
    people += [f"{one.email} as {one.role}, invited" for one in audience.pending]
    lines = facts([("folder", audience.folder_name), *(("read by", one) for one in people)])
    return Output({"audience": audience}, lines)
