"""Tokens for servers: in a file of the user's, whichever processes write it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from strata.remotes import keep_token, token_for


def test_tokens_that_are_kept_at_once_are_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STRATA_REMOTE_TOKEN", raising=False)
    # Many, so that reading and writing them takes a while.
    many = {f"https://{number}.example": "strata_x" for number in range(20_000)}
    (tmp_path / "remote-tokens.json").write_text(json.dumps(many))
    start = Barrier(2)

    def keep(number: int) -> None:
        for at in range(20):
            start.wait()
            keep_token(tmp_path, f"https://{number}-{at}.example", "strata_x")

    with ThreadPoolExecutor() as pool:
        list(pool.map(keep, range(2)))
    for number in range(2):
        for at in range(20):
            assert token_for(tmp_path, f"https://{number}-{at}.example") == "strata_x"
    assert [file.name for file in tmp_path.iterdir()] == ["remote-tokens.json"]
    assert (tmp_path / "remote-tokens.json").stat().st_mode & 0o777 == 0o600
