"""The list of decisions in AGENTS.md: within its size, and nothing else is touched."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strata
from strata.exchange.gitfiles.agents_block import decisions_block, with_block, write_block

_BLOCK = "## Decisions in force\n\n- **a**: 하나"


@given(
    st.lists(
        st.sampled_from([b"# Rules", "규칙".encode(), b"", b"\n", b"\r\n", b"\xff\x00", b"text"]),
        max_size=8,
    ),
    st.sampled_from([_BLOCK, "x", "한 줄\n두 줄"]),
)
def test_the_rest_of_a_file_stays_as_it_is(parts: list[bytes], block: str) -> None:
    before = b"".join(parts)
    once = with_block(before, block)
    assert once.startswith(before)
    assert with_block(once, block) == once
    other = with_block(once, "other")
    assert other.startswith(before)
    assert b"other" in other
    assert with_block(other, "") == before


def test_what_stands_around_the_block_is_kept_byte_for_byte() -> None:
    data = b"top\r\n\r\n<!-- strata:begin +0 -->\r\nold\r\n<!-- strata:end -->\r\nbelow, no end"
    after = with_block(data, "new\nlines")
    assert after == data.replace(b"old", b"new\r\nlines")


def test_a_conflict_of_git_inside_the_block_is_overwritten() -> None:
    data = (
        b"a\n<!-- strata:begin +0 -->\n<<<<<<< x\n1\n=======\n2\n>>>>>>> y\n<!-- strata:end -->\n"
    )
    assert with_block(data, "3") == b"a\n<!-- strata:begin +0 -->\n3\n<!-- strata:end -->\n"


@pytest.mark.parametrize(
    "data",
    [
        b"<!-- strata:begin +0 -->\nno end",
        b"<!-- strata:end -->",
        b"<!-- strata:end --><!-- strata:begin +0 -->",
        b"<!-- strata:begin +0 --><!-- strata:begin +0 --><!-- strata:end -->",
        b"<!-- strata:begin +0 -->\n<!-- strata:end -->\n<!-- strata:end -->",
        b"<!-- strata:begin more -->\n<!-- strata:end -->",
        b"<!-- strata:begin\n",
    ],
)
def test_damaged_marks_are_refused_and_nothing_changes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(data)
    with pytest.raises(strata.Unusable, match="marks"):
        write_block(path, _BLOCK)
    assert path.read_bytes() == data


def test_a_file_of_ours_alone_is_removed_with_the_block(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    assert write_block(path, _BLOCK)
    assert not write_block(path, _BLOCK)
    assert write_block(path, "")
    assert not path.exists()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("private")
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "other")
    with pytest.raises(strata.NotAllowed):
        write_block(tmp_path / "AGENTS.md", _BLOCK)
    assert (tmp_path / "other").read_text() == "private"


def test_only_decisions_in_force_are_listed_within_the_size() -> None:
    with strata.open(durability="cache", auto_embed=False) as db:
        assert decisions_block(db, 4000) == ""
        db.decisions.save("auth", "Use sessions", reasoning="simple")
        db.decisions.save("auth", "Use tokens", reasoning="mobile")
        db.decisions.save("형식", "JSON --> <!-- strata:end -->", reasoning="plain")
        db.decisions.save("old", "Use FTP", reasoning="it was there", until="2020-01-01")
        db.decisions.save("bad", "Use XML", reasoning="it was there")
        db.decisions.outcome("FAILED", topic="bad", reason="slow")
        block = decisions_block(db, 4000)
        assert "Use tokens" in block
        assert "형식" in block
        for absent in ("Use sessions", "Use FTP", "Use XML", "strata:end -->"):
            assert absent not in block
        for number in range(50):
            db.decisions.save(f"topic {number:02}", "글" * 50, reasoning="x")
        small = decisions_block(db, 1000)
        assert len(small.encode()) <= 1000
        assert "more" in small
        assert small == decisions_block(db, 1000)
