"""Files of every client before and after: `golden/CLIENT/CASE.before` and `.after`.

`empty` has no file before. The other cases have comments, other servers, other habits.
"""

from pathlib import Path

import pytest

from strata.clients import CLIENTS, carry_out, plan_undo
from tests.unit.clients.conftest import Desk

GOLDEN = Path(__file__).parent / "golden"
AFTER = sorted(GOLDEN.glob("*/*.after"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def lay(editing: Desk, after: Path) -> tuple[Path, bytes | None]:
    """Put the file before in its place; `hook-` cases are the file of the hook."""
    client = CLIENTS[after.parent.name]
    path = editing.file(client)
    if after.stem.startswith("hook-"):
        assert client.hook is not None
        path = Path(client.hook.files[client.default_scope](editing.host))
    before = after.with_suffix(".before")
    data = before.read_bytes() if before.exists() else None
    if data is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path, data


@pytest.mark.parametrize("after", AFTER, ids=name_of)
def test_setting_up_writes_what_the_golden_file_says_and_undo_takes_it_back(
    after: Path, editing: Desk
) -> None:
    path, before = lay(editing, after)
    client = CLIENTS[after.parent.name]
    carry_out(editing.plan(client))
    assert path.read_bytes() == after.read_bytes()
    assert [change.state for change in editing.plan(client)] == ["unchanged"] * len(
        editing.plan(client)
    )
    carry_out(plan_undo(client, editing.host, name="strata"))
    assert (path.read_bytes() if path.exists() else None) == before
    assert list(editing.project.rglob("*strata*")) == []
    assert list(editing.home.rglob("*strata*")) == []


def test_every_client_has_an_empty_case_and_one_with_others() -> None:
    cases = {(path.parent.name, path.stem) for path in AFTER}
    for client in CLIENTS.values():
        assert (client.name, "empty") in cases
        assert (client.name, "others") in cases
    assert {("claude-code", "hook-empty"), ("codex", "hook-empty")} <= cases
