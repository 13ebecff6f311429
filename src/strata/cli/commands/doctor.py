"""Doctor: is a store as it should be, and its file, disk, models, and Python around it?"""

import os
import platform
import shutil
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Annotated, Literal

import click
import msgspec

import strata
from strata.base import limits
from strata.base.clock import now_us
from strata.base.counts import plural
from strata.base.shell import in_shell_words
from strata.cli.command import Output, command
from strata.cli.commands.setup import offer_lines, own_store_note
from strata.cli.meaning import look
from strata.cli.output import size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import facts, one_line, pad, table
from strata.exchange import git_memory
from strata.models import ModelInfo, list_models, verify_model
from strata.sql import SQLITE_VERSION, database_status, file_system, is_address, parse_address
from strata.upkeep import examine
from strata.workspace import SETTINGS

_DISTRIBUTION = "strata-workspace"
# SQLite cuts its log back to 125 MiB at the next checkpoint; more means that none succeeds.
_WAL_BYTES_MAX = 256 * 1024**2
# What a backup, a restore or an export writes before it is complete.
_UNFINISHED = (".part", ".history", ".hold")
# A key for model endpoints and a token for remotes, which must not be shown on a screen or in a bug
# report.
_SECRET_VARIABLES = ("STRATA_API_KEY", "STRATA_REMOTE_TOKEN")
# What commands, servers and hooks read beside the settings.
_VARIABLES = (
    "STRATA_DB",
    "STRATA_HOOK_SECONDS",
    "STRATA_TOOLS",
    "STRATA_TOOL_GROUPS",
    "STRATA_TRUST",
    "STRATA_USER",
    *_SECRET_VARIABLES,
)
_FREE_BYTES_MIN = 100 * 1024**2
# Of a server's connections; from here on another process may find none.
_CONNECTIONS_SHARE = 0.8


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at, and what to do about it."""

    name: str
    state: Literal["ok", "warn", "fail"]
    message: str
    advice: str | None = None


def check_python() -> Iterator[Check]:
    """Look at the versions in use, the import name and the environment."""
    yield Check(
        "versions",
        "ok",
        f"strata {strata.__version__}, Python {platform.python_version()}, "
        f"SQLite {SQLITE_VERSION}, apsw {metadata.version('apsw')}",
    )
    yield _import_name()
    yield _environment()


def _import_name() -> Check:
    """Another distribution that installs `strata` overwrites files of ours, or is overwritten."""
    owners = set(metadata.packages_distributions().get("strata", ())) - {_DISTRIBUTION}
    if not owners:
        return Check("import name", "ok", f"strata is {Path(strata.__file__).parent}")
    names = ", ".join(sorted(owners))
    return Check(
        "import name",
        "fail",
        f"{names} also installs a package called strata here",
        f"Keep them apart: `pip uninstall {names} {_DISTRIBUTION}`, then install Strata again; "
        "or give it an environment of its own, as pipx and `uv tool install` do.",
    )


def _environment() -> Check:
    found = {name: value for name, value in os.environ.items() if name.startswith("STRATA_")}
    known = {*_VARIABLES, *(setting.variable for setting in SETTINGS.values())}
    unknown = sorted(found.keys() - known)
    found |= dict.fromkeys(found.keys() & set(_SECRET_VARIABLES), "(set)")
    if is_address(found.get("STRATA_DB")):
        found["STRATA_DB"] = _without_password(found["STRATA_DB"])
    shown = ", ".join(f"{name}={value}" for name, value in sorted(found.items()))
    if unknown:
        return Check(
            "environment",
            "warn",
            f"{', '.join(unknown)} means nothing to Strata ({shown})",
            f"There are {', '.join(sorted(known))}.",
        )
    return Check("environment", "ok", shown or "no STRATA_ variables are set")


def _without_password(address: str) -> str:
    """Return an address without its password, or not at all where its parts cannot be told."""
    try:
        return parse_address(address).display
    except strata.InvalidArgument:
        return "(an address that cannot be read)"


def check_models() -> Iterator[Check]:
    """Compare the files of the shipped models with their checksums."""
    for model in list_models():
        if model.origin == "shipped":
            yield _model(model)


def _model(model: ModelInfo) -> Check:
    name = f"model {model.name}"
    if model.state == "absent" and model.size_bytes is None:
        advice = "Install the package strata-embed."
        return Check(name, "warn", f"{model.reason} Search goes by words.", advice)
    try:
        verify_model(model.name)
    except strata.Unavailable as error:
        return Check(name, "fail", error.message, in_shell_words(error.hint))
    return Check(name, "ok", f"{size(model.size_bytes or 0)}, as shipped")


def check_embeddings(db: strata.Workspace) -> Check:
    """Look at the vectors behind search by meaning."""
    meaning = look(db)
    if meaning.failed:
        return Check(
            "embeddings",
            "warn",
            f"{plural(meaning.failed, 'text')} could not be embedded",
            "`strata embeddings retry --wait` tries again; they are found by their words.",
        )
    pending = f", {meaning.pending:,} pending" if meaning.pending else ""
    return Check("embeddings", "ok", f"{plural(meaning.embedded, 'vector')}{pending}")


def check_file(path: Path) -> Iterator[Check]:
    """Look at the store's file and where it lies, without opening it."""
    yield _file_system(path.parent)
    yield _free_space(path)
    if os.name == "posix":
        yield _permissions(path)
    yield _log_size(path)
    yield _leftovers(path)


def _file_system(folder: Path) -> Check:
    kind = file_system(folder)
    if not kind:
        message = f"not known on {sys.platform}; it must be a local disk"
        return Check("file system", "ok", message)
    return Check("file system", "ok", f"{kind}, local")


def _free_space(path: Path) -> Check:
    free = shutil.disk_usage(path.parent).free
    needed = max(_FREE_BYTES_MIN, path.stat().st_size)
    message = f"{size(free)} free"
    if free >= needed:
        return Check("disk space", "ok", message)
    return Check(
        "disk space",
        "warn",
        message,
        f"Free some: compact, purge and backup each need about {size(needed)}.",
    )


def _permissions(path: Path) -> Check:
    files = [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")]
    modes = {file: stat.S_IMODE(file.stat().st_mode) for file in files if file.exists()}
    open_files = [file for file, mode in modes.items() if mode & 0o077]
    if path.stat().st_uid != os.geteuid():
        return Check("permissions", "warn", "the store belongs to another user")
    if not open_files:
        return Check("permissions", "ok", "0600: no other user may read it")
    named = " ".join(str(file) for file in open_files)
    return Check(
        "permissions",
        "warn",
        f"{modes[open_files[0]]:04o}: others may read it",
        f"chmod 600 {named}",
    )


def _log_size(path: Path) -> Check:
    log = Path(f"{path}-wal")
    length = log.stat().st_size if log.exists() else 0
    if length <= _WAL_BYTES_MAX:
        return Check("write-ahead log", "ok", size(length))
    return Check(
        "write-ahead log",
        "warn",
        f"{size(length)}, more than it should be",
        "A process reads an old state and never ends; end it, then run `strata compact`.",
    )


def _leftovers(path: Path) -> Check:
    found = sorted(file for end in _UNFINISHED for file in path.parent.glob(f".*{end}"))
    if not found:
        return Check("leftovers", "ok", "none")
    named = " ".join(str(file) for file in found)
    return Check(
        "leftovers",
        "warn",
        f"{plural(len(found), 'unfinished file')}: {named}",
        "A backup, restore or export was cut short; if none is running, delete them. The next "
        "one to the same place does so by itself.",
    )


def check_format_of(path: Path) -> Iterator[Check]:
    """Look at the format, the journal and SQLite's structures, changing nothing."""
    found = examine(path)
    state = "ok" if found.format == found.newest_format else "warn"
    yield Check("format", state, f"{found.format}; this Strata writes {found.newest_format}")
    is_wal = found.journal == "wal"
    yield Check(
        "journal",
        "ok" if is_wal else "warn",
        found.journal.upper(),
        None if is_wal else "The next write switches it to WAL.",
    )
    if found.flaw is None:
        yield Check("structure", "ok", "SQLite finds nothing wrong (quick check)")
    else:
        yield Check("structure", "fail", found.flaw, "Restore a backup: `strata restore`.")


def check_clock(db: strata.Workspace) -> Check:
    """Compare the clock with the newest commit of any branch."""
    newest = max((branch.updated_at for branch in db.branches.list()), default=0)
    behind_s = (newest - now_us()) / 1_000_000
    if behind_s <= limits.CLOCK_SKEW_S:
        return Check("clock", "ok", "not behind the newest commit")
    return Check(
        "clock",
        "warn",
        f"{behind_s:,.0f} s behind the newest commit",
        "Set the clock; new commits are given times just after the newest until it has caught up.",
    )


_COLORS = {"ok": "green", "warn": "yellow", "fail": "red"}


@command("doctor")
def doctor(
    session: Invocation,
    *,
    deep: Annotated[bool, "Check every byte, as `strata verify` does."] = False,
    secrets: Annotated[bool, "Look for secrets in all values and all history."] = False,
    torture: Annotated[bool, "Prove on a scratch store that nothing is lost."] = False,
    seconds: Annotated[float, "How long to torture.", msgspec.Meta(ge=3, le=3600)] = 20,
) -> Output:
    """Check the store and its surroundings, with advice.

    Each line is ok, warn or fail; the exit code is 1 if something failed. --secrets lists the
    keys, tokens and passwords that are in the store already, and how to erase them; the exit
    code is 1 if there are any. --torture leaves
    the store alone: it makes one of its own, lets several processes write to it, kills them,
    fills the disk, and counts what was acknowledged and is gone.

        strata put greeting 안녕
        strata doctor
        strata doctor --deep --json
        strata doctor --secrets
    """
    if torture:
        return _torture(session, seconds)
    if secrets:
        with session.reading(anywhere=True) as db, progress("secrets") as report:
            found = db.find_secrets(progress=report)
        lines = _secret_lines(found) if found else ["no secrets in the store"]
        return Output({"ok": not found, "secrets": found}, lines, code=1 if found else 0)
    checks = [*check_python(), *check_models(), *_check_store(session, deep=deep)]
    counts = {state: sum(check.state == state for check in checks) for state in _COLORS}
    return Output(
        {"ok": not counts["fail"], "checks": checks},
        _lines(checks),
        counts=counts,
        code=1 if counts["fail"] else 0,
    )


def _check_store(session: Invocation, *, deep: bool) -> Iterator[Check]:
    try:
        location = session.location
    except strata.StrataError as error:
        yield Check("store", "fail", error.message, in_shell_words(error.hint))
        return
    place = f"{location.display} ({location.reason})"
    if not location.exists:
        yield Check(
            "store", "warn", f"none yet at {place}", "`strata init` or the first write makes it."
        )
        return
    if location.unused is None:
        yield Check("store", "ok", place)
    else:
        yield Check("store", "warn", place, own_store_note(location))
    try:
        if isinstance(location.place, Path):
            yield from check_file(location.place)
            yield from check_format_of(location.place)
        else:
            yield from check_server(location.place)
        with session.reading(anywhere=True) as db:
            yield check_clock(db)
            yield check_embeddings(db)
            yield from check_git(db)
            if deep:
                yield _check_contents(db)
    except strata.StrataError as error:
        yield Check("opening", "fail", error.message, in_shell_words(error.hint))


def check_git(db: strata.Workspace) -> Iterator[Check]:
    """Look at branches that follow git, and at the hooks that share memory with it."""
    if db.settings.follows_git():
        offers = [one for one in db.git.offers() if one.commits]
        advice = "; ".join(offer_lines(offers)) or None
        what = plural(len(offers), "branch") if offers else "no branch"
        state = "warn" if offers else "ok"
        yield Check("git", state, f"branches follow git; {what} to merge", advice)
    try:
        found = git_memory()
    except strata.StrataError:
        return
    if not found.is_on:
        return
    wrong = [f"{one.name} is {one.state} ({one.path})" for one in found.hooks if one.state != "on"]
    if wrong:
        advice = "`strata git on` puts them back; see `strata git on --help`."
        yield Check("git hooks", "warn", ", ".join(wrong), advice)
    else:
        yield Check("git hooks", "ok", "they write shared memory before commits, and read it back")


def check_server(address: str) -> Iterator[Check]:
    """Check the server of a store in PostgreSQL: its version, tables, settings and connections."""
    found = database_status(address)
    yield Check("server", "ok", f"PostgreSQL {found.server_version}")
    if found.format != found.known_format:
        yield Check(
            "format",
            "fail",
            f"{found.format}, and this Strata reads {found.known_format}",
            "`strata db upgrade` brings the tables up to date.",
        )
    else:
        yield Check("format", "ok", f"{found.format}, {plural(len(found.workspaces), 'workspace')}")
    if found.differing:
        names = ", ".join(one.name for one in found.differing)
        yield Check(
            "settings",
            "warn",
            f"the database's defaults differ for {names}; Strata's own connections set them",
            "`strata db init` sets them for the database.",
        )
    used, most = found.connections, found.connections_max
    state = "warn" if used > most * _CONNECTIONS_SHARE else "ok"
    advice = "Raise max_connections, or run fewer servers." if state == "warn" else None
    yield Check("connections", state, f"{used} of {most} are in use", advice)


def _check_contents(db: strata.Workspace) -> Check:
    with progress("verify") as report:
        found = db.verify(progress=report)
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    if found.ok:
        return Check("contents", "ok", f"every hash is right: {counts}")
    return Check(
        "contents",
        "fail",
        f"{plural(len(found.problems), 'problem')}, first: {found.problems[0].message}",
        "`strata verify` lists them; `strata restore` brings a backup back.",
    )


def _lines(checks: list[Check]) -> Iterator[str]:
    longest = max(len(check.name) for check in checks)
    for check in checks:
        state = click.style(f"{check.state:<4}", fg=_COLORS[check.state], bold=True)
        yield f"{state}  {pad(check.name, longest)}  {one_line(check.message)}"
        if check.advice:
            yield f"{'':4}  {'':{longest}}  → {one_line(check.advice)}"


def _torture(session: Invocation, seconds: float) -> Output:
    from strata.proof import torture  # noqa: PLC0415  (only this needs it)

    # On the disk that the store is on, or will be: that is the one to be trusted.
    place = session.location.place
    if isinstance(place, str):
        raise click.UsageError(
            "--torture tries the disk of a store in a file; name one with --db PATH."
        )
    beside = place.parent
    with progress("torture") as report:
        found = torture(beside if beside.is_dir() else None, seconds=seconds, progress=report)
    lines = [
        click.style("nothing was lost", fg="green", bold=True)
        if found.ok
        else click.style("the promise was broken", fg="red", bold=True),
        *facts(
            [
                ("acknowledged", f"{found.acknowledged:,} writes"),
                ("lost", f"{found.lost:,}"),
                ("corrupt", f"{found.corrupt:,}"),
                ("processes", f"{found.processes:,}, killed {found.kills:,} times"),
                ("disk full", f"{found.full_disk_refusals:,} writes refused"),
                ("took", f"{found.seconds:.1f} s"),
            ]
        ),
        *(one_line(note) for note in found.notes),
    ]
    return Output(found, lines, code=0 if found.ok else 1)


def _secret_lines(found: Sequence[strata.StoredSecret]) -> Iterator[str]:
    """Yield a table of what was found, one line a place, and how to erase it."""
    versions = Counter((one.kind, one.space, one.key, one.secret, one.place) for one in found)
    headers = ("KEY", "KIND", "SPACE", "SECRET", "PLACE", "VERSIONS")
    rows = [
        (key, kind, space, secret, place, f"{count:,}")
        for (kind, space, key, secret, place), count in versions.items()
    ]
    yield from table(headers, rows, right=["VERSIONS"])
    yield f"{plural(len(found), 'secret')} in the store; `strata purge KEY` erases one for good:"
    # Not one_line: what is shown here is to be pasted.
    commands = (f"strata purge {_quoted(one.key)}{_where(one)}" for one in found if one.is_value)
    yield from (f"  {command}" for command in dict.fromkeys(commands))
    if any(not one.is_value for one in found):
        yield "A message, a name or a setting cannot be purged; change the secret where it is used."


def _where(found: strata.StoredSecret) -> str:
    space = "" if found.space == "default" else f" --space {_quoted(found.space)}"
    # The number of an event is its own on each branch.
    branch = f" --branch {_quoted(found.branch)}" if found.kind == "event" else ""
    return f"{space}{branch} --kind {found.kind}"


def _quoted(text: str) -> str:
    is_plain = text.isascii() and text.replace("/", "").replace("-", "").replace("_", "").isalnum()
    return text if is_plain else "'" + text.replace("'", "'\\''") + "'"
