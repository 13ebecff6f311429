"""read_document, get_image and app_get_section_content: a text, its outline, parts and images."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import clock, limits
from strata.base.errors import InvalidArgument, LimitExceeded, NotFound, WrongType
from strata.tools.declare import HIDDEN, Picture
from strata.tools.documents.group import (
    AsOf,
    DocumentId,
    HiddenAsOf,
    core,
    folder_fields,
    workspace_for,
)
from strata.tools.guide import SECTION_VIEW
from strata.tools.review_answers import (
    Footnotes,
    footnotes,
    marked,
    suggestion_list,
    thread_list,
)
from strata.tools.session import Call, moment

if TYPE_CHECKING:
    from strata.documents import Document, Documents, Piece, Section
    from strata.review import Proposal, Thread
    from strata.workspace import Workspace

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
            limit=_SECTIONS_MAX,
            size=len(wanted),
        )
    for path in dict.fromkeys(wanted):
        hits = find_section(found, path)
        if not hits:
            near = nearest_paths(found, path)
            told = f"Did you mean {near[0]!r}?" if near else "The document has no headings."
            raise NotFound(
                f"There is no section {path[:200]!r}.",
                hint=f"{told} Read with maxTokens 0 for the outline.",
                parameter="sections",
                nearest=near,
            )
        kept |= {section.start: section for section in hits}
    return [kept[start] for start in sorted(kept)]


def text_of(
    text: str, sections: "Sequence[Section]", show: Callable[[int, int], str] | None = None
) -> str:
    """Return the words of sections as they are, one after the other; or as `show` has them."""
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
        path=path_name(section.path),
        tokens=tokens(text[section.start : section.whole_end]),
        chunk_id=ids[0] if ids else UNSET,
        chunks=max(len(ids), 1),
    )


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


_LONG = "Too long for maxTokens: read parts of it by `sections`, as the call in `read` does."
_DEEPER = "Sections counted in `below` are left out: read that part with maxTokens 0."
_FRONTMATTER_TOKENS = 500
_MARKED = "Marks such as [^comment-1] are no part of the text: leave them out of oldString."


class ReadAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A document: its `content`, or the `outline` of what is too long and how to read on."""

    document_id: str
    title: str
    version: int
    content: str | UnsetType = UNSET
    outline: list[OutlineSection] | UnsetType = UNSET
    # No part of the text. Comments come so if they are asked for as structured, or with an outline.
    comments: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    suggestions: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    # What reading all that was asked for takes.
    tokens: Annotated[int, HIDDEN]
    truncated: bool = False
    # The call that reads one of the parts, and the one that goes on with the outline.
    read: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    sections: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    images: Annotated[list[dict[str, str]] | UnsetType, HIDDEN] = UNSET
    frontmatter: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    role: Annotated[str, HIDDEN]
    audience: Annotated[str, HIDDEN]
    folder_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    folder_name: Annotated[str | UnsetType, HIDDEN] = UNSET
    status: Annotated[str, HIDDEN]
    updated: Annotated[str, HIDDEN]
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


_Found = TypeVar("_Found", bound="Thread | Proposal")


class _ReadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What of a document is to be shown."""

    sections: Sequence[str]
    max_tokens: int
    outline_from: int
    include_suggestions: bool
    # How comments are shown, if they are.
    comments: str | None

    def is_over(self, text: str) -> bool:
        return self.max_tokens == 0 or _tokens(text) > self.max_tokens


@core.reads(example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "sections": ["Goals"]})
def read_document(
    call: Call,
    *,
    document_id: DocumentId,
    sections: Annotated[list[str] | None, 'Heading paths, e.g. ["Goals > Dates"]'] = None,
    max_tokens: Annotated[
        int, Meta(description="Longer gives the outline; 0: always the outline", le=2**32 - 1)
    ] = limits.READ_TOKENS,
    include_comments: Annotated[bool, "Show comments"] = False,
    comment_format: Annotated[
        Literal["footnotes", "structured"], "Structured: as a list"
    ] = "footnotes",
    include_suggestions: Annotated[bool, "List pending ones"] = False,
    as_of: AsOf = None,
    outline_from: Annotated[int, "Parts of the outline to skip", HIDDEN] = 0,
) -> ReadAnswer:
    """Read a document's markdown by its ID (find gives IDs). Always before editing.

    A long one comes as an outline: heading paths, tokens, and the call that reads one part.
    sections: those parts with everything below them. content is the exact text:
    copy oldString from it, and send version as baseVersion.
    """
    if comment_format == "structured" and not include_comments:
        raise InvalidArgument(
            "commentFormat says how comments are shown, and none are asked for.",
            hint="Send includeComments true as well.",
            parameter="commentFormat",
        )
    here = workspace_for(call, as_of)
    asked = _ReadOptions(
        sections=sections or (),
        max_tokens=max_tokens,
        outline_from=outline_from,
        include_suggestions=include_suggestions,
        comments=comment_format if include_comments else None,
    )
    return _read(here, asked, _about(here, here.documents.get(document_id)))


def _read(here: "Workspace", asked: _ReadOptions, about: dict[str, Any]) -> ReadAnswer:
    document = about["document_id"]
    text = here.documents.text(document)
    if not asked.sections and not asked.is_over(text):
        images = _images(here, document, text)
        notes = _footnotes(here, document, asked, text=text)
        return ReadAnswer(
            **about,
            content=marked(text, notes.marks) + notes.notes,
            tokens=_tokens(text),
            images=images,
            **_beside(here, document, asked, marks=bool(notes.marks)),
        )
    listed = here.documents.sections(document)
    wanted = chosen(listed, asked.sections) if asked.sections else listed
    shown = text_of(text, wanted) if asked.sections else text
    if not asked.is_over(shown):
        images = _images(here, document, shown)
        notes = _footnotes(here, document, asked, text=text, wanted=wanted)
        content = text_of(text, wanted, lambda a, b: marked(text, notes.marks, start=a, end=b))
        return ReadAnswer(
            **about,
            content=content + notes.notes,
            tokens=_tokens(shown),
            images=images,
            sections=_names(wanted),
            **_beside(here, document, asked, wanted=wanted, marks=bool(notes.marks)),
        )
    beside = _beside(here, document, asked, is_alone=True)
    about |= {"tokens": _tokens(shown), **beside}
    return _as_outline(here, text, asked, wanted=wanted, about=about)


def _about(here: "Workspace", found: "Document") -> dict[str, Any]:
    """Return what every answer says of a document."""
    folder = here.rights.folder_of(found.id)
    place = dict(zip(("folder_id", "folder_name"), folder_fields(here, folder), strict=False))
    return {
        "document_id": found.id,
        "title": found.title,
        "version": found.version,
        "role": found.role,
        "audience": folder.kind,
        "status": found.status,
        "updated": clock.iso(found.updated),
        "branch": here.branch,
        "as_of": moment(here),
        **place,
    }


def _tokens(text: str) -> int:
    from strata.documents import tokens  # noqa: PLC0415  (not before the first reply)

    return tokens(text)


def _names(wanted: "Sequence[Section]") -> list[str]:
    from strata.documents import path_name  # noqa: PLC0415  (not before the first reply)

    return [path_name(section.path) for section in wanted]


def _images(here: "Workspace", document: str, text: str) -> list[dict[str, str]] | UnsetType:
    """Return the images that a text shows. It is not rewritten, so that edits of it match.

    They are named by their id or, if a folder of Markdown was imported, by their name.
    """
    from strata.documents import references  # noqa: PLC0415  (not before the first reply)

    shown = {one.target: one.label for one in references(text) if one.kind == "image"}
    if not shown:
        return UNSET
    named = {image.name.rpartition("/")[2]: image.id for image in here.documents.images(document)}
    found: dict[str, str] = {}
    for target, label in shown.items():
        is_id = target.startswith("image:")
        id_ = target.removeprefix("image:") if is_id else named.get(target.rpartition("/")[2])
        if id_ is not None:
            found.setdefault(id_, label or ("" if is_id else target))
    listed = list(found.items())[: limits.IMAGES_SHOWN]
    return [{"imageId": id_, "alt": alt} for id_, alt in listed] or UNSET


def _as_outline(
    here: "Workspace",
    text: str,
    asked: _ReadOptions,
    *,
    wanted: "Sequence[Section]",
    about: dict[str, Any],
) -> ReadAnswer:
    document, budget = about["document_id"], asked.max_tokens
    room = min(max(budget, limits.OUTLINE_TOKENS_MIN), limits.READ_TOKENS)
    outline = outlined(
        text,
        wanted,
        here.documents.pieces(document),
        budget=room if budget else limits.READ_TOKENS,
        start=asked.outline_from,
    )
    again: dict[str, Any] = {"documentId": document, "branch": here.branch}
    if about["as_of"] is not UNSET:
        again["asOf"] = about["as_of"]
    rest = again | {"maxTokens": budget, "outlineFrom": outline.rest}
    if asked.sections:
        rest["sections"] = list(asked.sections)
    return ReadAnswer(
        **about,
        outline=outline.parts,
        truncated=budget > 0 or outline.rest is not None,
        read=_reading(outline.parts, again, budget or limits.READ_TOKENS),
        next=UNSET if outline.rest is None else {"tool": "read_document", "arguments": rest},
        frontmatter=_fields(here.documents.get(document)),
        hint=" ".join(
            [_LONG] * (budget > 0) + [_DEEPER] * (not outline.is_deep) + [about.pop("hint", "")]
        ).strip()
        or UNSET,
    )


def _reading(
    parts: Sequence[OutlineSection], again: dict[str, Any], most: int
) -> dict[str, Any] | UnsetType:
    """Return the call that reads the first part that is short enough, or the first piece."""
    short = next((part.path for part in parts if part.path and part.tokens <= most), None)
    if short is not None:
        return {"tool": "read_document", "arguments": again | {"sections": [short]}}
    piece = next((part.chunk_id for part in parts if part.chunk_id), None)
    if piece is None:
        return UNSET
    return {"tool": "app_get_section_content", "arguments": again | {"chunkId": piece}}


def _fields(found: "Document") -> dict[str, Any] | UnsetType:
    """Return the frontmatter beside an outline, which has no place for it; not if it is long."""
    size = len(msgspec.json.encode(found.frontmatter)) // 4
    return found.frontmatter if found.frontmatter and size <= _FRONTMATTER_TOKENS else UNSET


def _footnotes(
    here: "Workspace",
    document: str,
    asked: _ReadOptions,
    *,
    text: str,
    wanted: "Sequence[Section] | None" = None,
) -> Footnotes:
    """Return the comments on what is shown as marks in it, and the notes that belong to them."""
    if asked.comments != "footnotes":
        return Footnotes([], "")
    return footnotes(_threads(here, document, wanted), text, here.users.names())


def _beside(
    here: "Workspace",
    document: str,
    asked: _ReadOptions,
    *,
    wanted: "Sequence[Section] | None" = None,
    is_alone: bool = False,
    marks: bool = False,
) -> dict[str, Any]:
    """Return comments and suggestions as lists beside a text; with an outline, comments too."""
    names = here.users.names() if asked.comments or asked.include_suggestions else {}
    beside: dict[str, Any] = {}
    hints = [_MARKED] if marks else []
    if asked.comments == "structured" or (asked.comments and is_alone):
        threads = _threads(here, document, wanted)
        beside["comments"] = thread_list(threads, names)
        if len(beside["comments"]) < len(threads):
            hints.append(f"manage_comments lists all {len(threads)} comments.")
    if asked.include_suggestions:
        pending = _among(here.review.suggestions(document), wanted)
        beside["suggestions"] = suggestion_list(pending, names)
        if len(beside["suggestions"]) < len(pending):
            hints.append(f"manage_suggestions lists all {len(pending)} suggestions.")
    return beside | ({"hint": " ".join(hints)} if hints else {})


def _threads(
    here: "Workspace", document: str, wanted: "Sequence[Section] | None"
) -> "list[Thread]":
    """Return the threads on a document, or on those sections of it that were asked for."""
    return _among(here.review.comments(document), wanted)


def _among(found: "Sequence[_Found]", wanted: "Sequence[Section] | None") -> "list[_Found]":
    """Return what is about some sections of a text, or all of it where none were asked for."""
    if wanted is None:
        return list(found)
    return [
        one
        for one in found
        if one.spot and any(part.start <= one.spot.start < part.end for part in wanted)
    ]


class SectionContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A section, or a piece of a long one, and the headings above it."""

    document_id: str
    chunk_id: str
    title: Annotated[str, HIDDEN]
    version: Annotated[int, HIDDEN]
    heading_path: list[str]
    content: str
    tokens: Annotated[int, HIDDEN]
    # A long section comes in several pieces: which this is, of how many.
    part: Annotated[int | UnsetType, HIDDEN] = UNSET
    parts: Annotated[int | UnsetType, HIDDEN] = UNSET
    previous_chunk_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    next_chunk_id: str | UnsetType = UNSET
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


@core.reads(
    example={
        "documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "chunkId": "chunk_01JABCDEFGHJKMNPQRSTVWXYZ0",
    },
    view=SECTION_VIEW,
)
def app_get_section_content(
    call: Call,
    *,
    chunk_id: Annotated[str, "chunkId from find or an outline"],
    document_id: DocumentId,
    as_of: HiddenAsOf = None,
) -> SectionContent:
    """Get one section by chunk ID: its text and the headings above it.

    By heading, use read_document with sections.
    """
    from strata.documents import tokens  # noqa: PLC0415  (not before the first reply)

    here = workspace_for(call, as_of)
    found = here.documents.get(document_id)
    pieces = here.documents.pieces(document_id)
    at = next((at for at, piece in enumerate(pieces) if piece.id == chunk_id), None)
    if at is None:
        raise NotFound(
            f"The document has no section {chunk_id[:80]!r}.",
            hint="It may have been removed. read_document with maxTokens 0 lists those there are.",
            parameter="chunkId",
        )
    piece = pieces[at]
    own = [other.id for other in pieces if other.path == piece.path]
    return SectionContent(
        document_id=found.id,
        chunk_id=piece.id,
        title=found.title,
        version=found.version,
        heading_path=list(piece.path),
        content=piece.text,
        tokens=tokens(piece.text),
        part=own.index(piece.id) + 1 if len(own) > 1 else UNSET,
        parts=len(own) if len(own) > 1 else UNSET,
        previous_chunk_id=pieces[at - 1].id if at else UNSET,
        next_chunk_id=pieces[at + 1].id if at + 1 < len(pieces) else UNSET,
        branch=here.branch,
        as_of=moment(here),
    )


# Where the header of a PNG tells its size: two numbers of four bytes.
_SIZE = 16


@core.reads(
    example={
        "documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "imageId": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }
)
def get_image(
    call: Call,
    *,
    document_id: DocumentId,
    image_id: Annotated[str, "Hex digits behind `image:`, or the first few"],
    max_width: Annotated[
        int, Meta(description="Pixels; less saves tokens", ge=1, le=limits.IMAGE_SIDE_MAX)
    ] = limits.IMAGE_WIDTH,
    as_of: HiddenAsOf = None,
) -> Picture:
    """Look at an image of a document, as PNG.

    In the text it has the target image:ID; read_document lists the IDs in images.
    """
    wanted = image_id.strip().removeprefix("image:").lower()
    documents = workspace_for(call, as_of).documents
    about: dict[str, Any] = {"documentId": document_id, "imageId": wanted}
    try:
        png = documents.image(document_id, wanted, max_width=max_width).png
    except WrongType:
        return Picture(None, about | {"svg": _drawing(documents, document_id, wanted)})
    width, height = (int.from_bytes(png[at : at + 4]) for at in (_SIZE, _SIZE + 4))
    size = {"width": width, "height": height, "bytes": len(png), "mimeType": "image/png"}
    return Picture(png, about | size)


def _drawing(documents: "Documents", document: str, image: str) -> str:
    """Return what a drawing is made of: it is text, and a model can read it as such."""
    text = documents.image_file(document, image).decode("utf-8", "replace")
    if len(text) > limits.READ_TOKENS * 4:
        raise WrongType(
            "This is a drawing (SVG), too long to be read as text, and it is not rendered.",
            hint="Attach it as PNG as well, by presignUpload with contentType image/png.",
            parameter="imageId",
        )
    return text
