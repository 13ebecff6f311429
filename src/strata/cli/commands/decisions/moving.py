"""Moving decisions from MAMA, the memory that came before, and back to it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

import strata
from strata.cli.commands.decisions.group import decisions
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.exchange import (
    BACKFILLS,
    Backfill,
    MamaExport,
    MamaImport,
    counted,
    export_mama,
    find_mama,
    import_mama,
)
from strata.upkeep import Progress

_PATH = click.Path(dir_okay=False, path_type=Path)
# A person reads the first few; --json has all of them.
_SHOWN = 10


@command(
    "import",
    group=decisions,
    takes="branch actor",
    examples="""
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
    strata decisions export --v1 mama.db
    strata fork copy --at 0
    strata decisions import mama.db --branch copy --preview
    strata decisions import mama.db --branch copy
    """,
)
@click.argument("file", type=_PATH, required=False,
                help="MAMA's database; otherwise the one that MAMA would open.")  # fmt: skip
@click.option("--preview", is_flag=True, help="Only tell what would happen.")
@click.option("--backfill", type=click.Choice(BACKFILLS), default="standard", show_default=True,
              help="How what MAMA left apart is linked.")  # fmt: skip
def import_command(
    session: Invocation, *, file: Path | None, preview: bool, backfill: Backfill
) -> None:
    """Take in the decisions and checkpoints of MAMA.

    The file is only read, and MAMA may be running. Its rows go to a branch of their own, are
    compared with the file there, and then merged. What cannot be taken as it is, is kept beside
    the memory and told by its id. Importing again brings what is new, and changes nothing else.
    """
    place = find_mama() if file is None else file

    def take(db: strata.Workspace, report: Progress | None = None) -> MamaImport:
        return import_mama(db, place, backfill=backfill, preview=preview, progress=report)

    if preview and not session.location.path.exists():
        with strata.open(durability="cache", auto_embed=False) as db:
            found = take(db)
    else:
        session.rehearse(take)
        with session.writing(create=True) as db, progress("import") as report:
            found = take(db, report)
    answer(session, found, _told(found))


def _told(found: MamaImport) -> Iterator[str]:
    verb = "would write" if found.preview else "wrote"
    what = f"{found.written:,} of {found.written + found.unchanged:,} memories and links"
    yield f"{verb} {what} on branch {one_line(found.branch)}"
    yield f"  from {found.path} (schema {found.schema_version}): {_counts(found.rows.items())}"
    yield f"  memories: {_counts(found.memories.items())}"
    for one in found.links:
        total = one.links + one.backfilled
        suggested = one.suggestions + one.backfilled_suggestions
        if total + suggested:
            made = one.backfilled + one.backfilled_suggestions
            yield f"  {one.link_type}: {total:,}, suggested {suggested:,} ({made:,} backfilled)"
    for name, count in found.not_taken.items():
        yield f"  not taken: {plural(count, 'row')} of {one_line(name)}"
    topics = [f"{split.topic}: {', '.join(split.ids)}" for split in found.conflicts]
    yield from _named("topic", topics, "with two current decisions")
    spellings = [" = ".join(map(repr, group)) for group in found.same_topics]
    yield from _named("topic", spellings, "spelled in several ways")
    yield from _named("thing", found.clashes, "changed here and there, kept as here")
    yield from _named(
        "warning", [f"{one.id}: {one.what}" for one in found.warnings], "about single rows"
    )
    yield from _named(
        "secret", [f"{one.kind} in {one.id} {one.path}" for one in found.secrets], "kept"
    )


@command(
    "export",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
    strata decisions export --v1 mama.db
    """,
)
@click.argument("file", type=_PATH, help="The database to write.")
@click.option("--v1", is_flag=True, required=True, help="As a database that MAMA 1.0 opens.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def export_command(session: Invocation, *, file: Path, v1: bool, force: bool) -> None:
    """Write decisions and checkpoints as a database of MAMA 1.0.

    The way back: MAMA opens the file, new decisions included. What MAMA has no place for is
    listed, and written beside its tables, so that an import finds everything again. MAMA makes
    vectors only for what it saves itself. Other formats are `strata export`.
    """
    assert v1, "click asks for it"
    with session.reading() as db, progress("export") as report:
        found = export_mama(db, file, force=force, progress=report)
    answer(session, found, _written(found))


def _written(found: MamaExport) -> Iterator[str]:
    yield f"wrote {found.path}"
    yield f"  {_counts(found.rows.items())}"
    parts = [f"{count:,} × {what}" for what, count in counted(found).items()]
    yield from _named("thing", parts, "that MAMA does not show", count=len(found.left_behind))


def _counts(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts if count) or "nothing"


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
