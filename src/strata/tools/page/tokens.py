"""Tokens: what clients use the server with."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base.errors import NotAllowed
from strata.tools.page.group import PageAnswer, iso, page, permits, require_person
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Token

# What stands for other tools, or is an old name of them.
_NOT_OFFERED = ("developer_compact", "legacy")


class TokenLine(PageAnswer, frozen=True):
    """A token without its secret; no groups means all of them."""

    id: str
    label: str
    groups: tuple[str, ...]
    is_read_only: bool
    is_suggest_only: bool
    is_proposing: bool
    user: str | None
    made: str
    expires: str | None
    last_used: str | None
    revoked: str | None


class TokenList(PageAnswer, frozen=True):
    """The tokens that the caller may revoke, newest first, and the groups that they may give."""

    tokens: list[TokenLine]
    groups: list[str]


@page.reads(example={})
def tokens(
    call: Call,
    *,
    token_id: Annotated[str | None, "Only this one"] = None,
) -> TokenList:
    """List the tokens that the caller may revoke, newest first."""
    here = call.db
    found = [one for one in here.tokens.list() if token_id in (None, one.id)]
    names = here.users.names()
    lines = [_line(one, names) for one in reversed(found)]
    return TokenList(tokens=lines, groups=_groups(call))


class MadeToken(PageAnswer, frozen=True):
    """A token that was just made, with the secret that is shown this once."""

    token: TokenLine
    secret: str


@page.writes(example={"label": "laptop", "groups": ["core"], "expires": "90d"})
def make_token(
    call: Call,
    *,
    label: Annotated[str, "What the token is called; commits made with it name this"],
    groups: Annotated[list[str], "Of tools; empty: all that the user may use"] = [],  # noqa: B006
    is_read_only: Annotated[bool, "Writes nothing"] = False,
    is_suggest_only: Annotated[bool, "Edits of documents become suggestions"] = False,
    is_proposing: Annotated[bool, "All that it writes waits for a user"] = False,
    person_id: Annotated[str | None, "The user that it acts for; without: the caller"] = None,
    expires: Annotated[str | None, Meta(description="How long it is good, such as 90d")] = None,
) -> MadeToken:
    """Make a token; its secret is shown now and never again.

    A user gives only groups that they may use themselves.
    """
    require_person(call)
    odd = [one for one in groups if one not in _groups(call)]
    if odd:
        raise NotAllowed(f"The group {odd[0][:100]!r} is not yours to give.")
    here = call.anywhere
    made = here.tokens.create(
        label,
        groups=groups,
        read_only=is_read_only,
        suggest_only=is_suggest_only,
        proposes=is_proposing,
        user=person_id,
        expires=expires,
    )
    return MadeToken(token=_line(made.token, here.users.names()), secret=made.secret)


@page.writes(idempotent=True, destructive=True, example={"tokenId": "0123456789ab"})
def revoke_token(call: Call, *, token_id: Annotated[str, "As tokens lists it"]) -> TokenLine:
    """Let a token open nothing from now on."""
    require_person(call)
    here = call.anywhere
    return _line(here.tokens.revoke(token_id), here.users.names())


def _groups(call: Call) -> list[str]:
    """Return the groups of tools that a caller may give to a token."""
    from strata.tools.exposing import GROUPS  # noqa: PLC0415  (it loads this package)

    offered = [one for one in GROUPS if one not in _NOT_OFFERED]
    return [one for one in offered if permits(call.session.grant, one)]


def _line(one: "Token", names: dict[str, str]) -> TokenLine:
    return TokenLine(
        id=one.id,
        label=one.label,
        groups=one.groups,
        is_read_only=one.read_only,
        is_suggest_only=one.suggest_only,
        is_proposing=one.proposes,
        user=None if one.user is None else names.get(one.user, one.user),
        made=iso(one.created),
        expires=None if one.expires is None else iso(one.expires),
        last_used=None if one.last_used is None else iso(one.last_used),
        revoked=None if one.revoked is None else iso(one.revoked),
    )
