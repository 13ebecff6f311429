"""Tokens for servers: in a file of the user's, whichever processes write it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from strata.remotes import forget_token, keep_token, stored_token, token_for


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
            keep_token(tmp_path, f"https://{number}-{at}.example", "strata_x", store="a")

    with ThreadPoolExecutor() as pool:
        list(pool.map(keep, range(2)))
    for number in range(2):
        for at in range(20):
            assert token_for(tmp_path, f"https://{number}-{at}.example") == "strata_x"
    assert [file.name for file in tmp_path.iterdir()] == ["remote-tokens.json"]
    assert (tmp_path / "remote-tokens.json").stat().st_mode & 0o777 == 0o600


SERVER = "https://memory.example.com"


def test_a_token_is_kept_as_long_as_a_store_uses_it(tmp_path: Path) -> None:
    keep_token(tmp_path, SERVER, "strata_x", store="a")
    keep_token(tmp_path, SERVER, None, store="b")
    forget_token(tmp_path, SERVER, store="a")
    assert token_for(tmp_path, SERVER) == "strata_x"
    forget_token(tmp_path, SERVER, store="b")
    assert token_for(tmp_path, SERVER) is None
    assert "strata_x" not in (tmp_path / "remote-tokens.json").read_text()


def test_a_new_token_serves_all_stores_that_use_the_server(tmp_path: Path) -> None:
    keep_token(tmp_path, SERVER, "strata_x", store="a")
    keep_token(tmp_path, SERVER, "strata_y", store="b")
    forget_token(tmp_path, SERVER, store="b")
    assert token_for(tmp_path, SERVER) == "strata_y"


def test_a_token_of_an_earlier_program_is_used_and_forgotten(tmp_path: Path) -> None:
    (tmp_path / "remote-tokens.json").write_text(json.dumps({SERVER: "strata_x"}))
    assert token_for(tmp_path, SERVER) == "strata_x"
    forget_token(tmp_path, SERVER, store="a")
    assert stored_token(tmp_path, SERVER) is None


def test_nothing_is_written_where_no_token_is_kept(tmp_path: Path) -> None:
    keep_token(tmp_path / "own", SERVER, None, store="a")
    forget_token(tmp_path / "own", SERVER, store="a")
    assert not (tmp_path / "own").exists()
