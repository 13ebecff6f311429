"""Trust in one store, as the SDK shows it, and what a store that is not trusted may not do."""

# Names in signatures would load their packages.
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from strata import models, search, upkeep
from strata.store import Store
from strata.workspace.settings import Settings
from strata.workspace.trust_notes import (
    HINT,
    distrust_of,
    drop_trust,
    is_trusted,
    note_trust,
    require_trust,
)

# Things that a store says, and letters of each, that a warning shows.
_SHOWN_MAX = 5
_CHARACTERS_MAX = 100


class StoreTrust:
    """Whether this user lets a store say where data goes. Reached as `db.trust`.

    A store is trusted where this user made it, and elsewhere once the user says so. Of one that is
    not, settings that reach outside or let secrets in, models behind endpoints and agents with a
    model do not count.
    """

    def __init__(
        self,
        store: Store,
        check: Callable[[], object],
        *,
        sees_all: Callable[[], bool],
    ) -> None:
        self._store = store
        # Whether the user may know where the store is, its settings, and other users' agents.
        self._sees_all = sees_all
        # Raises for users who may not decide for the owner of the machine.
        self._check = check

    @property
    def is_given(self) -> bool:
        """Whether the store is trusted.

        >>> db.trust.is_given
        True
        """
        return is_trusted(self._store)

    @property
    def warning(self) -> str | None:
        """Why the store is not trusted and what to do about it; None for one that is.

        >>> db.trust.warning is None
        True
        """
        if self.is_given:
            return None
        if not self._sees_all():
            return "The store is not trusted by its server: its settings reach nothing outside."
        held = self.withheld()
        more = f" and {len(held) - _SHOWN_MAX} more" if len(held) > _SHOWN_MAX else ""
        rest = f" Not used: {', '.join(held[:_SHOWN_MAX])}{more}." if held else ""
        why = distrust_of(self._store)
        return f"{why[0].upper()}{why[1:]}: its settings reach nothing outside.{rest} {HINT}"

    def withheld(self) -> list[str]:
        """Return what the store says and only a trusted one may.

        >>> db.trust.withheld()
        []
        """
        return [] if self.is_given else list(self.reaching())

    def reaching(self) -> Iterator[str]:
        """Yield what the store says that only a trusted one may, whether it is trusted or not.

        >>> db.settings.set("model_endpoint", "http://localhost:11434/v1")
        >>> list(db.trust.reaching())
        ['model_endpoint http://localhost:11434/v1']
        """
        yield from map(_harmless, self._reaching())

    def _reaching(self) -> Iterator[str]:
        for name, value in Settings(self._store).reaching().items():
            yield f"{name} {value}"
        for model in search.Embeddings(self._store).models():
            if model.state != "retired" and not models.is_shipped(model.name):
                yield f"embeddings by {model.name}"
        from strata.remotes import remotes_of  # noqa: PLC0415  (seldom needed)
        from strata.tasks import agent_names  # noqa: PLC0415  (seldom needed)

        for name, remote in remotes_of(self._store).items():
            yield f"remote {name} {remote.address}"
        yield from (f"agent {name}" for name in agent_names(self._store))

    def require(self, what: str) -> None:
        """Raise NotAllowed unless the store is trusted; `what` is what cannot be done without.

        >>> db.trust.require("The agent cannot be asked")
        """
        require_trust(self._store, what)

    def give(self) -> None:
        """Trust the store where it is, from now on.

        >>> db.trust.give()
        """
        self._check()
        note_trust(self._store)
        self._look_again()

    def revoke(self) -> bool:
        """Trust the store no longer; tell whether it was trusted.

        >>> db.trust.revoke()
        True
        >>> db.trust.is_given
        False
        """
        self._check()
        path = self._store.database.real_path
        was_given = path is not None and drop_trust(path)
        self._look_again()
        return was_given

    def _look_again(self) -> None:
        if self._store.screen is not None:
            self._store.screen.forget()


def _harmless(text: str) -> str:
    """Return words of a stranger as they may be shown: few, and nothing that steers a terminal."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown if len(shown) <= _CHARACTERS_MAX else f"{shown[:_CHARACTERS_MAX]}…"


def restore(
    backup: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    verify: bool = True,
    progress: upkeep.Progress | None = None,
) -> Path:
    """Put a backup in the place of a store; an existing one needs `force` and no users.

    A backup that does not verify is refused. The store that was there is kept beside the new one,
    as NAME.before-restore, until the next one is restored.

    What is restored is not trusted, whatever was there before: `db.trust` says what that means.

    >>> _ = db.kv.put("k", "지킨 값")
    >>> _ = db.backup(folder / "copy.strata")
    >>> _ = strata.restore(folder / "copy.strata", folder / "second.strata")
    >>> strata.open(folder / "second.strata").kv.get("k").value
    '지킨 값'
    """
    placed = upkeep.restore(backup, path, force=force, verify=verify, progress=progress)
    drop_trust(placed)
    return placed
