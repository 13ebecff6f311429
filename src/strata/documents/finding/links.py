"""Where links lead, as a user sees it. They are resolved when they are read.

A link names a title or an id. A title leads to the document of that title, or else of that
alias: one of the same folder before others, the oldest of several. A link to what one may not
read leads nowhere, as one to what is not there does.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias, cast

from strata.base.results import Result
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.markdown import normal_title, references
from strata.documents.records import DOCUMENT, SECTION, SPACE, other_names
from strata.documents.sections import stored_pieces, targets_of

LinkType: TypeAlias = Literal["wiki", "link", "mention"]
_TITLE, _ID = "title:", "doc:"


class DocumentLink(NamedTuple):
    """A link from a section of one document to another one."""

    source: str
    target: str
    type: LinkType
    chunk: str


class BrokenLink(Result, frozen=True):
    """A [[link]] of a document, and the title that it names: no readable document has it."""

    document: str
    title: str


class DocumentLinks:
    """The links between documents that a user sees."""

    def __init__(self, readable: ReadableDocuments, among: frozenset[str] | None = None) -> None:
        self._readable = readable
        self._shown = readable.seen.findable if among is None else among
        self._snapshot = readable.snapshot
        self._named: dict[str, list[str]] = {}
        self._folders: dict[str, str | None] = {}

    def out(self, document: str) -> tuple[list[DocumentLink], set[str]]:
        """Return the links of a document, and the targets that lead nowhere."""
        found: list[DocumentLink] = []
        lost: set[str] = set()
        for key, _version in self._snapshot.keys(SPACE, SECTION, f"{document}/"):
            for type_, written in self._snapshot.links_from(SPACE, SECTION, key):
                target = self.resolve(written, document)
                if target is None:
                    lost.add(written)
                elif target != document:
                    chunk = key.partition("/")[2]
                    found.append(DocumentLink(document, target, cast("LinkType", type_), chunk))
        return found, lost

    def broken(self, document: str) -> Iterator[BrokenLink]:
        """Yield the [[links]] of a document that lead nowhere, each title once.

        A path in a link leads somewhere if its last part does.
        """
        _out, lost = self.out(document)
        pieces = stored_pieces(self._snapshot, document) if lost else ()
        found = (one for piece in pieces for one in references(piece.text) if one.kind == "wiki")
        for title in dict.fromkeys(one.target for one in found):
            targets = targets_of(title)
            if targets and lost.issuperset(targets):
                yield BrokenLink(document, title)

    def into(self, document: str) -> list[DocumentLink]:
        """Return the links that lead to a document."""
        card = self._readable.seen.entries[document].card
        names = dict.fromkeys((normal_title(card.title), *other_names(card)))
        targets = [f"{_ID}{document}", *(f"{_TITLE}{name}" for name in names)]
        return [link for target in targets for link in self._leading(target, document)]

    def _leading(self, target: str, document: str) -> Iterator[DocumentLink]:
        for space, kind, key, type_ in self._snapshot.links_to(target):
            source, _slash, chunk = key.partition("/")
            if (space, kind) != (SPACE, SECTION) or source == document:
                continue
            if source in self._shown and self.resolve(target, source) == document:
                yield DocumentLink(source, document, cast("LinkType", type_), chunk)

    def resolve(self, target: str, source: str) -> str | None:
        """Return the document that a link in another document leads to."""
        if target.startswith(_ID):
            found = target.removeprefix(_ID)
            return found if found in self._shown else None
        candidates = self.named(target.removeprefix(_TITLE))
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        folder = self._folder(source)
        near = (one for one in candidates if folder is not None and self._folder(one) == folder)
        return next(near, candidates[0])

    def named(self, name: str) -> list[str]:
        """Return the documents of a title, or else those of such an alias, oldest first."""
        if name not in self._named:
            self._named[name] = self._having("title", name) or self._having("alias", name)
        return self._named[name]

    def _having(self, attribute: str, name: str) -> list[str]:
        keys = self._snapshot.by_attribute(SPACE, DOCUMENT, attribute, value=name)
        return sorted(key for key in keys if key in self._shown)

    def _folder(self, document: str) -> str | None:
        if document not in self._folders:
            self._folders[document] = self._readable.place(document)[0]
        return self._folders[document]


def by_document(
    links: Iterable[DocumentLink], end: Literal["source", "target"]
) -> dict[str, list[DocumentLink]]:
    """Return links by the document at one end, those with the most links first."""
    found: dict[str, list[DocumentLink]] = {}
    for link in links:
        found.setdefault(getattr(link, end), []).append(link)
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))
