"""Roles, weakest first, and what a token leaves of one."""

from typing import Literal, TypeAlias

import msgspec

from strata.base.errors import InvalidArgument

Role: TypeAlias = Literal["viewer", "commenter", "editor", "admin", "owner"]
ROLES: tuple[Role, ...] = ("viewer", "commenter", "editor", "admin", "owner")
# What a share can give, and what a member of a team can be.
SHARED = ROLES[:3]
MEMBER = ROLES[:4]


def rank(role: Role) -> int:
    """Return the number of a role, by which roles are compared and kept: 1 is the weakest."""
    return ROLES.index(role) + 1


def role_of(number: int) -> Role:
    """Return the role of a number."""
    return ROLES[number - 1]


def check_role(role: str, among: tuple[Role, ...]) -> Role:
    """Return a role that can be given, or raise InvalidArgument."""
    if role in among:
        return role
    raise InvalidArgument(
        f"{role!r} is no role that can be given here.",
        hint=f"Use {', '.join(among[:-1])} or {among[-1]}.",
        parameter="role",
    )


class Cap(msgspec.Struct, frozen=True):
    """What a token leaves of its user's rights."""

    read_only: bool = False
    suggest_only: bool = False

    @property
    def highest(self) -> int:
        """The number of the greatest role that is left."""
        if self.read_only:
            return rank("viewer")
        return rank("commenter") if self.suggest_only else rank("owner")

    @property
    def reason(self) -> str | None:
        """Why a role is lower than the user's own, in words."""
        if self.read_only:
            return "The token that is used here may only read."
        return "The token that is used here may only suggest." if self.suggest_only else None


FULL = Cap()
