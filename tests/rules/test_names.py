"""Names say what a thing is for."""

import ast
from pathlib import PurePosixPath

# A module with one of these names does not say what is in it.
FORBIDDEN = {"common", "helper", "helpers", "manager", "managers", "misc", "miscellaneous"}
FORBIDDEN |= {"service", "services", "shared", "util", "utilities", "utils"}
WORDS_IN_A_TEST_NAME = 3


def test_no_module_is_a_place_for_everything(
    python_files: dict[PurePosixPath, ast.Module],
) -> None:
    assert [str(path) for path in python_files if is_vague(path)] == []


def test_test_names_are_sentences(python_files: dict[PurePosixPath, ast.Module]) -> None:
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in python_files.items()
        if path.name.startswith("test_")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_curt(node.name)
    ]
    assert not found, "say what holds:\n" + "\n".join(found)


def test_vague_and_curt_names_would_be_noticed() -> None:
    assert is_vague(PurePosixPath("src/strata/store/utils.py"))
    assert is_vague(PurePosixPath("src/strata/helpers/text.py"))
    assert not is_vague(PurePosixPath("src/strata/store/commit.py"))
    assert is_curt("test_merge")
    assert not is_curt("test_a_merge_keeps_both_sides")


def is_vague(path: PurePosixPath) -> bool:
    return not FORBIDDEN.isdisjoint({path.stem, *path.parent.parts})


def is_curt(name: str) -> bool:
    return name.startswith("test_") and len(name.split("_")) - 1 < WORDS_IN_A_TEST_NAME
