"""What the people in live documents may do, looked up again when anything about access changes."""

from collections.abc import Iterable

from strata.access import Role, access_mark
from strata.base.errors import NotFound, SecretRefused
from strata.web.shell import Shell, Visitor


class Roles:
    """Remembers roles for as long as the store's mark of access stays. For one thread."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._mark: object = None
        self._told: object = None
        self._known: dict[tuple[Visitor, str], Role | None] = {}

    def renew(self) -> None:
        """Forget what may have changed."""
        mark = access_mark(self._shell.host.db.rights.store)
        if mark != self._mark:
            self._mark = mark
            self._known.clear()

    def has_news(self) -> bool:
        """Tell whether anything about access has changed since this was asked last."""
        self.renew()
        before, self._told = self._told, self._mark
        return before != self._mark

    def of(self, visitor: Visitor, document: str) -> Role | None:
        """Return a user's role for a document; None if they may not see it."""
        key = (visitor, document)
        if key not in self._known:
            self._known[key] = self._look(visitor, document)
        return self._known[key]

    def _look(self, visitor: Visitor, document: str) -> Role | None:
        try:
            return self._shell.db_for(visitor).rights.role(document)
        except NotFound:
            return None  # the user was removed

    def count_refusal(self, visitor: Visitor, error: SecretRefused) -> None:
        """Count a secret that a user typed, and that was refused."""
        self._shell.db_for(visitor).serving.count_refusal(error)

    def names_of(self, people: Iterable[str]) -> dict[str, str]:
        """Return how people are called; who was removed keeps only the id."""
        found = {user: self._shell.host.db.users.get(user) for user in people}
        return {id_: one.name if one is not None else id_ for id_, one in found.items()}
