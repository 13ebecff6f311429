"""Exports: what is in them, how they are written, and what they refuse."""

import os
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from strata import (
    AlreadyExists,
    InvalidArgument,
    NotFound,
    SpaceNotFound,
    TooOld,
    Unavailable,
    Workspace,
)
from strata.exchange import export_jsonl, export_markdown, format_of
from tests.unit.exchange.conftest import exported


def test_the_first_line_names_the_format_and_the_state(furnished: Workspace) -> None:
    file = BytesIO()
    export_jsonl(furnished, file)
    header = msgspec.json.decode(file.getvalue().splitlines()[0])
    assert (header["format"], header["format_version"]) == ("strata-export", 1)
    assert (header["branch"], header["version"]) == ("default", furnished.log(limit=1)[0].version)


def test_an_export_of_the_same_state_is_the_same_file(furnished: Workspace) -> None:
    first, second = BytesIO(), BytesIO()
    export_jsonl(furnished, first, history=True)
    export_jsonl(furnished, second, history=True)
    assert first.getvalue() == second.getvalue()


def test_every_kind_is_there_once_in_order_of_spaces_and_keys(furnished: Workspace) -> None:
    places = [(one["space"], one["kind"], one.get("key")) for one in exported(furnished)]
    assert places == [
        ("default", "kv", "a/1"),
        ("default", "kv", "a/2"),
        ("default", "kv", "deploy/target"),
        ("default", "kv", "nothing"),
        ("default", "kv", "odd"),
        ("default", "json", "doc"),
        ("default", "state", "leader"),
        ("메모", "kv", "todo"),
        ("메모", "event", None),
        ("메모", "event", None),
    ]


def test_a_history_has_every_version_behind_its_commit(furnished: Workspace) -> None:
    found = exported(furnished, history=True)
    gone = [
        (one["state"] if "state" in one else one["value"])
        for one in found
        if one.get("key") == "gone"
    ]
    assert gone == [{"이름": "하나 --> <!-- strata {}"}, {"이름": "둘"}, "deleted"]
    together = next(at for at, one in enumerate(found) if one.get("message") == "함께")
    assert found[together]["actor"] == "둘"
    assert [one["key"] for one in found[together + 1 : together + 3]] == ["a/1", "a/2"]
    commits = [one for one in found if one["kind"] == "commit"]
    assert len(commits) == len(furnished.log(limit=1000))


def test_a_space_a_prefix_or_kinds_narrow_an_export(furnished: Workspace) -> None:
    assert {one["space"] for one in exported(furnished, space="메모")} == {"메모"}
    assert [one["key"] for one in exported(furnished, prefix="a/")] == ["a/1", "a/2"]
    assert {one["kind"] for one in exported(furnished, kinds=["json", "event"])} == {
        "json",
        "event",
    }
    narrowed = exported(furnished, history=True, prefix="a/")
    assert [one["kind"] for one in narrowed] == ["commit", "kv", "kv"]


def test_an_export_shows_the_past_and_other_branches(db: Workspace) -> None:
    first = db.kv.put("k", "전").version
    db.kv.put("k", "후")
    db.branches.fork("try")
    db.on("try").kv.put("k", "딴판")
    assert [one["value"] for one in exported(db.at(first))] == ["전"]
    assert [one["value"] for one in exported(db.on("try"))] == ["딴판"]
    values = [one["value"] for one in exported(db.on("try"), history=True) if "value" in one]
    assert values == ["전", "후", "딴판"]
    assert len(exported(db.at(first), history=True)) == 2


def test_what_is_written_meanwhile_is_not_part_of_an_export(db: Workspace) -> None:
    db.kv.put_many({f"k/{n:04}": n for n in range(2500)})

    class Slow(BytesIO):
        def write(self, data: object) -> int:
            if not self.tell():
                db.kv.put("k/later", "나중")
                db.kv.put("k/2400", "changed")
            return super().write(data)  # pyright: ignore[reportArgumentType]

    file = Slow()
    assert export_jsonl(db, file).records == {"kv": 2500}
    assert b"changed" not in file.getvalue()


def test_vectors_stay_behind_and_are_named(db: Workspace) -> None:
    db.vectors.create("v", 2)
    db.vectors.upsert("v", "a", [1.0, 0.0])
    db.kv.put("k", 1)
    found = export_jsonl(db, BytesIO())
    assert found.records == {"kv": 1}
    assert "vector" in found.left_out


def test_a_file_is_replaced_only_when_told_to(db: Workspace, tmp_path: Path) -> None:
    db.kv.put("k", 1)
    file = tmp_path / "a.jsonl"
    file.write_text("mine")
    with pytest.raises(AlreadyExists):
        export_jsonl(db, file)
    assert file.read_text() == "mine"
    export_jsonl(db, file, force=True)
    assert "strata-export" in file.read_text()


def test_an_export_that_fails_leaves_no_file(db: Workspace, tmp_path: Path) -> None:
    db.kv.put_many({f"k{n}": n for n in range(1000)})

    def stop(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_jsonl(db, tmp_path / "a.jsonl", progress=stop)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_file_belongs_to_its_owner_alone(db: Workspace, tmp_path: Path) -> None:
    export_markdown(db, tmp_path / "a.md")
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o600


def test_places_and_kinds_that_are_not_there_are_refused(db: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        export_jsonl(db, tmp_path / "no" / "a.jsonl")
    with pytest.raises(SpaceNotFound):
        export_jsonl(db, tmp_path / "a.jsonl", space="없음")
    with pytest.raises(InvalidArgument):
        export_jsonl(db, tmp_path / "a.jsonl", kinds=["vector"])
    with pytest.raises(Unavailable):
        export_jsonl(db, tmp_path / ("x" * 300))
    assert list(tmp_path.iterdir()) == []


def test_the_ending_of_a_name_tells_the_format() -> None:
    assert format_of(Path("a.MD")) == format_of(Path("a.markdown")) == "markdown"
    assert format_of(Path("a.jsonl")) == format_of(Path("a")) == format_of(None) == "jsonl"


def test_progress_is_told_on_long_work(db: Workspace) -> None:
    db.kv.put_many({f"k{n}": n for n in range(1200)})
    told: list[tuple[str, int, int]] = []
    export_jsonl(db, BytesIO(), progress=lambda *figures: told.append(figures))
    assert told == [("records", 500, 1200), ("records", 1000, 1200)]


def test_markdown_is_made_for_people(furnished: Workspace, tmp_path: Path) -> None:
    export_markdown(furnished, tmp_path / "a.md")
    lines = (tmp_path / "a.md").read_text(encoding="utf-8").splitlines()
    for line in ("## Space `default`", "### `deploy/`", "#### `deploy/target`", "### Events"):
        assert line in lines
    start = lines.index("````text")
    assert lines[start + 1 : start + 4] == ["운영", "```x```", "````"]
    assert any("#배포" in line for line in lines)
    events = [line for line in lines if line.startswith("- 20")]
    assert len(events) == 2
    assert "`` dep`loy ``" in events[0]


def test_a_value_that_retention_removed_is_not_exported_as_if_it_were_there(
    db: Workspace,
) -> None:
    first = db.kv.put("k", "old").version
    db.kv.put("k", "new")
    db.retention.set(max_versions=1)
    db.retention.apply()
    states = [one.get("state", "live") for one in exported(db, history=True) if "key" in one]
    assert states == ["trimmed", "live"]
    with pytest.raises(TooOld):
        exported(db.at(first))
