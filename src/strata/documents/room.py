"""The room `db.documents`: texts that people and agents write together."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from strata.access import missing_document
from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument
from strata.base.ids import new_id
from strata.documents import editing, templates, versions
from strata.documents.keeping import Keeping, check_title
from strata.documents.log import find_head, load
from strata.documents.records import Card, find_card
from strata.documents.replicas import EditingReplica
from strata.documents.suggestions import Reason
from strata.documents.text import Replica, Splice, coarser, followed, merge_edits, splices
from strata.documents.writing import Arrived, DocumentTransaction, Written
from strata.store import FiledEdit


class NewDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document to be made; without a folder it is its author's own."""

    title: str
    content: str = ""
    folder: str | None = None
    origin: dict[str, Any] = {}


class Documents(Keeping):
    """Documents of a branch, as one person may see and change them. Reached as `db.documents`."""

    def with_request(self, key: str | None) -> "Documents":
        """Return the same room, where a write with this key counts once however often it comes.

        >>> once = db.documents.with_request("req-1")
        >>> made = once.create("Plan"); again = once.create("Plan")
        >>> again.document == made.document, again.repeated
        (True, True)
        """
        other = Documents(self._view, lambda: self.rights, self._shared)
        other._request = key
        return other

    # Writing.

    def create(
        self,
        title: str,
        content: str = "",
        *,
        folder: str | None = None,
        origin: dict[str, Any] | None = None,
    ) -> Written:
        """Make a document in a folder, one's own by default.

        >>> db.documents.create("회의록", "# 안건").status
        'applied'
        """
        new = NewDocument(title=title, content=content, folder=folder, origin=origin or {})
        return self._create_many([new], given=new)[0]

    def create_many(self, documents: Sequence[NewDocument]) -> list[Written]:
        """Make several documents at once: all of them or none.

        >>> from strata.documents import NewDocument
        >>> made = db.documents.create_many([NewDocument(title="하나"), NewDocument(title="Two")])
        >>> [written.title for written in made]
        ['하나', 'Two']
        """
        return self._create_many(documents, given=documents)

    def _create_many(self, documents: Sequence[NewDocument], *, given: object) -> list[Written]:
        for new in documents:
            check_title(new.title)
            self._view.check_name(new.title, "title")
            check_text(new.content, name="content")

        def work(writing: DocumentTransaction) -> list[Written]:
            return [self._create(writing, new) for new in documents]

        return self._write("create", work, given=given)

    def _create(self, writing: DocumentTransaction, new: NewDocument) -> Written:
        rights = self.rights
        folder = rights.home(new.folder)
        id_ = new_id("doc")
        card = Card(
            title=new.title.strip(), created=self._writer.now, created_by=rights.person.id,
            origin=new.origin,
        )  # fmt: skip
        version = writing.create(id_, card, new.content)
        rights.place(id_, folder)
        return Written(
            document=id_, title=card.title, version=version, status="applied", created=True
        )

    def create_from_template(
        self,
        template: str,
        title: str,
        *,
        variables: Mapping[str, object] | None = None,
        folder: str | None = None,
    ) -> Written:
        """Make a document from a template, with the template's variables filled in.

        >>> home = db.folders.add("Templates", templates=True)
        >>> text = "---\\nvariables: [project]\\n---\\n# {{project}}\\n"
        >>> made = db.documents.create("Kickoff", text, folder=home.id)
        >>> new = db.documents.create_from_template(
        ...     made.document, "Kickoff of 한강", variables={"project": "한강"})
        >>> db.documents.text(new.document)
        '# 한강\\n'
        """
        found = self.get(template)
        if found.status != "template":
            raise InvalidArgument(
                f"The document {found.title!r} is no template: it lies in no templates folder.",
                hint="Templates are the documents in a templates folder.",
                parameter="template",
            )
        text = templates.fill(self.text(template), variables or {})
        new = NewDocument(title=title, content=text, folder=folder)
        # The request is the same one, whatever has become of the template since.
        return self._create_many([new], given=(template, title, variables, folder))[0]

    def edit(
        self,
        document: str,
        old: str,
        new: str,
        *,
        replace_all: bool = False,
        base_version: int | None = None,
    ) -> Written:
        """Replace words of a document that occur once, or all of them.

        With `base_version` the words are found in the version that the caller has read, and what
        differs is changed where it stands now. Where others have changed the same words since,
        theirs stay and the edit waits as a suggestion on them; `status` is `suggested`, or
        `partly` where the rest of the edit was applied.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> db.documents.edit(made.document, "in May", "지금").matches
        1
        """
        check_text(old, name="old")
        check_text(new, name="new")
        if old == new:
            raise InvalidArgument(
                "The text to replace and the new text are the same.",
                hint="Say what it should become.", parameter="new",
            )  # fmt: skip

        def work(writing: DocumentTransaction) -> Written:
            proposes = self._only_proposes(document)
            desk = self._opened(writing, document)
            then = self._read_by(desk, base_version)
            found = editing.matches(then.text, old, replace_all=replace_all)
            if then is not desk.replica:
                stale = _Stale(then, editing.replacing(found, old, new), base_version)
                done = self._merge(writing, desk, stale, proposes=proposes)
            elif proposes:
                edits = [Splice(at, at + len(old), new) for at in found]
                done = self._propose(writing, desk, edits)
            else:
                done = self._apply(writing, desk, editing.replacing(found, old, new))
            return msgspec.structs.replace(done, matches=len(found))

        given = (old, new, replace_all, base_version)
        return self._write("edit", work, about=document, given=given)

    def write(self, document: str, content: str, *, base_version: int | None = None) -> Written:
        """Replace the whole text; only what differs is changed, so that anchors stay.

        With `base_version`, what others have written since then is kept, as `edit` keeps it.

        >>> made = db.documents.create("Plan", "one\\ntwo\\n")
        >>> _ = db.documents.write(made.document, "하나\\ntwo\\n")
        >>> db.documents.text(made.document)
        '하나\\ntwo\\n'
        """
        check_text(content, name="text")
        editing.check_size(content)

        def work(writing: DocumentTransaction) -> Written:
            proposes = self._only_proposes(document)
            desk = self._opened(writing, document)
            then = self._read_by(desk, base_version)
            edits = splices(then.text, content)
            if then is not desk.replica:
                stale = _Stale(then, edits, base_version)
                return self._merge(writing, desk, stale, proposes=proposes)
            if proposes:
                return self._propose(writing, desk, _few(then.text, edits))
            return self._apply(writing, desk, edits)

        return self._write("write", work, about=document, given=(content, base_version))

    def _merge(
        self, writing: DocumentTransaction, desk: EditingReplica, stale: "_Stale", *, proposes: bool
    ) -> Written:
        """Make edits of an older text in the text as it is now.

        What meets nobody else's words is applied. The rest is suggested for the words that are
        there now, so that whoever decides about it can accept it.
        """
        then, now = stale.read, desk.replica.text
        text, since = then.text, desk.replica.since(then.vector())
        merged = merge_edits(text, followed(then, [since]), stale.edits)
        if proposes or len(merged.overlaps) > limits.SUGGESTIONS_OF_ONE_WRITE:
            edits = _few(now, splices(now, merged.with_theirs()))
            reason = "proposed" if proposes else "stale"
            return self._propose(writing, desk, edits, reason=reason)
        done = self._apply(writing, desk, splices(now, merged.text))
        rest = [Splice(one.start, one.end, one.theirs) for one in merged.overlaps]
        filed = writing.suggest(desk, rest, reason="stale", base_version=stale.version)
        status = _STATUSES[merged.text != now, bool(filed)]
        return msgspec.structs.replace(done, filed=tuple(filed), status=status)

    def _apply(
        self, writing: DocumentTransaction, desk: EditingReplica, edits: Sequence[Splice]
    ) -> Written:
        """Make edits, and withdraw what the author had suggested for the same words.

        An edit that came too late waits as a suggestion. When its author makes it again in the
        text as it is now, nobody needs to decide about the suggestion any more.
        """
        withdrawn = writing.withdraw_stale(desk, edits)
        version = writing.splice(desk, edits)
        done = self._written(writing, desk, version, applied=bool(edits))
        return msgspec.structs.replace(done, withdrawn=withdrawn)

    def _propose(
        self,
        writing: DocumentTransaction,
        desk: EditingReplica,
        edits: Sequence[Splice],
        *,
        reason: Reason = "proposed",
    ) -> Written:
        """Keep edits as suggestions, one for each."""
        editing.check_suggested(len(edits))
        filed = writing.suggest(desk, edits, reason=reason, base_version=desk.version)
        writing.splice(desk, ())
        done = self._written(writing, desk, desk.version, filed=filed, applied=False)
        return msgspec.structs.replace(done, proposed=reason == "proposed")

    def receive(self, document: str, updates: Sequence[bytes]) -> Written:
        """Take in updates of a replica elsewhere, such as a page with Yjs: one commit for all.

        An update that builds on something that is not here is refused, and all are with it.

        >>> from strata.documents.text import Replica, Splice
        >>> page = Replica(); update = page.splice([Splice(0, 0, "안녕")])
        >>> made = db.documents.create("Plan")
        >>> _ = db.documents.receive(made.document, [update])
        >>> db.documents.text(made.document)
        '안녕'
        """

        def work(writing: DocumentTransaction) -> Written:
            self.rights.require(document, "editor", what="edit")
            desk = self._opened(writing, document)
            arrived = [Arrived(update, self._writer.author) for update in updates]
            version = writing.receive(desk, arrived) if arrived else desk.version
            return self._written(writing, desk, version, applied=bool(arrived))

        return self._write("receive", work, about=document, given=updates)

    def restore(self, document: str, version: int | str) -> Written:
        """Bring back the text of a version, as a new one.

        >>> made = db.documents.create("Plan", "first")
        >>> _ = db.documents.write(made.document, "두 번째")
        >>> _ = db.documents.restore(made.document, made.version)
        >>> db.documents.text(made.document)
        'first'
        """

        def work(writing: DocumentTransaction) -> Written:
            self.rights.require(document, "editor", what="restore")
            desk = self._opened(writing, document)
            now, then = desk.replica.text, self._read(document, version)[1]
            number = writing.splice(desk, splices(now, then))
            return self._written(writing, desk, number, applied=now != then)

        return self._write("restore", work, about=document, given=version)

    def name_version(self, document: str, name: str, version: int | None = None) -> int:
        """Give a version a name, the newest one by default; return its number.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.name_version(made.document, "초안") == made.version
        True
        """

        def work(writing: DocumentTransaction) -> int:
            self.rights.require(document, "editor", what="name versions of")
            number = self._read(document, version)[0]
            writing.transaction.stage(versions.change_of_name(document, name, number))
            return number

        return self._write("name", work, once=False)

    # What all of these need.

    def _only_proposes(self, document: str) -> bool:
        """Tell whether edits are kept as suggestions here; raise where not even that is allowed."""
        if self.rights.cap.suggest_only:
            self.rights.require(document, "commenter", what="suggest changes to")
            return True
        role = self.rights.role(document)
        if role not in ("commenter", "editor", "admin", "owner"):
            self.rights.require(document, "editor", what="edit")
        return role == "commenter"

    def _opened(self, writing: DocumentTransaction, document: str) -> EditingReplica:
        if find_head(writing.transaction, document) is None:
            raise missing_document(document)
        return writing.open(document)

    def _read_by(self, desk: EditingReplica, version: int | None) -> Replica:
        """Return the text that a caller has read: the one of a version, or the newest."""
        if version is None or version == desk.version:
            return desk.replica
        document = desk.key[1]
        return load(versions.at_version(self._snapshot, document, version), document)

    def _written(
        self, writing: DocumentTransaction, desk: EditingReplica, version: int, *,
        filed: Sequence[FiledEdit] = (),
        applied: bool,
    ) -> Written:  # fmt: skip
        card = find_card(writing.transaction, desk.key[1])
        assert card is not None, "a text has a card"
        return Written(
            document=desk.key[1], title=card.title, version=version, filed=tuple(filed),
            status=_STATUSES[applied, bool(filed)], trashed=card.trashed,
        )  # fmt: skip


class _Stale(NamedTuple):
    """Edits of a text that has changed since: the replica that was read, and its version."""

    read: Replica
    edits: Sequence[Splice]
    version: int | None


# By whether something was applied, and whether something was filed.
_STATUSES: dict[tuple[bool, bool], Literal["applied", "partly", "suggested", "unchanged"]] = {
    (True, False): "applied",
    (True, True): "partly",
    (False, True): "suggested",
    (False, False): "unchanged",
}


def _few(text: str, edits: Sequence[Splice]) -> Sequence[Splice]:
    """Return edits as they can be suggested: too many for anybody to decide become one."""
    return coarser(text, edits, 1) if len(edits) > limits.SUGGESTIONS_OF_ONE_WRITE else edits
