"""How a merge joins what both branches decided; what knows it is loaded with the first one."""

from strata.base.values import Json


def _comment(source: Json, target: Json) -> bool:
    from strata.review import comment_prevails  # noqa: PLC0415  (seldom needed)

    return comment_prevails(source, target)


def _suggestion(source: Json, target: Json) -> bool:
    from strata.review import suggestion_prevails  # noqa: PLC0415  (seldom needed)

    return suggestion_prevails(source, target)


# By kind; see Store.rivals.
REVIEWED = {"comment": _comment, "suggestion": _suggestion}
