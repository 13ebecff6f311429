"""What a merge keeps where both branches decided about the same comment or suggestion.

Two people who both resolve a comment do not disagree; see Store.rivals.
"""

from strata.base.values import Json


def comment_prevails(source: Json, target: Json) -> bool:
    """Tell whether the source's form of a comment stays: the one that was decided last."""
    return _decided(source) > _decided(target)


def suggestion_prevails(source: Json, target: Json) -> bool:
    """Tell whether the source's form of a suggestion stays: what was accepted is in the text."""
    theirs, ours = _is_accepted(source), _is_accepted(target)
    return theirs if theirs != ours else _decided(source) > _decided(target)


def _is_accepted(value: Json) -> bool:
    return isinstance(value, dict) and value.get("status") == "accepted"


def _decided(value: Json) -> int:
    found = value.get("decided_at") if isinstance(value, dict) else None
    return found if isinstance(found, int) else 0
