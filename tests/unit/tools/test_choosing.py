"""Which tools are shown, how the server is started, and how long answers may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.mcp.encode import tool_entries, unknown_tool
from strata.mcp.start import Options, chosen, read
from strata.tools import Registry, expose, registry, tokens
from strata.tools.budget import cut


def test_the_eight_are_shown_unless_told_otherwise() -> None:
    assert [tool.name for tool in expose().tools] == [
        "strata_store",
        "strata_recall",
        "strata_search",
        "strata_forget",
        "strata_log",
        "strata_branch",
        "strata_history",
        "strata_status",
    ]


def test_groups_and_tools_are_chosen_by_name() -> None:
    assert expose("developer").groups == ("developer",)
    assert expose("Developer, memory").groups == ("memory", "developer")
    assert expose("all").groups == (
        "memory",
        "core",
        "collaboration",
        "comments",
        "publishing",
        "agents",
        "decisions",
    )
    single = expose(tools="strata_kv_put,strata_kv_get")
    assert [tool.name for tool in single.tools] == ["strata_kv_put", "strata_kv_get"]
    both = expose("memory", "strata_kv_put")
    assert len(both.tools) == 9


def test_unknown_names_only_warn() -> None:
    exposure = expose("memori,memory", "strata_nothing")
    assert exposure.groups == ("memory",)
    assert len(exposure.warnings) == 2
    assert "memori" in exposure.warnings[0]
    assert expose("nonsense").groups == ("memory",)


def test_reading_only_leaves_out_what_writes() -> None:
    names = {tool.name for tool in expose("memory,developer", read_only=True).tools}
    assert {"strata_recall", "strata_search", "strata_kv_get"} <= names
    assert not {"strata_store", "strata_forget", "strata_log", "strata_kv_put"} & names
    assert "for reading only" in unknown_tool("strata_store", expose(read_only=True))


def test_reading_only_keeps_the_reading_actions_of_each_tool() -> None:
    listed = {one["name"]: one for one in tool_entries(expose("memory,comments", read_only=True))}
    assert {
        name: one["inputSchema"]["properties"]["action"]["enum"]
        for name, one in listed.items()
        if "action" in one["inputSchema"]["properties"]
    } == {
        "strata_branch": ["switch", "list", "diff", "log"],
        "manage_comments": ["list"],
        "manage_suggestions": ["list"],
    }
    assert all(one["annotations"]["readOnlyHint"] for one in listed.values())
    assert "strategy" not in listed["strata_branch"]["inputSchema"]["properties"]


def test_the_developers_search_is_listed_with_its_group() -> None:
    (search,) = [tool for tool in expose("memory,developer").tools if tool.name == "strata_search"]
    assert search.parameter("primitives") is not None
    assert expose().find("strata_search") is registry().tools("memory")[2]


def test_all_developer_tools_can_be_called_where_three_stand_for_them() -> None:
    compact = expose("developer_compact")
    assert len(tool_entries(compact)) == 3
    assert compact.find("strata_kv_put") is not None
    assert expose().find("strata_kv_put") is None


def test_an_unknown_tool_names_its_group_or_the_nearest() -> None:
    assert "'developer'" in unknown_tool("strata_kv_put", expose())
    assert "strata_recall" in unknown_tool("strata_recal", expose())
    assert "'developer'" in unknown_tool("strata_kv_put", expose(read_only=True))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Options()),
        ("--db /x/y.db --branch=try", Options(db="/x/y.db", branch="try")),
        ("--read-only --no-auto-embed", Options(read_only=True, auto_embed=False)),
        ("--developer", Options(developer="full")),
        ("--developer=compact --groups memory", Options(developer="compact", groups="memory")),
        ("--help", None),
        ("--developer=half", None),
        ("--db", None),
        ("--unknown", None),
        ("stray", None),
        ("--tool-names dot", None),
    ],
)
def test_plain_options_are_read_without_the_whole_command_line(
    line: str, expected: Options | None
) -> None:
    assert read(line.split()) == expected


def test_options_choose_tools_and_the_environment_fills_in(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(Options(developer="full")).groups == ("developer",)
    assert chosen(Options(developer="full", agent=True)).groups == ("memory", "developer")
    monkeypatch.setenv("STRATA_TOOL_GROUPS", "developer_compact")
    assert chosen(Options()).groups == ("developer_compact",)
    assert chosen(Options(groups="memory")).groups == ("memory",)


@given(st.text(max_size=300), st.integers(0, 60))
def test_a_cut_text_is_a_beginning_that_fits(text: str, budget: int) -> None:
    part = cut(text, budget)
    assert text.startswith(part)
    assert not part or tokens(part) <= budget
    if len(part) < len(text):
        assert tokens(text[: len(part) + 1]) > budget


def test_a_name_that_two_groups_have_means_the_first_groups_whatever_was_loaded() -> None:
    found = Registry()
    found.tools("developer")
    tool = found.find("strata_search")
    assert tool is not None
    assert tool.group == "memory"
