"""One run of the store's benchmark: how large it is, where it works, what it reports to."""

from pathlib import Path

import msgspec
from contenders.strata_kv import Ours
from measure.figures import Report
from measure.records import Record, key, records

BATCH = 1000


class Scale(msgspec.Struct, frozen=True):
    """How many records, rounds and operations a run takes."""

    records: int
    big: int
    rounds: int
    gets: int
    puts: int
    merges: int
    forks: int
    seconds: float
    process_rounds: int
    single_puts: int


FULL = Scale(
    records=100_000,
    big=1_000_000,
    rounds=21,
    gets=500,
    puts=200,
    merges=7,
    forks=15,
    seconds=4.0,
    process_rounds=5,
    single_puts=100_000,
)
QUICK = Scale(
    records=50_000,
    big=200_000,
    rounds=7,
    gets=400,
    puts=200,
    merges=2,
    forks=8,
    seconds=0.6,
    process_rounds=3,
    single_puts=10_000,
)


class Run(msgspec.Struct, frozen=True):
    """What every part is given."""

    report: Report
    folder: Path
    scale: Scale
    values: list[Record]

    def pairs(self, start: int, count: int = BATCH) -> list[tuple[str, Record]]:
        """Return records by number, each with its key; values come round again."""
        values = self.values
        return [(key(n), values[n % len(values)]) for n in range(start, start + count)]

    def built(self, name: str, count: int) -> Ours:
        """Return a new store of ours with that many records, loaded in batches."""
        ours = Ours(self.folder / name)
        for start in range(0, count, BATCH):
            ours.put_many(self.pairs(start, min(BATCH, count - start)))
        return ours


def begin(report: Report, folder: Path, scale: Scale) -> Run:
    """Prepare a run with its data."""
    return Run(report, folder, scale, records(5000))


def spoken(count: int) -> str:
    """Return a number as it stands in the name of a figure: 1k, 200k, 1m."""
    return f"{count // 1_000_000}m" if count % 1_000_000 == 0 else f"{count // 1000}k"
