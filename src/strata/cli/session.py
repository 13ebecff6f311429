"""Where a command works: the store, branch, space, actor and moment that were asked for."""

# Names of the SDK in signatures would load it, and with it every package.
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import click

import strata
from strata.workspace import user_folder

# A command that writes ends before a model is loaded. One that searches makes what is pending.
_EMBEDS = "before_search"
Done = TypeVar("Done")


class Invocation:
    """What the command line said, and the way from there to an opened store."""

    def __init__(self) -> None:
        self.db: str | None = None
        self.branch: str | None = None
        self.space: str | None = None
        self.actor: str | None = None
        self.user: str | None = None
        self.allow_secrets = False
        self.at: str | None = None
        self.json = False
        # Whether to tell a user that the store is not trusted.
        self.warns = True
        self.color: str | None = None
        # Known once the store is open.
        self.as_of: strata.Instant | None = None
        self.zone: str | None = None

    @staticmethod
    def current() -> Invocation:
        """Return the one of the command that runs now."""
        return click.get_current_context().ensure_object(Invocation)

    @property
    def location(self) -> strata.Location:
        """The store's place and the reason for it; nothing need be there yet."""
        return strata.locate_store(self.db)

    def new_place(self, folder: Path | None = None) -> Path | str:
        """Return where a new store is made: in a folder, at the project's root, else here."""
        if folder is not None:
            return strata.locate_store(folder.resolve() / ".strata" / "store.db").place
        found = self.location.place
        if isinstance(found, str):
            return found
        here = Path.cwd()
        is_for_everything = here in (Path.home().resolve(), here.parent)
        if found.parent == user_folder() and self.db is None and not is_for_everything:
            return here / ".strata" / "store.db"
        return found

    @property
    def wants_color(self) -> bool | None:
        """Whether to colour: as told, never with NO_COLOR, else (None) on a terminal."""
        if self.color in ("always", "never"):
            return self.color == "always"
        return False if os.environ.get("NO_COLOR") else None

    @cached_property
    def piped(self) -> bytes:
        """What came through standard input, kept for a command that runs twice; see `rehearse`."""
        return sys.stdin.buffer.read()

    @contextmanager
    def reading(self, *, anywhere: bool = False) -> Generator[strata.Workspace]:
        """Open the store to read; one that is not there is an error, never made.

        `anywhere` is for what does not depend on the branch, which may be gone.
        """
        place = self._existing()
        # Opened for writing it leaves no log beside it, but that takes the right to write.
        reads_only = isinstance(place, Path) and not (
            os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)
        )
        with strata.open(place, create=False, read_only=reads_only, auto_embed=_EMBEDS) as db:
            view = self._stand(db, anywhere=anywhere)
            if self.at is not None:
                view = view.at(self.at)
                self.as_of = view.as_of
            yield view

    @contextmanager
    def writing(
        self, *, create: bool = False, anywhere: bool = False
    ) -> Generator[strata.Workspace]:
        """Open the store to write; `create` makes a missing one and says where."""
        location = self.location
        place = location.place if create else self._existing()
        is_new = not location.exists
        with strata.open(place, create=create, auto_embed=_EMBEDS) as db:
            if is_new:
                say(f"made a store at {location.display} ({location.reason})")
            yield self._stand(db, anywhere=anywhere)

    def creating(self, work: Callable[[strata.Workspace], Done], *, anywhere: bool = False) -> Done:
        """Do a write that makes a missing store, unless it fails."""
        self.rehearse(work, anywhere=anywhere)
        with self.writing(create=True, anywhere=anywhere) as db:
            return work(db)

    def rehearse(
        self, work: Callable[[strata.Workspace], object], *, anywhere: bool = False
    ) -> None:
        """Try a first write in memory, so that one which fails does not make a store."""
        if not self.location.exists:
            with strata.open(durability="cache", auto_embed=False) as db:
                work(self._stand(db, anywhere=anywhere))

    def _existing(self) -> Path | str:
        location = self.location
        if not location.exists:
            location.check_finished()
            raise strata.StoreNotFound(
                f"There is no store at {location.display} ({location.reason}).",
                hint="`strata init` makes one, and so does the first `strata put`.",
                path=location.display,
            )
        return location.place

    def _stand(self, db: strata.Workspace, *, anywhere: bool) -> strata.Workspace:
        """Return the view that was asked for: here, by the environment or by the store."""
        if self.warns and db.trust.withheld():
            say(db.trust.warning or "")
        self.zone = _text(db.settings.get("timezone"))
        branch = None if anywhere else self.current_branch(db)
        space, actor = self.setting(db, "space"), self.setting(db, "actor")
        if branch not in (None, db.branch):
            db = self._on(db, branch)
        if space is not None and space != db.space_name:
            db = db.space(space)
        if self.allow_secrets:
            db = db.allowing_secrets()
        user = self.user or os.environ.get("STRATA_USER")
        if user:
            db = db.as_user(user)
        return db.as_actor(actor) if actor is not None else db

    def current_branch(self, db: strata.Workspace) -> str:
        """Return the name of the current branch, which need not exist, or not any more."""
        return db.settings.branch(given=self.branch)

    def setting(self, db: strata.Workspace, name: str) -> str | None:
        """Return what was said here, else by the environment, the store or the default."""
        given = getattr(self, name)
        return _text(db.settings.get(name)) if given is None else given

    def _on(self, db: strata.Workspace, branch: str) -> strata.Workspace:
        try:
            return db.on(branch)
        except strata.BranchNotFound as error:
            if self.branch is None:
                # The user did not type this name: it was remembered, and the branch is gone since.
                error.hint = "It was the current one; `strata branch --switch default` goes back."
            raise


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def say(message: str) -> None:
    """Tell a person something beside the answer."""
    click.echo(click.style(f"strata: {message}", dim=True), err=True)
