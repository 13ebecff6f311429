"""How a client starts Strata: by the full path of this installation, since a client with windows
has another PATH than a shell."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath, PureWindowsPath
from shutil import which

import msgspec

_PROMPT_HOOK = ("hook", "prompt")
_SESSION_HOOK = ("hook", "session")
_TURN_HOOK = ("hook", "turn")
# Folders of uv's cache in which `uvx` runs a program.
_CACHES = frozenset({"archive-v0", "environments-v2"})


class Program(msgspec.Struct, frozen=True):
    """The words that start the MCP server, and those that start the command line."""

    server: tuple[str, ...]
    command: tuple[str, ...]


# For a file that others use too: everybody's own installation is found by the PATH.
PORTABLE = Program(("strata", "mcp"), ("strata",))


def this_program(executable: str | None = None) -> Program:
    """Find the scripts beside the Python that runs this; without them Python runs the module."""
    python = Path(executable or sys.executable)
    ending = ".exe" if python.suffix == ".exe" else ""
    # On Windows the scripts are in a folder beside python.exe, unless in an environment.
    folders = (python.parent, python.parent / "Scripts")
    command = _script(folders, f"strata{ending}") or (str(python), "-m", "strata")
    server = _script(folders, f"strata-mcp{ending}") or (*command, "mcp")
    return Program(server, command)


def may_vanish(program: Program) -> bool:
    """Tell whether a program lies in the cache of uv, which is emptied now and then."""
    return not _CACHES.isdisjoint(Path(program.server[0]).parts)


def _script(folders: Sequence[Path], name: str) -> tuple[str, ...] | None:
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    return None if found is None else (str(found),)


def server_words(
    program: Program, *, db: str | None, groups: str | None, read_only: bool
) -> tuple[str, ...]:
    """Return the words that start the server with its options."""
    words = list(program.server)
    if db is not None:
        words += ["--db", db]
    if groups is not None:
        words += ["--groups", groups]
    if read_only:
        words.append("--read-only")
    return tuple(words)


def hook_line(program: Program, *, db: str | None) -> str:
    """Return the line that a client's shell runs at every prompt."""
    return _line(program, _PROMPT_HOOK, db)


def session_line(program: Program, *, db: str | None) -> str:
    """Return the line that a client's shell runs when a session begins."""
    return _line(program, _SESSION_HOOK, db)


def turn_line(program: Program, *, db: str | None) -> str:
    """Return the line that a client's shell runs when a turn has ended."""
    return _line(program, _TURN_HOOK, db)


def command_line(program: Program) -> str:
    """Return how a shell runs the program: by its name where that finds it, else by its path."""
    found = which("strata")
    is_found = found is not None and Path(found).resolve() == Path(program.command[0]).resolve()
    return "strata" if is_found else " ".join(_quoted(word) for word in program.command)


def _line(program: Program, hook: tuple[str, ...], db: str | None) -> str:
    words = [*program.command, *hook]
    if db is not None:
        words += ["--db", db]
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    # cmd, PowerShell and bash all take forward slashes, and bash eats the others.
    if PureWindowsPath(word).drive and "\\" in word:
        word = word.replace("\\", "/")
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)


def is_server(words: Sequence[str]) -> bool:
    """Tell whether words start a server of ours, of this installation or another one."""
    match [_stem(word) for word in words[:1]]:
        case ["strata-mcp"]:
            return True
        case ["strata"]:
            return "mcp" in words[1:2]
        case _:
            return tuple(words[1:4]) == ("-m", "strata", "mcp")


def is_prompt_hook(line: str) -> bool:
    """Tell whether a line runs our prompt hook."""
    return _runs(line, _PROMPT_HOOK)


def is_turn_hook(line: str) -> bool:
    """Tell whether a line runs our hook at the end of a turn."""
    return _runs(line, _TURN_HOOK)


def _runs(line: str, hook: tuple[str, ...]) -> bool:
    words = line.replace("\\", "/").replace('"', " ").replace("'", " ").split()
    for at in range(1, len(words)):
        if tuple(words[at : at + 2]) == hook:
            return _stem(words[at - 1]) == "strata"
    return False


def _stem(word: str) -> str:
    name: PurePath = PureWindowsPath(word)  # which takes both sorts of slashes
    return name.stem if name.suffix.lower() == ".exe" else name.name
