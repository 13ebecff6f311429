"""What an import or an export of a vault tells about what it did."""

from collections import Counter

import msgspec

from strata.exchange.outcome import NAMED_MAX


class SkippedFile(msgspec.Struct, frozen=True):
    """Something that was left out, and why."""

    path: str
    reason: str


class VaultStep(msgspec.Struct, frozen=True):
    """Something that was done: `how` is the name of the count, `before` the path it had then."""

    how: str
    path: str
    before: str | None = None


class VaultReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken in or written out, or with `preview` would be.

    `notes`, `images`, `files` and `folders` count what the vault holds. Of an import, `created`,
    `changed` and `unchanged` count notes and files together; `moved` have another path than
    before; `merged` are notes that were changed on both sides, of which `suggestions` places wait
    for a user to decide; `kept` are those that were changed here alone. `as_files` are notes
    that are no UTF-8 or too long: they are kept as files. `missing` were imported once and are
    no longer in the vault; `trashed` counts those that were removed here because of that.
    `damaged` counts what an export could not read, and skipped because it was told to.
    `steps` are what was done, one by one; a preview names all, other lists the first hundred.
    """

    path: str
    folder: str
    branch: str
    preview: bool = False
    notes: int = 0
    images: int = 0
    files: int = 0
    folders: int = 0
    created: int = 0
    changed: int = 0
    moved: int = 0
    merged: int = 0
    suggestions: int = 0
    kept: int = 0
    unchanged: int = 0
    trashed: int = 0
    links_resolved: int = 0
    links_unresolved: int = 0
    secrets: int = 0
    steps: tuple[VaultStep, ...] = ()
    missing: tuple[str, ...] = ()
    missing_count: int = 0
    unresolved: tuple[str, ...] = ()
    as_files: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    skipped_count: int = 0
    damaged: int = 0


class VaultTally:
    """What has been met so far."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.steps: list[VaultStep] = []
        self.skipped: list[SkippedFile] = []
        self.missing: list[str] = []
        self.unresolved: dict[str, None] = {}
        self.renamed: list[str] = []
        self.as_files: list[str] = []

    def did(self, how: str, path: str, before: str | None = None) -> None:
        """Count something that is done, and note to what."""
        self.counts[how] += 1
        self.steps.append(VaultStep(how, path, before))

    def skip(self, path: str, reason: str) -> None:
        """Note what is left out."""
        self.skipped.append(SkippedFile(path, reason))

    def report(self, path: str, folder: str, branch: str, *, preview: bool = False) -> VaultReport:
        """Return it for the caller."""
        return VaultReport(
            path=path,
            folder=folder,
            branch=branch,
            preview=preview,
            **self.counts,
            steps=tuple(self.steps if preview else self.steps[:NAMED_MAX]),
            missing=tuple(self.missing[:NAMED_MAX]),
            missing_count=len(self.missing),
            unresolved=tuple(self.unresolved)[:NAMED_MAX],
            renamed=tuple(self.renamed[:NAMED_MAX]),
            as_files=tuple(self.as_files[:NAMED_MAX]),
            skipped=tuple(self.skipped[:NAMED_MAX]),
            skipped_count=len(self.skipped),
        )
