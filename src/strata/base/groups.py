"""Groups of tools: what "all" means wherever groups are chosen or allowed."""

from collections.abc import Collection

EVERY_GROUP = "all"
# What "all" leaves out: seventy-four tools swamp a model, three stand for them, and old names are
# for those who know them.
SPECIAL_GROUPS = ("developer", "developer_compact", "legacy")


def includes(groups: Collection[str] | None, group: str) -> bool:
    """Tell whether a choice of groups includes one; None is a choice without any bound.

    >>> includes(["all"], "core"), includes(["all"], "developer"), includes(None, "developer")
    (True, False, True)
    """
    if groups is None or group in groups:
        return True
    return EVERY_GROUP in groups and group not in SPECIAL_GROUPS
