"""Bundles as the SDK shows them."""

import os
from pathlib import Path

from strata.store import View
from strata.upkeep import BundleInfo, Progress, export_bundle, import_bundle, validate_bundle


class Bundles:
    """Branches as files. Reached as `db.bundles`."""

    def __init__(self, view: View) -> None:
        self._view = view

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
        return export_bundle(
            self._view.store, Path(path), branch=branch or self._view.branch, force=force,
            progress=progress,
        )  # fmt: skip

    def validate(self, path: str | os.PathLike[str]) -> BundleInfo:
        """Check a bundle without taking anything in; raise DamagedBundle for a bad one.

        >>> _ = db.kv.put("k", 1)
        >>> _ = db.bundles.export(folder / "b")
        >>> db.bundles.validate(folder / "b").branch
        'default'
        """
        return validate_bundle(Path(path))

    def load(
        self,
        path: str | os.PathLike[str],
        *,
        branch: str | None = None,
        progress: Progress | None = None,
    ) -> BundleInfo:
        """Take a bundle in as a new branch, with its times and its hashes.

        >>> _ = db.kv.put("k", "값")
        >>> _ = db.bundles.export(folder / "b")
        >>> db.bundles.load(folder / "b", branch="copy").branch
        'copy'
        >>> db.on("copy").kv.get("k").value
        '값'
        """
        return import_bundle(self._view.store, Path(path), branch=branch, progress=progress)
