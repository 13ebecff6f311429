"""Making documents and changing their texts: in an editor, by words, from a file."""

import sys
from pathlib import Path
from typing import BinaryIO

import click

import strata
from strata.cli.commands.documents.group import DOCUMENT, doc
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.diffs import filed_lines
from strata.documents import Document, Written


@command(
    "new",
    group=doc,
    takes="branch user actor allow-secrets",
    examples="""
    strata doc new Plan "# Goals"
    strata doc new 회의록 --json
    """,
)
@click.argument("title", help="What it is called.")
@click.argument("text", required=False, help="Its text, in markdown.")
@click.option("--file", "source", type=click.File("rb"),
              help="Take the text from a file; - is the standard input.")  # fmt: skip
@click.option("--edit", is_flag=True, help="Write the text in your editor ($VISUAL or $EDITOR).")
@click.option("--folder", help="Put it into this folder (id or name) instead of your own.")
@click.option("--template", help="Fill in this template (id or title).")
@click.option("--set", "variables", metavar="NAME=VALUE", multiple=True,
              help="A variable of the template; may be repeated.")  # fmt: skip
def new(
    session: Invocation,
    *,
    title: str,
    text: str | None,
    source: BinaryIO | None,
    edit: bool,
    folder: str | None,
    template: str | None,
    variables: tuple[str, ...],
) -> None:
    """Make a document.

    Without a text it is empty. It goes to your own folder, which only you see, unless another
    one is named.
    """
    if sum((text is not None, source is not None, template is not None)) > 1:
        raise click.UsageError("Give the text, --file or --template: one of them.")
    content = _read(source) if source is not None else text or ""
    if edit:
        content = edited(content) or content
    with session.writing(create=True) as db:
        place = None if folder is None else db.folders.require(folder).id
        if template is not None:
            values = dict(_variable(one) for one in variables)
            called = db.documents.called(template)
            made = db.documents.create_from_template(called, title, variables=values, folder=place)
        else:
            made = db.documents.create(title, content, folder=place)
    answer(session, made, [made.document])


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


@command(
    "edit",
    group=doc,
    takes="branch user actor allow-secrets",
    examples="""
    strata doc new Plan "Ship in May"
    strata doc edit Plan --replace May 유월
    strata doc edit Plan --replace 유월 칠월 --all
    """,
)
@DOCUMENT
@click.option("--replace", metavar="OLD NEW", nargs=2,
              help="Replace these words, which must occur once.")  # fmt: skip
@click.option("--all", "everywhere", is_flag=True, help="With --replace: wherever they occur.")
@click.option("--file", "source", type=click.File("rb"),
              help="Replace the whole text by a file's; - is the standard input.")  # fmt: skip
@click.option("--base", type=int, metavar="VERSION",
              help="The version that you have read, if others may have written since.")  # fmt: skip
def edit(
    session: Invocation,
    *,
    name: str,
    replace: tuple[str, str] | None,
    everywhere: bool,
    source: BinaryIO | None,
    base: int | None,
) -> None:
    """Change a document: in your editor, by words, or from a file.

    Without options $VISUAL or $EDITOR opens. What others write meanwhile is kept; where you both
    changed the same words theirs stay, and yours wait as a suggestion.
    """
    if replace is not None and source is not None:
        raise click.UsageError("Give --replace or --file, not both.")
    with session.writing() as db:
        documents, document = db.documents, db.documents.called(name)
        if replace is not None:
            old, new_words = replace
            written = documents.edit(
                document, old, new_words, replace_all=everywhere, base_version=base
            )
        elif source is not None:
            written = documents.write(document, _read(source), base_version=base)
        else:
            written = _in_editor(db, documents.get(document))
    _tell(session, written)


def _in_editor(db: strata.Workspace, found: Document) -> Written:
    """Let a person change the text, and write what they saved over what they read."""
    before = db.documents.text(found.id)
    after = edited(before, name=found.title)
    if after is None or after == before:
        return Written(
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
    """Whether a person can type into an editor."""
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


def _tell(session: Invocation, written: Written) -> None:
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
    answer(session, written, lines)


@command(
    "rename",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Plan
    strata doc rename Plan 계획
    """,
)
@DOCUMENT
@click.argument("title", help="The new title.")
def rename(session: Invocation, *, name: str, title: str) -> None:
    """Give a document another title.

    Links by id stay whole; [[links]] by the old title find it no more, unless it is an alias.
    """
    with session.writing() as db:
        found = db.documents.rename(db.documents.called(name), title)
    answer(session, found, [f"{found.id} is now {found.title!r}"])


@command(
    "trash",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Old
    strata doc trash Old
    strata doc trash Old --undo
    """,
)
@DOCUMENT
@click.option("--undo", is_flag=True, help="Take it out again.")
def trash(session: Invocation, *, name: str, undo: bool) -> None:
    """Put a document into the trash, or take it out.

    It is not found any more, but nothing of it is lost; `strata purge --document` erases.
    """
    with session.writing() as db:
        documents = db.documents
        document = documents.called(name)
        found = documents.untrash(document) if undo else documents.trash(document)
    answer(session, found, [f"{found.id} {found.title!r} is {found.status}"])


@command(
    "attach",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Plan
    printf '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' > dot.svg
    strata doc attach Plan dot.svg
    """,
)
@DOCUMENT
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
                help="An image: PNG, JPEG, GIF, WebP or SVG.")  # fmt: skip
def attach(session: Invocation, *, name: str, file: Path) -> None:
    """Keep an image with a document, and print the markdown that shows it.

    Put that line into the text where the image should stand; agents can look at it then.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        image = db.documents.attach_image(document, file.read_bytes(), name=file.name)
    answer(session, image, [image.markdown])
