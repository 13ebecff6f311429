"""The hash of a commit is what the format says, so that another program can prove it."""

from hashlib import sha256
from pathlib import Path

import apsw
import msgspec

import strata
from strata.base.digests import digest


def test_it_covers_the_hash_before_the_time_and_the_body(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("a", "하나")
        db.kv.put("a", "둘")
    rows = apsw.Connection(str(path)).execute("SELECT timestamp, hash FROM versions")
    previous = b""
    for value, (time, found) in zip(("하나", "둘"), rows, strict=True):
        head = msgspec.json.encode((None, "put", None, ""))
        entry = b"default\0kv\0a\0+" + digest(msgspec.json.encode(value), None)
        body = sha256(head + b"\n" + entry).digest()
        previous = sha256(previous + time.to_bytes(8, "big") + body).digest()
        assert previous == found
