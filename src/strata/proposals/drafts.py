"""New documents that agents propose: kept as they would be made, and made when they are accepted.

A document is a card, a text, sections and a place in a folder, which only `db.documents` writes
together. So what waits is one value on the branch of proposals, which no reader takes for a
document. It belongs to its folder: users who do not see the folder do not see the draft.
"""

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from strata.base.checks import check_text
from strata.base.values import encode
from strata.documents import DRAFT, SPACE, check_size, check_title, normal_title
from strata.proposals.records import ProposedChange
from strata.store import Address, Snapshot, StagedChange, Transaction

if TYPE_CHECKING:
    from strata.documents import Documents, WriteResult
    from strata.store import Header, Screen


class DocumentDraft(msgspec.Struct, frozen=True):
    """A document to be made: its title, its text, and the id of its folder."""

    title: str
    content: str
    folder: str


def new_draft(title: str, content: str, *, folder: str) -> DocumentDraft:
    """Return a draft, or raise for what could not become a document."""
    check_title(title.strip())
    check_size(check_text(content, name="content"))
    return DocumentDraft(title.strip(), content, folder)


def put_draft(
    branch: Snapshot, header: "Header", draft: DocumentDraft, *, screen: "Screen | None"
) -> tuple[Address, int]:
    """Write a draft, in place of an earlier one with its title; return where, and its version."""
    named = blake2b(normal_title(draft.title).encode(), digest_size=8).hexdigest()
    address = (SPACE, DRAFT, f"{draft.folder}/{named}")
    with Transaction(branch, header, locked=True, screen=screen) as transaction:
        transaction.stage(StagedChange(*address, encode(msgspec.to_builtins(draft))))
    receipt = transaction.receipt
    assert receipt is not None, "a staged change makes a commit"
    return address, receipt.version


def draft_of(proposal: ProposedChange) -> DocumentDraft:
    """Return the document that a proposal would make."""
    return msgspec.convert(proposal.after, DocumentDraft)


def check_deciding(documents: "Documents", proposal: ProposedChange) -> None:
    """Raise NotAllowed unless the user may put documents into the folder of a draft."""
    documents.rights.home(draft_of(proposal).folder)


def make_document(
    documents: "Documents", proposal: ProposedChange, *, content: str | None = None
) -> "WriteResult":
    """Make the document of a draft, with another text if one is given.

    One that is accepted twice, because the program was killed in between, is made once.
    """
    draft = draft_of(proposal)
    text = draft.content if content is None else content
    return documents.with_request(proposal.id).create(draft.title, text, folder=draft.folder)
