"""The outline of a document that is too long to be read at once: as deep as there is room."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from strata.base.errors import LimitExceeded, NotFound
from strata.tools.declare import HIDDEN

if TYPE_CHECKING:
    from strata.documents import Piece, Section

_encode = msgspec.json.Encoder().encode
# Each is looked for among all headings of the document.
_SECTIONS_MAX = 50


class OutlineSection(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A section. `tokens` is what reading it takes, with all that is below it."""

    path: str
    tokens: Annotated[int, HIDDEN]
    # The first piece of the section's own text, and how many pieces there are.
    chunk_id: str | UnsetType = UNSET
    chunks: Annotated[int, HIDDEN] = 1
    # Sections below this one that are not listed.
    below: Annotated[int, HIDDEN] = 0


class Outline(NamedTuple):
    """What of the sections is shown, and where the rest begins."""

    parts: list[OutlineSection]
    is_deep: bool
    rest: int | None = None


def chosen(found: "Sequence[Section]", wanted: Sequence[str]) -> "list[Section]":
    """Return the sections of some paths and all below them; raise NotFound for unknown ones."""
    from strata.documents import find_section, nearest_paths  # noqa: PLC0415  (not at start)

    kept: dict[int, Section] = {}
    if len(wanted) > _SECTIONS_MAX:
        raise LimitExceeded(
            f"One call reads {_SECTIONS_MAX} sections; these are {len(wanted):,}.",
            hint="Name the headings above them: what is below comes with those.",
            limit=_SECTIONS_MAX, size=len(wanted),
        )  # fmt: skip
    for path in dict.fromkeys(wanted):
        hits = find_section(found, path)
        if not hits:
            near = nearest_paths(found, path)
            told = f"Did you mean {near[0]!r}?" if near else "The document has no headings."
            raise NotFound(
                f"There is no section {path[:200]!r}.",
                hint=f"{told} Read with maxTokens 0 for the outline.",
                parameter="sections", nearest=near,
            )  # fmt: skip
        kept |= {section.start: section for section in hits}
    return [kept[start] for start in sorted(kept)]


def text_of(
    text: str, sections: "Sequence[Section]", show: Callable[[int, int], str] | None = None
) -> str:
    """Return the words of sections as they stand, one behind the other; or as `show` has them."""
    parts: list[str] = []
    end = -1
    for section in sections:
        if parts and section.start != end and not parts[-1].endswith("\n"):
            parts.append("\n")
        start = section.start
        parts.append(show(start, section.end) if show else text[start : section.end])
        end = section.end
    return "".join(parts)


def outlined(
    text: str,
    sections: "Sequence[Section]",
    pieces: "Sequence[Piece]",
    *,
    budget: int,
    start: int = 0,
) -> Outline:
    """Return the sections, the deepest left out until the rest can be read."""
    known: dict[tuple[str, ...], list[str]] = {}
    for piece in pieces:
        known.setdefault(piece.path, []).append(piece.id)
    parts = [_part(text, section, known) for section in sections]
    depths = [len(section.path) for section in sections]
    shown: list[OutlineSection] = []
    for depth in sorted(set(depths), reverse=True):
        shown = _down_to(parts, depths, depth)
        if _size(shown) <= budget:
            break
    is_deep = len(shown) == len(parts)
    fitting = _that_fit(shown[start:], budget)
    rest = start + fitting
    return Outline(shown[start:rest], is_deep, rest if rest < len(shown) else None)


def _part(
    text: str, section: "Section", known: Mapping[tuple[str, ...], list[str]]
) -> OutlineSection:
    from strata.documents import path_name, tokens  # noqa: PLC0415  (not before the first reply)

    ids = known.get(section.path, ())
    return OutlineSection(
        path=path_name(section.path), tokens=tokens(text[section.start : section.whole_end]),
        chunk_id=ids[0] if ids else UNSET, chunks=max(len(ids), 1),
    )  # fmt: skip


def _down_to(
    parts: Sequence[OutlineSection], depths: Sequence[int], depth: int
) -> list[OutlineSection]:
    """Return the parts of some depth and above, each with how many are hidden below it."""
    found: list[OutlineSection] = []
    for part, at in zip(parts, depths, strict=True):
        if at <= depth:
            found.append(part)
        elif found:
            found[-1] = msgspec.structs.replace(found[-1], below=found[-1].below + 1)
    return found


def _size(parts: Sequence[Any]) -> int:
    return len(_encode(parts)) // 4


def _that_fit(parts: Sequence[OutlineSection], budget: int) -> int:
    """Return how many parts can be read; one at least, so that reading goes on."""
    for count, part in enumerate(parts):
        budget -= _size((part,))
        if budget < 0:
            return max(count, 1)
    return len(parts)
