"""What a merge keeps where both branches decided about the same comment or suggestion.

Two people who both resolve a comment do not disagree; see Store.rivals.
"""

from strata.base.values import Json

# What of a comment changes together: its words, and the state of its thread.
_WORDS = ("body", "via", "edited", "deleted", "deleted_by")


def joined_comment(source: Json, target: Json) -> tuple[bool, Json]:
    """Return a comment with the newer words and the newer state, and whether that is the source's.

    A user may edit a comment on one branch while another resolves it on the other branch. What
    was deleted on a branch stays deleted.
    """
    is_theirs = _decided(source) > _decided(target)
    if not isinstance(source, dict) or not isinstance(target, dict):
        return is_theirs, source if is_theirs else target
    state = source if is_theirs else target
    words = max(target, source, key=_newest_words)
    return is_theirs, {
        **{name: value for name, value in state.items() if name not in _WORDS},
        **{name: words[name] for name in _WORDS if name in words},
    }


def _newest_words(value: dict[str, Json]) -> tuple[bool, object]:
    return "deleted" in value, value.get("deleted") or value.get("edited") or 0


def suggestion_prevails(source: Json, target: Json) -> bool:
    """Tell whether the source's form of a suggestion stays: what was accepted is in the text."""
    theirs, ours = _is_accepted(source), _is_accepted(target)
    return theirs if theirs != ours else _decided(source) > _decided(target)


def _is_accepted(value: Json) -> bool:
    return isinstance(value, dict) and value.get("status") == "accepted"


def _decided(value: Json) -> int:
    found = value.get("decided_at") if isinstance(value, dict) else None
    return found if isinstance(found, int) else 0
