"""Files with conversations: which program wrote them, and reading them without holding them whole.

| program | file |
|---|---|
| Claude Code, Codex, Gemini CLI | a line of JSON for each thing that happened; it grows |
| opencode | a SQLite database, or what `opencode export` writes |
| ChatGPT, claude.ai | `conversations.json`, alone or in the ZIP file of the export |
"""

import codecs
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias, cast
from zipfile import BadZipFile, ZipFile

import msgspec

from strata.base import limits
from strata.base.errors import NotFound, Unusable
from strata.base.json_elements import elements
from strata.conversations.formats import claude_code, codex, exports, gemini, opencode
from strata.conversations.spoken import (
    About,
    LineReader,
    Members,
    Transcript,
    decoded,
    members_of,
)
from strata.sql import open_foreign

# The clients and websites whose conversations can be read, and how they are called.
CLIENTS = {
    claude_code.CLIENT: "Claude Code",
    codex.CLIENT: "Codex",
    gemini.CLIENT: "Gemini CLI",
    opencode.CLIENT: "opencode",
    exports.CHATGPT: "ChatGPT",
    exports.CLAUDE_AI: "claude.ai",
}

_LINES: tuple[tuple[str, Callable[[Members], bool], Callable[[], LineReader]], ...] = (
    (gemini.CLIENT, gemini.is_line, gemini.GeminiLines),
    (codex.CLIENT, codex.is_line, codex.CodexLines),
    (claude_code.CLIENT, claude_code.is_line, claude_code.ClaudeCodeLines),
)
_SUFFIXES = frozenset({".jsonl", ".json", ".db", ".zip"})
_SQLITE, _ZIP = b"SQLite format 3\0", b"PK\x03\x04"
_DATABASE = "opencode"
# A transcript names its program and its session in one of its first lines.
_HEAD_LINES = 50
# How many members of a ZIP file are looked at.
_MEMBERS_MAX = 10_000


class Line(NamedTuple):
    """A line of a transcript: its number behind the place where reading began, and its bytes.

    `start` and `end` are where it lies in the file.
    """

    number: int
    start: int
    end: int
    data: bytes


class GrowingFile(NamedTuple):
    """A file that a client appends lines to."""

    path: Path
    client: str
    make: Callable[[], LineReader]
    # What its first lines say; its id is known.
    about: About


class FinishedFile(NamedTuple):
    """A file with finished conversations."""

    path: Path
    client: str
    read: Callable[[], Iterator[Transcript]]


def recognised(path: Path) -> list[GrowingFile | FinishedFile]:
    """Return a file with conversations, or all such files below a folder; raise Unusable."""
    if not path.is_dir():
        return [recognise(path)]
    found: list[GrowingFile | FinishedFile] = []
    for file in sorted(path.rglob("*")):
        if file.suffix in _SUFFIXES and file.is_file():
            # A folder of a client holds other files too.
            with suppress(Unusable):
                found.append(recognise(file))
    if not found:
        raise unusable(path, "no file below it is one that is known")
    return found


def recognise(path: Path) -> GrowingFile | FinishedFile:
    """Return what a file is; raise Unusable for what no known program wrote."""
    with _opened(path) as file:
        head = file.read(len(_SQLITE))
        if head == _SQLITE:
            return FinishedFile(path, opencode.CLIENT, lambda: _of_database(path))
        if head.startswith(_ZIP):
            return _of_archive(path)
        file.seek(0)
        found = _growing(path, file)
        if found is not None:
            return found
        file.seek(0)
        return _of_document(path, file, lambda: path.open("rb"))


@contextmanager
def _opened(path: Path) -> Generator[BufferedReader]:
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise NotFound(
            f"There is no file {path}.", hint="Check the path.", path=str(path)
        ) from None
    except OSError as error:
        raise unusable(path, error.strerror or "it cannot be opened") from error
    with file:
        yield file


def unusable(path: Path, reason: str) -> Unusable:
    """Return the error for a file that holds no conversations that can be read."""
    return Unusable(
        f"{path} cannot be read as a conversation: {reason}.",
        hint=f"Nothing was taken from it. Files of {', '.join(CLIENTS.values())} can be read.",
        path=str(path),
    )


# ---------------------------------------------------------------- files of lines


def _growing(path: Path, file: BinaryIO) -> GrowingFile | None:
    """Return a file of lines if one of its first lines tells the program, else None."""
    for line in lines_from(file, 0):
        found = decoded(line.data)
        fitting = ((client, make) for client, fits, make in _LINES if fits(found))
        client, make = next(fitting, ("", None))
        if make is not None:
            # One object that is a whole conversation lies on one line as well.
            if isinstance(found.get("messages"), list):
                return None
            reader = make()
            list(reader.read(found))
            return GrowingFile(path, client, make, reader.about)
        if line.number >= _HEAD_LINES:
            break
    return None


def lines_from(file: BinaryIO, start: int) -> Iterator[Line]:
    """Yield the lines from a place on; of a line that is too long, no bytes."""
    file.seek(start)
    number, at = 0, start
    while data := file.readline(limits.TRANSCRIPT_LINE_BYTES_MAX):
        number += 1
        end = at + len(data)
        is_cut = len(data) == limits.TRANSCRIPT_LINE_BYTES_MAX and not data.endswith(b"\n")
        while is_cut and (rest := file.readline(limits.TRANSCRIPT_LINE_BYTES_MAX)):
            end += len(rest)
            if rest.endswith(b"\n"):
                break
        kept = b"" if is_cut else data
        yield Line(number, at, end, kept.removeprefix(codecs.BOM_UTF8) if at == 0 else kept)
        at = end


# ---------------------------------------------------------------- whole files

# Opens a document once more.
_Opens: TypeAlias = "Callable[[], AbstractContextManager[BinaryIO]]"


def _of_document(path: Path, file: BinaryIO, open_again: _Opens) -> FinishedFile:
    """Return a file that is one JSON document, whose first conversation tells the program."""
    start = file.read(4096).removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if start == b"{":
        return _of_object(path, file)
    if start != b"[":
        raise unusable(path, "it is none of the files that are known" if start else "it is empty")

    def conversations() -> Iterator[Members]:
        with open_again() as again:
            yield from _elements(path, again)

    first = next(conversations(), None)
    client, read = _listed(path, {} if first is None else first)
    # To its end, before anything is taken: of a file that was cut, nothing is.
    for _conversation in conversations():
        pass
    return FinishedFile(path, client, lambda: map(read, conversations()))


def _elements(path: Path, file: BinaryIO) -> Iterator[Members]:
    try:
        for _line, member, element in elements(file):
            if member == "":
                yield members_of(element)
    except ValueError as error:
        raise unusable(path, str(error)) from error


def _listed(path: Path, first: Members) -> tuple[str, Callable[[Members], Transcript]]:
    if exports.is_chatgpt(first):
        return exports.CHATGPT, exports.of_chatgpt
    if exports.is_claude_ai(first):
        return exports.CLAUDE_AI, exports.of_claude_ai
    raise unusable(path, "its list has no conversations of ChatGPT or claude.ai")


def _of_object(path: Path, file: BinaryIO) -> FinishedFile:
    file.seek(0)
    data = file.read(limits.EXCHANGE_LINE_BYTES_MAX + 1)
    if len(data) > limits.EXCHANGE_LINE_BYTES_MAX:
        most = limits.EXCHANGE_LINE_BYTES_MAX
        raise unusable(path, f"it is one JSON object of more than {most:,} bytes")
    try:
        found = members_of(msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8)))
    except (ValueError, RecursionError):
        raise unusable(path, "it is neither JSON nor lines of JSON that are known") from None
    if gemini.is_line(found):
        return FinishedFile(path, gemini.CLIENT, lambda: iter([gemini.whole(found)]))
    if opencode.is_export(found):
        return FinishedFile(path, opencode.CLIENT, lambda: iter([opencode.exported(found)]))
    if exports.is_chatgpt(found) or exports.is_claude_ai(found):
        client, read = _listed(path, found)
        return FinishedFile(path, client, lambda: iter([read(found)]))
    raise unusable(path, "it is none of the files that are known")


def _of_archive(path: Path) -> FinishedFile:
    """Return the ZIP file of an export: `conversations.json`, or several of them by number."""
    try:
        with ZipFile(path) as archive:
            names = sorted(
                name
                for name in archive.namelist()[:_MEMBERS_MAX]
                if name.rpartition("/")[2].startswith("conversations") and name.endswith(".json")
            )
            if not names:
                raise unusable(path, "the ZIP file has no conversations.json")
            found = [_of_member(path, archive, name) for name in names]
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise unusable(path, f"the ZIP file is damaged: {error}") from error

    def read() -> Iterator[Transcript]:
        for one in found:
            yield from one.read()

    return FinishedFile(path, found[0].client, read)


def _of_member(path: Path, archive: ZipFile, name: str) -> FinishedFile:
    @contextmanager
    def open_again() -> Generator[BinaryIO]:
        with ZipFile(path) as again, again.open(name) as member:
            yield cast("BinaryIO", member)

    with archive.open(name) as file:
        return _of_document(path, cast("BinaryIO", file), open_again)


def _of_database(path: Path) -> Iterator[Transcript]:
    """Yield the conversations of opencode's database, the oldest first."""
    with open_foreign(path, program=_DATABASE) as database:
        if not database.has_tables("session", "message", "part"):
            raise unusable(path, "the database is none of opencode")
        for id_, title, folder in list(database.rows("sessions")):
            about = About(str(id_), str(title or ""))
            about.folder = str(folder or "")
            yield Transcript(about, opencode.turns_of(_messages(database.rows, str(id_))))


def _messages(
    rows: Callable[..., Iterator[tuple[Any, ...]]], session: str
) -> Iterator[tuple[Members, list[Members]]]:
    for id_, created, data in list(rows("messages", (session,))):
        parts = [decoded(str(part).encode()) for (part,) in rows("parts", (id_,))]
        message = decoded(str(data).encode())
        time = {"created": created, **members_of(message.get("time"))}
        yield {**message, "id": str(id_), "time": time}, parts
