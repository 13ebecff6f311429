"""The hint of one error, in the words of Python, of the shell and of tools."""

import pytest

import strata
from strata.base.shell import in_shell_words
from strata.tools.hints import hint_for_tools


def test_each_caller_reads_the_call_they_can_make() -> None:
    with (
        strata.open(durability="cache", auto_embed=False) as db,
        pytest.raises(strata.NotFound, match="봄") as raised,
    ):
        db.decisions.current("봄")
    rest = "finds decisions by what they are about."
    assert raised.value.hint == f"`db.decisions.search(QUERY)` {rest}"
    assert in_shell_words(raised.value.hint) == f"`strata decisions search` {rest}"
    assert hint_for_tools(raised.value) == f"search_by_context {rest}"
