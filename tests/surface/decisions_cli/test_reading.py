"""Showing memories, links and counts, and what a shell offers."""

import pytest
from click.shell_completion import BashComplete

import strata
from strata.cli.main import cli
from strata.decisions import SPACE
from strata.decisions.links import change_of, new_link
from strata.store import View
from tests.surface.conftest import Run
from tests.surface.decisions_cli.conftest import Id


def test_one_memory_is_shown_with_all_that_belongs_to_it(ok: Run, save: Id) -> None:
    lesson = ok("decisions", "insight", "비밀은 짧게 산다", "--json").json["id"]
    first = save("auth", "Use sessions")
    second = save("auth", "토큰을 쓴다", "--link", f"motivated_by:{lesson}")
    ok("decisions", "outcome", "auth", "failed", "--reason", "A token leaked")
    text = ok("decisions", "show", "auth").out
    for part in ("auth의 이유", "failed: A token leaked", "▸", "Use sessions", "motivated_by"):
        assert part in text
    found = ok("decisions", "show", "auth", "--json").json
    assert found["chain"] == [first, second]
    assert {link["relationship"] for link in found["links"]} >= {"supersedes", "motivated_by"}
    assert all(link["confidence_now"] <= link["confidence"] for link in found["links"])


def test_what_is_not_there_names_what_may_have_been_meant(ok: Run, run: Run, save: Id) -> None:
    save("cache_prices", "Cache prices for a minute")
    answer = run("decisions", "show", "prices", "--json")
    assert answer.code == 1
    assert "'cache_prices'" in answer.error["hint"]


def test_a_search_puts_what_holds_above_what_was_replaced(ok: Run, run: Run, save: Id) -> None:
    save("cache", "Cache prices for an hour")
    save("cache", "Cache prices for a minute")
    found = ok("decisions", "search", "how", "long", "are", "prices", "cached", "--json").json
    assert [one["is_current"] for one in found["memories"]] == [True, False]
    assert "nothing found" in run("decisions", "search", "존재하지않는단어").err


def test_links_are_added_listed_and_removed_by_people(ok: Run, run: Run, save: Id) -> None:
    save("auth", "Use tokens")
    save("mobile", "앱을 만든다")
    made = ok(
        "decisions", "link", "add", "mobile", "참고", "auth", "--reason", "손님", "--json"
    ).json
    assert (made["created_by"], made["relationship"]) == ("user", "참고")
    assert made["id"] in ok("decisions", "link").out
    assert made["id"] in ok("decisions", "link", "list", "auth").out
    kinds = ok("decisions", "link", "list", "--type", made["type"], "--json").json["links"]
    assert {one["type"] for one in kinds} == {made["type"]}
    gone = ok("decisions", "link", "remove", "mobile", "auth", "--json").json["links"]
    assert made["id"] in [one["id"] for one in gone]
    assert run("decisions", "link", "remove", made["id"]).code == 1
    assert run("decisions", "link", "remove", "mobile", "auth").code == 1


def test_confirming_names_a_link_or_says_all(ok: Run, run: Run, save: Id) -> None:
    save("auth", "Use tokens")
    assert run("decisions", "link", "confirm").code == 2
    assert ok("decisions", "link", "confirm", "--all", "--json").json["links"] == []
    assert run("decisions", "link", "confirm", "link_nobody").code == 1
    assert "no suggestions" in ok("decisions", "link", "suggestions").err


def test_a_suggestion_waits_until_somebody_confirms_it(ok: Run, save: Id) -> None:
    ends = save("auth", "Use tokens"), save("mobile", "앱을 만든다")
    then = 1_790_000_000_000
    wanted = new_link(
        ends[1],
        ends[0],
        "association",
        confidence=0.5,
        created_by="system",
        created_at=then,
        is_suggestion=True,
    )
    with (
        strata.open(".strata/store.db", auto_embed=False) as db,
        View(db._store, branch=db.branch, space=SPACE).writing("suggest") as transaction,
    ):
        transaction.stage(change_of(wanted))
    assert ok("decisions", "stats", "--json").json["suggestions"] == 1
    (found,) = ok("decisions", "link", "suggestions", "--json").json["links"]
    assert (found["id"], found["is_suggestion"]) == (wanted.id, True)
    assert found["confidence_now"] < found["confidence"] == 0.5
    assert "association?" in ok("decisions", "link", "list", "auth").out
    assert "association" not in ok("decisions", "graph", "auth").out
    (sure,) = ok("decisions", "link", "confirm", wanted.id, "--json").json["links"]
    assert (sure["is_suggestion"], sure["confidence"], sure["created_by"]) == (False, 1.0, "user")
    assert ok("decisions", "link", "suggestions", "--json").json["links"] == []
    assert "← association" in ok("decisions", "graph", "auth").out


def test_counts_tell_of_types_outcomes_topics_and_conflicts(
    ok: Run, save: Id, forked: dict[str, str]
) -> None:
    save("cache", "Cache prices")
    ok("decisions", "outcome", "cache", "success")
    ok("decisions", "checkpoint", "Half done")
    found = ok("decisions", "stats", "--json").json
    assert found["types"] == {"decision": 4, "checkpoint": 1, "insight": 1, "context": 0}
    assert found["outcomes"] == {"SUCCESS": 1, "FAILED": 0, "PARTIAL": 0, "PENDING": 3}
    assert found["link_types"]["evolution"] == 2
    assert found["link_creators"]["user"] >= 2
    assert [one["name"] for one in found["conflicts"]] == ["auth"]
    assert set(found["conflicts"][0]["current"]) == {forked["ours"], forked["theirs"]}
    assert "1 topic: auth" in ok("decisions", "stats").out


def test_pruning_can_be_previewed_and_leaves_what_people_named(ok: Run, save: Id) -> None:
    save("auth", "Use sessions")
    save("auth", "Use tokens")
    assert ok("decisions", "prune", "--preview", "--json").json["count"] == 0
    assert ok("decisions", "prune", "--json").json["count"] == 0
    assert "0 links removed" in ok("decisions", "prune").err


def test_values_cannot_command_the_terminal(ok: Run, save: Id) -> None:
    save("auth", "bad \x1b[2J red")
    for words in (("list",), ("show", "auth"), ("graph", "auth"), ("stats",)):
        assert "\x1b[2J" not in ok("decisions", *words).out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("decisions show 인", ["인증"]),
        ("decisions save 인", ["인증"]),
        ("decisions graph 인", ["인증"]),
        ("decisions list --topic ", ["인증"]),
        ("decisions out", ["outcome"]),
        ("decisions link con", ["confirm"]),
    ],
)
def test_topics_and_commands_are_offered(line: str, expected: list[str], ok: Run, save: Id) -> None:
    id_ = save("인증", "Use tokens")
    shell = BashComplete(cli, {}, "strata", "_STRATA_COMPLETE")
    *words, typed = line.split(" ")
    assert [one.value for one in shell.get_completions(words, typed)] == expected
    offered = shell.get_completions(["decisions", "show"], "decision_")
    assert [one.value for one in offered] == [id_]
