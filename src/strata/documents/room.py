"""The room `db.documents`: texts that people and agents write together."""

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import not_
from typing import Any

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
from strata.documents.replicas import Desk
from strata.documents.suggestions import Suggestion
from strata.documents.text import MergedText, coarser, followed, merge_edits, resolve, splices
from strata.documents.text import anchor as anchor_span
from strata.documents.writing import Arrived, Writing, Written
from strata.store import Snapshot


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
        return self.create_many([new])[0]

    def create_many(self, documents: Sequence[NewDocument]) -> list[Written]:
        """Make several documents at once: all of them or none.

        >>> from strata.documents import NewDocument
        >>> made = db.documents.create_many([NewDocument(title="하나"), NewDocument(title="Two")])
        >>> [written.title for written in made]
        ['하나', 'Two']
        """
        for new in documents:
            check_title(new.title)
            self._view.check_name(new.title, "title")
            check_text(new.content, name="content")

        def work(writing: Writing) -> list[Written]:
            return [self._create(writing, new) for new in documents]

        return self._write("create", work)

    def _create(self, writing: Writing, new: NewDocument) -> Written:
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
                hint='find with intent "list" and filters {"status": "template"} lists templates.',
                parameter="templateDocumentId",
            )
        return self.create(
            title, templates.fill(self.text(template), variables or {}), folder=folder
        )

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

        With `base_version` the words are found in the version that the caller has read, and the
        edit is made where they stand now; if somebody has changed them since, it is kept as a
        suggestion.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> db.documents.edit(made.document, "in May", "지금").matches
        1
        """
        check_text(old, name="oldString")
        check_text(new, name="newString")
        if old == new:
            raise InvalidArgument(
                "oldString and newString are the same.", hint="Send what it should become.",
                parameter="newString",
            )  # fmt: skip

        def work(writing: Writing) -> Written:
            proposes = self._only_proposes(document)
            desk = self._opened(writing, document)
            base = self._base(document, base_version, desk)
            if base is None:
                found = editing.matches(desk.replica.text, old, replace_all=replace_all)
                spans = [(at, at + len(old)) for at in found]
            else:
                spans = _moved(base, desk, old, replace_all=replace_all)
            return self._replace(
                writing, desk, spans, old=old, new=new, base_version=base_version, proposes=proposes
            )

        return self._write("edit", work, about=document)

    def _replace(
        self, writing: Writing, desk: Desk, spans: Sequence[tuple[int, int]], *, old: str, new: str,
        base_version: int | None, proposes: bool,
    ) -> Written:  # fmt: skip
        """Put new words over each span that still has the old ones; suggest the rest."""
        text = desk.replica.text
        fits = [text[slice(*span)] == old and not proposes for span in spans]
        fitting, rest = list(compress(spans, fits)), list(compress(spans, map(not_, fits)))
        editing.check_suggested(len(rest))
        reason = "proposed" if proposes else "stale"
        kept = [
            writing.suggest(desk, span, new, reason=reason, base_version=base_version, original=old)
            for span in rest
        ]
        current = None if proposes or not rest else _around(text, rest[0])
        version = writing.splice(desk, editing.replacing([span[0] for span in fitting], old, new))
        return self._written(
            writing, desk, version, matches=len(spans), kept=kept, current=current,
            applied=bool(fitting),
        )  # fmt: skip

    def write(self, document: str, content: str, *, base_version: int | None = None) -> Written:
        """Replace the whole text; only what differs is changed, so that anchors stay.

        With `base_version`, what others have written since then is kept.

        >>> made = db.documents.create("Plan", "one\\ntwo\\n")
        >>> _ = db.documents.write(made.document, "하나\\ntwo\\n")
        >>> db.documents.text(made.document)
        '하나\\ntwo\\n'
        """
        check_text(content, name="newContent")
        editing.check_size(content)

        def work(writing: Writing) -> Written:
            proposes = self._only_proposes(document)
            desk = self._opened(writing, document)
            base = self._base(document, base_version, desk)
            if proposes:
                return self._propose_all(writing, desk, content, base_version=base_version)
            now = desk.replica.text
            if base is None:
                version = writing.splice(desk, splices(now, content))
                return self._written(writing, desk, version, applied=now != content)
            merged = _merged(base, desk, content)
            version = writing.splice(desk, splices(now, merged.text))
            kept = [
                writing.suggest(
                    desk, (one.start, one.end), one.theirs, reason="stale",
                    base_version=base_version,
                )
                for one in merged.overlaps
            ]  # fmt: skip
            first = merged.overlaps[0] if kept else None
            current = first and _around(merged.text, (first.start, first.end))
            return self._written(
                writing, desk, version, kept=kept, current=current, applied=merged.text != now
            )

        return self._write("write", work, about=document)

    def _propose_all(
        self, writing: Writing, desk: Desk, content: str, *, base_version: int | None
    ) -> Written:
        """Keep a whole rewrite as suggestions, one for each change."""
        text = desk.replica.text
        found = splices(text, content)
        if len(found) > limits.SUGGESTIONS_OF_ONE_WRITE:
            found = coarser(text, found, 1)
        kept = [
            writing.suggest(
                desk, (one.start, one.end), one.text, reason="proposed", base_version=base_version
            )
            for one in found
        ]
        writing.splice(desk, ())
        return self._written(writing, desk, desk.version, kept=kept, applied=False)

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

        def work(writing: Writing) -> Written:
            self.rights.require(document, "editor", what="edit")
            desk = self._opened(writing, document)
            arrived = [Arrived(update, self._writer.author) for update in updates]
            version = writing.receive(desk, arrived) if arrived else desk.version
            return self._written(writing, desk, version, applied=bool(arrived))

        return self._write("receive", work, about=document)

    def restore(self, document: str, version: int | str) -> Written:
        """Bring back the text of a version, as a new one.

        >>> made = db.documents.create("Plan", "first")
        >>> _ = db.documents.write(made.document, "두 번째")
        >>> _ = db.documents.restore(made.document, made.version)
        >>> db.documents.text(made.document)
        'first'
        """

        def work(writing: Writing) -> Written:
            self.rights.require(document, "editor", what="restore")
            desk = self._opened(writing, document)
            now, then = desk.replica.text, self._read(document, version)[1]
            number = writing.splice(desk, splices(now, then))
            return self._written(writing, desk, number, applied=now != then)

        return self._write("restore", work, about=document)

    def name_version(self, document: str, name: str, version: int | None = None) -> int:
        """Give a version a name, the newest one by default; return its number.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.name_version(made.document, "초안") == made.version
        True
        """

        def work(writing: Writing) -> int:
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
        self.rights.require(document, "editor", what="edit")
        return False

    def _opened(self, writing: Writing, document: str) -> Desk:
        if find_head(writing.transaction, document) is None:
            raise missing_document(document)
        return writing.open(document)

    def _base(self, document: str, version: int | None, desk: Desk) -> Snapshot | None:
        """Return where the version can be read that a caller has read, if it is an old one."""
        if version is None or version == desk.version:
            return None
        return versions.at_version(self._snapshot, document, version)

    def _written(
        self, writing: Writing, desk: Desk, version: int, *, matches: int = 0,
        kept: Sequence[Suggestion] = (), current: str | None = None, applied: bool,
    ) -> Written:  # fmt: skip
        card = find_card(writing.transaction, desk.key[1])
        assert card is not None, "a text has a card"
        return Written(
            document=desk.key[1], title=card.title, version=version, matches=matches,
            status="applied" if applied else "suggested" if kept else "unchanged",
            suggestions=tuple(one.id for one in kept), current=current,
        )  # fmt: skip


def _moved(base: Snapshot, desk: Desk, old: str, *, replace_all: bool) -> list[tuple[int, int]]:
    """Find words in the version that a caller has read, and return where these are now."""
    then = load(base, desk.key[1])
    found = editing.matches(then.text, old, replace_all=replace_all)
    anchors = [part for at in found for part in anchor_span(then, at, at + len(old))]
    places = resolve(desk.replica, anchors)
    return [(a, max(a, b)) for a, b in zip(places[::2], places[1::2], strict=True)]


def _merged(base: Snapshot, desk: Desk, content: str) -> MergedText:
    """Join a text that somebody wrote over an old version with what others wrote since."""
    then = load(base, desk.key[1])
    text = then.text
    return merge_edits(
        text, followed(then, [desk.replica.since(then.vector())]), splices(text, content)
    )


def _around(text: str, span: tuple[int, int]) -> str:
    return editing.place(text, *span).text
