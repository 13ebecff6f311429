"""The order of what a process does beside its callers."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import strata
from strata.base import limits


def test_the_index_is_sealed_while_vectors_are_pending(tmp_path: Path) -> None:
    with (
        patch.object(limits, "SEAL_VERSIONS", 10),
        strata.open(tmp_path / "s.db", auto_embed=False) as db,
    ):
        db.kv.put_many({f"k{number}": f"왜가리 heron {number}" for number in range(30)})
        work = db._followers.following._follower
        assert db.embeddings.status().pending == 30
        assert work.step(never)
        assert segments(db) == 1
        assert db.embeddings.status().pending == 30
        while work.step(never):
            pass
        assert segments(db) == 1


def segments(db: strata.Workspace) -> int:
    store = db._store
    return len(store.connection().rows(store.queries.segments))


never: Callable[[], bool] = lambda: False  # noqa: E731
