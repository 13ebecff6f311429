"""What cannot be done to comments and suggestions, in words that say what can."""

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import Conflict, InvalidArgument, NotFound
from strata.documents import Suggestion, find_suggestion, occurrences, place
from strata.review.comments import Comment, find_comment
from strata.review.proposals import Aim
from strata.store import Snapshot

_SEVERITIES = ("info", "warning", "error")
_COMMENT_STATUSES = ("active", "resolved")
# What an error repeats of a text is for recognising it.
_SHOWN_CHARACTERS = 2_000


def require_comment(snapshot: Snapshot, document: str, comment: str, *, parameter: str) -> Comment:
    """Return a comment of a document, or raise NotFound."""
    id_ = check_text(comment, name=parameter)
    found = find_comment(snapshot, document, id_)
    if found is None:
        raise missing_comment(id_, parameter)
    return found


def missing_comment(id: str, parameter: str) -> NotFound:
    """Return the error for a comment that is not on a document, or is deleted."""
    return NotFound(
        f"There is no comment {id[:200]!r} on this document.",
        hint="`db.review.comments(DOCUMENT)` shows those there are.",
        comment=id[:200],
        parameter=parameter,
    )


def require_suggestion(snapshot: Snapshot, document: str, suggestion: str) -> Suggestion:
    """Return a suggestion on a document, or raise NotFound."""
    id_ = check_text(suggestion, name="suggestion")
    found = find_suggestion(snapshot, document, id_)
    if found is None:
        raise NotFound(
            f"There is no suggestion {id_[:200]!r} on this document.",
            hint="`db.review.suggestions(DOCUMENT)` shows those there are.",
            suggestion=id_[:200],
            parameter="suggestion",
        )
    return found


def decided_already(found: Suggestion) -> Conflict:
    """Return the error for a suggestion that a user has decided about otherwise."""
    return Conflict(
        f"The suggestion is {found.status} already.",
        hint="Nothing was changed. Propose it anew if it should be considered again.",
        status=found.status,
    )


def stale(found: Suggestion, aim: Aim, text: str) -> Conflict:
    """Return the error for a suggestion whose words are not there any more as they were."""
    if aim.state == "changed" and aim.span is not None:
        now = text[slice(*aim.span)]
        seen = place(text, *aim.span)
        return Conflict(
            f"The words have changed since it was suggested: they read {_cut(now)!r} now"
            f" (line {seen.line}).",
            hint="Nothing was changed. Propose it anew for the words as they are, edit the text"
            " yourself, or reject the suggestion.",
            original_text=_cut(found.original),
            current_text=_cut(now),
            around=seen.text,
            line=seen.line,
            state=aim.state,
        )
    return Conflict(
        "The words that the suggestion is about are gone.",
        hint=f"Nothing was changed. {_elsewhere(found.original, text)} Propose it anew where it"
        " belongs, or reject the suggestion.",
        original_text=_cut(found.original),
        current_text="",
        state=aim.state,
    )


def _elsewhere(words: str, text: str) -> str:
    """Say where words are that are gone from where they were.

    An author may have moved a sentence on purpose or not, so it is not edited there.
    """
    found = occurrences(text, words) if words else []
    if not found:
        return "They are nowhere else."
    lines = [str(text.count("\n", 0, at) + 1) for at in found[: limits.PLACES_SHOWN]]
    return f"The same words are elsewhere, in line {', '.join(lines)}."


def check_status(status: str | None) -> None:
    """Raise InvalidArgument for what is no status of a comment."""
    _among(status, _COMMENT_STATUSES, "status")


def check_severity(severity: str) -> None:
    """Raise InvalidArgument for what is no severity of a suggestion."""
    _among(severity, _SEVERITIES, "severity")


def check_confidence(confidence: float | None) -> None:
    """Raise InvalidArgument for what is no probability."""
    if confidence is not None and not 0 <= confidence <= 1:
        raise InvalidArgument(
            f"confidence is {confidence}; it must be from 0 to 1.", parameter="confidence"
        )


def _among(given: str | None, known: tuple[str, ...], name: str) -> None:
    if given is not None and given not in known:
        listed = f"{', '.join(known[:-1])} or {known[-1]}"
        raise InvalidArgument(
            f"{given!r} is no {name} of these.", hint=f"Use {listed}.", parameter=name
        )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
