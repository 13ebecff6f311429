"""Folders of markdown, such as Obsidian's vaults, in and out."""

from pathlib import Path

import click

from strata.cli.command import command
from strata.cli.commands.documents.group import doc
from strata.cli.output import answer, plural
from strata.cli.session import Session, say
from strata.cli.show.progress import progress
from strata.exchange import VaultReport, export_vault, import_vault

_SHOWN = 20


@command(
    "import",
    group=doc,
    takes="branch user actor allow-secrets",
    examples="""
    mkdir notes
    printf '# Plan\\n\\nSee [[Budget]].\\n' > notes/Plan.md
    printf '돈\\n' > notes/Budget.md
    strata doc import notes
    """,
)
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path),
                help="The folder of markdown files.")  # fmt: skip
@click.option("--folder", help="Put them below this folder (id or name) instead of your own.")
@click.option("--preview", is_flag=True, help="Show what would be done, do nothing.")
def import_folder(session: Session, *, source: Path, folder: str | None, preview: bool) -> None:
    """Take in a folder of markdown: an Obsidian vault, or any other.

    Folders become folders, notes become documents, images and other files come along, and
    [[links]] work. Doing it again takes in only what has changed.
    """
    with session.writing(create=True) as db, progress(session, "import") as report:
        place = None if folder is None else db.folders.require(folder).id
        found = import_vault(db, source, folder=place, preview=preview, progress=report)
    _tell(session, found)


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
def export_folder(session: Session, *, target: Path, folder: str | None, force: bool) -> None:
    """Write documents as a folder of markdown files.

    What came from a folder goes back byte for byte, under the names it had.
    """
    with session.reading() as db, progress(session, "export") as report:
        place = None if folder is None else db.folders.require(folder).id
        found = export_vault(db, target, folder=place, force=force, progress=report)
    _tell(session, found)


_COUNTED = (
    ("created", "taken in"), ("changed", "changed"), ("merged", "changed on both sides and merged"),
    ("kept", "changed here only, kept"), ("unchanged", "unchanged"),
    ("trashed", "put into the trash"),
    ("missing_count", "no longer in the folder"), ("skipped_count", "skipped"),
)  # fmt: skip


def _tell(session: Session, found: VaultReport) -> None:
    held = f"{plural(found.notes, 'note')}, {plural(found.images, 'image')} and"
    lines = [f"{held} {plural(found.files, 'other file')} in {plural(found.folders, 'folder')}"]
    told = [(getattr(found, name), words) for name, words in _COUNTED]
    lines += [f"{number:,} {words}" for number, words in told if number]
    links = found.links_resolved + found.links_unresolved
    if links:
        lines.append(f"{found.links_resolved:,} of {plural(links, 'link')} lead somewhere")
    answer(session, found, lines)
    if not session.json:
        for one in found.skipped[:_SHOWN]:
            say(f"skipped {one.path}: {one.reason}")
