"""What a shell is offered after TAB."""

import shutil
import subprocess
from collections.abc import Callable

import pytest
from click.shell_completion import BashComplete

from strata.cli.main import cli
from tests.surface.conftest import Run

Offer = Callable[[str], list[str]]


@pytest.fixture
def offer(ok: Run) -> Offer:
    """Return what is offered behind a command line, in a store with something in it."""
    ok("put", "사용자/하나", "1")
    ok("put", "사용자/둘", "1", "--kind", "json")
    ok("put", "메모", "1", "--space", "다른 칸")
    ok("put", "only-here", "1", "--db", "other.db")
    ok("fork", "가지")
    ok("tag", "create", "v1")

    def call(line: str) -> list[str]:
        *words, incomplete = line.split(" ")
        found = BashComplete(cli, {}, "strata", "_STRATA_COMPLETE").get_completions(
            words, incomplete
        )
        return [item.value for item in found]

    return call


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("che", ["cherry-pick"]),
        ("event a", ["append"]),
        ("get 사", ["사용자/둘", "사용자/하나"]),
        ("get --space 다", ["다른 칸"]),
        ("--db other.db get ", ["only-here"]),
        ("get --db other.db ", ["only-here"]),
        ("merge ", ["default", "가지"]),
        ("branch --switch 가", ["가지"]),
        ("list --branch d", ["default"]),
        ("tag delete ", ["v1"]),
        ("merge x --strategy n", ["newest"]),
        ("put k v --raw", ["--raw-json"]),
        ("completion ", ["bash", "zsh", "fish"]),
    ],
)
def test_names_of_commands_options_and_the_store_are_offered(
    offer: Offer, line: str, expected: list[str]
) -> None:
    assert offer(line) == expected


def test_nothing_is_offered_and_nothing_breaks_without_a_store(
    offer: Offer, project: object
) -> None:
    assert offer("--db missing.db get ") == []
    assert offer("list --branch nowhere --space ") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_asks_this_command(ok: Run, shell: str) -> None:
    script = ok("completion", shell).out
    assert "_STRATA_COMPLETE" in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script.encode(), check=False, timeout=30)
        assert done.returncode == 0


def test_the_shell_is_answered_by_a_real_process(ok: Run, process: Run) -> None:
    ok("put", "인사", "1")
    answer = process(_STRATA_COMPLETE="bash_complete", COMP_WORDS="strata get 인", COMP_CWORD="2")
    assert answer.out == "plain,인사\n"
