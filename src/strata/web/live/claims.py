"""Whose a client's id is: one author's, on one branch, for good.

An id that two places write with destroys text at the next merge; and ids show who
wrote what. So the first who uses one in a document has it.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable

from strata.base import limits
from strata.documents import Author, LiveLog


class Claims:
    """Who has which ids in one document of one branch. Safe from many threads."""

    def __init__(self, log: LiveLog, document: str) -> None:
        self._log = log
        self._document = document
        self._lock = threading.Lock()
        # None for an id that is used up: a client wrote with it on another branch.
        self._owners: OrderedDict[int, Author | None] = OrderedDict()

    def known(self, client: int) -> bool:
        """Tell whether asking for an id would not have to look into the log."""
        return client in self._owners

    def is_of(self, client: int, author: Author) -> bool:
        """Tell whether a known id belongs to a user."""
        return self._owners.get(client) == author

    def claim(self, client: int, author: Author) -> bool:
        """Give an id to the first user who asks for it; tell whether it is theirs."""
        if client not in self._owners:
            found = self._log.owner_of_client(self._document, client)
            self._remember(client, author if found is None else self._here(*found))
        return self.is_of(client, author)

    def owners(self, clients: Iterable[int]) -> dict[int, Author]:
        """Return who has written with these ids."""
        found = ((client, self._log.owner_of_client(self._document, client)) for client in clients)
        return {client: owner[0] for client, owner in found if owner is not None}

    def _here(self, owner: Author, branch: int) -> Author | None:
        return owner if branch == self._log.branch else None

    def _remember(self, client: int, owner: Author | None) -> None:
        with self._lock:
            self._owners.setdefault(client, owner)
            if len(self._owners) > limits.LIVE_CLIENTS_REMEMBERED:
                self._owners.popitem(last=False)
