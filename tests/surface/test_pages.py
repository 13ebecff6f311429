"""Commands that end a list at its limit say how to read on."""

import json

import pytest

from tests.surface.conftest import Run


@pytest.mark.parametrize(
    ("words", "member", "name"),
    [
        (("doc", "history", "계획"), "versions", "version"),
        (("decisions", "list"), "memories", "id"),
        (("agent", "tasks"), "tasks", "id"),
    ],
)
def test_a_list_that_was_cut_names_the_option_for_the_rest(
    ok: Run, words: tuple[str, ...], member: str, name: str
) -> None:
    ok("doc", "new", "계획", "0")
    for number in range(1, 3):
        ok("doc", "edit", "계획", "--replace", str(number - 1), str(number))
    for number in range(3):
        ok("decisions", "save", "배포", f"{number}번째", "--because", "이유")
        ok("agent", "run", "linker", "--no-wait")
    first = ok(*words, "-n", "2")
    rest = json.loads(ok(*words, "-n", "2", "--json").out)
    assert (len(rest[member]), rest["more"]) == (2, True)
    last = str(rest[member][-1][name])
    assert f"there is more: --before {last} shows the next" in first.err
    end = json.loads(ok(*words, "-n", "2", "--before", last, "--json").out)
    assert (len(end[member]), end["more"]) == (1, False)
    assert "there is more" not in ok(*words, "--before", last).err
