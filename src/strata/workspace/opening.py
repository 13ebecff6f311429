"""Opening a store: its database, what follows its commits, and the first workspace."""

# Names in signatures would load their packages.
from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from strata.access import FULL, OWNER
from strata.base import clock
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.decisions import RIVALS, Projection
from strata.search import TextIndexer
from strata.sql import Durability, open_database
from strata.store import DEFAULT_BRANCH, DEFAULT_SPACE, Store, settle
from strata.workspace.late import AutoEmbed, LateFollowers
from strata.workspace.locate import locate_store, make_folder
from strata.workspace.settings import Settings, zone_of
from strata.workspace.trust_notes import note_made
from strata.workspace.viewpoint import Viewpoint
from strata.workspace.workspace import Workspace

if TYPE_CHECKING:
    from strata.secrets import SecretMode, SecretScreen


def open_workspace(
    path: str | os.PathLike[str] | None = None,
    *,
    durability: Durability = "always",
    read_only: bool = False,
    create: bool = True,
    branch: str = DEFAULT_BRANCH,
    space: str = DEFAULT_SPACE,
    actor: str | None = None,
    timezone: str | None = None,
    text_index: bool = True,
    auto_embed: AutoEmbed = True,
    secrets: SecretMode | None = None,
) -> Workspace:
    """Open a store, making it unless `create` is False.

    Without a path it is the one of the project one works in. `always` syncs every commit
    to the disk, `standard` survives a killed program but may lose the last commits when
    the power fails, `cache` keeps everything in memory and forgets it at the end. Vectors for
    search by meaning are made in the background, unless `auto_embed` is False; a program that
    ends soon says "before_search", and its first search makes pending ones for up to a second
    before it answers. With `text_index` False, what is written here is not found by any search.
    The branch "git" is the one for the git branch that is checked out now; its first write makes
    it. `secrets` says what is done with keys, tokens and passwords: refuse, mask or allow; without
    it, the setting does.
    """
    if durability not in ("always", "standard", "cache"):
        raise InvalidArgument(
            f"{durability!r} is no durability.",
            hint="Use always, standard or cache.",
            parameter="durability",
        )
    if path == ":memory:":
        raise InvalidArgument(
            "A store in memory has no path.",
            hint='Open it with durability="cache" and without a path.',
            parameter="path",
        )
    if timezone is not None:
        clock.parse_time("now", now=0, timezone=timezone)
    if secrets is not None:
        from strata.secrets import check_mode  # noqa: PLC0415  (seldom given)

        check_mode(secrets)
    place = None
    if durability != "cache":
        place = locate_store(path).place
        if create and not read_only and not isinstance(place, str):
            make_folder(place)
    database = open_database(place, durability=durability, read_only=read_only, create=create)
    try:
        indexer = TextIndexer() if text_index else None
        store = Store(database, indexer=indexer, projector=Projection(), rivals=RIVALS | _REVIEWED)
        store.before_close.append(partial(settle, store))
        if database.was_empty:
            note_made(store)
        store.make_screen = partial(_screen, store, secrets)
        store.zone = lambda: timezone or zone_of(Settings(store))
        branch = Settings(store).branch(given=branch)
        viewpoint = Viewpoint(
            branch=branch, space=space, actor=actor, user=OWNER, cap=FULL, is_whole=True
        )
        view = viewpoint.view_of(store)
        view.check_name(actor, "actor")
    except BaseException:
        database.discard_new()
        raise
    followers = LateFollowers(store, auto_embed=text_index and auto_embed)
    # A program that ends soon may need none of it. Others would wait for it in their first search.
    if auto_embed != "before_search":
        followers.made()
    return Workspace(view, followers, viewpoint, timezone=timezone)


def _screen(store: Store, mode: SecretMode | None) -> SecretScreen:
    from strata.secrets import SecretScreen, check_mode  # noqa: PLC0415  (only changes need them)

    return SecretScreen(lambda: mode or check_mode(Settings(store).get("secrets")))


# How a merge joins what both branches decided; what knows it is loaded with the first merge.
def _comment(source: Json, target: Json) -> tuple[bool, Json]:
    from strata.review import joined_comment  # noqa: PLC0415  (seldom needed)

    return joined_comment(source, target)


def _suggestion(source: Json, target: Json) -> bool:
    from strata.review import suggestion_prevails  # noqa: PLC0415  (seldom needed)

    return suggestion_prevails(source, target)


# By kind; see Store.rivals.
_REVIEWED = {"comment": _comment, "suggestion": _suggestion}
