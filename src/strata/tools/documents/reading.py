"""read_document: the text as it stands, or the outline of one that is too long."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import clock, limits
from strata.tools.declare import HIDDEN
from strata.tools.documents.outline import Part, chosen, outlined, text_of
from strata.tools.documents.surface import (
    AsOf,
    DocumentId,
    core,
    moment,
    seen,
    shown_folder,
)
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.documents import Document, Section, Suggestion
    from strata.workspace import Workspace

_PART = "Too long for maxTokens: read parts of it by `sections`, as the call in `read` does."
_DEEPER = " Sections counted in `below` are left out: read that part with maxTokens 0."
_FRONTMATTER_TOKENS = 500


class Read(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A document: `content`, or the `outline` of what is too long, and how to read on."""

    document_id: str
    title: str
    version: int
    content: str | UnsetType = UNSET
    outline: list[Part] | UnsetType = UNSET
    # What reading all that was asked for takes.
    tokens: int
    truncated: bool = False
    # The call that reads one of the parts, and the one that goes on with the outline.
    read: dict[str, Any] | UnsetType = UNSET
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    sections: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    images: list[dict[str, str]] | UnsetType = UNSET
    comments: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    frontmatter: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    role: str
    audience: Annotated[str, HIDDEN]
    folder_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    folder_name: Annotated[str | UnsetType, HIDDEN] = UNSET
    status: Annotated[str, HIDDEN]
    updated: Annotated[str, HIDDEN]
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


class Suggested(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A pending suggestion, as it is shown below a text."""

    suggestion_id: str
    original_text: str
    replacement_text: str
    author: str
    via: str | None = None
    reason: str
    rationale: str | None = None
    base_version: int | None = None
    created: str


@core.reads(example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "sections": ["Goals"]})
def read_document(
    call: Call,
    *,
    document_id: DocumentId,
    sections: Annotated[list[str] | None, 'Heading paths, e.g. ["Goals > 일정"]'] = None,
    max_tokens: Annotated[
        int, Meta(description="Longer gives the outline; 0: always the outline", le=2**32 - 1)
    ] = limits.READ_TOKENS,
    include_comments: bool = False,
    comment_format: Literal["footnotes", "structured"] = "footnotes",
    include_suggestions: Annotated[bool, "Append pending suggestions as JSON"] = False,
    as_of: AsOf = None,
    outline_from: Annotated[int, "Parts of the outline to skip", HIDDEN] = 0,
) -> Read:
    """Read a document's markdown by its ID; find gives IDs. Do this before editing.

    A long one comes as an outline: heading paths, tokens of each, and the call that reads one.
    sections reads those parts with everything below them. content is the text exactly as it
    stands: copy oldString from it, and send version as baseVersion.
    """
    here = seen(call, as_of)
    found = here.documents.get(document_id)
    text = here.documents.text(document_id)
    listed = here.documents.sections(document_id) if sections or _is_long(text, max_tokens) else []
    wanted = chosen(listed, sections) if sections else listed
    shown = text_of(text, wanted) if sections else text
    if include_suggestions:
        block = _suggestions(here, document_id)
    else:
        block = ""
    about: dict[str, Any] = _about(here, found) | {"branch": call.branch, "as_of": moment(here)}
    if include_comments:
        about["comments"] = []
    if not _is_long(shown, max_tokens):
        return Read(
            **about, content=shown + block, tokens=_tokens(shown), images=_images(shown),
            sections=_names(wanted, sections),
        )  # fmt: skip
    return _outline(
        here, found, text=text, wanted=wanted, shown=shown, budget=max_tokens, start=outline_from,
        about=about, block=block, asked=sections,
    )  # fmt: skip


def _tokens(text: str) -> int:
    from strata.documents import tokens  # noqa: PLC0415  (not before the first reply)

    return tokens(text)


def _is_long(text: str, most: int) -> bool:
    return most == 0 or _tokens(text) > most


def _about(here: "Workspace", found: "Document") -> dict[str, Any]:
    """Return what every answer says of a document."""
    folder = here.rights.folder_of(found.id)
    place = dict(zip(("folder_id", "folder_name"), shown_folder(here, folder), strict=False))
    return {
        "document_id": found.id, "title": found.title, "version": found.version,
        "role": found.role, "audience": folder.kind, "status": found.status,
        "updated": clock.iso(found.updated), **place,
    }  # fmt: skip


def _names(wanted: "Sequence[Section]", asked: Sequence[str] | None) -> list[str] | UnsetType:
    """Return the paths that were read, where parts were asked for."""
    from strata.documents import path_name  # noqa: PLC0415  (not before the first reply)

    return [path_name(section.path) for section in wanted] if asked else UNSET


def _images(text: str) -> list[dict[str, str]] | UnsetType:
    """Return the images that a text shows; it is not rewritten, so that edits of it match."""
    from strata.documents import images_in, references  # noqa: PLC0415  (not before that)

    ids = images_in(text)[: limits.IMAGES_SHOWN]
    if not ids:
        return UNSET
    alts = {one.target: one.label for one in references(text) if one.kind == "image"}
    return [{"imageId": id_, "alt": alts.get(f"image:{id_}", "")} for id_ in ids]


def _outline(
    here: "Workspace", found: "Document", *, text: str, wanted: "Sequence[Section]", shown: str,
    budget: int, start: int, about: dict[str, Any], block: str, asked: Sequence[str] | None,
) -> Read:  # fmt: skip
    room = max(budget or limits.READ_TOKENS, limits.OUTLINE_TOKENS_MIN)
    pieces = here.documents.pieces(found.id)
    outline = outlined(
        text, wanted, pieces, budget=min(room, limits.READ_TOKENS), start=start
    )
    again: dict[str, Any] = {"documentId": found.id, "branch": about["branch"]}
    if about["as_of"] is not UNSET:
        again["asOf"] = about["as_of"]
    part = next((one for one in outline.parts if one.path), None)
    rest = again | {"maxTokens": budget, "outlineFrom": outline.rest}
    if asked:
        rest["sections"] = list(asked)
    is_small = _tokens(str(found.frontmatter)) <= _FRONTMATTER_TOKENS
    return Read(
        **about, outline=outline.parts, tokens=_tokens(shown), truncated=budget > 0 or bool(rest),
        read=UNSET if part is None else _call(again | {"sections": [part.path]}),
        next=UNSET if outline.rest is None else _call(rest),
        frontmatter=found.frontmatter if found.frontmatter and is_small else UNSET,
        content=block.lstrip() or UNSET,
        hint=_PART + ("" if outline.is_deep else _DEEPER),
    )  # fmt: skip


def _call(arguments: dict[str, Any]) -> dict[str, Any]:
    return {"tool": "read_document", "arguments": arguments}


def _suggestions(here: "Workspace", document: str) -> str:
    """Return the block of JSON that is put below the text; it is no part of the document."""
    pending = [one for one in here.documents.suggestions(document) if one.status == "pending"]
    shown = [_suggested(here, one) for one in pending[: limits.SUGGESTIONS_SHOWN]]
    value = {"suggestions": shown, "total": len(pending)}
    data = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    # More backticks than any run inside, so that the fence ends where it should.
    ticks = "`" * 3
    while ticks in data:
        ticks += "`"
    return f"\n\n<!-- Pending suggestions; not part of the document. -->\n{ticks}json\n{data}\n{ticks}\n"


def _suggested(here: "Workspace", one: "Suggestion") -> Suggested:
    author = here.people.get(one.author)
    return Suggested(
        suggestion_id=one.id, original_text=one.original, replacement_text=one.replacement,
        author=one.author if author is None else author.name, via=one.via, reason=one.reason,
        rationale=one.rationale, base_version=one.base_version, created=clock.iso(one.created),
    )  # fmt: skip
