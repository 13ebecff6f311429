"""Counting what an import meets, and telling of it."""

from collections import Counter

from strata.base.errors import Conflict
from strata.exchange.lines import Flaw
from strata.exchange.outcome import NAMED_MAX, Clash, Import, Secret
from strata.exchange.source import Source


class ImportTally:
    """What has been met so far."""

    def __init__(self) -> None:
        self.written: Counter[str] = Counter()
        self.unchanged = self.replaced = self.deleted = self.skipped = self.unreadable = 0
        self.commits = self.clashes = self.flaws = self.secrets = 0
        self.named_clashes: list[Clash] = []
        self.named_flaws: list[Flaw] = []
        self.named_secrets: list[Secret] = []

    def add_clash(self, clash: Clash) -> None:
        """Note a key that holds another value."""
        self.clashes += 1
        if self.clashes <= NAMED_MAX:
            self.named_clashes.append(clash)

    def add_flaw(self, flaw: Flaw) -> None:
        """Note a line that cannot be used."""
        self.flaws += 1
        if self.flaws <= NAMED_MAX:
            self.named_flaws.append(flaw)

    def add_secrets(self, secrets: list[Secret]) -> None:
        """Record where secrets are."""
        self.secrets += len(secrets)
        self.named_secrets += secrets[: max(0, NAMED_MAX - len(self.named_secrets))]

    def report(self, source: Source, branch: str, *, preview: bool, version: int | None) -> Import:
        """Return it for the caller."""
        return Import(
            path=source.name,
            format=source.format,
            branch=branch,
            preview=preview,
            commits=self.commits,
            version=None if preview else version,
            written=dict(self.written),
            unchanged=self.unchanged,
            replaced=self.replaced,
            deleted=self.deleted,
            skipped=self.skipped,
            unreadable=self.unreadable,
            conflicts=tuple(self.named_clashes),
            conflict_count=self.clashes,
            flaws=tuple(self.named_flaws),
            flaw_count=self.flaws,
            secrets=tuple(self.named_secrets),
            secret_count=self.secrets,
        )


def conflict(name: str, tally: ImportTally) -> Conflict:
    """Return the error for keys that hold other values, when no strategy was chosen."""
    places = [f"{clash.space}/{clash.key}" for clash in tally.named_clashes[:5]]
    more = "…" if tally.clashes > len(places) else ""
    return Conflict(
        f"{tally.clashes:,} of the keys in {name} hold other values here: "
        f"{', '.join(places)}{more}.",
        hint="Nothing was changed. Choose what wins: on_conflict skip keeps what is here, "
        "replace takes what the file has; a preview lists them.",
        conflicts=tally.named_clashes,
    )
