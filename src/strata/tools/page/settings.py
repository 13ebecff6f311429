"""What a user is shown of the settings, and the hints that they have dismissed."""

from typing import Annotated

from strata.tools.page.group import PageAnswer, manages, page, permits
from strata.tools.session import Call

_EVERYBODY = ("me", "tokens", "clients")
_MANAGERS = ("people", "teams", "audit")
_OWNER = ("secrets", "models", "backups", "health", "statistics")


class SettingsParts(PageAnswer, frozen=True):
    """The parts of the settings that a user may use."""

    parts: list[str]


@page.reads(example={})
def settings(call: Call) -> SettingsParts:
    """List the parts of the settings that the caller may use."""
    here = call.anywhere
    parts = [*_EVERYBODY]
    if manages(here):
        parts += _MANAGERS
    if here.rights.user.is_owner and permits(call.session.grant, "memory"):
        parts += _OWNER
    return SettingsParts(parts=parts)


class WelcomeState(PageAnswer, frozen=True):
    """What is done of the first steps, and which hints the user does not want to see again."""

    dismissed: list[str]
    # Whether the user still has the name that they were given at first.
    is_named: bool
    # Whether a client has called with a token of the user's.
    has_called: bool
    # Whether the example is there; null for a user who may not make it.
    has_example: bool | None


@page.reads(example={})
def welcome(call: Call) -> WelcomeState:
    """Show which of the first steps the caller has done."""
    here = call.anywhere
    user = here.rights.user
    own = None if user.is_owner else user.id
    may_make = user.is_owner and permits(call.session.grant, "memory")
    known = here.branches.get("example") if may_make else None
    return WelcomeState(
        dismissed=here.users.dismissed(),
        is_named=user.name not in ("owner", user.email.partition("@")[0]),
        has_called=any(one.last_used for one in here.tokens.list() if one.user == own),
        has_example=known is not None if may_make else None,
    )


@page.writes(idempotent=True, example={"hint": "example"})
def dismiss(call: Call, *, hint: Annotated[str, "name, client or example"]) -> WelcomeState:
    """Remember that the caller does not want to see a hint again."""
    call.anywhere.users.dismiss(hint)
    return welcome(call)
