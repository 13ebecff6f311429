"""Documents as they lie in the store: which kinds of records there are, and their shapes."""

import unicodedata
from hashlib import sha256
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument
from strata.base.results import TimedResult
from strata.base.values import Json, encode
from strata.documents.markdown import normal_title
from strata.store import GONE, Record, Snapshot, StagedChange, damaged, meta_of, plain

SPACE = "documents"
DOCUMENT = "document"  # title and the like; merged field by field
TEXT = "text"  # the update log: every version of this key is one row of it
SNAPSHOT = "snapshot"  # the whole state, now and then, so that few rows must be read
SECTION = "section"  # a piece of the text, for search and links
BEHIND = "behind"  # marks a text whose sections are not those of its newest version yet
SUGGESTION = "suggestion"
COMMENT = "comment"
IMAGE = "image"  # a picture, or another file, that is kept with a document
BLOB = "blob"
NAMED = "named"
DRAFT = "draft"  # a new document that an agent proposes, on a branch of proposals
FILE = "file"  # what came with a folder and is no document: its path, and which blob it is

KINDS = frozenset(
    {
        DOCUMENT,
        TEXT,
        SNAPSHOT,
        SECTION,
        BEHIND,
        SUGGESTION,
        COMMENT,
        IMAGE,
        BLOB,
        NAMED,
        FILE,
        DRAFT,
    }
)

# What ends a line, or moves the cursor of a terminal, is in one of these categories.
_CONTROL = frozenset({"Cc", "Zl", "Zp"})


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What is known of a document beside its text. Times are microseconds.

    `aliases` are other names that links may use; `origin` is where an import found it.
    """

    title: str
    created: int
    created_by: str
    frontmatter: dict[str, Any] = {}
    aliases: tuple[str, ...] = ()
    trashed: bool = False
    origin: dict[str, Any] = {}


class Document(TimedResult, frozen=True, kw_only=True):
    """A document without its text. `version` is that of its newest text."""

    TIME = "updated"

    id: str
    title: str
    version: int
    created: int
    updated: int
    created_by: str
    owner: str
    folder: str
    bytes: int
    hash: str
    frontmatter: dict[str, Any]
    trashed: bool
    status: str
    role: str
    aliases: tuple[str, ...] = ()
    origin: dict[str, Any] = msgspec.field(default_factory=dict)


def change_of_card(id_: str, card: Card, *, by: str | None = None) -> StagedChange:
    """Return the change that keeps what is known of a document, and the user who changed it."""
    names = [("title", normal_title(card.title))]
    names += [("alias", name) for name in other_names(card)]
    value = cast("Json", msgspec.to_builtins(card))
    return StagedChange(
        SPACE,
        DOCUMENT,
        id_,
        encode(value),
        meta=meta_of_user(by),
        attributes=tuple(dict.fromkeys(names)),
    )


def meta_of_user(user: str | None) -> bytes | None:
    """Return what is kept beside a record whose value does not say who wrote it."""
    return None if user is None else encode({"by": user})


def user_of(record: Record) -> str | None:
    """Return the user who wrote a record, where that is kept beside it."""
    return meta_of(record).get("by")


def other_names(card: Card) -> list[str]:
    """Return what links may call a document beside its title: aliases, and where it came from."""
    path = str(card.origin.get("path", "")).removesuffix(".md")
    return [normal_title(name) for name in (*card.aliases, path) if name]


def card_of(record: Record) -> Card:
    """Return what a record says of a document; raise DamagedStore for what says nothing."""
    try:
        return _cards.decode(plain(record))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(record[0]) from error


_cards = msgspec.json.Decoder(Card)


def find_card(snapshot: Snapshot, id_: str) -> Card | None:
    """Return what is known of a document on a branch, or None where it is not there."""
    record = snapshot.get(SPACE, DOCUMENT, id_)
    return None if record is None or record[2] & GONE else card_of(record)


def aliases_of(frontmatter: dict[str, Json]) -> tuple[str, ...]:
    """Return the other names that a document gives itself."""
    found: Any = frontmatter.get("aliases", frontmatter.get("alias"))
    if isinstance(found, str):
        found = [found]
    if not isinstance(found, list):
        return ()
    names = (str(name).strip() for name in cast("list[object]", found) if name is not None)
    return tuple(dict.fromkeys(name for name in names if name))


def text_hash(text: bytes) -> str:
    """Return what tells whether two texts, as UTF-8, are equal."""
    return sha256(text).hexdigest()[:32]


def can_be_title(text: str) -> bool:
    """Tell whether a text is one line that can be shown."""
    is_line = not _CONTROL.intersection(map(unicodedata.category, text))
    return is_line and 0 < len(text) <= limits.TITLE_CHARACTERS_MAX


def check_title(title: object) -> str:
    """Return a title, or raise InvalidArgument."""
    text = check_text(title, name="title").strip()
    if can_be_title(text):
        return text
    raise InvalidArgument(
        f"{text[:100]!r} cannot be a title.",
        hint=f"Use one line of 1 to {limits.TITLE_CHARACTERS_MAX} characters, no control codes.",
        parameter="title",
    )
