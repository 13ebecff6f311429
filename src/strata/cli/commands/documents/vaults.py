"""Folders of markdown, such as Obsidian's vaults, in and out."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import click

from strata.cli.commands.documents.group import doc
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation, say
from strata.cli.show.progress import progress
from strata.exchange import Skipped, VaultReport, export_vault, import_vault

_SHOWN = 20
_NAMED = 5


@command(
    "import",
    group=doc,
    takes="branch user actor allow-secrets",
    examples="""
    mkdir notes && printf '# Plan\\n\\nSee [[Budget]].\\n' > notes/Plan.md
    printf '돈\\n' > notes/Budget.md
    strata doc import notes
    strata doc import notes --delete --preview
    """,
)
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path),
                help="The folder of markdown files.")  # fmt: skip
@click.option("--folder", help="Put them below this folder (id or name) instead of your own.")
@click.option(
    "--delete",
    is_flag=True,
    help="Put into the trash what an earlier import brought and is gone from the folder.",
)
@click.option("--preview", is_flag=True, help="Show what would be done to what, do nothing.")
def import_folder(
    session: Invocation, *, source: Path, folder: str | None, delete: bool, preview: bool
) -> None:  # fmt: skip
    """Take in a folder of markdown: an Obsidian vault, or any other.

    Folders become folders, notes become documents, images and other files come along, and
    [[links]] work. Doing it again takes in only what has changed: what was changed here too is
    merged, what was moved or renamed there is moved here, and what is gone stays until --delete.
    """
    with session.writing(create=True) as db, progress("import") as report:
        place = None if folder is None else db.folders.require(folder).id
        found = import_vault(
            db, source, folder=place, preview=preview, delete=delete, progress=report
        )
    lines = _summary(found, _IMPORTED)
    if preview:
        lines += [*_details(found), "Nothing was written: this is a preview."]
    answer(session, found, lines)
    if not session.json:
        _remark_import(found, is_deleting=delete)


@command(
    "export",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan "# Goals"
    strata doc export copy
    """,
)
@click.argument("target", type=click.Path(path_type=Path), help="The folder to write to.")
@click.option("--folder", help="Only what lies in this folder (id or name), and below.")
@click.option("--force", is_flag=True, help="Write over files that are there already.")
@click.option("--plain", is_flag=True, help="Write the files alone, without .strata-export.json.")
@click.option("--skip-damaged", is_flag=True,
              help="Write what can be read and list what cannot; then the code is 1.")  # fmt: skip
def export_folder(
    session: Invocation, *, target: Path, folder: str | None, force: bool, plain: bool,
    skip_damaged: bool,
) -> int | None:  # fmt: skip
    """Write documents as a folder of markdown files.

    What came from a folder goes back byte for byte, under the names it had. Images that were
    attached here are written to a folder `attachments`, and `strata doc import` of the target
    brings everything back: here to the same documents, elsewhere to new ones.
    """
    with session.reading() as db, progress("export") as report:
        place = None if folder is None else db.folders.require(folder).id
        found = export_vault(
            db, target, folder=place, force=force, plain=plain, skip_damaged=skip_damaged,
            progress=report,
        )  # fmt: skip
    answer(session, found, _summary(found, _EXPORTED))
    if not session.json:
        _remark_skipped(found)
        for path in found.renamed[:_SHOWN]:
            say(f"under another name than it came with: {path}")
    return 1 if found.damaged else None


_IMPORTED = (
    ("created", "new"), ("changed", "changed in the folder"), ("moved", "moved or renamed"),
    ("merged", "changed on both sides and merged"), ("kept", "changed here only, kept"),
    ("unchanged", "unchanged"), ("trashed", "gone from the folder, put into the trash"),
    ("as_files", "kept as files: no UTF-8, or too long"),
)  # fmt: skip
_EXPORTED = (
    ("created", "written"), ("changed", "written over"), ("unchanged", "there already"),
)  # fmt: skip


def _summary(found: VaultReport, counted: tuple[tuple[str, str], ...]) -> list[str]:
    held = f"{plural(found.notes, 'note')}, {plural(found.images, 'image')} and"
    lines = [f"{held} {plural(found.files, 'other file')} in {plural(found.folders, 'folder')}"]
    told = [(_number(getattr(found, name)), words) for name, words in counted]
    lines += [f"{number:,} {words}" for number, words in told if number]
    skipped, hidden = found.skipped_count, len(found.skipped) - len(_noteworthy(found))
    lines += [f"{skipped - hidden:,} skipped"] if skipped > hidden else []
    lines += [f"{hidden:,} hidden, left alone"] if hidden else []
    links = found.links_resolved + found.links_unresolved
    if links:
        lines.append(f"{found.links_resolved:,} of {plural(links, 'link')} lead somewhere")
    return lines


def _number(value: int | tuple[object, ...]) -> int:
    return value if isinstance(value, int) else len(value)


def _details(found: VaultReport) -> Iterator[str]:
    """Yield what would be done, sort by sort; of many of a sort the first, and how many more."""
    for how, words in _IMPORTED:
        steps = [step for step in found.steps if step.how == how]
        if steps:
            yield f"{words}:"
            yield from (f"  {_shown(step.path, step.before)}" for step in steps[:_SHOWN])
        if len(steps) > _SHOWN:
            yield f"  … and {len(steps) - _SHOWN:,} more (--json names them all)"


def _shown(path: str, before: str | None) -> str:
    return path if before is None else f"{before} → {path}"


def _remark_import(found: VaultReport, *, is_deleting: bool) -> None:
    """Say what somebody may want to look at."""
    _remark_skipped(found)
    if found.missing_count and not is_deleting:
        first = ", ".join(found.missing[:_NAMED]) + ("…" if found.missing_count > _NAMED else "")
        say(f"{found.missing_count:,} no longer in the folder, kept here: {first}")
        say("--delete puts them into the trash; with --preview it only shows which.")
    if found.suggestions:
        say(f"{plural(found.suggestions, 'place')} changed on both sides: the folder's words wait "
            "as suggestions.")  # fmt: skip
    if found.secrets:
        say(f"{plural(found.secrets, 'possible secret')} taken in as found.")


def _remark_skipped(found: VaultReport) -> None:
    told = _noteworthy(found)
    for one in told[:_SHOWN]:
        say(f"skipped {one.path}: {one.reason}")
    if len(told) > _SHOWN:
        say(f"… and {len(told) - _SHOWN:,} more skipped")


def _noteworthy(found: VaultReport) -> list[Skipped]:
    """Return what was skipped, apart from what is meant to be left alone."""
    return [one for one in found.skipped if not PurePosixPath(one.path).name.startswith(".")]
