"""Where clients keep what was said in a project. `docs/clients.md` says where this comes from."""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from strata.clients.catalogue import claude_folder, codex_folder, gemini_folder
from strata.clients.host import ClientHost

# The first line of a file of Codex, which has the instructions of the model in it.
_FIRST_LINE_BYTES = 1024 * 1024


class Transcripts(msgspec.Struct, frozen=True):
    """The files of one client that hold conversations of a project.

    A file of opencode holds those of other projects, too.
    """

    client: str
    paths: tuple[Path, ...]
    size_bytes: int


def transcripts_of(host: ClientHost, folders: Iterable[Path]) -> list[Transcripts]:
    """Return which files clients keep about a project; nothing is read but where they lie.

    `folders` are where the project is and was: clients know a conversation by the folder.
    """
    projects = list(folders)
    found: list[Transcripts] = []
    for client, find in _FINDERS.items():
        every = {path for project in projects for path in find(host, project)}
        paths = tuple(sorted(path for path in every if path.is_file()))
        if paths:
            size = sum(path.stat().st_size for path in paths)
            found.append(Transcripts(client, paths, size))
    return found


def _of_claude_code(host: ClientHost, project: Path) -> Iterator[Path]:
    # The folder is named after the project's, with a hyphen for what is no letter or digit.
    name = re.sub(r"[^A-Za-z0-9]", "-", str(project))
    yield from Path(claude_folder(host), "projects", name).glob("*.jsonl")


def _of_codex(host: ClientHost, project: Path) -> Iterator[Path]:
    for path in Path(codex_folder(host), "sessions").rglob("rollout-*.jsonl"):
        folder = _codex_project(path)
        if folder is not None and (folder == project or project in folder.parents):
            yield path


def _codex_project(path: Path) -> Path | None:
    """Return the folder in which a session of Codex was held: its first line says it."""
    try:
        with path.open("rb") as file:
            return Path(_read_session(file.readline(_FIRST_LINE_BYTES)).payload.cwd)
    except (OSError, ValueError, RecursionError):
        return None


class _SessionPayload(msgspec.Struct):
    """What Codex says about a session."""

    cwd: str


class _SessionLine(msgspec.Struct):
    """The first line of a session of Codex."""

    payload: _SessionPayload


_read_session = msgspec.json.Decoder(_SessionLine).decode


def _of_gemini(host: ClientHost, project: Path) -> Iterator[Path]:
    # A folder has a name of its own and says whose it is; earlier it was named by a digest.
    digest = sha256(str(project).encode()).hexdigest()
    for chats in Path(gemini_folder(host), "tmp").glob("*/chats"):
        mark = chats.parent / ".project_root"
        is_named = mark.is_file() and Path(mark.read_text(encoding="utf-8").strip()) == project
        if is_named or chats.parent.name == digest:
            yield from chats.glob("session-*.json*")


def _of_opencode(host: ClientHost, _project: Path) -> Iterator[Path]:
    # The same on all systems: it follows the XDG rules everywhere.
    data = host.variable("XDG_DATA_HOME", host.home / ".local" / "share")
    yield Path(data, "opencode", "opencode.db")


_FINDERS: dict[str, Callable[[ClientHost, Path], Iterator[Path]]] = {
    "claude-code": _of_claude_code,
    "codex": _of_codex,
    "gemini": _of_gemini,
    "opencode": _of_opencode,
}
