"""log, show, undo, revert, tag, event, space."""

from tests.surface.conftest import Run


def test_the_log_reads_like_a_log(ok: Run) -> None:
    ok("put", "k", "1", "-m", "첫 줄\n둘째 줄", "--actor", "소연")
    ok("put", "k", "2")
    ok("tag", "create", "v2")
    lines = ok("log").out.splitlines()
    assert lines[0] == "version 2 (tag: v2)"
    assert lines[1] == "Actor:  -"
    assert lines[5:7] == ["version 1", "Actor:  소연"]
    assert lines[-2:] == ["    첫 줄", "    둘째 줄"]


def test_the_log_on_one_line_names_version_time_actor_and_operation(ok: Run) -> None:
    ok("put", "k", "1", "--actor", "소연")
    words = ok("log", "--oneline").out.split()
    assert (words[0], words[3], words[4]) == ("1", "소연", "put")


def test_the_log_can_be_read_page_by_page(ok: Run) -> None:
    for number in range(3):
        ok("put", "k", number)
    page = ok("log", "-n", 2, "--oneline")
    assert [line.split()[0] for line in page.out.splitlines()] == ["3", "2"]
    assert "--before 2" in page.err
    rest = ok("log", "--before", 2, "--oneline")
    assert (len(rest.out.splitlines()), rest.err) == (1, "")
    assert ok("log", "-n", 2, "--json").json["more"] is True


def test_a_fork_marks_the_commits_of_its_parent(ok: Run) -> None:
    ok("put", "k", "1")
    ok("fork", "try", "--switch")
    ok("put", "k", "2")
    assert [line.partition(" 2")[0] for line in ok("log", "--oneline").out.splitlines()] == [
        "2",
        "1 (branch: default)",
    ]


def test_show_tells_what_a_commit_changed(ok: Run, run: Run) -> None:
    ok("put", "글", "--text", "하나\n둘\n셋\n")
    ok("put", "글", "--text", "하나\n두울\n셋\n")
    assert ok("show").out.splitlines()[-6:] == [
        "~ kv    글",
        "      …",
        "      하나",
        "    - 둘",
        "    + 두울",
        "      셋",
    ]
    assert ok("show", 1, "--stat").out.splitlines()[-2:] == ["+ kv    글", "1 added"]
    shown = ok("show", 2, "--json").json
    assert (shown["version"], shown["diff"][0]["action"]) == (2, "modified")
    assert run("show", 99).code == 1


def test_undo_takes_back_step_by_step(ok: Run, run: Run) -> None:
    for number in (1, 2, 3):
        ok("put", "k", number)
    assert ok("undo").out.startswith("took back version 3: 1 change, now version 4\n")
    assert ok("get", "k").out == "2\n"
    ok("undo")
    assert ok("get", "k").out == "1\n"
    ok("undo")
    assert run("get", "k").code == 1
    assert run("undo").code == 1


def test_undo_with_an_actor_takes_back_that_actors_work(ok: Run) -> None:
    ok("put", "a", "1", "--actor", "agent-7")
    ok("put", "b", "1", "--actor", "소연")
    ok("undo", "--actor", "agent-7")
    assert ok("list", "--keys").out == "b\n"
    newest = ok("log", "--json").json["commits"][0]
    assert (newest["message"], newest["actor"]) == ("undo version 1", None)


def test_revert_refuses_what_changed_since_unless_told(ok: Run, run: Run) -> None:
    for number in (1, 2, 3):
        ok("put", "k", number)
    assert run("revert", 2).code == 1
    assert ok("get", "k").out == "3\n"
    ok("revert", 2, "--strategy", "source_wins", "-m", "되돌림")
    assert ok("get", "k").out == "1\n"


def test_tags_name_points_of_history(ok: Run, run: Run) -> None:
    ok("put", "k", "처음")
    ok("put", "k", "나중")
    ok("tag", "create", "첫판", "--at", 1, "-m", "여기까지")
    ok("tag", "지금")
    assert ok("get", "k", "--at", "tag:첫판").out == "처음\n"
    tags = {tag["name"]: tag["version"] for tag in ok("tag", "--json").json["tags"]}
    assert tags == {"첫판": 1, "지금": 2}
    assert "여기까지" in ok("tag").out
    assert run("tag", "create", "지금", "--json").error["code"] == "already_exists"
    ok("tag", "delete", "지금")
    assert run("tag", "delete", "지금").code == 1


def test_events_are_appended_and_read_back(ok: Run, run: Run) -> None:
    ok("event", "append", "deploy", '{"환경": "운영"}')
    ok("event", "append", "note", "-", input="글")
    ok("event", "append", "bare")
    assert ok("event", "get", 1).out == '{\n  "환경": "운영"\n}\n'
    assert ok("event", "get", 2).out == "글\n"
    assert ok("event", "get", 3, "--json").json["payload"] == {}
    listed = ok("event", "list", "deploy", "--json").json["events"]
    assert [(event["sequence"], event["type"]) for event in listed] == [(1, "deploy")]
    assert [line.split()[0] for line in ok("event", "list", "--after", 1).out.splitlines()] == [
        "EVENT",
        "2",
        "3",
    ]
    assert run("event", "get", 9).code == 1


def test_spaces_are_listed_made_and_deleted(ok: Run, run: Run) -> None:
    ok("space", "create", "빈칸")
    ok("put", "k", "v", "--space", "메모")
    assert ok("space").out == "* default\n  메모\n  빈칸\n"
    ok("space", "delete", "빈칸")
    assert run("space", "delete", "메모").code == 1
    assert run("space", "delete", "메모", "--force").code == 2
    assert "1 key" in ok("space", "delete", "메모", "--force", "--yes").out
    assert ok("space", "--json").json["spaces"] == ["default"]
    assert run("space", "delete", "메모", "--json").error["code"] == "not_found"


def test_a_list_of_events_tells_when_there_is_more(ok: Run) -> None:
    for name in ("하나", "둘", "셋"):
        ok("event", "append", name, "--time", "2026-01-02T09:00:00Z")
    part = ok("event", "list", "-n", 2)
    assert "there is more: --after 2 shows the next" in part.err
    assert part.out.count("(written") == 2
    assert ok("event", "list", "-n", 2, "--json").json["more"] is True
    assert "there is more" not in ok("event", "list", "-n", 3).err
