"""Files with conversations: which program wrote them, and reading them without holding them whole.

| program | file |
|---|---|
| Claude Code, Codex, Gemini CLI | a line of JSON for each thing that happened; it grows |
| opencode | a SQLite database, or what `opencode export` writes |
| ChatGPT, claude.ai | `conversations.json`, alone or in the ZIP file of the export |
"""

import codecs
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, NamedTuple

from strata.base import limits
from strata.base.errors import NotFound, Unusable
from strata.conversations.formats import claude_code, codex, exports, gemini, opencode
from strata.conversations.spoken import (
    About,
    LineReader,
    Members,
    Transcript,
    decoded,
)

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
# A transcript names its program and its session in one of its first lines.
_HEAD_LINES = 50


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


@contextmanager
def opened(path: Path) -> Generator[BufferedReader]:
    """Open a file to read; raise NotFound or Unusable."""
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


def growing(path: Path, file: BinaryIO) -> GrowingFile | None:
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
