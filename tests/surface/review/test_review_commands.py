"""`strata comment` and `strata suggest`: review in a terminal."""

import pytest

from tests.surface.conftest import Run

TEXT = "# 목표\n\nShip in May.\n\n## 일정 😀\n\nShip in May 5월.\n"


@pytest.fixture
def plan(run: Run) -> str:
    return run("doc", "new", "계획", TEXT).out.strip()


def test_a_thread_in_the_shell(run: Run, plan: str) -> None:
    made = run("comment", "add", "계획", "왜 5월?\n둘째 줄", "--quote", "5월").out.strip()
    assert made.startswith("cmt_")
    run("comment", "reply", plan, made[-6:].lower(), "Because.")
    shown = run("comment", "list", plan).out
    for part in (
        made,
        "line 7, 목표 > 일정 😀",
        "“5월”",
        "왜 5월?",
        "둘째 줄",
        "Because.",
        "owner",
    ):
        assert part in shown
    assert f"{made} is resolved" in run("comment", "resolve", plan, made).out
    assert f"{made} was resolved" in run("comment", "resolve", plan, made).out
    assert run("comment", "list", plan).out == ""
    assert run("comment", "list", plan, "--status", "resolved", "--ids").out.split() == [made]
    run("comment", "reopen", plan, made)
    found = run("comment", "list", plan, "--json").json["threads"]
    assert [one["comment"]["id"] for one in found] == [made]
    assert [one["body"] for one in found[0]["replies"]] == ["Because."]
    assert f"{made} is edited" in run("comment", "edit", plan, made, "Why May?").out
    assert ", edited" in run("comment", "list", plan).out
    assert "was so already" in run("comment", "edit", plan, made, "Why May?").out
    run("comment", "delete", plan, made)
    assert run("comment", "list", plan, "--status", "all", "--json").json["threads"] == []


def test_words_that_occur_twice_want_a_heading(run: Run, plan: str) -> None:
    refused = run("comment", "add", plan, "?", "--quote", "Ship in May")
    assert refused.code == 1
    assert "occurs 2 times" in refused.err
    done = run(
        "comment", "add", plan, "?", "--quote", "Ship in May", "--under", "일정 😀", "--json"
    )
    assert done.json["comment"]["heading"] == ["목표", "일정 😀"]


def test_words_that_changed_are_shown_beside_the_quote(run: Run, plan: str) -> None:
    run("comment", "add", plan, "?", "--quote", "Ship in May 5월")
    run("doc", "edit", plan, "--replace", "in May 5월", "in June 6월")
    assert "now: “Ship in June 6월”" in run("comment", "list", plan).out
    run("doc", "edit", plan, "--replace", "Ship in June 6월.\n", "")
    assert "its words are gone" in run("comment", "list", plan).out


def test_a_suggestion_in_the_shell(run: Run, plan: str) -> None:
    made = run(
        "suggest",
        "new",
        plan,
        "5월",
        "유월",
        "--because",
        "검토에 4주",
        "--severity",
        "warning",
        "--confidence",
        "0.8",
        "--actor",
        "codex",
    ).out.strip()
    shown = run("suggest", "list", plan).out
    for part in (
        made,
        "  - 5월",
        "  + 유월",
        "검토에 4주",
        "owner by codex",
        "warning",
        "80% sure",
    ):
        assert part in shown
    whole = run("suggest", "show", plan, made[-5:]).out
    assert "  - Ship in May 5월.\n  + Ship in May 유월.\n" in whole
    assert "    ## 일정 😀\n" in whole
    assert f"{made} is accepted" in run("suggest", "accept", plan, made).out
    assert "유월" in run("doc", "show", plan).out
    assert f"{made} was accepted" in run("suggest", "accept", plan, made).out
    assert "accepted" in run("suggest", "list", plan, "--status", "all").out


def test_colours_are_for_terminals(run: Run, plan: str) -> None:
    run("suggest", "new", plan, "5월", "유월")
    assert "\x1b[31m  - 5월\x1b[0m" in run("suggest", "list", plan, "--color", "always").out
    assert "\x1b" not in run("suggest", "list", plan).out


def test_several_are_decided_at_once_and_those_that_cannot_be_are_told(run: Run, plan: str) -> None:
    for old, new in (("5월", "유월"), ("May 5월", "June"), ("# 목표", "# 새 목표")):
        run("suggest", "new", plan, old, new)
    ids = run("suggest", "list", plan, "--ids").out.split()
    done = run("suggest", "accept", plan, *ids)
    assert done.code == 1
    assert done.out.count(" is accepted") == 2
    assert f"{ids[1]}: The words have changed" in done.err
    assert run("suggest", "list", plan, "--ids").out.split() == [ids[1]]
    told = run("suggest", "reject", plan, "--all", "--json").json
    assert [one["suggestion"]["status"] for one in told["decided"]] == ["rejected"]
    assert told["refused"] == []


def test_all_means_those_that_still_apply(run: Run, plan: str) -> None:
    run("suggest", "new", plan, "5월", "유월")
    run("suggest", "new", plan, "# 목표", "# 새 목표")
    run("doc", "edit", plan, "--replace", "5월", "칠월")
    done = run("suggest", "accept", plan, "--all")
    assert (done.code, done.out.count("accepted")) == (0, 1)
    assert run("suggest", "accept", plan, "--all").err.strip().endswith("nothing to accept")


def test_one_that_cannot_be_accepted_says_why(run: Run, plan: str) -> None:
    made = run("suggest", "new", plan, "5월", "유월").out.strip()
    run("doc", "edit", plan, "--replace", "5월", "칠월 중")
    assert "the words have changed since" in run("suggest", "list", plan).out
    refused = run("suggest", "accept", plan, made)
    assert refused.code == 1
    assert "Propose it anew" in refused.err


@pytest.mark.parametrize("extra", [[], ["--all", "sug_1"]])
def test_what_is_meant_has_to_be_said(run: Run, plan: str, extra: list[str]) -> None:
    assert run("suggest", "accept", plan, *extra).code == 2


def test_unknown_ids_are_answered_with_what_to_do(run: Run, plan: str) -> None:
    for command in (("comment", "resolve"), ("suggest", "reject"), ("suggest", "show")):
        refused = run(*command, plan, "nothing")
        assert refused.code == 1
        assert f"strata {command[0]} list" in refused.err


def test_withdrawing_is_for_ones_own(run: Run, plan: str) -> None:
    run("user", "add", "ann@example.com")
    run("doc", "share", plan, "ann@example.com", "--role", "commenter")
    made = run("suggest", "new", plan, "5월", "유월", "--user", "ann@example.com").out.strip()
    assert run("suggest", "withdraw", plan, made).code == 1
    assert "is withdrawn" in run("suggest", "withdraw", plan, made, "--user", "ann@example.com").out


def test_alone_they_list_what_waits(run: Run, plan: str) -> None:
    assert "nothing waits" in run("comment").err
    run("comment", "add", plan, "?")
    run("suggest", "new", plan, "5월", "유월")
    for command in ("comment", "suggest"):
        assert run(command).out.splitlines()[1].split()[-3:] == ["계획", "1", "1"]
    assert run("comment", "--json").json["documents"][0]["suggestions"] == 1


def test_the_past_and_branches_are_looked_at_by_options(run: Run, plan: str) -> None:
    run("fork", "try")
    run("comment", "add", plan, "거기", "--branch", "try")
    assert run("comment", "list", plan).out == ""
    assert "거기" in run("comment", "list", plan, "--branch", "try").out
    assert "거기" not in run("comment", "list", plan, "--branch", "try", "--at", "2").out


def test_what_could_command_a_terminal_is_shown_as_text(run: Run, plan: str) -> None:
    run("comment", "add", plan, "\x1b[31mred\u202e")
    shown = run("comment", "list", plan).out
    assert "\x1b" not in shown
    assert "\\x1b[31mred" in shown
