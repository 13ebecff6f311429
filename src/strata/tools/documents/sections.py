"""app_get_section_content: one piece of a document by its id, and a page that shows it."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from strata.base.errors import NotFound
from strata.tools.declare import HIDDEN
from strata.tools.documents.surface import DocumentId, HiddenAsOf, core, moment, seen
from strata.tools.pages import SECTION_VIEW
from strata.tools.session import Call


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

    here = seen(call, as_of)
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
        document_id=found.id, chunk_id=piece.id, title=found.title, version=found.version,
        heading_path=list(piece.path), content=piece.text, tokens=tokens(piece.text),
        part=own.index(piece.id) + 1 if len(own) > 1 else UNSET,
        parts=len(own) if len(own) > 1 else UNSET,
        previous_chunk_id=pieces[at - 1].id if at else UNSET,
        next_chunk_id=pieces[at + 1].id if at + 1 < len(pieces) else UNSET,
        branch=here.branch, as_of=moment(here),
    )  # fmt: skip
