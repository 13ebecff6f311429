"""Taking conversations in: what is new in a file, appended to the streams of the store."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypeVar

import msgspec

from strata.base import limits
from strata.base.results import Result
from strata.conversations.records import LineMark
from strata.conversations.spoken import About, LineReader, SpokenTurn, Transcript, decoded
from strata.conversations.stream import Appended, Overtaken, Stream, digest
from strata.conversations.transcripts import FinishedFile, GrowingFile, Line, lines_from
from strata.store import View

T = TypeVar("T")
Progress: TypeAlias = Callable[[str, int, int], None]
# Why the last line of a file is left for the next time.
_CUT = "its last line is not finished; it is read the next time"
_FLAWS_MAX = 20
_NOTHING = Appended()


class ImportedConversation(Result, frozen=True, kw_only=True):
    """What an import did with one conversation of a file.

    `state` is new, grown or unchanged; or forgotten, for one that was forgotten here and is left
    alone.
    """

    id: str
    path: str
    state: str
    turns: int = 0
    masked: int = 0


class ImportedFile(Result, frozen=True, kw_only=True):
    """What an import found in one file. `notes` say what of it could not be read."""

    path: str
    client: str
    conversations: tuple[ImportedConversation, ...]
    notes: tuple[str, ...] = ()


class ImportFilter(msgspec.Struct, frozen=True):
    """What of a file is wanted: conversations since a time, those held in some folders.

    With `again`, also those that were forgotten.
    """

    since: int | None = None
    folders: Collection[str] | None = None
    again: bool = False

    def wants(self, about: About, last: int | None) -> bool:
        """Tell whether a conversation is wanted, whose last turn was at that time."""
        is_late = self.since is None or last is None or last >= self.since
        return is_late and (self.folders is None or _is_below(about.folder, self.folders))


def _is_below(folder: str, folders: Collection[str]) -> bool:
    place = Path(folder) if folder else None
    return place is not None and any(
        Path(one) == place or Path(one) in place.parents for one in folders
    )


class Importer:
    """Appends what is new in files to the conversations of a view."""

    def __init__(
        self, view: View, wanted: ImportFilter, *, progress: Progress | None = None
    ) -> None:
        self._view = view
        self._wanted = wanted
        self._progress = progress

    def import_file(self, file: GrowingFile | FinishedFile) -> ImportedFile:
        """Take in a file."""
        if isinstance(file, GrowingFile):
            return self._import_lines(file)
        found = [
            done for one in file.read() if (done := self._import_finished(file, one)) is not None
        ]
        return ImportedFile(path=str(file.path), client=file.client, conversations=tuple(found))

    def _report(self, stage: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(stage, done, total)

    # Files of lines.

    def _import_lines(self, file: GrowingFile) -> ImportedFile:
        flaws: list[str] = []
        with file.path.open("rb") as opened:
            done = self._grown(file, opened, flaws)
        return ImportedFile(
            path=str(file.path),
            client=file.client,
            conversations=() if done is None else (done,),
            notes=tuple(flaws[:_FLAWS_MAX]),
        )

    def _grown(
        self, file: GrowingFile, opened: BinaryIO, flaws: list[str]
    ) -> ImportedConversation | None:
        stream = Stream(self._view, f"{file.client}/{file.about.id}")
        if stream.is_forgotten and not self._wanted.again:
            return _result(stream, file.path, "forgotten")
        if self._wanted.since is not None and _changed(file.path) < self._wanted.since:
            return None
        is_new = stream.count() == 0
        appended = _sum(lambda: self._append_lines(stream, file, opened=opened, flaws=flaws))
        if is_new and not appended.turns:
            return None
        state = _state(is_new=is_new, appended=appended)
        return _result(stream, file.path, state, appended=appended)

    def _append_lines(
        self, stream: Stream, file: GrowingFile, *, opened: BinaryIO, flaws: list[str]
    ) -> Iterator[Appended]:
        """Append what is behind the last turn, a batch at a time."""
        flaws.clear()
        count = stream.count()
        start = stream.resume(opened, count)
        reader = file.make()
        known = set[str]() if not count or (start and not reader.repeats) else stream.known_ids()
        turns = _unknown(_spoken(reader, lines_from(opened, start), flaws), known)
        size = file.path.stat().st_size
        for batch in _batches(turns):
            yield stream.append(reader.about, batch, behind=count)
            count += len(batch)
            mark = batch[-1][1]
            self._report(file.path.name, 0 if mark is None else mark.end, size)

    # Whole files.

    def _import_finished(self, file: FinishedFile, one: Transcript) -> ImportedConversation | None:
        if not one.about.id:
            return None
        turns = list(one.turns)
        last = max((turn.time for turn in turns if turn.time is not None), default=None)
        if not turns or not self._wanted.wants(one.about, last):
            return None
        stream = Stream(self._view, f"{file.client}/{one.about.id}")
        if stream.is_forgotten and not self._wanted.again:
            return _result(stream, file.path, "forgotten")
        is_new = stream.count() == 0
        appended = _sum(lambda: self._append_unknown(stream, file, one=one, turns=turns))
        state = _state(is_new=is_new, appended=appended)
        return _result(stream, file.path, state, appended=appended)

    def _append_unknown(
        self, stream: Stream, file: FinishedFile, *, one: Transcript, turns: list[SpokenTurn]
    ) -> Iterator[Appended]:
        """Append the turns that are not in the store yet, a batch at a time."""
        count = first = stream.count()
        known = stream.known_ids() if count else set[str]()
        for batch in _batches(_unknown(((turn, None) for turn in turns), known)):
            yield stream.append(one.about, batch, behind=count)
            count += len(batch)
            self._report(file.path.name, count - first, len(turns))


def _sum(parts: Callable[[], Iterator[Appended]]) -> Appended:
    """Return what was appended in all; begin anew behind what another process has appended.

    Two hooks of a client run at once, or a hook and an import.
    """
    done = Appended()
    while True:
        try:
            for one in parts():
                done += one
        except Overtaken:
            continue
        return done


def _spoken(
    reader: LineReader, lines: Iterator[Line], flaws: list[str]
) -> Iterator[tuple[SpokenTurn, LineMark | None]]:
    for line in lines:
        if not line.data.strip():
            if line.end > line.start and not line.data:
                flaws.append(f"line {line.number} is longer than {_MOST} and was passed over")
            continue
        members = decoded(line.data)
        if not members:
            is_last = not line.data.endswith(b"\n")
            flaws.append(_CUT if is_last else f"line {line.number} is no JSON object")
            continue
        for turn in reader.read(members):
            yield turn, LineMark(line.start, line.end, digest(line.data))


_MOST = f"{limits.TRANSCRIPT_LINE_BYTES_MAX:,} bytes"


def _unknown(
    turns: Iterator[tuple[SpokenTurn, T]], known: set[str]
) -> Iterator[tuple[SpokenTurn, T]]:
    """Yield turns that are not in the store yet, each once."""
    for turn, mark in turns:
        if turn.id not in known:
            known.add(turn.id)
            yield turn, mark


def _batches(turns: Iterator[tuple[SpokenTurn, T]]) -> Iterator[list[tuple[SpokenTurn, T]]]:
    """Yield turns in parts that make a commit each."""
    batch: list[tuple[SpokenTurn, T]] = []
    size = 0
    for pair in turns:
        batch.append(pair)
        size += len(pair[0].text)
        if len(batch) >= limits.TURNS_A_COMMIT or size >= limits.TURNS_A_COMMIT_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns // 1_000


def _state(*, is_new: bool, appended: Appended) -> str:
    return "new" if is_new else "grown" if appended.turns else "unchanged"


def _result(
    stream: Stream, path: Path, state: str, *, appended: Appended = _NOTHING
) -> ImportedConversation:
    return ImportedConversation(
        id=stream.id, path=str(path), state=state, turns=appended.turns, masked=appended.masked
    )
