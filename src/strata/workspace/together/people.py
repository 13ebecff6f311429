"""Whom a workspace acts for, the people and places it knows, and their documents."""

from functools import cached_property
from typing import TYPE_CHECKING, Self

from strata.access import (
    FULL,
    Audit,
    Cap,
    DocumentSpaces,
    Folders,
    People,
    Person,
    Rights,
    Shares,
    SignIns,
    Teams,
    Tokens,
    owner_of,
)
from strata.base.errors import NotAllowed
from strata.store import WHOLE, Visibility
from strata.workspace.care import WithCare
from strata.workspace.together.sight import PersonalSight
from strata.workspace.trust import StoreTrust

if TYPE_CHECKING:
    from strata.documents import Documents
    from strata.presence import Presences
    from strata.publishing import Publishing
    from strata.review import Review
    from strata.tasks import Agents


class WithPeople(WithCare):
    """Acting for somebody: the workspace's owner, unless told otherwise."""

    # None for the owner, who is looked up when first needed.
    _person: Person | None = None
    _cap: Cap = FULL
    # True for the handle on the file itself, until somebody is named to act for.
    _is_whole: bool = True

    def as_user(self, user: str, *, cap: Cap = FULL) -> Self:
        """Return a view that acts for somebody, by id or email; a cap lowers what they may do.

        >>> ann = db.people.add("ann@example.com", "Ann")
        >>> db.as_user("ann@example.com").rights.person.name
        'Ann'
        """
        return self._acting_for(self.people.require(user), cap)

    def _acting_for(self, person: Person | None, cap: Cap) -> Self:
        raise NotImplementedError

    def _sight(self) -> Visibility:
        return WHOLE if self._is_whole else PersonalSight(self.rights)

    def _require_owner(self, what: str, *, why: str = "", hint: str = "") -> None:
        if not self._is_whole and not self.rights.person.is_owner:
            reason = why or "it holds what is not for everybody"
            raise NotAllowed(
                f"Only the owner of the workspace may {what}: {reason}.",
                hint=hint or "Ask them, or take what you need of it: a document, a key.",
            )

    @cached_property
    def trust(self) -> StoreTrust:
        """Whether this user lets the store say where data goes."""
        return StoreTrust(
            self._store,
            lambda: self._require_owner(
                "trust the store", why="it decides where data goes", hint="Ask them."
            ),
            sees_all=lambda: self._is_whole or self.rights.person.is_owner,
        )

    @cached_property
    def people(self) -> People:
        """Everybody that the workspace knows."""
        return People(self._store, self.rights, welcome=self._welcome)

    def _welcome(self, person: Person) -> None:
        """Give somebody who joins their public side, whose name nobody else can take then."""
        from strata.publishing import provide_profile  # noqa: PLC0415  (seldom needed)

        provide_profile(self._store, person)

    @cached_property
    def teams(self) -> Teams:
        """The workspace and the teams in it, with their members."""
        return Teams(self._store, self.rights)

    @cached_property
    def folders(self) -> Folders:
        """Folders, which decide who may read what is in them."""
        return Folders(self._store, self.rights)

    @cached_property
    def document_spaces(self) -> DocumentSpaces:
        """Collections of documents across folders."""
        return DocumentSpaces(self._store, self.rights)

    @cached_property
    def shares(self) -> Shares:
        """What was given to single people."""
        return Shares(self._store, self.rights)

    @cached_property
    def tokens(self) -> Tokens:
        """Keys to a server of this store."""
        return Tokens(self._store, self.rights)

    @cached_property
    def sign_ins(self) -> SignIns:
        """Codes to sign in with, and the browsers that did."""
        return SignIns(self._store, self.rights)

    @cached_property
    def audit(self) -> Audit:
        """Every change to people, teams, places and shares."""
        return Audit(self._store, self.rights)

    @cached_property
    def rights(self) -> Rights:
        """What the acting person may do."""
        store = self._store
        return Rights(store, self._person or owner_of(store), self._cap)

    @cached_property
    def documents(self) -> "Documents":
        """Texts that people and agents write together."""
        from strata.documents import Documents  # noqa: PLC0415  (seldom needed)

        return Documents(self._view, lambda: self.rights, self._followers.documents)

    @cached_property
    def review(self) -> "Review":
        """Comments and suggestions on documents."""
        from strata.review import Review  # noqa: PLC0415  (seldom needed)

        return Review(self._view, self.documents)

    @cached_property
    def presence(self) -> "Presences":
        """Who has a document open now, and where in it they are."""
        from strata.presence import Presences  # noqa: PLC0415  (seldom needed)

        return Presences(self._view, self.rights, lambda: self.documents)

    @cached_property
    def agents(self) -> "Agents":
        """Agents that one can ask for something, and what they were asked."""
        from strata.tasks import Agents  # noqa: PLC0415  (seldom needed)

        return Agents(self._view, self.rights)

    @cached_property
    def publishing(self) -> "Publishing":
        """Documents that are shown to everybody, as frozen versions."""
        from strata.publishing import Publishing  # noqa: PLC0415  (seldom needed)

        return Publishing(self._view, self.rights, self.documents, public=self._followers.public)
