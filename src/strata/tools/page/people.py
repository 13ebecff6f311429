"""Users of the workspace, their browsers, and signing in and out."""

from typing import TYPE_CHECKING, Annotated

from strata.tools.page.group import PageAnswer, browser_of, iso, manages, page, require_person
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import SignInCode, User

PersonId = Annotated[str, "A user: id or email"]


class PersonLine(PageAnswer, frozen=True):
    """A user of the workspace."""

    id: str
    name: str
    email: str
    is_owner: bool
    made: str


class PeopleList(PageAnswer, frozen=True):
    """The users whom the caller may manage; others see themselves."""

    people: list[PersonLine]


@page.reads(example={})
def people(call: Call) -> PeopleList:
    """List the users of the workspace to its owner and admins; others see themselves."""
    here = call.db
    found = here.users.list() if manages(here) else [here.rights.user]
    return PeopleList(people=[_line(one) for one in found])


class CodeLine(PageAnswer, frozen=True):
    """A code that signs a user in once; it is shown only here."""

    person: PersonLine
    code: str
    expires: str


@page.writes(example={"email": "ann@example.com", "name": "Ann"})
def add_person(
    call: Call,
    *,
    email: Annotated[str, "By which the user is known"],
    name: Annotated[str | None, "Without: what is before the @"] = None,
) -> CodeLine:
    """Add a user, and make a code with which they sign in once, within ten minutes."""
    require_person(call)
    here = call.anywhere
    made = here.users.add(email, name or None)
    return _code(made, here.sign_ins.create_code(made.id))


@page.writes(example={"personId": "owner"})
def sign_in_code(call: Call, *, person_id: PersonId) -> CodeLine:
    """Make a code with which a user signs in once, within ten minutes.

    Everybody makes codes for themselves, an admin for others, only the owner for the owner.
    """
    require_person(call)
    here = call.anywhere
    code = here.sign_ins.create_code(person_id)
    return _code(here.users.require(code.user), code)


@page.writes(idempotent=True, example={"personId": "owner", "name": "소연"})
def rename_person(
    call: Call,
    *,
    person_id: PersonId,
    name: Annotated[str | None, "The new name"] = None,
    email: Annotated[str | None, "The new email; for admins"] = None,
) -> PersonLine:
    """Change the name of a user, or the email that they are known by."""
    require_person(call)
    return _line(call.anywhere.users.rename(person_id, name, email=email))


class PersonBelongings(PageAnswer, frozen=True):
    """What another user gets when this one is removed."""

    documents: int
    spaces: int


@page.reads(example={"personId": "owner"})
def belongings(call: Call, *, person_id: PersonId) -> PersonBelongings:
    """Count the documents and Spaces that a user has of their own; for admins."""
    found = call.anywhere.users.belongings(person_id)
    return PersonBelongings(documents=found.documents, spaces=found.spaces)


@page.writes(destructive=True, example={"personId": "ann@example.com", "giveTo": "owner"})
def remove_person(
    call: Call,
    *,
    person_id: PersonId,
    give_to: Annotated[str | None, "The user who gets their documents: id or email"] = None,
) -> PersonLine:
    """Remove a user; their documents go to another one, their tokens and browsers end."""
    require_person(call)
    return _line(call.anywhere.users.remove(person_id, give_to=give_to))


class BrowserLine(PageAnswer, frozen=True):
    """A browser that is signed in; `token` is the label of the token that it depends on."""

    id: str
    label: str
    made: str
    last_used: str
    expires: str
    token: str | None
    is_this: bool


class BrowserList(PageAnswer, frozen=True):
    """The browsers in which a user is signed in, those used last first."""

    browsers: list[BrowserLine]


@page.reads(example={})
def browsers(call: Call) -> BrowserList:
    """List the browsers in which the caller is signed in."""
    here, this = call.anywhere, browser_of(call)
    lines = [
        BrowserLine(
            id=one.id,
            label=one.label,
            made=iso(one.created),
            last_used=iso(one.last_used),
            expires=iso(one.expires),
            token=one.token and one.token.label,
            is_this=one.id == this,
        )
        for one in here.sign_ins.list()
        if one.user == here.rights.user.id
    ]
    return BrowserList(browsers=lines)


class SignedOut(PageAnswer, frozen=True):
    """How many browsers were signed out."""

    browsers: int


@page.writes(destructive=True, example={"browserId": "browser_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def close_browser(call: Call, *, browser_id: Annotated[str, "As browsers lists it"]) -> SignedOut:
    """Sign one browser out."""
    if browser_id != browser_of(call):
        require_person(call)
    call.anywhere.sign_ins.close_one(browser_id)
    return SignedOut(browsers=1)


@page.writes(destructive=True, example={"personId": "owner"})
def close_browsers(call: Call, *, person_id: PersonId) -> SignedOut:
    """Sign a user out everywhere but in the browser that calls, and drop their unused codes."""
    require_person(call)
    gone = call.anywhere.sign_ins.close_all(person_id, keep=browser_of(call))
    return SignedOut(browsers=gone)


def _line(one: "User") -> PersonLine:
    return PersonLine(
        id=one.id, name=one.name, email=one.email, is_owner=one.is_owner, made=iso(one.created)
    )


def _code(person: "User", code: "SignInCode") -> CodeLine:
    return CodeLine(person=_line(person), code=code.secret, expires=iso(code.expires))
