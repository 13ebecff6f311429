"""Which program wrote a file with conversations."""

from contextlib import suppress
from pathlib import Path

from strata.base.errors import Unusable
from strata.conversations.formats import opencode
from strata.conversations.transcripts import (
    FinishedFile,
    GrowingFile,
    growing,
    opened,
    unusable,
)

_SUFFIXES = frozenset({".jsonl", ".json", ".db", ".zip"})
_SQLITE, _ZIP = b"SQLite format 3\0", b"PK\x03\x04"


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
    if path.exists() and not path.is_file():
        # It is read several times, and a pipe would be waited for.
        raise unusable(path, "it is no regular file")
    with opened(path) as file:
        head = file.read(len(_SQLITE))
        if head != _SQLITE and not head.startswith(_ZIP):
            file.seek(0)
            found = growing(path, file)
            if found is not None:
                return found
        # Hooks end here: what reads other files takes a while to load.
        from strata.conversations import finished  # noqa: PLC0415

        if head == _SQLITE:
            return FinishedFile(path, opencode.CLIENT, lambda: finished.of_database(path))
        if head.startswith(_ZIP):
            return finished.of_archive(path)
        file.seek(0)
        return finished.of_document(path, file, lambda: path.open("rb"))
