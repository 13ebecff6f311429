"""branch, fork, diff, merge, cherry-pick."""

import re

import pytest

from tests.surface.conftest import Run


def masked_ids(text: str) -> str:
    """Return lines with the ids of conflicts masked."""
    return re.sub(r"\[[0-9a-f]{12}\]", "[ID]", text)


@pytest.fixture
def parted(ok: Run) -> None:
    """A user on default, and a branch `try` that changed her age."""
    ok("put", "user", '{"name": "하나", "age": 30}')
    ok("fork", "try")
    ok("put", "user", "31", "--path", "age", "--branch", "try")
    ok("put", "new", '["글"]', "--branch", "try")


def test_a_fork_sees_what_was_there_and_then_goes_its_own_way(ok: Run, parted: None) -> None:
    assert ok("get", "user", "--path", "age").out == "30\n"
    assert ok("get", "user", "--path", "age", "--branch", "try").out == "31\n"


def test_a_fork_can_start_from_the_past_and_from_another_branch(ok: Run, parted: None) -> None:
    ok("put", "user", "이제 글")
    made = ok("fork", "before", "--at", "1", "--json").json
    assert (made["parent"], made["fork_version"]) == ("default", 1)
    assert ok("get", "user", "--branch", "before", "--path", "age").out == "30\n"
    assert ok("fork", "again", "--from", "try", "--json").json["parent"] == "try"
    assert len(ok("fork", "--json").json["name"]) > 3


def test_switching_is_remembered(ok: Run, run: Run, parted: None) -> None:
    assert ok("branch", "--switch", "try").out == "switched to branch try\n"
    assert ok("get", "user", "--path", "age").out == "31\n"
    assert "* try" in ok("branch").out
    ok("branch", "default", "--switch")
    assert ok("get", "user", "--path", "age").out == "30\n"
    missing = run("branch", "--switch", "typo")
    assert missing.code == 1
    assert "strata fork typo --switch" in missing.err
    assert ok("fork", "가지", "--switch").out.endswith("switched to it\n")
    assert ok("status", "--json").json["branch"] == "가지"


def test_switching_tells_when_the_environment_hides_it(
    run: Run, parted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_BRANCH", "default")
    hidden = run("branch", "--switch", "try")
    assert hidden.code == 1
    assert "STRATA_BRANCH" in hidden.err


def test_a_branch_is_made_from_the_current_state_or_empty(ok: Run, parted: None) -> None:
    ok("branch", "copy")
    ok("branch", "blank", "--empty")
    assert ok("list", "--branch", "copy", "--keys").out == "user\n"
    assert ok("list", "--branch", "blank", "--keys").out == ""
    names = [found["name"] for found in ok("branch", "--json").json["branches"]]
    assert names == ["blank", "copy", "default", "try"]


def test_a_branch_that_exists_is_not_made_again(run: Run, parted: None) -> None:
    taken = run("branch", "try")
    assert taken.code == 1
    assert "strata branch --switch try" in taken.err


def test_a_branch_is_deleted_only_when_nothing_is_lost_by_it(
    ok: Run, run: Run, parted: None
) -> None:
    assert run("branch", "--delete", "try", "--json").error["code"] == "not_allowed"
    assert run("branch", "--delete", "try", "--force").code == 2
    ok("branch", "--delete", "try", "--force", "--yes")
    assert run("get", "user", "--branch", "try").code == 1
    assert [found["name"] for found in ok("branch", "--deleted", "--json").json["branches"]] == [
        "try"
    ]
    ok("branch", "--restore", "try")
    assert ok("get", "user", "--branch", "try", "--path", "age").out == "31\n"


def test_the_current_branch_and_default_stay(ok: Run, run: Run, parted: None) -> None:
    ok("branch", "--switch", "try")
    assert "current" in run("branch", "--delete", "try", "--force", "--yes").err
    assert run("branch", "--delete", "default").code == 1


def test_renaming_the_current_branch_keeps_it_current(ok: Run, parted: None) -> None:
    ok("branch", "--switch", "try")
    ok("branch", "try", "--rename", "생각")
    assert ok("status", "--json").json["branch"] == "생각"


def test_a_current_branch_that_went_away_can_be_left(ok: Run, run: Run, parted: None) -> None:
    ok("branch", "--switch", "try")
    ok("branch", "--delete", "try", "--force", "--yes", "--branch", "default")
    stuck = run("list")
    assert stuck.code == 1
    assert "strata branch --switch default" in stuck.err
    ok("branch", "--switch", "default")
    assert ok("list", "--keys").out == "user\n"


def test_contradicting_options_of_branch_are_refused(run: Run) -> None:
    assert run("branch", "x", "--switch", "--delete").code == 2
    assert run("branch", "--switch").code == 2


def test_a_diff_shows_fields_of_what_changed(ok: Run, parted: None) -> None:
    assert ok("diff", "try").out.splitlines() == [
        "default → try",
        "+ kv    new",
        '    + ["글"]',
        "~ kv    user",
        "    - age: 30",
        "    + age: 31",
    ]
    assert ok("diff", "try", "default").out == "default has changed nothing that try lacks\n"
    assert ok("diff", "try", "default", "--stat", "--two-sided").out.splitlines() == [
        "try → default",
        "- kv    new",
        "~ kv    user",
        "1 removed, 1 modified",
    ]
    found = ok("diff", "try", "--json").json
    assert [(change["key"], change["after"]) for change in found["added"]] == [("new", ["글"])]
    assert found["modified"][0]["before"] == {"name": "하나", "age": 30}


def test_a_diff_can_be_narrowed_to_a_space(ok: Run, parted: None) -> None:
    ok("put", "todo", "우유", "--space", "메모", "--branch", "try")
    assert ok("diff", "try", "--space", "메모").out.splitlines()[1:] == [
        "+ kv    todo  (space 메모)",
        '    + "우유"',
    ]
    assert (
        ok("diff", "default", "default").out == "default has changed nothing that default lacks\n"
    )


def test_a_merge_brings_the_changes_and_says_which(ok: Run, parted: None) -> None:
    preview = ok("merge", "try", "--preview")
    assert preview.out.startswith("try would bring default 2 changes and 0 conflicts\n")
    assert ok("get", "user", "--path", "age").out == "30\n"
    merged = ok("merge", "try", "-m", "생일", "--actor", "소연")
    assert merged.out.startswith("merged try into default: 2 changes, now version ")
    assert ok("get", "user", "--path", "age").out == "31\n"
    commit = ok("show", "--json").json
    assert (commit["message"], commit["actor"], len(commit["diff"])) == ("생일", "소연", 2)
    assert ok("merge", "try").out == "nothing to do: default has it already\n"


def test_a_conflict_is_shown_with_base_and_both_values(ok: Run, run: Run, parted: None) -> None:
    ok("put", "user", "32", "--path", "age")
    refused = run("merge", "try")
    assert (refused.code, refused.out) == (1, "")
    assert masked_ids(refused.err).splitlines()[1:5] == [
        "! kv    user at $.age  [ID]",
        "    base    30",
        "    source  31",
        "    target  32",
    ]
    assert refused.err.splitlines()[5].startswith("hint: Nothing was changed.")
    as_json = run("merge", "try", "--json").error
    assert as_json["code"] == "merge_conflict"
    assert as_json["details"]["conflicts"][0]["base"] == 30
    preview = run("merge", "try", "--preview")
    assert preview.code == 1
    assert "1 conflict\n" in preview.out
    assert ok("get", "user", "--path", "age").out == "32\n"


@pytest.mark.parametrize(
    ("decided", "age"),
    [
        (["--choose", "user=ours"], "32"),
        (["--choose", "ID=theirs"], "31"),
        (["--edit", "user=33"], "33"),
        (["--edit", "ID=서른셋"], "서른셋"),
    ],
)
def test_a_choice_decides_one_conflict(
    ok: Run, run: Run, parted: None, decided: list[str], age: str
) -> None:
    ok("put", "user", "32", "--path", "age")
    [conflict] = run("merge", "try", "--preview", "--json").json["conflicts"]
    words = [word.replace("ID", conflict["id"]) for word in decided]
    assert "decided: " in ok("merge", "try", "--preview", *words).out
    ok("merge", "try", *words)
    assert ok("get", "user", "--path", "age").out == f"{age}\n"


def test_a_choice_that_fits_no_conflict_says_what_to_do(ok: Run, run: Run, parted: None) -> None:
    ok("put", "user", "32", "--path", "age")
    assert "--choose ID=ours" in run("merge", "try").err
    unknown = run("merge", "try", "--choose", "0123456789ab=theirs")
    assert unknown.code == 2
    assert "preview the merge again" in unknown.err
    for words in (("--choose", "user"), ("--choose", "user=mine"), ("--edit", "user")):
        assert run("merge", "try", *words).code == 2
    assert ok("get", "user", "--path", "age").out == "32\n"


@pytest.mark.parametrize(("strategy", "age"), [("source_wins", "31"), ("target_wins", "32")])
def test_a_strategy_decides_a_conflict(ok: Run, parted: None, strategy: str, age: str) -> None:
    ok("put", "user", "32", "--path", "age")
    ok("merge", "try", "--into", "default", "--strategy", strategy)
    assert ok("get", "user", "--path", "age").out == f"{age}\n"


def test_cherry_pick_takes_one_commit_over(ok: Run, parted: None) -> None:
    version = ok("log", "--branch", "try", "--json").json["commits"][0]["version"]
    picked = ok("cherry-pick", version)
    assert picked.out.splitlines()[1] == "+ kv    new"
    assert ok("get", "new").json == ["글"]
    assert ok("get", "user", "--path", "age").out == "30\n"


def test_a_diff_leaves_out_what_the_other_branch_changed_meanwhile(ok: Run, parted: None) -> None:
    ok("put", "fresh", "여기서 나중에")
    ok("event", "append", "배포", "{}", "--branch", "try")
    lines = ok("diff", "try", "--stat").out.splitlines()
    assert lines[:-1] == ["default → try", "+ event 1 배포", "+ kv    new", "~ kv    user"]
    both = ok("diff", "try", "--stat", "--two-sided").out
    assert "- kv    fresh" in both


def test_a_diff_without_a_branch_compares_a_fork_with_its_parent(
    ok: Run, run: Run, parted: None
) -> None:
    lost = run("diff")
    assert lost.code == 2
    assert "strata diff BRANCH" in lost.err
    ok("branch", "switch", "try")
    assert ok("diff", "--stat").out.splitlines()[0] == "default → try"
    assert "2 added" not in ok("diff", "--stat").out


def test_merging_the_current_branch_tells_where_it_could_go(
    ok: Run, run: Run, parted: None
) -> None:
    ok("branch", "switch", "try")
    refused = run("merge", "try")
    assert refused.code == 2
    assert "strata merge try --into default" in refused.err
    ok("merge", "try", "--into", "default")
    assert ok("get", "user", "--path", "age", "--branch", "default").out == "31\n"


def test_what_to_do_with_a_branch_can_be_said_in_words(ok: Run, run: Run, parted: None) -> None:
    assert "try" in ok("branch", "list").out
    assert ok("branch", "switch", "try").out == "switched to branch try\n"
    ok("branch", "switch", "default")
    ok("branch", "rename", "try", "시도")
    ok("branch", "delete", "시도", "--force", "--yes")
    ok("branch", "restore", "시도")
    names = [found["name"] for found in ok("branch", "list", "--json").json["branches"]]
    assert names == ["default", "시도"]
    unread = run("branch", "swich", "default")
    assert unread.code == 2
    assert "switch NAME" in unread.err
