"""Profiles: the public profiles of users, and the names that lead to it."""

from itertools import count

from strata.access import Permissions, User, changing_as, note
from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import AlreadyExists, LimitExceeded
from strata.publishing.names import check_profile_name, is_profile_name, numbered, slug_of
from strata.publishing.records import Profile
from strata.sql import Connection
from strata.store import Store, check_name


def provide_profile(store: Store, user: User) -> Profile:
    """Return a user's profile, and make it if there is none yet."""
    found = _profile(store, user.id)
    if found is not None:
        return found
    connection = store.connection()
    if connection.in_transaction:
        return _made(store, connection, user)
    if store.database.read_only:
        return Profile(user.id, _free_name(store, connection, user), user.name, "", 0)
    with store.writing() as connection:
        return _profile(store, user.id) or _made(store, connection, user)


def _profile(store: Store, user: str) -> Profile | None:
    row = store.connection().row(store.queries.profile_of, (user,))
    return None if row is None else Profile(*row)


def _made(store: Store, connection: Connection, user: User) -> Profile:
    queries, name = store.queries, _free_name(store, connection, user)
    made = Profile(user.id, name, user.name, "", store.clock())
    values = (made.user, made.name, made.title, made.about, made.created)
    connection.run(queries.insert_profile, values)
    connection.run(queries.insert_profile_name, (name, user.id))
    return made


def _free_name(store: Store, connection: Connection, user: User) -> str:
    """Return a name made from a user's name, or else from the email."""
    told = (user.name, user.email.partition("@")[0])
    wanted = next((slug for slug in map(slug_of, told) if is_profile_name(slug)), "person")
    owner = store.queries.owner_of_profile_name
    for number in count(1):
        name = wanted if number == 1 else numbered(wanted, number)
        if connection.row(owner, (name,)) is None:
            return name
    raise AssertionError("numbers do not end")


def change_profile(
    rights: Permissions, *, name: str | None, title: str | None, about: str | None
) -> Profile:
    """Change the text of a user's profile, or its name."""
    store, user = rights.store, rights.user
    called = None if name is None else check_profile_name(check_text(name, name="name"))
    shown = None if title is None else check_name(title, what="profile")
    text = None if about is None else _check_about(about)
    if store.screen is not None:
        for told in filter(None, (called, shown, text)):
            store.screen.screen_note(told, "profile", is_name=True)
    with changing_as(rights) as connection:
        before = provide_profile(store, user)
        if called is not None and called != before.name:
            _claim_name(store, connection, called, user=user.id)
        values = (
            user.id,
            called or before.name,
            shown or before.title,
            before.about if text is None else text,
            store.clock(),
        )
        connection.run(store.queries.update_profile, values)
        note(store, user.id, "profile.change", subject=user.id, name=values[1])
    return provide_profile(store, user)


def _claim_name(store: Store, connection: Connection, name: str, *, user: str) -> None:
    queries = store.queries
    row = connection.row(queries.owner_of_profile_name, (name,))
    if row is not None and row[0] != user:
        raise AlreadyExists(
            f"There is a profile of the name {name!r} already, or was one.",
            hint="Use another name.",
            name=name,
        )
    had = connection.row(queries.count_profile_names, (user,))
    if row is None and had is not None and had[0] >= limits.PROFILE_NAMES_MAX:
        raise LimitExceeded(
            f"A profile may have had {limits.PROFILE_NAMES_MAX} names at most.",
            hint="Go back to one of them: old addresses lead to the newest name.",
            limit=limits.PROFILE_NAMES_MAX,
            size=had[0] + 1,
        )
    connection.run(queries.insert_profile_name, (name, user))


def _check_about(about: str) -> str:
    text = check_text(about, name="about").strip()
    if len(text) > limits.PROFILE_ABOUT_CHARACTERS_MAX:
        raise LimitExceeded(
            f"What a profile says may have {limits.PROFILE_ABOUT_CHARACTERS_MAX:,} characters.",
            hint="Publish a document for more.",
            limit=limits.PROFILE_ABOUT_CHARACTERS_MAX,
            size=len(text),
        )
    return text
