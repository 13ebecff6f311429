"""Folders of markdown, such as Obsidian's vaults, in and out."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated

import click

from strata.cli.command import Output, Spelling, command, reads
from strata.cli.output import plural
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.exchange import Skipped, VaultReport, export_vault, import_vault
from strata.workspace import Workspace

_SHOWN = 20
_NAMED = 5
# What a report counts, and how it is said.
_IMPORTED = {
    "created": "new",
    "changed": "changed in the folder",
    "moved": "moved or renamed",
    "merged": "changed on both sides and merged",
    "kept": "changed here only, kept",
    "unchanged": "unchanged",
    "trashed": "gone from the folder, put into the trash",
    "as_files": "kept as files: no UTF-8, or too long",
}
_EXPORTED = {"created": "written", "changed": "written over", "unchanged": "there already"}


@command("import", takes="branch user actor allow-secrets")
def import_folder(
    session: Invocation,
    source: Annotated[
        Path,
        "The folder of markdown files.",
        Spelling(type=click.Path(exists=True, file_okay=False, path_type=Path)),
    ],
    *,
    folder: Annotated[
        str | None, "Put them below this folder (id or name) instead of your own."
    ] = None,
    delete: Annotated[
        bool, "Put into the trash what an earlier import brought and is gone from the folder."
    ] = False,
    preview: Annotated[bool, "Show what would be done to what, do nothing."] = False,
) -> Output:
    r"""Take in a folder of markdown: an Obsidian vault, or any other.

    Folders become folders, notes become documents, images and other files come along, and
    [[links]] work. Doing it again takes in only what has changed: what was changed here too is
    merged, what was moved or renamed there is moved here, and what is gone stays until --delete.

        mkdir notes && printf '# Plan\n\nSee [[Budget]].\n' > notes/Plan.md
        printf '돈\n' > notes/Budget.md
        strata doc import notes
        strata doc import notes --delete --preview
    """
    with session.writing(create=True) as db, progress("import") as report:
        place = None if folder is None else db.folders.require(folder).id
        found = import_vault(
            db, source, folder=place, preview=preview, delete=delete, progress=report
        )
    lines = _summary(found, _IMPORTED)
    if preview:
        lines += [*_details(found), "Nothing was written: this is a preview."]
    return Output(found, lines, notes=_import_notes(found, is_deleting=delete))


@reads("export", takes="branch at user")
def export_folder(
    db: Workspace,
    target: Annotated[Path, "The folder to write to."],
    *,
    folder: Annotated[str | None, "Only what lies in this folder (id or name), and below."] = None,
    force: Annotated[bool, "Write over files that are there already."] = False,
    plain: Annotated[bool, "Write the files alone, without .strata-export.json."] = False,
    skip_damaged: Annotated[
        bool, "Write what can be read and list what cannot; then the code is 1."
    ] = False,
) -> Output:
    """Write documents as a folder of markdown files.

    What came from a folder goes back byte for byte, under the names it had. Images that were
    attached here are written to a folder `attachments`, and `strata doc import` of the target
    brings everything back: here to the same documents, elsewhere to new ones.

        strata doc new Plan "# Goals"
        strata doc export copy
    """
    with progress("export") as report:
        found = export_vault(
            db,
            target,
            folder=None if folder is None else db.folders.require(folder).id,
            force=force,
            plain=plain,
            skip_damaged=skip_damaged,
            progress=report,
        )
    renamed = [f"under another name than it came with: {path}" for path in found.renamed[:_SHOWN]]
    return Output(
        found,
        _summary(found, _EXPORTED),
        notes=[*_skipped_notes(found), *renamed],
        code=1 if found.damaged else 0,
    )


def _summary(found: VaultReport, counted: dict[str, str]) -> list[str]:
    held = f"{plural(found.notes, 'note')}, {plural(found.images, 'image')} and"
    lines = [f"{held} {plural(found.files, 'other file')} in {plural(found.folders, 'folder')}"]
    for name, words in counted.items():
        value: int | tuple[object, ...] = getattr(found, name)
        number = value if isinstance(value, int) else len(value)
        lines += [f"{number:,} {words}"] if number else []
    skipped, hidden = found.skipped_count, len(found.skipped) - len(_noteworthy(found))
    lines += [f"{skipped - hidden:,} skipped"] if skipped > hidden else []
    lines += [f"{hidden:,} hidden, left alone"] if hidden else []
    links = found.links_resolved + found.links_unresolved
    if links:
        lines.append(f"{found.links_resolved:,} of {plural(links, 'link')} lead somewhere")
    return lines


def _details(found: VaultReport) -> Iterator[str]:
    """Yield what would be done, sort by sort; of many of a sort the first, and how many more."""
    for how, words in _IMPORTED.items():
        steps = [step for step in found.steps if step.how == how]
        if steps:
            yield f"{words}:"
        for step in steps[:_SHOWN]:
            yield f"  {step.path if step.before is None else f'{step.before} → {step.path}'}"
        if len(steps) > _SHOWN:
            yield f"  … and {len(steps) - _SHOWN:,} more (--json names them all)"


def _import_notes(found: VaultReport, *, is_deleting: bool) -> Iterator[str]:
    yield from _skipped_notes(found)
    if found.missing_count and not is_deleting:
        first = ", ".join(found.missing[:_NAMED]) + ("…" if found.missing_count > _NAMED else "")
        yield f"{found.missing_count:,} no longer in the folder, kept here: {first}"
        yield "--delete puts them into the trash; with --preview it only shows which."
    if found.suggestions:
        places = f"{plural(found.suggestions, 'place')} changed on both sides"
        yield f"{places}: the folder's words wait as suggestions."
    if found.secrets:
        yield f"{plural(found.secrets, 'possible secret')} taken in as found."


def _skipped_notes(found: VaultReport) -> Iterator[str]:
    noteworthy = _noteworthy(found)
    yield from (f"skipped {one.path}: {one.reason}" for one in noteworthy[:_SHOWN])
    if len(noteworthy) > _SHOWN:
        yield f"… and {len(noteworthy) - _SHOWN:,} more skipped"


def _noteworthy(found: VaultReport) -> list[Skipped]:
    """Return what was skipped, apart from what is meant to be left alone."""
    return [one for one in found.skipped if not PurePosixPath(one.path).name.startswith(".")]
