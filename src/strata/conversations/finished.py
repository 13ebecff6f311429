"""Files with finished conversations: exports of websites, opencode's database, whole documents."""

import codecs
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast
from zipfile import BadZipFile, ZipFile

import msgspec

from strata.base import limits
from strata.base.json_elements import elements
from strata.conversations.formats import exports, gemini, opencode
from strata.conversations.spoken import About, Members, Transcript, decoded, members_of
from strata.conversations.transcripts import FinishedFile, unusable
from strata.sql import open_foreign

_DATABASE = "opencode"
# How many members of a ZIP file are looked at.
_MEMBERS_MAX = 10_000

# Opens a document once more.
_Opens: TypeAlias = "Callable[[], AbstractContextManager[BinaryIO]]"


def of_document(path: Path, file: BinaryIO, open_again: _Opens) -> FinishedFile:
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


def of_archive(path: Path) -> FinishedFile:
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
        return of_document(path, cast("BinaryIO", file), open_again)


def of_database(path: Path) -> Iterator[Transcript]:
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
