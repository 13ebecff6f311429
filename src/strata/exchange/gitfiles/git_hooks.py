"""Git's hooks that call Strata: lines of our own in files that may hold a user's own.

A hook that is there keeps every byte; ours are a few lines below its first one. Hooks of husky are
in files beside those that git calls, and other managers of hooks write theirs anew, so `status`
looks for the lines each time.
"""

import re
import shlex
from pathlib import Path
from typing import Literal

from strata.base.checkout import Checkout
from strata.base.errors import Unavailable
from strata.base.git_command import run_git
from strata.base.results import Result
from strata.clients import PORTABLE, this_program
from strata.exchange.place import whole_file

HOOKS = ("pre-commit", "post-merge", "post-checkout", "post-rewrite")
_BEGIN, _END = b"# strata:begin", b"# strata:end"
_BLOCK = re.compile(rb"# strata:begin\r?\n.*?# strata:end\r?\n", re.DOTALL)
_SHELLS = re.compile(rb"#!\s*(?:/\S*/)?(?:env\s+)?(?:sh|bash|dash|ksh|zsh)\b")
_HOOK_BYTES_MAX = 1 << 20


class HookState(Result, frozen=True):
    """One of git's hooks: `on`, `missing`, or `foreign` if it is no shell script."""

    name: str
    path: str
    state: Literal["on", "missing", "foreign"]


def hook_states(checkout: Checkout) -> list[HookState]:
    """Return whether each hook calls Strata."""
    return [_state(name, path) for name, path in _hook_paths(checkout).items()]


def _state(name: str, path: Path) -> HookState:
    data = _read(path)
    if _BLOCK.search(data):
        return HookState(name, str(path), "on")
    return HookState(name, str(path), "missing" if _accepts_lines(data) else "foreign")


def install_hooks(checkout: Checkout) -> list[HookState]:
    """Put our lines into every hook that can take them; return how each is then."""
    for name, path in _hook_paths(checkout).items():
        data = _read(path)
        if not _accepts_lines(data):
            continue
        lines = _lines(name, is_portable=_is_tracked(checkout, path))
        if _BLOCK.search(data):
            after = _BLOCK.sub(lambda _found, lines=lines: lines, data, count=1)
        else:
            first, newline, rest = (data or b"#!/bin/sh\n").partition(b"\n")
            after = first + (newline or b"\n") + lines + rest
        _write(path, before=data, after=after)
    return hook_states(checkout)


def remove_hooks(checkout: Checkout) -> list[str]:
    """Take our lines out of all hooks; a file that held nothing else is removed."""
    removed: list[str] = []
    for path in _hook_paths(checkout).values():
        data = _read(path)
        after = _BLOCK.sub(b"", data)
        if after == data or not _accepts_lines(data):
            continue
        removed.append(str(path))
        if after.strip() in (b"", b"#!/bin/sh"):
            path.unlink(missing_ok=True)
        else:
            _write(path, before=data, after=after)
    return removed


def _hook_paths(checkout: Checkout) -> dict[str, Path]:
    """Return where git looks for each hook; husky's own files for a repository that uses it."""
    told = run_git(checkout.folder, "rev-parse", "--git-path", "hooks").decode().strip()
    folder = (checkout.folder / told).resolve()
    if folder.name == "_" and folder.parent.name == ".husky":
        folder = folder.parent
    return {name: folder / name for name in HOOKS}


def _is_tracked(checkout: Checkout, path: Path) -> bool:
    """Whether a hook is a file of the project, which other users have too."""
    is_inside = path.is_relative_to(checkout.folder.resolve())
    return is_inside and not path.is_relative_to(checkout.repository.resolve())


def _accepts_lines(data: bytes) -> bool:
    """Whether shell lines may be put into a hook; a text without a first line is run by a shell."""
    is_text = b"\0" not in data and len(data) <= _HOOK_BYTES_MAX
    return is_text and (not data.startswith(b"#!") or _SHELLS.match(data) is not None)


def _lines(name: str, *, is_portable: bool) -> bytes:
    program = PORTABLE if is_portable else this_program()
    words = " ".join(shlex.quote(word.replace("\\", "/")) for word in program.command)
    # A commit goes on whatever happens here, and what git sends is left for the other lines.
    call = f'{words} git hook {name} "$@" </dev/null || :'
    checked = f"if command -v {shlex.quote(program.command[0])} >/dev/null 2>&1; then {call}; fi"
    return b"\n".join([_BEGIN, checked.encode(), _END, b""])


def _read(path: Path) -> bytes:
    """Return a hook; of a very large one the beginning, to which `_accepts_lines` says no."""
    try:
        with path.open("rb") as file:
            return file.read(_HOOK_BYTES_MAX + 1)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}.", path=str(path)) from error


def _write(path: Path, *, before: bytes, after: bytes) -> None:
    if before == after:
        return
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o755
    # A link leads to the file that is meant.
    place = path.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(place, force=True) as part:
        part.write_bytes(after)
        part.chmod(mode | 0o111)
