"""What commits did to texts: who typed in them, and how many words they changed."""

from collections.abc import Sequence
from itertools import chain

import msgspec

from strata.base import limits
from strata.documents.log import entries_of, find_head
from strata.documents.records import SPACE, TEXT
from strata.documents.text.diff import changed_words
from strata.documents.versions import RecentTexts
from strata.documents.writing import Author
from strata.store import GONE, TRIMMED, CommitRow, Snapshot, Store, version_rows


class ChangedWords(msgspec.Struct, frozen=True):
    """How many words were added to a text, and how many were taken out."""

    added: int
    removed: int


def typists(store: Store, commit: CommitRow) -> dict[str, list[Author]]:
    """Return who wrote in which documents, by a commit of what several pages sent."""
    found: dict[str, list[Author]] = {}
    for row in version_rows(store, commit.first, commit.version):
        if store.keyspace_name(row[6]) == (SPACE, TEXT) and not row[2] & (GONE | TRIMMED):
            authors = (Author(one.author, one.via) for one in entries_of(row[:5]))
            found[row[7]] = list(dict.fromkeys(authors))
    return found


def count_words(
    store: Store, texts: RecentTexts, document: str, *, commits: Sequence[CommitRow]
) -> ChangedWords | None:
    """Return how many words some commits changed of a text, oldest first.

    None where another commit wrote in between, or where the text is too long to compare it.
    """
    first, last = commits[0], commits[-1]
    before = Snapshot(store, "", first.first - 1, branch_id=first.branch)
    after = Snapshot(store, "", last.version, branch_id=last.branch)
    place = [(SPACE, TEXT, document)]
    with store.connection().together(chain(after.reads_of(place), before.reads_of(place))):
        rows = after.history(SPACE, TEXT, document, limit=len(commits))
        head, earlier = find_head(after, document), find_head(before, document)
        if head is None or head.bytes > limits.ACTIVITY_TEXT_BYTES_MAX:
            return None
        spans = zip(rows, reversed(commits), strict=False)
        if any(not commit.first <= row[0] <= commit.version for row, commit in spans):
            return None
        if earlier is not None and earlier.bytes > limits.ACTIVITY_TEXT_BYTES_MAX:
            return None
        old, new = ((texts.read(side, document) or (0, ""))[1] for side in (before, after))
    changes = changed_words(old, new)
    return ChangedWords(
        sum(len(new[one.new_start : one.new_end].split()) for one in changes),
        sum(len(old[one.start : one.end].split()) for one in changes),
    )
