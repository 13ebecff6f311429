"""read_document: the text as it stands, or the outline of one that is too long."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import clock, limits
from strata.base.errors import InvalidArgument
from strata.tools.declare import HIDDEN
from strata.tools.documents.outline import OutlineSection, chosen, outlined, text_of
from strata.tools.documents.surface import AsOf, DocumentId, core, moment, seen, shown_folder
from strata.tools.reviewed.below import (
    Footnotes,
    footnotes,
    marked,
    suggestions_shown,
    threads_shown,
)
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.documents import Document, Section
    from strata.review import Proposal, Thread
    from strata.workspace import Workspace

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


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
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
    sections: those parts with everything below them. content is the text exactly as it stands:
    copy oldString from it, and send version as baseVersion.
    """
    if comment_format == "structured" and not include_comments:
        raise InvalidArgument(
            "commentFormat says how comments are shown, and none are asked for.",
            hint="Send includeComments true as well.", parameter="commentFormat",
        )  # fmt: skip
    here = seen(call, as_of)
    asked = _Asked(
        sections=sections or (), max_tokens=max_tokens, outline_from=outline_from,
        include_suggestions=include_suggestions,
        comments=comment_format if include_comments else None,
    )  # fmt: skip
    return _read(here, asked, _about(here, here.documents.get(document_id)))


def _read(here: "Workspace", asked: _Asked, about: dict[str, Any]) -> ReadAnswer:
    document = about["document_id"]
    text = here.documents.text(document)
    if not asked.sections and not asked.is_over(text):
        images = _images(here, document, text)
        notes = _footnotes(here, document, asked, text=text)
        return ReadAnswer(
            **about, content=marked(text, notes.marks) + notes.notes, tokens=_tokens(text),
            images=images, **_beside(here, document, asked, marks=bool(notes.marks)),
        )  # fmt: skip
    listed = here.documents.sections(document)
    wanted = chosen(listed, asked.sections) if asked.sections else listed
    shown = text_of(text, wanted) if asked.sections else text
    if not asked.is_over(shown):
        images = _images(here, document, shown)
        notes = _footnotes(here, document, asked, text=text, wanted=wanted)
        content = text_of(text, wanted, lambda a, b: marked(text, notes.marks, start=a, end=b))
        return ReadAnswer(
            **about, content=content + notes.notes, tokens=_tokens(shown), images=images,
            sections=_names(wanted),
            **_beside(here, document, asked, wanted=wanted, marks=bool(notes.marks)),
        )  # fmt: skip
    beside = _beside(here, document, asked, is_alone=True)
    about |= {"tokens": _tokens(shown), **beside}
    return _outline(here, text, asked, wanted=wanted, about=about)


def _about(here: "Workspace", found: "Document") -> dict[str, Any]:
    """Return what every answer says of a document."""
    folder = here.rights.folder_of(found.id)
    place = dict(zip(("folder_id", "folder_name"), shown_folder(here, folder), strict=False))
    return {
        "document_id": found.id, "title": found.title, "version": found.version,
        "role": found.role, "audience": folder.kind, "status": found.status,
        "updated": clock.iso(found.updated), "branch": here.branch, "as_of": moment(here), **place,
    }  # fmt: skip


def _tokens(text: str) -> int:
    from strata.documents import tokens  # noqa: PLC0415  (not before the first reply)

    return tokens(text)


def _names(wanted: "Sequence[Section]") -> list[str]:
    from strata.documents import path_name  # noqa: PLC0415  (not before the first reply)

    return [path_name(section.path) for section in wanted]


def _images(here: "Workspace", document: str, text: str) -> list[dict[str, str]] | UnsetType:
    """Return the images that a text shows. It is not rewritten, so that edits of it match.

    They stand there by their id or, where a folder of markdown was taken in, by their name.
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


def _outline(
    here: "Workspace", text: str, asked: _Asked, *, wanted: "Sequence[Section]",
    about: dict[str, Any],
) -> ReadAnswer:  # fmt: skip
    document, budget = about["document_id"], asked.max_tokens
    room = min(max(budget, limits.OUTLINE_TOKENS_MIN), limits.READ_TOKENS)
    outline = outlined(
        text, wanted, here.documents.pieces(document),
        budget=room if budget else limits.READ_TOKENS, start=asked.outline_from,
    )  # fmt: skip
    again: dict[str, Any] = {"documentId": document, "branch": here.branch}
    if about["as_of"] is not UNSET:
        again["asOf"] = about["as_of"]
    rest = again | {"maxTokens": budget, "outlineFrom": outline.rest}
    if asked.sections:
        rest["sections"] = list(asked.sections)
    return ReadAnswer(
        **about, outline=outline.parts, truncated=budget > 0 or outline.rest is not None,
        read=_reading(outline.parts, again, budget or limits.READ_TOKENS),
        next=UNSET if outline.rest is None else {"tool": "read_document", "arguments": rest},
        frontmatter=_fields(here.documents.get(document)),
        hint=" ".join(
            [_LONG] * (budget > 0) + [_DEEPER] * (not outline.is_deep) + [about.pop("hint", "")]
        ).strip() or UNSET,
    )  # fmt: skip


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
    here: "Workspace", document: str, asked: _Asked, *, text: str,
    wanted: "Sequence[Section] | None" = None,
) -> Footnotes:  # fmt: skip
    """Return the comments on what is shown as marks in it, and the notes that belong to them."""
    if asked.comments != "footnotes":
        return Footnotes([], "")
    return footnotes(_threads(here, document, wanted), text, here.people.names())


def _beside(
    here: "Workspace", document: str, asked: _Asked, *,
    wanted: "Sequence[Section] | None" = None, is_alone: bool = False, marks: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Return comments and suggestions as lists beside a text; with an outline, comments too."""
    names = here.people.names() if asked.comments or asked.include_suggestions else {}
    beside: dict[str, Any] = {}
    hints = [_MARKED] if marks else []
    if asked.comments == "structured" or (asked.comments and is_alone):
        threads = _threads(here, document, wanted)
        beside["comments"] = threads_shown(threads, names)
        if len(beside["comments"]) < len(threads):
            hints.append(f"manage_comments lists all {len(threads)} comments.")
    if asked.include_suggestions:
        pending = _among(here.review.suggestions(document), wanted)
        beside["suggestions"] = suggestions_shown(pending, names)
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
        one for one in found
        if one.spot and any(part.start <= one.spot.start < part.end for part in wanted)
    ]  # fmt: skip
