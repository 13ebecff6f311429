"""Titles of documents, for lists of what was changed."""

from collections.abc import Iterable

from msgspec.structs import replace

from strata.store import GUARDED, Snapshot, TouchedKey


class Titles:
    """The titles that documents have in one state, each looked up once.

    It checks no permissions: what is given here, the user may see.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, str | None] = {}

    def at(self, kind: str, key: str) -> str | None:
        """Return the title of the document that a key belongs to; None for other keys."""
        if kind not in GUARDED:
            return None
        document = key.partition("/")[0]
        if document not in self._known:
            from strata.documents import find_card  # noqa: PLC0415  (seldom needed)

            card = find_card(self._snapshot, document)
            self._known[document] = None if card is None else card.title
        return self._known[document]

    def titled(self, things: Iterable[TouchedKey]) -> tuple[TouchedKey, ...]:
        """Return each thing once, documents with their titles."""
        return tuple(
            replace(one, title=self.at(one.kind, one.key)) for one in dict.fromkeys(things)
        )
