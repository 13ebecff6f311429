"""Tables of documents: what lies in one place, sorted and counted, some rows of it at a time."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import InvalidArgument
from strata.base.results import Result
from strata.documents.finding.catalogue import CatalogueEntry
from strata.documents.finding.narrowing import has_title
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import FoundItem, Scope, Status
from strata.documents.log import entries_of
from strata.documents.records import DOCUMENT, SPACE, TEXT, card_of, user_of
from strata.store import GONE, TRIMMED, Record, Snapshot

TableOrder: TypeAlias = Literal["title", "changed", "created"]
# How far back a card is read for the moment when its document was put into the trash.
_CARDS_READ = 100


class TableRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which documents a table shows, in which order, and which rows of it are asked for.

    A folder shows what lies in it, without the folders below. Without a status everything counts
    that is not in the trash. `query` are words of titles.
    """

    scope: Scope = Scope()
    status: tuple[Status, ...] = ()
    query: str = ""
    order: TableOrder = "changed"
    ascending: bool = False
    offset: int = 0
    limit: int = 100


class DocumentRow(Result, frozen=True, kw_only=True):
    """A document in a table: who wrote in it last, and whether the user may move and share it.

    `user` and `trashed_by` are ids of users, `agent` is who wrote for the user. Times are
    microseconds.
    """

    item: FoundItem
    manages: bool
    user: str | None = None
    agent: str | None = None
    trashed: int | None = None
    trashed_by: str | None = None


class DocumentRows(Result, frozen=True):
    """Some rows of a table, and how many there are in all."""

    rows: tuple[DocumentRow, ...]
    total: int


def table_of(readable: ReadableDocuments, request: TableRequest) -> DocumentRows:
    """Return rows of a table; what the user may not read is neither shown nor counted."""
    check_number(request.offset, name="offset", least=0)
    check_number(request.limit, name="limit", most=limits.TABLE_ROWS_MAX)
    if request.order not in get_args(TableOrder):
        raise InvalidArgument(
            f"A table cannot be ordered by {request.order!r}.",
            hint=f"Use {', '.join(get_args(TableOrder))}.",
            parameter="order",
        )
    found = [entry for entry in _within(readable, request) if _is_wanted(readable, request, entry)]
    found.sort(key=_keys(request)[request.order], reverse=not request.ascending)
    shown = found[request.offset : request.offset + request.limit]
    rows = rows_of(readable, [(entry.id, None) for entry in shown])
    return DocumentRows(tuple(rows), len(found))


def rows_of(
    readable: ReadableDocuments, found: Sequence[tuple[str, FoundItem | None]]
) -> list[DocumentRow]:
    """Return documents as rows; a search hands in what it found of each."""
    texts = readable.snapshot.reads_of((SPACE, TEXT, document) for document, _item in found)
    with readable.ahead((document for document, _item in found), texts):
        return [_row_of(readable, document, item) for document, item in found]


def _row_of(readable: ReadableDocuments, document: str, item: FoundItem | None) -> DocumentRow:
    entry, snapshot = readable.require(document), readable.snapshot
    text = snapshot.get(SPACE, TEXT, document)
    last = None if text is None or text[2] & (GONE | TRIMMED) else entries_of(text)[-1]
    put = _put_into_trash(snapshot, document) if entry.card.trashed else None
    return DocumentRow(
        item=item or readable.item(entry, "list"),
        manages=readable.rights.may_manage(document),
        user=None if last is None else last.author,
        agent=None if last is None else last.via,
        trashed=None if put is None else put[1],
        trashed_by=None if put is None else user_of(put),
    )


def _within(readable: ReadableDocuments, request: TableRequest) -> Iterable[CatalogueEntry]:
    """Return the documents of the place, without looking at those elsewhere."""
    scope, entries = request.scope, readable.seen.entries
    if scope.type == "all":
        return entries.values()
    if scope.type == "shared":
        inside = readable.shared
    elif scope.type == "folder" and scope.id:
        inside = readable.in_folder(readable.rights.folder(scope.id).id)
    elif scope.type == "space" and scope.id:
        inside = readable.in_space(readable.rights.space(scope.id).id)
    else:
        raise InvalidArgument(
            f"A table cannot show the scope {scope.type!r} with the id {scope.id!r}.",
            hint="Use all, shared, a folder or a space with its id.",
            parameter="scope",
        )
    # By id, so that rows whose keys are equal have one order.
    return (entries[id_] for id_ in sorted(inside, reverse=True) if id_ in entries)


def _is_wanted(readable: ReadableDocuments, request: TableRequest, entry: CatalogueEntry) -> bool:
    if request.status and readable.status(entry) not in request.status:
        return False
    if not request.status and entry.card.trashed:
        return False
    return not request.query or has_title(request.query).keeps(entry)


def _keys(request: TableRequest) -> dict[TableOrder, Callable[[CatalogueEntry], Any]]:
    """Return what rows are sorted by; in the trash a change is what was done to the card."""
    is_trash = request.status == ("trashed",)
    return {
        "title": lambda entry: entry.card.title.casefold(),
        "changed": lambda entry: entry.carded if is_trash else entry.updated,
        "created": lambda entry: entry.card.created,
    }


def _put_into_trash(snapshot: Snapshot, document: str) -> Record | None:
    """Return the record by which a document went into the trash."""
    found: Record | None = None
    for record in snapshot.history(SPACE, DOCUMENT, document, limit=_CARDS_READ):
        if record[2] & (GONE | TRIMMED) or not card_of(record).trashed:
            break
        found = record
    return found
