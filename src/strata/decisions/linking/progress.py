"""What background work remembers between its runs: beside the versions, once for a store."""

import msgspec

from strata.store import Store, row_digest

# How far memories have been linked, as a version; and when links were last pruned, in ms.
LINKED, PRUNED = "decisions.linked", "decisions.pruned"


def mark(store: Store, name: str) -> int | None:
    """Return what was remembered, or None."""
    row = store.connection().row(store.queries.setting, (name,))
    try:
        return None if row is None else msgspec.json.decode(row[0], type=int)
    except msgspec.MsgspecError:
        # It only saves work: what cannot be read is done again.
        return None


def remember(store: Store, name: str, value: int) -> None:
    """Keep a number for the next run, in whatever process."""
    text = str(value)
    with store.writing() as connection:
        connection.run(store.queries.upsert_setting, (name, text, row_digest(name, text)))
