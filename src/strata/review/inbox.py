"""What of review waits for one user: suggestions to decide about, and comments meant for them."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from strata.access import Permissions, User
from strata.base import limits
from strata.base.results import Result
from strata.documents import (
    COMMENT,
    SPACE,
    SUGGESTION,
    Suggestion,
    find_card,
    find_suggestion,
)
from strata.review.comments import Comment, comments_of
from strata.store import Snapshot

# The roles that accept and reject suggestions.
_DECIDING = ("editor", "admin", "owner")
Meant: TypeAlias = Literal["mention", "reply", "document"]


class WaitingSuggestion(Result, frozen=True, kw_only=True):
    """A suggestion that the user may accept or reject, and the title of its document."""

    suggestion: Suggestion
    title: str


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
    comments = list(_comments(snapshot, rights, limit + 1))
    return ReviewInbox(
        suggestions=tuple(suggestions[:limit]),
        comments=tuple(comments[:limit]),
        more=max(len(suggestions), len(comments)) > limit,
    )


def _suggestions(snapshot: Snapshot, rights: Permissions, most: int) -> Iterator[WaitingSuggestion]:
    visible, found = rights.visible(), 0
    for document, id_ in _newest(snapshot, SUGGESTION, "pending"):
        title = _title(snapshot, document) if visible.get(document) in _DECIDING else None
        one = None if title is None else find_suggestion(snapshot, document, id_)
        if title is None or one is None:
            continue
        yield WaitingSuggestion(suggestion=one, title=title)
        found += 1
        if found == most:
            return


def _comments(snapshot: Snapshot, rights: Permissions, most: int) -> list[WaitingComment]:
    visible = rights.visible()
    documents = dict.fromkeys(document for document, _id in _newest(snapshot, COMMENT, "active"))
    found: list[WaitingComment] = []
    for document in [one for one in documents if one in visible][: limits.INBOX_DOCUMENTS]:
        card = find_card(snapshot, document)
        if card is None or card.trashed:
            continue
        is_mine = card.created_by == rights.user.id
        for thread in _threads(comments_of(snapshot, document)):
            meant = _meant(thread, rights.user, is_mine=is_mine)
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


def _meant(thread: Sequence[Comment], user: User, *, is_mine: bool) -> Meant | None:
    """Tell why a thread is meant for a user; None if it is not, or they spoke last themselves."""
    newest = thread[-1]
    if newest.author == user.id and newest.via is None:
        return None
    if any(mentions(one.body, user) for one in thread):
        return "mention"
    took_part = any(one.author == user.id and one.via is None for one in thread)
    return "reply" if took_part else "document" if is_mine else None


def mentions(text: str, user: User) -> bool:
    """Tell whether a text names a user behind an @: by name, email, or what comes before its @."""
    said = text.casefold()
    names = {user.name, user.email or "", (user.email or "").partition("@")[0]} - {""}
    return any(
        re.search(rf"(?<![^\W_])@{re.escape(name.casefold())}(?![a-z0-9_@])", said)
        for name in names
    )


def _newest(snapshot: Snapshot, kind: str, status: str) -> list[tuple[str, str]]:
    """Return document and id of what has a status, newest first: ids begin with their time."""
    keys = snapshot.by_attribute(SPACE, kind, "status", value=status)
    pairs = [(document, id_) for document, _slash, id_ in (key.partition("/") for key in keys)]
    return sorted(pairs, key=lambda pair: pair[1], reverse=True)


def _title(snapshot: Snapshot, document: str) -> str | None:
    card = find_card(snapshot, document)
    return None if card is None or card.trashed else card.title
