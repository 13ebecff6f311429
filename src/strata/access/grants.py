"""What a caller may do: which groups of tools, and whether to write."""

from collections.abc import Iterable

import msgspec

from strata.access.roles import Cap
from strata.base.groups import includes

# How a grant is spelled where an outside issuer gives it: one scope for a group, one for
# every group, and one without which nothing may be written.
_PREFIX = "strata:"
_EVERY_GROUP = "strata:all"
_WRITE = "strata:write"
# The user of a grant that names none: the owner of the workspace.
OWNER = "owner"


# The groups of tools that ask for rights to each document; all others act on everything.
OF_DOCUMENTS = ("core", "collaboration", "comments", "publishing", "agents")


class Grant(msgspec.Struct, frozen=True):
    """What a caller may use. `groups` is None where every group is allowed.

    `user` is the id of the user it acts for, or OWNER. It has no default, because a caller that
    forgot it would grant the rights of the owner. With None it acts for no user of the workspace,
    who may see no document.
    """

    who: str
    user: str | None
    groups: frozenset[str] | None = None
    read_only: bool = False
    # What a session of this caller is bound to; a name alone may be given twice.
    principal: str = ""
    suggest_only: bool = False
    # Whether what it writes waits for a user's decision: on a branch of proposals, in documents as
    # suggestions.
    proposes: bool = False

    @property
    def cap(self) -> Cap:
        """What is left of the user's rights to documents."""
        return Cap(self.read_only, self.suggest_only or self.proposes)

    @property
    def is_for_documents(self) -> bool:
        """Whether nothing but documents is for the caller."""
        return self.groups is not None and self.groups <= frozenset(OF_DOCUMENTS)

    def permits(self, group: str) -> bool:
        """Tell whether the tools of a group may be used."""
        return includes(self.groups, group)


# For a server without tokens.
EVERYTHING = Grant("anyone", OWNER)


def grant_of_scopes(
    scopes: Iterable[str], *, who: str, principal: str, user: str | None = None
) -> Grant | None:
    """Read the scopes that an issuer put into a token; None when none of them is for Strata.

    `user` is the id of the user whom the token names, if the workspace knows them: an issuer
    never speaks for the owner without naming them.

    >>> grant_of_scopes(["openid", "strata:memory"], who="소연", principal="p").read_only
    True
    >>> grant_of_scopes(["strata:all", "strata:write"], who="소연", principal="p").groups is None
    True
    """
    ours = {scope for scope in scopes if scope.startswith(_PREFIX)}
    groups = frozenset(scope.removeprefix(_PREFIX) for scope in ours - {_WRITE, _EVERY_GROUP})
    if not groups and _EVERY_GROUP not in ours:
        return None
    return Grant(
        who,
        user,
        groups=None if _EVERY_GROUP in ours else groups,
        read_only=_WRITE not in ours,
        principal=principal,
    )


def scopes_for(groups: Iterable[str]) -> list[str]:
    """Return the scopes that an issuer can give for these groups."""
    return [*(f"{_PREFIX}{group}" for group in groups), _EVERY_GROUP, _WRITE]
