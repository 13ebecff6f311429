"""Spaces of documents: collections that grant no permissions."""

import msgspec

from strata.access.part import AccessPart, check_count, check_free, pick
from strata.access.permissions import missing_document
from strata.access.records import DocumentSpace, as_space
from strata.access.teams import Teams
from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import LimitExceeded
from strata.base.ids import new_id


class DocumentSpaces(AccessPart):
    """The Spaces that a user sees. Reached as `db.document_spaces`.

    `db.spaces` are something else: separate sets of keys. Everybody may have Spaces of their
    own; those of a team are made and filled by its editors. A document may be in many.
    """

    def list(self) -> "list[DocumentSpace]":
        """Return the user's Spaces and those of their teams, by name.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> [space.name for space in db.document_spaces.list()]
        ['읽을거리']
        """
        return self._rights.spaces()

    def get(self, which: str) -> DocumentSpace | None:
        """Return a Space by its id or its name, or None.

        >>> made = db.document_spaces.add("읽을거리")
        >>> db.document_spaces.get("읽을거리") == db.document_spaces.get(made.id) == made
        True
        """
        return pick(self.list(), which, "Space")

    def require(self, which: str) -> DocumentSpace:
        """Return a Space by its id or its name, or raise NotFound.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> db.document_spaces.require("읽을거리").kind
        'personal'
        """
        found = self.get(which)
        return self._rights.space(which) if found is None else found

    def add(self, name: str, *, team: str | None = None, description: str = "") -> DocumentSpace:
        """Make a Space: of a team, or else of the user. The description says what it is for.

        >>> _ = db.teams.add("디자인")
        >>> db.document_spaces.add("Launch", team="디자인", description="Everything for May").kind
        'team'
        """
        self._check_name(name, "Space")
        description = self._checked_description(description)
        with self._changing() as connection:
            owner, group = self._rights.user.id, None
            if team is not None:
                found = Teams(self._store, self._rights).require(team)
                self._rights.require_team(found, "editor", "add a Space to")
                owner, group = None, found.id
            known = [as_space(row) for row in connection.rows(self._store.queries.document_spaces)]
            check_count(len(known), limits.SPACES_MAX, "Spaces")
            kind = "personal" if group is None else "team"
            made = DocumentSpace(
                new_id("space"), name, kind, owner, group, self._store.clock(), description
            )
            self._check_free(made)
            values = (made.id, name, owner, group, made.created, description)
            connection.run(self._store.queries.insert_document_space, values)
            self._note("space.add", made.id, name=name, team=group, owner=owner)
        return made

    def rename(self, which: str, name: str) -> DocumentSpace:
        """Give a Space another name.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> db.document_spaces.rename("읽을거리", "Reading").name
        'Reading'
        """
        self._check_name(name, "Space")
        with self._changing() as connection:
            found = self._changeable(which, "rename")
            renamed = msgspec.structs.replace(found, name=name)
            self._check_free(renamed)
            connection.run(self._store.queries.rename_document_space, (found.id, name))
            self._note("space.rename", found.id, name=name, before=found.name)
        return renamed

    def describe(self, which: str, description: str) -> DocumentSpace:
        """Say what a Space is for; an empty text removes the description.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> db.document_spaces.describe("읽을거리", "이번 분기에 읽을 글").description
        '이번 분기에 읽을 글'
        """
        description = self._checked_description(description)
        with self._changing() as connection:
            found = self._changeable(which, "describe")
            values = (found.id, description)
            connection.run(self._store.queries.describe_document_space, values)
            self._note("space.describe", found.id, description=description)
        return msgspec.structs.replace(found, description=description)

    def remove(self, which: str) -> DocumentSpace:
        """Remove a Space; the documents in it stay where they are.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> db.document_spaces.remove("읽을거리").name, db.document_spaces.list()
        ('읽을거리', [])
        """
        with self._changing() as connection:
            found = self._changeable(which, "remove")
            connection.run(self._store.queries.empty_document_space, (found.id,))
            connection.run(self._store.queries.delete_document_space, (found.id,))
            self._note("space.remove", found.id, name=found.name)
        return found

    def put(self, which: str, document: str) -> bool:
        """Put a document into a Space; tell whether it was not there before.

        >>> _ = db.document_spaces.add("읽을거리"); _ = db.rights.place("doc_1")
        >>> db.document_spaces.put("읽을거리", "doc_1"), db.document_spaces.put("읽을거리", "doc_1")
        (True, False)
        """
        with self._changing() as connection:
            found = self._changeable(which, "put a document into")
            self._rights.require(document)
            values = (found.id, document, self._store.clock())
            is_new = connection.row(self._store.queries.put_in_space, values) is not None
            if is_new:
                self._note("space.put", found.id, document=document)
        return is_new

    def remove_document(self, which: str, document: str) -> bool:
        """Remove a document from a Space; tell whether it was there.

        >>> _ = db.document_spaces.add("읽을거리"); _ = db.rights.place("doc_1")
        >>> _ = db.document_spaces.put("읽을거리", "doc_1")
        >>> db.document_spaces.remove_document("읽을거리", "doc_1")
        True
        >>> db.document_spaces.documents("읽을거리")
        []
        """
        with self._changing() as connection:
            found = self._changeable(which, "take a document out of")
            if self._rights.role(document) is None:
                raise missing_document(document)
            values = (found.id, document)
            was_there = connection.row(self._store.queries.remove_from_space, values) is not None
            if was_there:
                self._note("space.take", found.id, document=document)
        return was_there

    def documents(self, which: str) -> "list[str]":
        """Return the documents of a Space that one may read, in the order they were put there.

        >>> _ = db.document_spaces.add("읽을거리"); _ = db.rights.place("doc_1")
        >>> _ = db.document_spaces.put("읽을거리", "doc_1")
        >>> db.document_spaces.documents("읽을거리")
        ['doc_1']
        """
        values = (self.require(which).id,)
        rows = self._store.connection().rows(self._store.queries.documents_of_space, values)
        seen = self._rights.visible()
        return [document for (document,) in rows if document in seen]

    def of(self, document: str) -> "list[DocumentSpace]":
        """Return the Spaces that one sees a document in.

        >>> _ = db.document_spaces.add("읽을거리"); _ = db.rights.place("doc_1")
        >>> _ = db.document_spaces.put("읽을거리", "doc_1")
        >>> [space.name for space in db.document_spaces.of("doc_1")]
        ['읽을거리']
        """
        self._rights.require(document)
        rows = self._store.connection().rows(self._store.queries.spaces_of_document, (document,))
        inside = {space for (space,) in rows}
        return [space for space in self.list() if space.id in inside]

    def _checked_description(self, text: str) -> str:
        """Return a description as it may be kept: a short text without secrets."""
        text = check_text(text, name="description").strip()
        if len(text) > limits.SPACE_DESCRIPTION_CHARACTERS_MAX:
            raise LimitExceeded(
                f"The description has {len(text):,} characters; the limit is "
                f"{limits.SPACE_DESCRIPTION_CHARACTERS_MAX:,}.",
                hint="Put a longer text into a document of the Space.",
                limit=limits.SPACE_DESCRIPTION_CHARACTERS_MAX,
                size=len(text),
            )
        self._refuse_secret(text, "description")
        return text

    def _changeable(self, which: str, what: str) -> DocumentSpace:
        found = self.require(which)
        self._rights.require_place(found, what)
        return found

    def _check_free(self, space: DocumentSpace) -> None:
        """Raise AlreadyExists when another Space of the same user or team has the name."""
        place = (space.owner, space.team)
        beside = [one for one in self.list() if (one.owner, one.team) == place]
        check_free([one.name for one in beside if one.id != space.id], space.name, "Space")
