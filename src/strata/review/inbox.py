"""What of review waits for one user: suggestions to decide about, and comments meant for them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from strata.access import Permissions, User, user_names
from strata.base import limits
from strata.base.memo import remembered
from strata.base.results import Result
from strata.documents import (
    COMMENT,
    SPACE,
    SUGGESTION,
    Suggestion,
    find_card,
    find_suggestion,
    load,
)
from strata.review.comments import Comment, comments_of
from strata.review.proposals import Proposal, proposals
from strata.store import Snapshot

# The roles that accept and reject suggestions.
_DECIDING = ("editor", "admin", "owner")
Meant: TypeAlias = Literal["mention", "reply", "document"]


class WaitingSuggestion(Result, frozen=True, kw_only=True):
    """A suggestion that the user may accept or reject, beside the text as it is now."""

    proposal: Proposal
    title: str

    @property
    def suggestion(self) -> Suggestion:
        """What is suggested."""
        return self.proposal.suggestion


class WaitingComment(Result, frozen=True, kw_only=True):
    """The newest comment of an open thread that is meant for the user, and why it is.

    `thread` is the comment that the thread began with. It is a mention of the user, a reply
    where they took part, or a comment on a document that they made.
    """

    comment: Comment
    thread: Comment
    meant: Meant
    title: str


class ReviewInbox(Result, frozen=True, kw_only=True):
    """What waits for a user, newest first; `more` tells that there are others."""

    suggestions: tuple[WaitingSuggestion, ...]
    comments: tuple[WaitingComment, ...]
    more: bool


def review_inbox(snapshot: Snapshot, rights: Permissions, limit: int) -> ReviewInbox:
    """Return what waits for the user of `rights`; looks at a bounded number of documents."""
    suggestions = list(_suggestions(snapshot, rights, limit + 1))
    proposed = _proposals(snapshot, [one for one, _title in suggestions[:limit]])
    comments = list(_comments(snapshot, rights, limit + 1))
    return ReviewInbox(
        suggestions=tuple(
            WaitingSuggestion(proposal=proposed[one.id], title=title)
            for one, title in suggestions[:limit]
        ),
        comments=tuple(comments[:limit]),
        more=max(len(suggestions), len(comments)) > limit,
    )


def _suggestions(
    snapshot: Snapshot, rights: Permissions, most: int
) -> Iterator[tuple[Suggestion, str]]:
    """Yield suggestions that the user may decide about, each with the title of its document."""
    visible, found = rights.visible(), 0
    for document, id_ in _newest(snapshot, SUGGESTION, "pending"):
        title = _title(snapshot, document) if visible.get(document) in _DECIDING else None
        one = None if title is None else find_suggestion(snapshot, document, id_)
        if title is None or one is None:
            continue
        yield one, title
        found += 1
        if found == most:
            return


def _proposals(snapshot: Snapshot, found: Sequence[Suggestion]) -> dict[str, Proposal]:
    """Return suggestions beside their texts, by id; each text is read once."""
    documents: dict[str, list[Suggestion]] = {}
    for one in found:
        documents.setdefault(one.document, []).append(one)
    return {
        one.suggestion.id: one
        for document, several in documents.items()
        for one in proposals(load(snapshot, document), several)
    }


def _comments(snapshot: Snapshot, rights: Permissions, most: int) -> list[WaitingComment]:
    visible = rights.visible()
    documents = dict.fromkeys(document for document, _id in _newest(snapshot, COMMENT, "active"))
    others = list(user_names(snapshot.store).values())
    found: list[WaitingComment] = []
    for document in [one for one in documents if one in visible][: limits.INBOX_DOCUMENTS]:
        card = find_card(snapshot, document)
        if card is None or card.trashed:
            continue
        is_mine = card.created_by == rights.user.id
        for thread in _threads(comments_of(snapshot, document)):
            meant = _meant(thread, rights.user, is_mine=is_mine, others=others)
            if meant is not None:
                found.append(
                    WaitingComment(
                        comment=thread[-1], thread=thread[0], meant=meant, title=card.title
                    )
                )
    return sorted(found, key=lambda one: -one.comment.created)[:most]


def _threads(comments: Sequence[Comment]) -> Iterator[list[Comment]]:
    """Yield the open threads, each from its first comment to its newest."""
    threads = {one.id: [one] for one in comments if one.parent is None and one.status == "active"}
    for one in comments:
        if one.parent in threads:
            threads[one.parent].append(one)
    yield from threads.values()


def _meant(
    thread: Sequence[Comment], user: User, *, is_mine: bool, others: Sequence[str]
) -> Meant | None:
    """Tell why a thread is meant for a user; None if it is not, or they spoke last themselves."""
    newest = thread[-1]
    if newest.author == user.id and newest.via is None:
        return None
    if any(mentions(one.body, user, others) for one in thread):
        return "mention"
    took_part = any(one.author == user.id and one.via is None for one in thread)
    return "reply" if took_part else "document" if is_mine else None


def mentions(text: str, user: User, others: Iterable[str] = ()) -> bool:
    """Tell whether a text names a user behind an @: by name, email, or what comes before its @.

    `others` are the names of all users: behind "@Ann Lee" is not Ann where there is an Ann Lee.

    >>> mentions("@김소연님께 물어봐요", User("u", "so@example.com", "김소연", 0))
    True
    >>> mentions("@김소연님", User("u", "kim@example.com", "김소", 0))
    False
    """
    said = _plain(text)
    names = {_plain(name) for name in (user.name, user.email, user.email.partition("@")[0])} - {""}
    known = [_plain(name) for name in others]
    return any(
        not any(
            other != name and other.startswith(name) and _named(other).match(said, found.start())
            for other in known
        )
        for name in names
        for found in _named(name).finditer(said)
    )


# What Korean adds to a name without a space: a title, then particles.
_TITLE = "(?:선생님|님|씨|군|양)?"
_PARTICLE = (
    "(?:께서|께|에게|한테|에서|이랑|랑|하고|이나|나|으로|로|부터|까지|보다|처럼|만|도|과|와|은|는|"
    "이|가|을|를|의|아|야|에)"
)


@remembered(1_024)
def _named(name: str) -> re.Pattern[str]:
    """Return what finds a name behind an @, and not within a longer word.

    Chinese and Japanese are written without spaces, so their letters may follow.
    """
    particles = f"{_TITLE}{_PARTICLE}{{0,3}}(?![가-힣])"
    return re.compile(
        rf"(?<![^\W_])@{re.escape(name)}(?:{particles})(?![^\W\u3040-\u30ff\u4e00-\u9fff]|@)"
    )


def _plain(text: str) -> str:
    """Return a text as names are compared: some systems write 김 as its letters."""
    return unicodedata.normalize("NFC", text).casefold()


def _newest(snapshot: Snapshot, kind: str, status: str) -> list[tuple[str, str]]:
    """Return document and id of what has a status, newest first: ids begin with their time."""
    keys = snapshot.by_attribute(SPACE, kind, "status", value=status)
    pairs = [(document, id_) for document, _slash, id_ in (key.partition("/") for key in keys)]
    return sorted(pairs, key=lambda pair: pair[1], reverse=True)


def _title(snapshot: Snapshot, document: str) -> str | None:
    card = find_card(snapshot, document)
    return None if card is None or card.trashed else card.title
