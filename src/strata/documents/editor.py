"""What becomes of an author's edits: applied, merged with what others wrote, or suggested."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from strata.base import limits
from strata.documents import quotes
from strata.documents.records import find_card
from strata.documents.replicas import EditingReplica
from strata.documents.suggestions import Reason
from strata.documents.text import Replica, Splice, apply_as_splices, coarser, merge_edits, splices
from strata.documents.writing import DocumentTransaction, WriteResult
from strata.store import FiledEdit

# By whether something was applied, and whether something was filed.
_STATUSES: dict[tuple[bool, bool], Literal["applied", "partly", "suggested", "unchanged"]] = {
    (True, False): "applied",
    (True, True): "partly",
    (False, True): "suggested",
    (False, False): "unchanged",
}


class StaleEdits(NamedTuple):
    """Edits of a text that has changed since: the replica that was read, and its version."""

    read: Replica
    edits: Sequence[Splice]
    version: int | None


class TextEditor:
    """Makes one author's edits in the text of a document, inside a transaction."""

    def __init__(self, writing: DocumentTransaction, edited: EditingReplica) -> None:
        self._writing = writing
        self.edited = edited

    def apply(self, edits: Sequence[Splice]) -> WriteResult:
        """Make edits, and withdraw what the author had suggested for the same words.

        An edit that came too late waits as a suggestion. When its author makes it again in the
        text as it is now, the suggestion is superfluous.
        """
        withdrawn = self._writing.withdraw_stale(self.edited, edits)
        version = self._writing.splice(self.edited, edits)
        done = self.written(version, applied=bool(edits))
        return msgspec.structs.replace(done, withdrawn=withdrawn)

    def propose(self, edits: Sequence[Splice], *, reason: Reason = "proposed") -> WriteResult:
        """Keep edits as suggestions, one for each."""
        quotes.check_suggested(len(edits))
        base = self.edited.version
        filed = self._writing.suggest(self.edited, edits, reason=reason, base_version=base)
        self._writing.splice(self.edited, ())
        done = self.written(base, filed=filed, applied=False)
        return msgspec.structs.replace(done, proposed=reason == "proposed")

    def merge(self, stale: StaleEdits, *, proposes: bool) -> WriteResult:
        """Make edits of an older text in the text as it is now.

        An edit that meets no words of others is applied. The rest is suggested for the words that
        are there now, so that an editor of the document can accept it.
        """
        then, replica = stale.read, self.edited.replica
        now, since = replica.text, replica.since(then.vector())
        text = then.text
        merged = merge_edits(text, apply_as_splices(then, [since]), stale.edits)
        if proposes or len(merged.overlaps) > limits.SUGGESTIONS_OF_ONE_WRITE:
            edits = fewer(now, splices(now, merged.with_theirs()))
            return self.propose(edits, reason="proposed" if proposes else "stale")
        done = self.apply(splices(now, merged.text))
        rest = [Splice(one.start, one.end, one.theirs) for one in merged.overlaps]
        filed = self._writing.suggest(self.edited, rest, reason="stale", base_version=stale.version)
        status = _STATUSES[merged.text != now, bool(filed)]
        return msgspec.structs.replace(done, filed=tuple(filed), status=status)

    def written(
        self, version: int, *, filed: Sequence[FiledEdit] = (), applied: bool
    ) -> WriteResult:
        """Return what a write did that gave the document this version."""
        document = self.edited.key[1]
        card = find_card(self._writing.transaction, document)
        assert card is not None, "a text has a card"
        return WriteResult(
            document=document,
            title=card.title,
            version=version,
            filed=tuple(filed),
            status=_STATUSES[applied, bool(filed)],
            trashed=card.trashed,
        )


def fewer(text: str, edits: Sequence[Splice]) -> Sequence[Splice]:
    """Return edits as they can be suggested: too many for a user to decide become one."""
    return coarser(text, edits, 1) if len(edits) > limits.SUGGESTIONS_OF_ONE_WRITE else edits
