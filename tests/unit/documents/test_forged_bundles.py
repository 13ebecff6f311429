"""Bundles that somebody made by hand: a snapshot that is no state of a text is refused."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import strata
from strata import StrataError
from strata.base import limits
from strata.documents import log
from strata.documents.records import SNAPSHOT, SPACE

# An item of a kind that no text has: read without a look, such a one may bring the reader down.
UPDATE = b"\x01\x01\x07\x00\x08\x01\x07content\x01\x00"


def forged(encode: Callable[[object], bytes], state: object) -> bytes:
    assert isinstance(state, msgspec.Struct)
    return encode(msgspec.structs.replace(state, update=UPDATE))


def test_a_forged_snapshot_is_refused_with_its_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_SNAPSHOT_ROWS", 3)
    with strata.open(tmp_path / "a.db", auto_embed=False) as db:
        made = db.documents.create("함께", "글")
        with monkeypatch.context() as patched:
            encode = msgspec.msgpack.encode
            patched.setattr(
                log.msgspec.msgpack,
                "encode",
                lambda value: (
                    forged(encode, value) if isinstance(value, log._State) else encode(value)
                ),
            )
            for n in range(4):
                db.documents.write(made.document, f"글 {n}")
        assert db._view.snapshot.get(SPACE, SNAPSHOT, made.document)
        db.bundles.export(tmp_path / "b.bundle")
    with strata.open(tmp_path / "b.db", auto_embed=False) as other:
        with pytest.raises(StrataError):
            other.bundles.load(tmp_path / "b.bundle", branch="taken")
        assert [branch.name for branch in other.branches.list()] == ["default"]
