"""Writing what is kept to a file that people and other programs can read."""

import sys
from pathlib import Path

import click

from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation, say
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.exchange import KINDS, export_jsonl, export_markdown, format_of

_PATH = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
_NOUNS = {"kv": "fact", "json": "document", "state": "cell"}


@command(
    "export",
    takes="branch space at",
    examples="""
    strata put deploy/target 운영 --tag 배포
    strata export everything.jsonl
    strata export notes.md --prefix deploy/
    strata export --history --kinds kv,json - > history.jsonl
    """,
)
@click.argument("file", type=_PATH, required=False, help="The file; - is standard output.")
@click.option("--format", "format_", type=click.Choice(["jsonl", "markdown"]),
              help="Otherwise .md is Markdown, any other ending JSON Lines.")  # fmt: skip
@click.option("--history", is_flag=True, help="Every version, commit by commit.")
@click.option("--prefix", default="", help="Only keys that begin with this; leaves events out.")
@click.option("--kinds", help=f"Only these, with commas between: {', '.join(KINDS)}.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@click.option("--skip-damaged", is_flag=True,
              help="Write what can be read and list what cannot; then the code is 1.")  # fmt: skip
def export(
    session: Invocation, *, file: Path | None, format_: str | None, history: bool, prefix: str,
    kinds: str | None, force: bool, skip_damaged: bool,
) -> int | None:  # fmt: skip
    """Write what is kept for people or other programs.

    Facts, JSON documents, cells and events of all spaces, or of one (--space); as they are now,
    or as they were (--at). JSON Lines is for programs: a header, then one record a line.
    Markdown is for people. `strata import` reads both. Vectors and the texts of `strata doc`
    stay behind: `strata bundle` takes them, and `strata doc export` writes texts as files.
    """
    is_stream = file is None or str(file) == "-"
    if is_stream and session.json:
        raise click.UsageError("With --json a file has to be named.")
    write = export_markdown if (format_ or format_of(file)) == "markdown" else export_jsonl
    target = sys.stdout.buffer if is_stream or file is None else file
    with session.reading() as db, progress("export") as report:
        found = write(
            db, target, history=history, space=session.space, prefix=prefix,
            kinds=[kind.strip() for kind in kinds.split(",")] if kinds else (),
            force=force, skip_damaged=skip_damaged, progress=report,
        )  # fmt: skip
    if not is_stream:
        answer(session, found, [f"wrote {file}", f"  {told(found.records)}"])
    if found.left_out and not session.json:
        say(f"not written: {', '.join(found.left_out)}; `strata bundle export` has everything")
    if not found.damaged:
        return None
    for one in found.damaged if not session.json else ():
        what = f"{one.space}/{one.kind}/{one.key}" if one.key else f"version {one.version or '?'}"
        say(f"damaged, not written: {one_line(what)}: {one_line(one.reason)}")
    return 1


def told(counts: dict[str, int]) -> str:
    """Spell how many there are of each kind."""
    parts = [plural(count, _NOUNS.get(kind, kind)) for kind, count in counts.items() if count]
    return one_line(", ".join(parts)) or "nothing"
