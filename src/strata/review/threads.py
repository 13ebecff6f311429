"""Threads of comments, and what has become of the words that they quote."""

from collections.abc import Sequence

from strata.base.results import Result
from strata.documents import Replica
from strata.review.comments import Comment
from strata.review.places import Anchors, Span, Spot, known_again, spans, spots


class Thread(Result, frozen=True, kw_only=True):
    """A comment and what was replied to it, oldest first.

    `spot` is where the quoted words are now; None for a comment on the whole document, and
    for an orphaned one, whose words are all gone. `changed` tells that they read otherwise now.
    """

    comment: Comment
    replies: tuple[Comment, ...] = ()
    spot: Spot | None = None
    orphaned: bool = False
    changed: bool = False


def threads_of(comments: Sequence[Comment], replica: Replica | None) -> list[Thread]:
    """Return threads, the oldest first; without a replica no comment quotes anything."""
    answers: dict[str, list[Comment]] = {}
    first = {comment.id: comment for comment in comments if comment.parent is None}
    for comment in comments:
        if comment.parent in first:
            answers.setdefault(str(comment.parent), []).append(comment)
        elif comment.parent is not None:
            # What it replied to was taken over by no merge, or taken back: it is a thread of its
            # own.
            first[comment.id] = comment
    roots = [first[id_] for id_ in sorted(first)]
    placed = [None] * len(roots) if replica is None else _placed(roots, replica)
    return [
        _thread(root, answers.get(root.id, ()), spot)
        for root, spot in zip(roots, placed, strict=True)
    ]


def _placed(roots: Sequence[Comment], replica: Replica) -> list[Spot | None]:
    text = replica.text
    found = spans(replica, [_anchors(root) for root in roots])
    return spots(text, [_left(text, *pair) for pair in zip(roots, found, strict=True)])


def _left(text: str, root: Comment, span: Span | None) -> Span | None:
    """Return what is left of the words of a comment; None if nothing is."""
    if span is not None and span[0] < span[1]:
        return span
    if root.quote is None or root.around is None:
        return None
    return known_again(text, root.quote, root.around)


def _anchors(comment: Comment) -> Anchors | None:
    if comment.start is None or comment.end is None:
        return None
    return comment.start, comment.end


def _thread(root: Comment, replies: Sequence[Comment], spot: Spot | None) -> Thread:
    is_quoting = root.quote is not None
    return Thread(
        comment=root,
        replies=tuple(replies),
        spot=spot,
        orphaned=is_quoting and spot is None,
        changed=is_quoting and spot is not None and spot.text != root.quote,
    )
