"""Links that let users in: invitations, and open links of documents."""

import builtins
import os
from collections.abc import Callable

from strata.access.audit_log import changing, note
from strata.access.part import AccessPart, check_count
from strata.access.permissions import Permissions
from strata.access.records import (
    LinkKind,
    Placement,
    ShareLink,
    Team,
    User,
    as_share_link,
    as_team,
    user_record,
)
from strata.access.roles import FULL, SHARED, Role, check_role, rank
from strata.access.signing.records import digest_of
from strata.access.tokens import random_text
from strata.access.users import Users
from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import NotAllowed, NotFound
from strata.base.ids import new_id
from strata.base.results import Result
from strata.sql import Connection
from strata.store import Store

_DAY_US = 24 * 3600 * 1_000_000
_OPEN: tuple[Role, ...] = ("viewer", "commenter")
# What newcomers are known by until an admin enters their email. An address that they type could be
# that of another user who was invited.
_DOMAIN = "localhost"


class NewShareLink(Result, frozen=True, kw_only=True):
    """A link that was just made, with the secret that is its address: `/join#SECRET`."""

    link: ShareLink
    secret: str

    @property
    def path(self) -> str:
        """The address below that of the server. Browsers send nothing behind # to a server."""
        return f"/join#{self.secret}"


class LinkOffer(Result, frozen=True, kw_only=True):
    """What a link offers to one who has it: who made it, and the team by its name."""

    link: ShareLink
    by: str
    team: str | None


class JoinedByLink(Result, frozen=True, kw_only=True):
    """What a user may do now; `unchanged` tells that they could before."""

    document: str | None
    team: str | None
    role: Role
    unchanged: bool = False


class ShareLinks(AccessPart):
    """Links that let users into documents and teams. Reached as `db.share_links`.

    A user who may share a document makes its links, an admin of a team those of the team. A link
    is worth what its maker may still give. One that is unknown, has ended or was taken back is
    always refused in the same words.
    """

    def __init__(
        self, store: Store, rights: Permissions, *, welcome: Callable[[User], object]
    ) -> None:
        super().__init__(store, rights)
        self._welcome = welcome

    def invite(
        self,
        place: str,
        role: str,
        *,
        days: int = limits.SHARE_LINK_DAYS,
        uses: int = 1,
        newcomers: bool = False,
    ) -> NewShareLink:
        """Make a link that gives a role for a document, or in a team, to who opens it.

        What it gave stays when it ends. With `newcomers`, who has no user yet gets one by it; that
        takes an admin of the workspace, who alone may add users.

        >>> _ = db.rights.place("doc_1"); ann = db.as_user(db.users.add("ann@example.com").id)
        >>> made = db.share_links.invite("doc_1", "editor")
        >>> ann.share_links.join(made.secret).role, ann.rights.role("doc_1")
        ('editor', 'editor')
        """
        check_number(days, name="days", most=limits.SHARE_LINK_DAYS_MAX)
        check_number(uses, name="uses", most=limits.SHARE_LINK_USES_MAX)
        given = check_role(role, SHARED)
        expires = self._store.clock() + days * _DAY_US
        with self._changing() as connection:
            if newcomers:
                self._require_admin("let new people into")
            return self._make(
                connection,
                "invitation",
                place=place,
                role=given,
                newcomers=newcomers,
                expires=expires,
                most_uses=uses,
            )

    def open(self, document: str, role: str = "viewer") -> NewShareLink:
        """Let every user who has the link read a document, or comment on it, until it is closed.

        A document has one open link: the one before ends.

        >>> _ = db.rights.place("doc_1"); ann = db.as_user(db.users.add("ann@example.com").id)
        >>> made = db.share_links.open("doc_1", "commenter")
        >>> _ = ann.share_links.join(made.secret)
        >>> ann.rights.role("doc_1"), db.share_links.revoke(made.link.id).uses
        ('commenter', 1)
        >>> ann.rights.role("doc_1") is None
        True
        """
        given = check_role(role, _OPEN)
        with self._changing() as connection:
            self._rights.require_manage(document, what="share")
            for one in self._of(document):
                if one.kind == "open":
                    self._delete(connection, one)
            return self._make(connection, "open", place=document, role=given)

    def of(self, place: str) -> builtins.list[ShareLink]:
        """Return the links of a document or a team, the newest first, ended ones too.

        >>> _ = db.rights.place("doc_1")
        >>> _ = db.share_links.invite("doc_1", "viewer", uses=5)
        >>> found = db.share_links.of("doc_1")
        >>> [(link.kind, link.role, link.uses, link.most_uses) for link in found]
        [('invitation', 'viewer', 0, 5)]
        """
        self._require(place)
        return self._of(place)

    def revoke(self, id: str) -> ShareLink:
        """Take a link back. Who reads a document by its open link can no longer read it.

        >>> _ = db.rights.place("doc_1")
        >>> made = db.share_links.invite("doc_1", "viewer")
        >>> db.share_links.revoke(made.link.id).id == made.link.id
        True
        """
        with self._changing() as connection:
            row = connection.row(self._store.queries.share_link, (id,))
            found = None if row is None else as_share_link(row)
            if found is None or not self._may_make(found, self._rights):
                raise NotFound(
                    f"There is no link {id[:200]!r}.",
                    hint="`db.share_links.of(DOCUMENT)` lists those of a document.",
                    link=id[:200],
                )
            self._delete(connection, found)
        return found

    def look(self, secret: str) -> LinkOffer:
        """Return what a link offers, or raise NotFound; nothing is used up.

        >>> _ = db.rights.place("doc_1")
        >>> db.share_links.look(db.share_links.open("doc_1").secret).by
        'owner'
        """
        link, maker = self._good(secret)
        team = None if link.team is None else self._team(link.team)
        return LinkOffer(link=link, by=maker.name, team=team and team.name)

    def join(self, secret: str) -> JoinedByLink:
        """Take what a link offers, as the acting user.

        A user who may do as much already keeps that, and the link is not used up.

        >>> _ = db.rights.place("doc_1")
        >>> db.share_links.join(db.share_links.open("doc_1").secret).unchanged
        True
        """
        with self._changing() as connection:
            link, _maker = self._good(secret)
            return self._join(connection, link, self._rights.user)

    def admit(self, secret: str, name: str) -> User:
        """Add the user that a link lets in who has none yet, and give what it offers.

        They are known by an address of this server until an admin enters their email: an email
        that they typed could be one that another user was invited by.

        >>> _ = db.rights.place("doc_1")
        >>> made = db.share_links.invite("doc_1", "viewer", newcomers=True)
        >>> user = db.share_links.admit(made.secret, "소연")
        >>> user.name, db.as_user(user.id).rights.role("doc_1")
        ('소연', 'viewer')
        """
        called = self._check_name(name.strip(), "user")
        with changing(self._store) as connection:
            link, maker = self._good(secret)
            if not link.newcomers:
                raise NotAllowed(
                    "This link is for users of this server.", hint="Sign in, and open it again."
                )
            rights = Permissions(self._store, maker, FULL)
            email = f"guest-{os.urandom(5).hex()}@{_DOMAIN}"
            # Refused where the maker is no admin any more.
            user = Users(self._store, rights, welcome=self._welcome).add(email, called)
            self._join(connection, link, user)
        return user

    def _join(self, connection: Connection, link: ShareLink, user: User) -> JoinedByLink:
        given = JoinedByLink(document=link.document, team=link.team, role=link.role)
        known = self._role(link, user)
        if known is not None and rank(known) >= rank(link.role):
            return JoinedByLink(document=link.document, team=link.team, role=known, unchanged=True)
        queries, number = self._store.queries, rank(link.role)
        if link.team is not None:
            connection.run(queries.upsert_member, (link.team, user.id, number))
        elif link.kind == "open":
            values = (user.id, link.document, link.id, number)
            connection.run(queries.upsert_link_reader, values)
        else:
            values = (link.document, user.id, number, self._store.clock())
            connection.run(queries.upsert_share, values)
        connection.run(queries.use_share_link, (link.id,))
        place = link.document or link.team or ""
        note(self._store, user.id, "link.join", subject=place, link=link.id, role=link.role)
        return given

    def _role(self, link: ShareLink, user: User) -> Role | None:
        rights = Permissions(self._store, user, FULL)
        if link.document is not None:
            return rights.role(link.document)
        return rights.team_roles().get(link.team or "")

    def _good(self, secret: str) -> tuple[ShareLink, User]:
        """Return a link that one may join by, and its maker, who may still give what it gives."""
        connection, queries = self._store.connection(), self._store.queries
        row = connection.row(queries.share_link_by_digest, (digest_of("link", secret.strip()),))
        link = None if row is None else as_share_link(row)
        if link is not None and link.is_good(self._store.clock()):
            found = connection.row(queries.user_by_id, (link.user,))
            maker = None if found is None else user_record(found)
            if maker is not None and self._may_make(link, Permissions(self._store, maker, FULL)):
                return link, maker
        raise NotFound(
            "This link is unknown, has ended, or was taken back.",
            hint="Ask for a new one where you have it from.",
        )

    def _may_make(self, link: ShareLink, rights: Permissions) -> bool:
        if link.document is not None:
            return rights.may_manage(link.document)
        return rights.team_roles().get(link.team or "") == "admin"

    def _make(
        self,
        connection: Connection,
        kind: LinkKind,
        *,
        place: str,
        role: Role,
        newcomers: bool = False,
        expires: int | None = None,
        most_uses: int | None = None,
    ) -> NewShareLink:
        where = self._require(place)
        check_count(len(self._of(place)), limits.SHARE_LINKS_MAX, "links of one place")
        link = ShareLink(
            id=new_id("link"),
            kind=kind,
            document=where.document if isinstance(where, Placement) else None,
            team=where.id if isinstance(where, Team) else None,
            role=role,
            newcomers=newcomers,
            user=self._rights.user.id,
            created=self._store.clock(),
            expires=expires,
            most_uses=most_uses,
            uses=0,
        )
        secret = random_text()
        values = (
            link.id,
            digest_of("link", secret),
            kind,
            link.document,
            link.team,
            rank(role),
            int(newcomers),
            link.user,
            link.created,
            expires,
            most_uses,
        )
        connection.run(self._store.queries.insert_share_link, values)
        subject = link.document or link.team or ""
        self._note("link.make", subject, link=link.id, kind=kind, role=role, newcomers=newcomers)
        return NewShareLink(link=link, secret=secret)

    def _require(self, place: str) -> Placement | Team:
        """Return the place of a document, or a team, whose links the user may make and see."""
        team = self._team(place)
        if team is None:
            self._rights.require_manage(place, what="share")
            return self._rights.placement(place)
        self._rights.require_team(team, "admin", "invite to")
        return team

    def _team(self, id: str) -> Team | None:
        rows = self._store.connection().rows(self._store.queries.teams)
        return next((team for team in map(as_team, rows) if team.id == id), None)

    def _of(self, place: str) -> builtins.list[ShareLink]:
        rows = self._store.connection().rows(self._store.queries.share_links, (place, place))
        return [as_share_link(row) for row in rows]

    def _delete(self, connection: Connection, link: ShareLink) -> None:
        connection.run(self._store.queries.delete_link_readers, (link.id,))
        connection.run(self._store.queries.delete_share_link, (link.id,))
        self._note("link.revoke", link.document or link.team or "", link=link.id, kind=link.kind)
