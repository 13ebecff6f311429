"""Shares: a document given to a user by email, beside those who see its folder."""

from strata.access.part import AccessPart
from strata.access.records import Share, User, owner_of, shares_of
from strata.access.roles import SHARED, check_role, rank
from strata.access.users import Users, check_email, match_of
from strata.base.errors import NotAllowed, NotFound


class Shares(AccessPart):
    """Shares of documents with single users. Reached as `db.shares`."""

    def share(self, document: str, email: str, role: str) -> Share:
        """Let a user see, comment on or edit a document; an unknown email is invited.

        An invitation waits until a user with that email is added. Sharing again changes the
        role. It takes who may manage the document.

        >>> _ = db.rights.place("doc_1")
        >>> shared = db.shares.share("doc_1", "ann@example.com", "commenter")
        >>> shared.role, shared.pending
        ('commenter', True)
        """
        given, address = check_role(role, SHARED), check_email(email)
        self._refuse_secret(address, "email")
        with self._changing() as connection:
            self._rights.require_manage(document, what="share")
            user, now = Users(self._store, self._rights).get(address), self._store.clock()
            if user is None:
                values = (document, match_of(address), address, rank(given), now)
                connection.run(self._store.queries.upsert_invitation, values)
                made = Share(address, given)
            else:
                self._check_not_owner(document, user)
                values = (document, user.id, rank(given), now)
                connection.run(self._store.queries.upsert_share, values)
                made = Share(user.email, given, user.id, user.name)
            self._note("document.share", document, email=address, role=given, user=made.user)
        return made

    def unshare(self, document: str, who: str) -> Share:
        """Take a share or an invitation back, by id or email; return what it was.

        Everybody may give up what was shared with themselves.

        >>> _ = db.rights.place("doc_1")
        >>> _ = db.shares.share("doc_1", "ann@example.com", "viewer")
        >>> _ = db.shares.unshare("doc_1", "ann@example.com")
        >>> db.shares.of("doc_1")
        []
        """
        with self._changing() as connection:
            queries = self._store.queries
            user = Users(self._store, self._rights).get(who)
            if user is None or user.id != self._rights.user.id:
                self._rights.require_manage(document, what="unshare")
            else:
                self._rights.require(document)
            gone = next((one for one in shares_of(self._store, document) if _is(one, who)), None)
            if gone is None:
                raise NotFound(
                    f"The document is not shared with {who[:200]!r}.",
                    hint="Those who see its folder see it as well; its audience tells who does.",
                    user=who[:200],
                )
            if gone.user is not None:
                connection.row(queries.delete_share, (document, gone.user))
            else:
                connection.row(queries.delete_invitation, (document, match_of(gone.email)))
            self._note("document.unshare", document, email=gone.email, user=gone.user)
        return gone

    def of(self, document: str) -> "list[Share]":
        """Return the users a document is shared with, those who are only invited last.

        >>> _ = db.rights.place("doc_1")
        >>> _ = db.shares.share("doc_1", "소연@예시.한국", "viewer")
        >>> [(share.email, share.role) for share in db.shares.of("doc_1")]
        [('소연@예시.한국', 'viewer')]
        """
        self._rights.require(document)
        return shares_of(self._store, document)

    def _check_not_owner(self, document: str, user: User) -> None:
        row = self._store.connection().row(self._store.queries.placement, (document,))
        owner = owner_of(self._store).id if row is None else row[3]
        if owner == user.id:
            raise NotAllowed(
                f"The document is {user.name!r}'s own; a share cannot make that less.",
                hint="Move it into a folder of a team to change who owns it.",
            )


def _is(share: Share, who: str) -> bool:
    return who == share.user or match_of(who) == match_of(share.email)
