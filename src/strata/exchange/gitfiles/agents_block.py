"""The decisions in force as a block of AGENTS.md or CLAUDE.md; no other byte of it is touched."""

import re
from collections.abc import Iterator
from pathlib import Path

from strata.base import limits
from strata.base.errors import NotAllowed, Unavailable, Unusable
from strata.decisions import Memory, MemoryReader
from strata.exchange.place import view_of, whole_file
from strata.secrets import find_in
from strata.workspace import Workspace

NAMES = ("AGENTS.md", "CLAUDE.md")
_BEGIN = re.compile(rb"<!-- strata:begin(?: \+(\d))? -->")
_END = re.compile(rb"<!-- strata:end -->")
_TITLE = "## Decisions in force"
_NOTE = "Kept by `strata git`: what is edited between these marks is overwritten."
_LINE_BYTES = 400
# Room for the line that counts what is left out.
_MORE_BYTES = 60


def decisions_block(db: Workspace, most: int) -> str:
    """Return the list of decisions in force, without marks: newest first within the size, by topic.

    Expired, replaced and failed ones are left out, and so is what holds a secret.
    """
    chosen: list[tuple[str, str]] = []
    left = most - len(f"{_TITLE}\n\n{_NOTE}\n\n".encode()) - _MORE_BYTES
    count = 0
    for memory in _in_force(db):
        count += 1
        line = _line(memory)
        left -= len(line.encode()) + 1
        if left >= 0:
            chosen.append((memory.topic or "", line))
    if not count:
        return ""
    lines = [line for _topic, line in sorted(chosen)]
    if len(lines) < count:
        lines.append(f"- … and {count - len(lines)} more: `strata decisions list`")
    return "\n".join([_TITLE, "", _NOTE, "", *lines])


def _in_force(db: Workspace) -> Iterator[Memory]:
    reader = MemoryReader(view_of(db).snapshot)
    decisions = reader.of_type("decision")
    replaced = reader.replaced(decisions)
    found = [memory for memory in decisions if memory.id not in replaced]
    for memory in sorted(found, key=lambda one: (-one.created_at, one.id)):
        caveat = db.decisions.caveat(memory)
        is_over = memory.outcome == "FAILED" or caveat.startswith("expired")
        if not is_over and not find_in([memory.topic, memory.content]):
            yield memory


def _line(memory: Memory) -> str:
    text = " ".join(memory.content.split()).replace("<!--", "<! --").replace("-->", "-- >")
    short = text.encode()[:_LINE_BYTES].decode("utf-8", "ignore")
    more = "" if short == text else "…"
    topic = " ".join((memory.topic or "").split()).replace("<!--", "").replace("-->", "")
    return f"- **{topic}**: {short}{more}"


def with_block(data: bytes, block: str) -> bytes:
    """Return a file with the block in it, or without one where the block is empty.

    Raises Unusable where the marks are damaged or there are several.
    """
    span = _span(data)
    newline = b"\r\n" if _ends_with_crlf(data) else b"\n"
    body = block.encode().replace(b"\n", newline)
    if span is not None:
        start, end, added = span
        if not block:
            return _without(data, start, end, added=added, newline=newline)
        opening = _opening(added)
        return b"".join([data[:start], opening, newline, body, newline, _CLOSING, data[end:]])
    if not block:
        return data
    added = 0 if not data else 1 if data.endswith(b"\n") else 2
    opening = _opening(added)
    return b"".join([data, newline * added, opening, newline, body, newline, _CLOSING, newline])


_CLOSING = b"<!-- strata:end -->"


def _opening(added: int) -> bytes:
    """Return the first mark; it says how many line ends were added before it."""
    return f"<!-- strata:begin +{added} -->".encode()


def _span(data: bytes) -> tuple[int, int, int] | None:
    begins, ends = list(_BEGIN.finditer(data)), list(_END.finditer(data))
    if not begins and not ends and b"strata:begin" not in data and b"strata:end" not in data:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0].end() > ends[0].start():
        raise Unusable(
            "The marks of Strata's block are damaged: there must be one "
            "`<!-- strata:begin +N -->` and one `<!-- strata:end -->` behind it, or neither.",
            hint="Remove what is left of the block by hand; the next commit writes it again.",
        )
    return begins[0].start(), ends[0].end(), int(begins[0][1] or 0)


def _without(data: bytes, start: int, end: int, *, added: int, newline: bytes) -> bytes:
    before, after = data[:start], data[end:]
    for _one in range(added):
        before = before.removesuffix(newline)
    return before + after.removeprefix(newline) if before or after else b""


def _ends_with_crlf(data: bytes) -> bool:
    return data.count(b"\r\n") * 2 > data.count(b"\n")


def read_instructions(path: Path) -> bytes:
    """Return a file of instructions, or nothing where there is none; never through a link."""
    if path.is_symlink():
        raise NotAllowed(
            f"{path} is a link to another place.",
            hint="Name the file itself: `strata git on --agents-file FILE`.",
            path=str(path),
        )
    try:
        with path.open("rb") as file:
            data = file.read(limits.AGENTS_FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}.", path=str(path)) from error
    if len(data) > limits.AGENTS_FILE_BYTES_MAX:
        raise Unusable(f"{path} is too large for a file of instructions.", path=str(path))
    return data


def write_block(path: Path, block: str) -> bool:
    """Write the block into a file, or take it out; tell whether the file changed."""
    before = read_instructions(path)
    try:
        after = with_block(before, block)
    except Unusable as error:
        raise Unusable(f"{path}: {error.message}", hint=error.hint, path=str(path)) from error
    if after == before:
        return False
    if not after:
        path.unlink(missing_ok=True)
        return True
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    with whole_file(path, force=True) as part:
        part.write_bytes(after)
        part.chmod(mode)
    return True


def default_agents_file(folder: Path) -> str:
    """Return which file gets the block: one that is there, else AGENTS.md."""
    there = (name for name in NAMES if (folder / name).is_file())
    own = (name for name in there if not (folder / name).is_symlink())
    return next(own, NAMES[0])
