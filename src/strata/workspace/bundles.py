"""Bundles as the SDK shows them."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from strata.base.errors import InvalidArgument
from strata.store import View
from strata.upkeep import (
    BundleImport,
    BundleInfo,
    Progress,
    export_bundle,
    import_bundle,
    validate_bundle,
)
from strata.workspace.own_folder import user_folder


class Bundles:
    """Branches as files. Reached as `db.bundles`."""

    def __init__(self, view: View, check: Callable[[], object]) -> None:
        self._view = view
        # Raises for users who may not export or import a whole branch.
        self._check = check

    def place(self, name: str) -> Path:
        """Return the path of a file in the folder `bundles` beside the store, which is made.

        Tools read and write bundles there and nowhere else: a call may come from another machine,
        or from a model that a document has talked into it.

        >>> db.bundles.place("default.strata-bundle").parent.name
        'bundles'
        """
        self._check()
        folder = self._folder()
        file = (folder / name).resolve()
        if not file.is_relative_to(folder) or file == folder:
            raise InvalidArgument(
                f"Tools read and write bundles only in the folder {folder}.",
                hint="Send a file name, such as default.strata-bundle. In a shell, `strata bundle "
                "export FILE` and `strata bundle import FILE` take any path.",
                parameter="path",
            )
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return file

    def _folder(self) -> Path:
        """Return `bundles` beside the file; of a store in PostgreSQL, in the user's own folder."""
        store = self._view.store
        if store.database.path is not None:
            return store.database.path.resolve().parent / "bundles"
        if store.database.dialect == "postgres":
            return user_folder() / "bundles" / store.id
        raise InvalidArgument("A store in memory has no folder for bundles.", parameter="path")

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        branch: str | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> BundleInfo:
        """Write a branch with its whole history to a file.

        >>> _ = db.kv.put("k", 1)
        >>> db.bundles.export(folder / "default.strata-bundle").commits
        1
        """
        self._check()
        return export_bundle(
            self._view.store,
            Path(path),
            branch=branch or self._view.branch,
            force=force,
            progress=progress,
        )

    def validate(self, path: str | os.PathLike[str]) -> BundleInfo:
        """Check a bundle without taking anything in; raise DamagedBundle for a bad one.

        >>> _ = db.kv.put("k", 1)
        >>> _ = db.bundles.export(folder / "b")
        >>> db.bundles.validate(folder / "b").branch
        'default'
        """
        self._check()
        return validate_bundle(Path(path))

    def load(
        self,
        path: str | os.PathLike[str],
        *,
        branch: str | None = None,
        progress: Progress | None = None,
    ) -> BundleImport:
        """Take a bundle in, with its times and its hashes, as a branch of its own name or another.

        Commits that are here already are shared with it, so what comes back from another store
        merges by a three-way merge. A branch that ends where the bundle goes on is moved forward;
        one that has all of it stays as it is. Where the branch of that name has commits of its
        own, the bundle becomes a branch with a number behind the name, and `note` says so; a name
        given as `branch` is refused instead.

        Documents come with it, but no permissions to them: those that are new here are put
        into the workspace owner's own folder.

        >>> _ = db.kv.put("k", "값")
        >>> _ = db.bundles.export(folder / "b")
        >>> db.bundles.load(folder / "b", branch="copy").branch
        'copy'
        >>> db.on("copy").kv.get("k").value
        '값'
        """
        self._check()
        store = self._view.store
        from strata.documents import settle  # noqa: PLC0415  (seldom needed)

        return import_bundle(
            store, Path(path), branch=branch, settle=partial(settle, store), progress=progress
        )
