"""Secrets in a file: kept and listed, or masked, but never repeated in a report."""

from io import BytesIO
from typing import Any

import msgspec
import pytest

from strata import Conflict, Workspace
from strata.exchange import export_jsonl, import_file

# Put together here, so that no file of ours holds what looks like one.
TOKEN = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PASSWORD = "postgres://app:" + "tr0ub4dor" + "@db/app"


def lines(*records: dict[str, Any]) -> BytesIO:
    head: dict[str, Any] = {"format": "strata-export", "format_version": 1, "history": True}
    return BytesIO(b"\n".join(msgspec.json.encode(one) for one in (head, *records)))


def secretive() -> BytesIO:
    return lines(
        {"kind": "commit", "hash": "h1", "time": "2026-01-02T00:00:00Z", "message": TOKEN},
        {"kind": "kv", "key": "db", "value": {"주소": [PASSWORD]}},
        {"kind": "event", "type": "login", "id": "e1", "value": f"token {TOKEN}"},
        {"kind": "kv", "key": f"k/{TOKEN}", "value": 1},
    )


def test_secrets_are_kept_and_listed_by_place_and_kind(db: Workspace) -> None:
    found = import_file(db, secretive())
    stored = db.kv.get("db")
    assert stored is not None
    assert stored.value == {"주소": [PASSWORD]}
    assert [event.payload for event in db.events.list()] == [f"token {TOKEN}"]
    places = [(one.line, one.key, one.path) for one in found.secrets]
    assert places[:3] == [(2, "", "the message"), (3, "db", "$.주소[0]"), (4, "login", "$")]
    assert places[3][::2] == (5, "the key")
    assert found.secret_count == 4
    assert found.secrets[1].kind == "url_password"


def test_a_report_never_repeats_a_secret(db: Workspace) -> None:
    for preview in (True, False):
        told = msgspec.json.encode(import_file(db, secretive(), preview=preview)).decode()
        assert TOKEN not in told
        assert "tr0ub4dor" not in told


def test_masking_leaves_no_secret_in_the_store_and_is_repeatable(db: Workspace) -> None:
    found = import_file(db, secretive(), mask_secrets=True)
    assert found.secret_count == 4
    file = BytesIO()
    export_jsonl(db, file, history=True)
    assert TOKEN not in file.getvalue().decode()
    assert b"tr0ub4dor" not in file.getvalue()
    assert b"[masked: url_password]" in file.getvalue()
    assert import_file(db, secretive(), mask_secrets=True).commits == 0


def test_masked_facts_are_the_same_facts_the_next_time(db: Workspace) -> None:
    file = BytesIO(msgspec.json.encode([{"id": "1", "memory": f"use {PASSWORD}"}]))
    assert import_file(db, file, mask_secrets=True).written == {"kv": 1}
    again = import_file(db, file, mask_secrets=True)
    assert (again.unchanged, again.commits, again.secret_count) == (1, 0, 1)


@pytest.mark.parametrize("mask_secrets", [False, True])
def test_what_is_no_secret_is_left_alone(db: Workspace, *, mask_secrets: bool) -> None:
    value = {"commit": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "글": "비밀은 없다"}
    file = lines({"kind": "kv", "key": "k", "value": value, "tags": ["t"]})
    assert import_file(db, file, mask_secrets=mask_secrets).secrets == ()
    found = db.kv.get("k")
    assert found is not None
    assert (found.value, found.tags) == (value, ("t",))


def test_a_conflict_does_not_show_the_secret_in_a_key(db: Workspace) -> None:
    db.allowing_secrets().kv.put(f"k/{TOKEN}", "other")
    with pytest.raises(Conflict) as caught:
        import_file(db, secretive())
    assert TOKEN not in str(caught.value)
    assert TOKEN not in msgspec.json.encode(caught.value.details).decode()
