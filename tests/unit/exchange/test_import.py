"""Imports: all or nothing, once and only once, and what to do about other values."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from strata import Conflict, InvalidArgument, NewerFormat, NotFound, ReadOnly, Unusable, Workspace
from strata.base import limits
from strata.exchange import export_jsonl, export_markdown, import_file
from tests.unit.exchange.conftest import exported

HEADER = {"format": "strata-export", "format_version": 1}
Writer = Callable[..., Any]


def lines(*records: dict[str, Any] | str, history: bool = False) -> BytesIO:
    head = HEADER | ({"history": True} if history else {})
    texts = [
        one if isinstance(one, str) else msgspec.json.encode(one).decode()
        for one in (head, *records)
    ]
    return BytesIO("\n".join(texts).encode())


def fact(key: str, value: object, **more: object) -> dict[str, Any]:
    return {"kind": "kv", "key": key, "value": value, **more}


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("write", [export_jsonl, export_markdown])
def test_what_comes_out_goes_in_and_comes_out_the_same(
    furnished: Workspace, other: Workspace, write: Writer, *, history: bool
) -> None:
    furnished.space("x").events.append("a", {})
    furnished.spaces.delete("x", force=True)
    file = BytesIO()
    write(furnished, file, history=history)
    import_file(other, file)
    assert exported(other, history=history) == exported(furnished, history=history)
    assert exported(other) == exported(furnished)
    assert other.verify().ok


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("write", [export_jsonl, export_markdown])
def test_importing_twice_changes_nothing(
    furnished: Workspace, other: Workspace, write: Writer, *, history: bool
) -> None:
    file = BytesIO()
    found = write(furnished, file, history=history)
    import_file(other, file)
    before = other.log(limit=1000)
    again = import_file(other, file)
    assert other.log(limit=1000) == before
    assert (again.commits, again.written) == (0, {})
    counted = sum(count for kind, count in found.records.items() if kind != "commit")
    assert again.unchanged == counted
    home = import_file(furnished, file)
    assert (home.commits, home.unchanged) == (0, counted)


def test_facts_and_events_are_one_commit(furnished: Workspace, other: Workspace) -> None:
    file = BytesIO()
    export_jsonl(furnished, file)
    found = import_file(other.as_actor("이사"), file)
    log = other.log()
    assert len(log) == found.commits == 1
    assert (log[0].actor, log[0].operation, log[0].changes) == ("이사", "import", 10)
    assert found.version == log[0].version
    assert found.written == {"kv": 6, "json": 1, "state": 1, "event": 2}


def test_a_history_keeps_times_actors_and_messages(furnished: Workspace, other: Workspace) -> None:
    file = BytesIO()
    export_jsonl(furnished, file, history=True)
    import_file(other, file)
    told = [(one.timestamp, one.actor, one.message) for one in furnished.log(limit=1000)]
    assert [(one.timestamp, one.actor, one.message) for one in other.log(limit=1000)] == told
    assert [one.state for one in other.kv.history("gone")] == ["deleted", "live", "live"]
    assert other.at(furnished.log(limit=1000)[-2].time).kv.get("gone") is not None
    cell, kept = other.state.get("leader"), furnished.state.get("leader")
    assert cell is not None
    assert kept is not None
    assert cell.counter == kept.counter == 2


def test_a_branch_does_not_go_back_in_time_and_the_message_says_when_it_was(
    furnished: Workspace, other: Workspace
) -> None:
    file = BytesIO()
    export_jsonl(furnished, file, history=True)
    newest = other.kv.put("mine", 1).timestamp
    import_file(other, file)
    first = other.log(limit=1000)[-2]
    assert first.timestamp > newest
    assert first.message == f"(first written {furnished.log(limit=1000)[-1].iso_time})"
    assert other.verify().ok
    before = other.log(limit=1000)
    assert import_file(other, file).commits == 0
    assert other.log(limit=1000) == before


def test_events_keep_when_they_happened_and_are_not_appended_twice(
    db: Workspace, other: Workspace
) -> None:
    first = db.events.append("배포", {"n": 1})
    file = BytesIO()
    export_jsonl(db, file)
    other.events.append("own", {})
    import_file(other, file)
    db.events.append("배포", {"n": 2})
    later = BytesIO()
    export_jsonl(db, later)
    found = import_file(other, later)
    assert (found.unchanged, found.written) == (1, {"event": 1})
    events = other.events.list()
    assert [event.payload for event in events] == [{}, {"n": 1}, {"n": 2}]
    origin = events[1].origin
    assert origin is not None
    assert (origin.timestamp, origin.hash) == (first.timestamp, first.hash)
    assert other.verify().ok


def test_events_that_came_back_home_are_known_there(db: Workspace, other: Workspace) -> None:
    db.events.append("a", "하나")
    out, back = BytesIO(), BytesIO()
    export_jsonl(db, out)
    import_file(other, out)
    export_jsonl(other, back)
    assert import_file(db, back).written == {}
    assert len(db.events) == 1


def test_a_part_of_a_history_does_not_stand_for_the_whole(
    furnished: Workspace, other: Workspace
) -> None:
    part, whole = BytesIO(), BytesIO()
    export_jsonl(furnished, part, history=True, prefix="a/1")
    export_jsonl(furnished, whole, history=True)
    import_file(other, part)
    import_file(other, whole, on_conflict="replace")
    assert exported(other) == exported(furnished)


def test_other_values_need_a_choice_and_equal_ones_do_not(db: Workspace) -> None:
    db.kv.put("same", {"b": 1, "a": [2]}, tags=["x", "y"])
    db.kv.put("differs", 1)
    db.kv.put("tagged", "v", tags=["one"])
    file = lines(
        fact("new", "새것"),
        fact("same", {"a": [2], "b": 1}, tags=["y", "x"]),
        fact("differs", 1.0),
        fact("tagged", "v"),
    )
    with pytest.raises(Conflict) as caught:
        import_file(db, file)
    assert "default/differs, default/tagged" in caught.value.message
    assert db.kv.get("new") is None
    skipped = import_file(db, file, on_conflict="skip")
    assert (skipped.written, skipped.skipped, skipped.unchanged) == ({"kv": 1}, 2, 1)
    kept = db.kv.get("differs")
    assert kept is not None
    assert type(kept.value) is int
    replaced = import_file(db, file, on_conflict="replace")
    assert (replaced.written, replaced.replaced, replaced.unchanged) == ({"kv": 2}, 2, 2)
    kept = db.kv.get("differs")
    assert kept is not None
    assert type(kept.value) is float


def test_a_key_twice_in_one_file_is_a_conflict_too(db: Workspace) -> None:
    file = lines(fact("k", "하나"), fact("k", "둘"))
    with pytest.raises(Conflict):
        import_file(db, file)
    import_file(db, file, on_conflict="replace")
    found = db.kv.get("k")
    assert found is not None
    assert found.value == "둘"


def test_a_preview_tells_what_would_happen_and_changes_nothing(furnished: Workspace) -> None:
    before = furnished.log(limit=1000)
    file = lines(fact("a/1", "else"), fact("new", 1), fact("a/2", 2))
    found = import_file(furnished, file, preview=True)
    assert (found.preview, found.written, found.unchanged) == (True, {"kv": 1}, 1)
    assert [(clash.line, clash.key) for clash in found.conflicts] == [(2, "a/1")]
    assert found.version is None
    assert furnished.log(limit=1000) == before
    assert furnished.kv.get("new") is None
    assert import_file(furnished, file, on_conflict="replace").version == len(before) + 2 + 1


def test_a_preview_of_a_history_changes_nothing(furnished: Workspace, other: Workspace) -> None:
    file = BytesIO()
    export_jsonl(furnished, file, history=True)
    found = import_file(other, file, preview=True)
    assert found.commits == len(furnished.log(limit=1000))
    assert other.log() == []
    assert exported(other) == []
    assert import_file(other, file).commits == found.commits


BAD: dict[str, tuple[str, str]] = {
    "cut off": ('{"kind":"kv","key":"k"', "truncated"),
    "no key": ('{"kind":"kv","value":1}', "key"),
    "no value": ('{"kind":"kv","key":"k"}', "no value"),
    "no kind": ('{"key":"k","value":1}', "kind"),
    "odd kind": ('{"kind":"vector","key":"k","value":1}', "vector"),
    "odd key": ('{"kind":"kv","key":"","value":1}', "key"),
    "odd tag": ('{"kind":"kv","key":"k","value":1,"tags":[""]}', "tag"),
    "odd space": ('{"kind":"kv","key":"k","value":1,"space":" x"}', "space"),
    "odd time": ('{"kind":"event","type":"t","value":1,"time":"soon"}', "soon"),
    "odd type": ('{"kind":"event","type":"","value":1}', "type"),
    "odd commit": ('{"kind":"commit","hash":"a","time":"never"}', "never"),
    "deep": ('{"kind":"kv","key":"k","value":' + "[" * 600 + "]" * 600 + "}", "nested"),
    "no object": ("[1, 2]", "array"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named_and_nothing_is_changed(db: Workspace, name: str) -> None:
    line, reason = BAD[name]
    file = lines(fact("good", 1), "", line, fact("after", 2))
    with pytest.raises(Unusable) as caught:
        import_file(db, file)
    assert caught.value.details["line"] == 4
    assert "line 4" in caught.value.message
    assert reason in caught.value.message
    assert db.log() == []


@pytest.mark.parametrize("name", BAD)
def test_the_lenient_leave_bad_lines_out_and_list_them(db: Workspace, name: str) -> None:
    file = lines(fact("good", 1), BAD[name][0], fact("after", 2))
    found = import_file(db, file, lenient=True)
    assert (found.written, found.flaw_count) == ({"kv": 2}, 1)
    assert found.flaws[0].line == 3
    assert db.kv.list() == ["after", "good"]


def test_an_interrupted_import_leaves_nothing(
    furnished: Workspace, other: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ITEMS_MAX", 200)

    def stop(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    file = lines(*(fact(f"k{n}", n) for n in range(600)))
    with pytest.raises(KeyboardInterrupt):
        import_file(other, file, progress=stop)
    assert other.log() == []
    assert other.kv.count() == 0
    other.kv.put("next", 1)
    assert other.verify().ok


def test_a_large_import_is_several_commits_and_still_all_or_nothing(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ITEMS_MAX", 100)
    many = [fact(f"k{n:03}", n) for n in range(250)]
    with pytest.raises(Unusable):
        import_file(db, lines(*many, "{"))
    assert db.log() == []
    found = import_file(db, lines(*many, fact("k007", 7)))
    assert (found.commits, found.written, found.unchanged) == (3, {"kv": 250}, 1)
    assert [commit.changes for commit in db.log()] == [50, 100, 100]
    preview = import_file(db.on("default"), lines(*many), preview=True, space="딴")
    assert preview.commits == 3
    assert db.spaces.list() == ["default"]
    assert db.verify().ok


def test_values_that_are_large_together_are_not_held_together(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "IMPORT_COMMIT_BYTES", 1000)
    assert import_file(db, lines(*(fact(f"k{n}", "글" * 100) for n in range(10)))).commits == 3


def test_somebody_who_writes_meanwhile_is_not_overwritten(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strata.exchange import record_import

    real = record_import.RecordImport._acquire_lock
    left = [1]

    def late(self: record_import.RecordImport) -> None:
        if left:
            left.pop()
            db.kv.put("k", "theirs")
        real(self)

    monkeypatch.setattr(record_import.RecordImport, "_acquire_lock", late)
    with pytest.raises(Conflict):
        import_file(db, lines(fact("k", "ours")))
    found = db.kv.get("k")
    assert found is not None
    assert found.value == "theirs"


def test_an_import_comes_through_although_others_keep_writing(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strata.exchange import record_import

    real = record_import.RecordImport._acquire_lock

    def late(self: record_import.RecordImport) -> None:
        db.kv.put("theirs", 1)
        real(self)

    monkeypatch.setattr(record_import.RecordImport, "_acquire_lock", late)
    assert import_file(db, lines(fact("ours", 1))).written == {"kv": 1}
    assert db.kv.list() == ["ours", "theirs"]


def test_everything_goes_to_the_space_that_was_named(furnished: Workspace) -> None:
    file = lines(fact("a", 1), fact("b", 2, space="else"))
    import_file(furnished.space("새"), file)
    assert furnished.space("새").kv.list() == ["a"]
    assert furnished.space("else").kv.list() == ["b"]
    import_file(furnished, file, space="모두")
    assert furnished.space("모두").kv.list() == ["a", "b"]


def test_a_record_written_by_hand_needs_little(db: Workspace) -> None:
    file = lines(
        '{"kind":"event","type":"t","value":"손으로"}', '{"kind":"json","key":"d","value":[]}'
    )
    import_file(db, file)
    assert import_file(db, file).commits == 0
    assert [event.payload for event in db.events.list()] == ["손으로"]


UNUSABLE: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n \n",
    "text": "그냥 글\n".encode(),
    "markdown": b"# Notes\n\n- one\n",
    "binary": bytes(range(256)),
    "a store": b"SQLite format 3\0" + bytes(100),
    "other json": b'{"a": 1}',
    "numbers": b"[1, 2, 3]",
    "cut off json": b'[{"id": "1", "memory": ',
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_wrong_file_is_refused(db: Workspace, name: str) -> None:
    with pytest.raises(Unusable) as caught:
        import_file(db, BytesIO(UNUSABLE[name]))
    assert caught.value.hint
    assert db.log() == []


def test_a_newer_format_is_refused_by_its_number(db: Workspace) -> None:
    with pytest.raises(NewerFormat):
        import_file(db, BytesIO(b'{"format":"strata-export","format_version":2}\n'))


def test_places_that_cannot_be_read_or_written_are_refused(db: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        import_file(db, tmp_path / "없음.jsonl")
    with pytest.raises(Unusable):
        import_file(db, tmp_path)
    db.kv.put("k", 1)
    with pytest.raises(ReadOnly):
        import_file(db.at("now"), lines(fact("a", 1)))
    with pytest.raises(InvalidArgument):
        import_file(db, lines(), on_conflict="newest")  # pyright: ignore[reportArgumentType]


def test_a_line_without_an_end_is_refused(db: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXCHANGE_LINE_BYTES_MAX", 1000)
    with pytest.raises(Unusable, match="line 2 has more than"):
        import_file(db, lines(fact("k", "x" * 2000)))


def test_a_stream_that_can_be_read_once_is_enough(db: Workspace) -> None:
    class Pipe(BytesIO):
        def seekable(self) -> bool:
            return False

    assert import_file(db, Pipe(lines(fact("k", 1)).getvalue())).written == {"kv": 1}


@pytest.mark.parametrize("write", [export_jsonl, export_markdown])
def test_a_mark_at_the_beginning_and_windows_line_ends_do_no_harm(
    furnished: Workspace, other: Workspace, write: Writer
) -> None:
    file = BytesIO()
    write(furnished, file)
    text = b"\xef\xbb\xbf" + file.getvalue().replace(b"\n", b"\r\n")
    import_file(other, BytesIO(text))
    assert exported(other) == exported(furnished)


def test_what_retention_removed_is_counted_and_left_out(db: Workspace, other: Workspace) -> None:
    db.kv.put("k", "old")
    db.kv.put("k", "new")
    db.retention.set(max_versions=1)
    db.retention.apply()
    file = BytesIO()
    export_jsonl(db, file, history=True)
    found = import_file(other, file)
    assert (found.unreadable, found.written) == (1, {"kv": 1})


def test_tags_that_a_document_cannot_carry_are_no_conflict(db: Workspace) -> None:
    file = lines({"kind": "json", "key": "d", "value": {"a": 1}, "tags": ["t"]})
    assert import_file(db, file).written == {"json": 1}
    assert import_file(db, file).unchanged == 1
