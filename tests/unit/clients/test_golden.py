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


def lay(desk: Desk, after: Path) -> tuple[Path, bytes | None]:
    """Put the file before in its place; `hook-` cases are the file of the hook."""
    client = CLIENTS[after.parent.name]
    path = desk.file(client)
    if after.stem.startswith("hook-"):
        assert client.hook is not None
        path = Path(client.hook.files[client.default_scope](desk.host))
    before = after.with_suffix(".before")
    data = before.read_bytes() if before.exists() else None
    if data is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path, data


@pytest.mark.parametrize("after", AFTER, ids=name_of)
def test_setting_up_writes_what_the_golden_file_says_and_undo_takes_it_back(
    after: Path, desk: Desk
) -> None:
    path, before = lay(desk, after)
    client = CLIENTS[after.parent.name]
    carry_out(desk.plan(client))
    assert path.read_bytes() == after.read_bytes()
    assert [change.state for change in desk.plan(client)] == ["unchanged"] * len(desk.plan(client))
    carry_out(plan_undo(client, desk.host, name="strata"))
    assert (path.read_bytes() if path.exists() else None) == before
    assert list(desk.project.rglob("*strata*")) == []
    assert list(desk.home.rglob("*strata*")) == []


def test_every_client_has_an_empty_case_and_one_with_others() -> None:
    cases = {(path.parent.name, path.stem) for path in AFTER}
    for client in CLIENTS.values():
        assert (client.name, "empty") in cases
        assert (client.name, "others") in cases
    assert {("claude-code", "hook-empty"), ("codex", "hook-empty")} <= cases
