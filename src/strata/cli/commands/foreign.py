"""Data of other programs: folders of markdown such as Obsidian's, and decisions of MAMA."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated

import click

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, reads
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.cli.words import PLAIN_FILE, Force
from strata.exchange import (
    Backfill,
    MamaExport,
    MamaImport,
    SkippedFile,
    VaultReport,
    counted,
    export_mama,
    export_vault,
    find_mama,
    import_mama,
    import_vault,
)
from strata.workspace import Workspace

_SHOWN_FILES = 20
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
        "A folder of markdown files, or a PDF or DOCX file.",
        Spelling(type=click.Path(exists=True, path_type=Path)),
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
    r"""Take in a folder of markdown files, or one PDF or DOCX file.

    Of an Obsidian vault, or any other folder, folders become folders, notes become documents,
    images and other files come along, and [[links]] work. Doing it again takes in only what has
    changed: what was changed here too is merged, what was moved or renamed there is moved here, and
    what is gone stays until --delete.

    A PDF or DOCX file becomes a document and is kept with it. Its text becomes Markdown: headings,
    lists, tables and links of a DOCX file, the paragraphs of a PDF file page by page. The title is
    the first heading, or the name of the file.

        mkdir notes && printf '# Plan\n\nSee [[Budget]].\n' > notes/Plan.md
        printf '돈\n' > notes/Budget.md
        strata doc import notes
        strata doc import notes --delete --preview
    """
    if source.is_file():
        if delete or preview:
            raise click.UsageError("--delete and --preview are for folders.")
        return _import_file(session, source, folder=folder)
    with session.writing(create=True) as db, progress("import") as report:
        place = None if folder is None else db.folders.require(folder).id
        found = import_vault(
            db, source, folder=place, preview=preview, delete=delete, progress=report
        )
    lines = _summary(found, _IMPORTED)
    if preview:
        lines += [*_details(found), "Nothing was written: this is a preview."]
    return Output(found, lines, notes=_import_notes(found, is_deleting=delete))


def _import_file(session: Invocation, source: Path, *, folder: str | None) -> Output:
    with session.writing(create=True) as db:
        place = None if folder is None else db.folders.require(folder).id
        made, kept = db.documents.import_file(source.read_bytes(), name=source.name, folder=place)
    return Output({"document": made, "file": kept}, made.document)


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
    renamed = [
        f"under another name than it came with: {path}" for path in found.renamed[:_SHOWN_FILES]
    ]
    return Output(
        found,
        _summary(found, _EXPORTED),
        notes=[
            *_skipped_notes(found),
            *(f"under another name than it came with: {path}" for path in renamed),
        ],
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
        for step in steps[:_SHOWN_FILES]:
            yield f"  {step.path if step.before is None else f'{step.before} → {step.path}'}"
        if len(steps) > _SHOWN_FILES:
            yield f"  … and {len(steps) - _SHOWN_FILES:,} more (--json names them all)"


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
    yield from (f"skipped {one.path}: {one.reason}" for one in noteworthy[:_SHOWN_FILES])
    if len(noteworthy) > _SHOWN_FILES:
        yield f"… and {len(noteworthy) - _SHOWN_FILES:,} more skipped"


def _noteworthy(found: VaultReport) -> list[SkippedFile]:
    """Return what was skipped, apart from what is meant to be left alone."""
    return [one for one in found.skipped if not PurePosixPath(one.path).name.startswith(".")]


# A user reads the first few; --json has all of them.
_SHOWN = 10


@command("import", takes="branch actor")
def import_decisions(
    session: Invocation,
    file: Annotated[
        Path | None, "MAMA's database; otherwise the one that MAMA would open.", PLAIN_FILE
    ] = None,
    *,
    preview: Annotated[bool, "Only tell what would happen."] = False,
    backfill: Annotated[Backfill, "How what MAMA left apart is linked."] = "standard",
) -> Output:
    """Take in the decisions and checkpoints of MAMA.

    The file is only read, and MAMA may be running. Its rows go to a branch of their own, are
    compared with the file there, and then merged. What cannot be taken as it is, is kept beside
    the memory and told by its id. Importing again brings what is new, and changes nothing else.

        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
        strata decisions export --v1 mama.db
        strata fork copy --at 0
        strata decisions import mama.db --branch copy --preview
        strata decisions import mama.db --branch copy
    """
    place = find_mama() if file is None else file

    def run_import(db: Workspace) -> Output:
        with progress("import") as report:
            found = import_mama(db, place, backfill=backfill, preview=preview, progress=report)
        return Output(found, _imported(found))

    if preview and not session.location.exists:
        with strata.open(durability="cache", auto_embed=False) as db:
            return run_import(db)
    return session.creating(run_import)


def _imported(found: MamaImport) -> Iterator[str]:
    verb = "would write" if found.preview else "wrote"
    what = f"{found.written:,} of {found.written + found.unchanged:,} memories and links"
    yield f"{verb} {what} on branch {one_line(found.branch)}"
    yield f"  from {found.path} (schema {found.schema_version}): {_counts(found.rows)}"
    yield f"  memories: {_counts(found.memories)}"
    for one in found.links:
        total = one.links + one.backfilled
        suggested = one.suggestions + one.backfilled_suggestions
        if total + suggested:
            made = one.backfilled + one.backfilled_suggestions
            yield f"  {one.link_type}: {total:,}, suggested {suggested:,} ({made:,} backfilled)"
    for name, count in found.not_taken.items():
        yield f"  not taken: {plural(count, 'row')} of {one_line(name)}"
    topics = [f"{split.topic}: {', '.join(split.ids)}" for split in found.conflicts]
    spellings = [" = ".join(map(repr, group)) for group in found.same_topics]
    warnings = [f"{one.id}: {one.what}" for one in found.warnings]
    secrets = [f"{one.kind} in {one.id} {one.path}" for one in found.secrets]
    yield from _named("topic", topics, "with two current decisions")
    yield from _named("topic", spellings, "spelled in several ways")
    yield from _named("thing", found.clashes, "changed here and there, kept as here")
    yield from _named("warning", warnings, "about single rows")
    yield from _named("secret", secrets, "kept")


@reads("export", takes="branch at")
def export_decisions(
    db: Workspace,
    file: Annotated[Path, "The database to write.", PLAIN_FILE],
    *,
    v1: Annotated[bool, "As a database that MAMA 1.0 opens."],
    force: Force = False,
) -> Output:
    """Write decisions and checkpoints as a database of MAMA 1.0.

    The way back: MAMA opens the file, new decisions included. What MAMA has no place for is
    listed, and written beside its tables, so that an import finds everything again. MAMA makes
    vectors only for what it saves itself. Other formats are `strata export`.

        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
        strata decisions export --v1 mama.db
    """
    assert v1, "click asks for it"
    with progress("export") as report:
        found = export_mama(db, file, force=force, progress=report)
    return Output(found, _exported(found))


def _exported(found: MamaExport) -> Iterator[str]:
    yield f"wrote {found.path}"
    yield f"  {_counts(found.rows)}"
    parts = [f"{count:,} × {what}" for what, count in counted(found).items()]
    yield from _named("thing", parts, "that MAMA does not show", count=len(found.left_behind))


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing"


def _named(
    noun: str, names: Iterable[str], what: str, *, count: int | None = None
) -> Iterator[str]:
    """Yield how many there are of something, and the first of them."""
    known = list(names)
    if known:
        yield f"  {plural(len(known) if count is None else count, noun)} {what}"
    yield from (f"    {one_line(name)}" for name in known[:_SHOWN])
    if len(known) > _SHOWN:
        yield f"    … and {len(known) - _SHOWN:,} more; --json lists all of them"
