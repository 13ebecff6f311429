"""What background work remembers between its runs: beside the versions, once for a store."""

import msgspec

from strata.store import Store, read_setting, write_setting

# How far memories have been linked, as a version; and when links were last pruned, in ms.
LINKED, PRUNED = "decisions.linked", "decisions.pruned"


def mark(store: Store, name: str) -> int | None:
    """Return what was remembered, or None."""
    text = read_setting(store, name)
    try:
        return None if text is None else msgspec.json.decode(text, type=int)
    except msgspec.MsgspecError:
        # It only saves work: what cannot be read is done again.
        return None


def remember(store: Store, name: str, value: int) -> None:
    """Keep a number for the next run, in whatever process."""
    write_setting(store, name, str(value))
