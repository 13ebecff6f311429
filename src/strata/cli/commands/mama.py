"""Moving decisions from MAMA, the memory that came before, and back to it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import strata
from strata.cli.command import Output, command, reads
from strata.cli.output import plural
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.cli.words import PLAIN_FILE, Force
from strata.exchange import (
    Backfill,
    MamaExport,
    MamaImport,
    counted,
    export_mama,
    find_mama,
    import_mama,
)
from strata.workspace import Workspace

# A user reads the first few; --json has all of them.
_SHOWN = 10


@command("import", takes="branch actor")
def import_command(
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

    def take(db: Workspace) -> Output:
        with progress("import") as report:
            found = import_mama(db, place, backfill=backfill, preview=preview, progress=report)
        return Output(found, _imported(found))

    if preview and not session.location.path.exists():
        with strata.open(durability="cache", auto_embed=False) as db:
            return take(db)
    return session.creating(take)


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
def export_command(
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
