"""The state of the store for its settings: people, tokens, health, statistics, backups."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base import clock
from strata.base.errors import NotAllowed
from strata.tools.page.group import PageAnswer, iso, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Workspace

# Commits that statistics are counted from; the newest.
_COMMITS_COUNTED = 1_000
_DAY_CHARACTERS = len("2026-11-17")


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
    found = here.users.list() if _manages(here) else [here.rights.user]
    lines = [
        PersonLine(
            id=one.id, name=one.name, email=one.email, is_owner=one.is_owner, made=iso(one.created)
        )
        for one in found
    ]
    return PeopleList(people=lines)


def _manages(here: "Workspace") -> bool:
    whole = next((team for team in here.teams.list() if team.parent is None), None)
    is_admin = whole is not None and here.rights.team_roles().get(whole.id) == "admin"
    return here.rights.user.is_owner or is_admin


class TokenLine(PageAnswer, frozen=True):
    """A token without its secret; no groups means all of them."""

    id: str
    label: str
    groups: tuple[str, ...]
    is_read_only: bool
    is_suggest_only: bool
    user: str | None
    made: str
    expires: str | None
    last_used: str | None
    revoked: str | None


class TokenList(PageAnswer, frozen=True):
    """The tokens that the caller may revoke, newest first."""

    tokens: list[TokenLine]


@page.reads(example={})
def tokens(call: Call) -> TokenList:
    """List the tokens that the caller may revoke, newest first."""
    here = call.db
    names = here.users.names()
    lines = [
        TokenLine(
            id=one.id,
            label=one.label,
            groups=one.groups,
            is_read_only=one.read_only,
            is_suggest_only=one.suggest_only,
            user=None if one.user is None else names.get(one.user, one.user),
            made=iso(one.created),
            expires=None if one.expires is None else iso(one.expires),
            last_used=None if one.last_used is None else iso(one.last_used),
            revoked=None if one.revoked is None else iso(one.revoked),
        )
        for one in reversed(here.tokens.list())
    ]
    return TokenList(tokens=lines)


class StoreHealth(PageAnswer, frozen=True):
    """How the store is."""

    version: str
    format: int
    path: str
    size_bytes: int
    durability: str
    is_read_only: bool
    # Why the store is not trusted, if it is not.
    warning: str | None
    branches: int
    versions: int
    commits: int


@page.reads(needs="memory", example={})
def health(call: Call) -> StoreHealth:
    """Show how the store is: its file, size, durability, and what is wrong with it."""
    here = call.anywhere
    info = here.info()
    return StoreHealth(
        version=info.version,
        format=info.format,
        path=info.path,
        size_bytes=info.size_bytes,
        durability=info.durability,
        is_read_only=info.read_only,
        warning=here.trust.warning,
        branches=info.branches,
        versions=info.versions,
        commits=info.commits,
    )


class CountLine(PageAnswer, frozen=True):
    """A name, and how often it was counted."""

    name: str
    count: int


class StoreStatistics(PageAnswer, frozen=True):
    """What is on a branch, and who wrote when; of the newest commits only."""

    facts: int
    events: int
    documents: int
    days: list[CountLine]
    actors: list[CountLine]
    # How many commits were counted, and whether there are older ones.
    commits: int
    more: bool


@page.reads(needs="memory", example={})
def statistics(
    call: Call,
    *,
    commits: Annotated[
        int, Meta(description="Newest commits to count", ge=1, le=_COMMITS_COUNTED)
    ] = _COMMITS_COUNTED,
) -> StoreStatistics:
    """Count what is on a branch, and its newest commits by day and by author."""
    here = call.db
    info, found = here.info(), here.log(limit=commits)
    days = Counter(clock.iso(one.timestamp)[:_DAY_CHARACTERS] for one in found)
    actors = Counter(one.actor or "" for one in found)
    return StoreStatistics(
        facts=info.keys,
        events=info.events,
        documents=info.documents,
        days=[CountLine(name=day, count=count) for day, count in sorted(days.items())],
        actors=[CountLine(name=name, count=count) for name, count in actors.most_common()],
        commits=len(found),
        more=found.more,
    )


class MadeBackup(PageAnswer, frozen=True):
    """Where a backup lies on the server's machine."""

    path: str
    bytes: int
    version: int


@page.writes(needs="memory", example={})
def backup(call: Call) -> MadeBackup:
    """Copy the store to the folder `backups` beside it, verified; for the owner alone."""
    here = call.anywhere
    if not here.rights.user.is_owner:
        raise NotAllowed("Only the owner of the workspace makes backups of it here.")
    if here.path is None:
        raise NotAllowed("This store is in memory only.")
    stamp = clock.iso(here.time_of("now")).replace(":", "").partition(".")[0].rstrip("Z")
    folder = Path(here.path).parent / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    done = here.backup(folder / f"{here.path.stem}-{stamp}.strata", force=True)
    return MadeBackup(path=str(done.path), bytes=done.size_bytes, version=done.version)
