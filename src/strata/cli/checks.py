"""What `strata doctor` looks at: a store, its file, its disk, models, and the Python it runs in."""

import os
import platform
import shutil
import stat
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal

import msgspec

import strata
from strata.base import limits
from strata.base.clock import now_us
from strata.base.shell import in_shell_words
from strata.cli.meaning import look
from strata.cli.output import plural, size
from strata.models import ModelInfo, list_models, verify_model
from strata.sql import SQLITE_VERSION, file_system
from strata.upkeep import examine
from strata.workspace import SETTINGS

_DISTRIBUTION = "strata-workspace"
# SQLite cuts its log back to 125 MiB at the next checkpoint; more means that none succeeds.
_WAL_BYTES_MAX = 256 * 1024**2
# What a backup, a restore or an export writes before it is complete.
_UNFINISHED = (".part", ".history", ".hold")
# A key for model endpoints, which must not be shown on a screen or in a bug report.
_KEY_VARIABLE = "STRATA_API_KEY"
# What commands, servers and hooks read beside the settings.
_VARIABLES = (
    "STRATA_DB",
    "STRATA_HOOK_SECONDS",
    "STRATA_TOOLS",
    "STRATA_TOOL_GROUPS",
    "STRATA_TRUST",
    "STRATA_USER",
    _KEY_VARIABLE,
)
_FREE_BYTES_MIN = 100 * 1024**2


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
    if _KEY_VARIABLE in found:
        found[_KEY_VARIABLE] = "(set)"
    shown = ", ".join(f"{name}={value}" for name, value in sorted(found.items()))
    if unknown:
        return Check(
            "environment",
            "warn",
            f"{', '.join(unknown)} means nothing to Strata ({shown})",
            f"There are {', '.join(sorted(known))}.",
        )
    return Check("environment", "ok", shown or "no STRATA_ variables are set")


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
