"""An export as Markdown: for people to read, and exact enough to be imported again.

Metadata (kind, space, exact key, version) is in a comment above each value. Headings and notes are
for readers only: an import uses the comments and the text between the fences, so a value may be
edited in place.
"""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import msgspec

from strata.base.values import Json, decode
from strata.exchange.lines import Flaw, Parsed, numbered, reason_of
from strata.exchange.records import (
    CommitRecord,
    EventRecord,
    HeaderRecord,
    Item,
    Record,
    as_json,
    kind_of,
    record_of,
    value_of,
)

_OPENING, _CLOSING = "<!-- strata ", " -->"
_FENCE = re.compile(r"(`{3,})(text|json)")
_TICKS = re.compile(r"`+")
# Characters that an editor, a terminal or a reader of lines might change or lose.
_FRAGILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_KIND_WORDS = {"kv": "fact", "json": "document", "state": "cell"}


class MarkdownWriter:
    """Turns records into text, with a heading wherever a space or a folder of keys begins."""

    def __init__(self) -> None:
        self._space: str | None = None
        self._folder: str | None = None
        self._is_history = False

    def header(self, header: HeaderRecord) -> str:
        """Return the beginning of a file."""
        what = "Every version" if header.history else "The state"
        return (
            "# Strata export\n\n"
            f"{what} of branch {_code(header.branch)} at version {header.version:,}, "
            f"{header.time}.\n\n{_comment(as_json(header))}\n"
        )

    def record(self, record: Record) -> str:
        """Return one record."""
        if isinstance(record, CommitRecord):
            self._is_history = True
            return _commit(record)
        headings = self._place(record) if self._is_history else self._headings(record)
        if isinstance(record, EventRecord):
            return headings + _event(record)
        return f"{headings}\n{_comment(_about(record))}\n{_note(record)}{_value(record)}"

    def _place(self, record: Item) -> str:
        """Return where one change of a commit was made."""
        name = "event" if isinstance(record, EventRecord) else record.key
        return f"\n### {_code(name)} in space {_code(record.space)}\n" + (
            "\n" if isinstance(record, EventRecord) else ""
        )

    def _headings(self, record: Item) -> str:
        lines: list[str] = []
        if record.space != self._space:
            lines.append(f"\n## Space {_code(record.space)}\n")
            self._space, self._folder = record.space, None
        if isinstance(record, EventRecord):
            if self._folder != "":
                lines.append("\n### Events\n\n")
            self._folder = ""
            return "".join(lines)
        folder, slash, _rest = record.key.partition("/")
        if folder + slash != self._folder:
            lines.append(f"\n### {_code(folder + slash)}\n")
        if slash:
            lines.append(f"\n#### {_code(record.key)}\n")
        self._folder = folder + slash
        return "".join(lines)


def _commit(commit: CommitRecord) -> str:
    by = f" by {_code(commit.actor)}" if commit.actor else ""
    why = f": {_code(commit.message)}" if commit.message else ""
    return f"\n---\n\n## {_day(commit.time)}{by}{why}\n\n{_comment(as_json(commit))}\n"


def _event(event: EventRecord) -> str:
    payload = _code(_exact(msgspec.json.encode(value_of(event))))
    if event.state != "live":
        payload = f"({event.state})"
    return f"- {_day(event.time)} {_code(event.type)} {payload} {_comment(_about(event))}\n"


def _note(record: Item) -> str:
    tags = getattr(record, "tags", ())
    told = [
        _KIND_WORDS[kind_of(record)],
        _day(record.time),
        *(f"#{_plain_line(tag)}" for tag in tags),
    ]
    if record.state != "live":
        told.insert(1, record.state)
    return f"*{' · '.join(part for part in told if part)}*\n"


def _value(record: Item) -> str:
    if record.state != "live":
        return ""
    value, language = value_of(record), "text"
    if not isinstance(value, str) or _FRAGILE.search(value):
        language = "json"
        value = _exact(msgspec.json.format(msgspec.json.encode(value), indent=2))
    ticks = "`" * max(3, _longest_run(value) + 1)
    return f"\n{ticks}{language}\n{value}\n{ticks}\n"


def _about(record: Item) -> bytes:
    return as_json(msgspec.structs.replace(record, value=msgspec.UNSET))


def _comment(data: bytes) -> str:
    # Two hyphens would end a comment; inside JSON they occur in texts only.
    return _OPENING + _exact(data).replace("--", "-\\u002d") + _CLOSING


def _exact(data: bytes) -> str:
    """Return JSON in which nothing can get lost on the way."""
    return _FRAGILE.sub(lambda found: f"\\u{ord(found[0]):04x}", data.decode())


def _day(time: str) -> str:
    return time[:19].replace("T", " ")


def _plain_line(text: str) -> str:
    """Return text on one line, without anything that Markdown would take for its own."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", _one_line(text))


def _code(text: str) -> str:
    """Return text on one line as it is, set as code."""
    line = _one_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    blank = " " if len(ticks) > 1 else ""
    return f"{ticks}{blank}{line}{blank}{ticks}"


def _one_line(text: str) -> str:
    return _FRAGILE.sub("�", text.replace("\n", "⏎").replace("\t", " "))


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


# Reading it back.


def header_of(line: str) -> str | None:
    """Return the JSON of a comment that is on a line of its own, or None."""
    text = line.strip()
    if text.startswith(_OPENING) and text.endswith(_CLOSING):
        return text[len(_OPENING) : -len(_CLOSING)]
    return None


def read_markdown(file: BinaryIO) -> Iterator[Parsed]:
    """Yield the records of an export in Markdown."""
    reader = _Reader(file)
    is_header = True
    for number, line in reader:
        about = header_of(line)
        if about is not None and is_header:
            is_header = False
        elif about is not None:
            yield reader.keyed(number, about)
        elif line.startswith("- ") and _OPENING in line:
            yield _read_event(number, line)
        elif fence := _FENCE.fullmatch(line):
            reader.block(fence[1])  # a block without a comment


class _Reader:
    """The lines of a file, one of which may be looked at before it is taken."""

    def __init__(self, file: BinaryIO) -> None:
        self._lines = numbered(file)
        self._kept: tuple[int, str] | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while (found := self._next()) is not None:
            yield found

    def _next(self) -> tuple[int, str] | None:
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        for number, line in self._lines:
            # What was written elsewhere may end its lines otherwise; no text of ours does.
            return number, line.decode().removesuffix("\n").removesuffix("\r")
        return None

    def keyed(self, number: int, about: str) -> Parsed:
        """Read what a comment tells about, with the value below it."""
        try:
            members = cast("dict[str, Any]", decode(about))
            if members.get("state", "live") == "live" and members.get("kind") != "commit":
                members = {**members, "value": self._value()}
            return number, record_of(members)
        except (ValueError, RecursionError, AttributeError, TypeError) as error:
            return Flaw(number, reason_of(error))

    def _value(self) -> Json:
        for number, line in self:
            fence = _FENCE.fullmatch(line)
            if fence is not None:
                text = self.block(fence[1])
                return text if fence[2] == "text" else decode(text)
            if header_of(line) is not None:
                self._kept = (number, line)
                break
        raise ValueError("no value in fences follows")

    def block(self, ticks: str) -> str:
        """Return the text up to a closing fence."""
        lines: list[str] = []
        for _number, line in self:
            if line == ticks:
                return "\n".join(lines)
            lines.append(line)
        raise ValueError("its fence is not closed")


def _read_event(number: int, line: str) -> Parsed:
    text, _opening, about = line.rpartition(_OPENING)
    try:
        members = cast("dict[str, Any]", decode(about.removesuffix(_CLOSING)))
        if members.get("state", "live") == "live":
            members = {**members, "value": decode(_last_code(text))}
        return number, record_of(members)
    except (ValueError, RecursionError, AttributeError, TypeError) as error:
        return Flaw(number, reason_of(error))


def _last_code(text: str) -> str:
    """Return the last thing on a line that is set as code."""
    text = text.rstrip()
    ticks = text[len(text.rstrip("`")) :]
    body = text.removesuffix(ticks)
    before, found, code = body.rpartition(ticks) if ticks else ("", "", "")
    if not found or before.endswith("`"):
        raise ValueError("there is no payload before the comment")
    return code.strip()
