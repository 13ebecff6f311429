"""Names say what a thing is for."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

# A module with one of these names does not say what is in it.
FORBIDDEN = {"common", "helper", "helpers", "manager", "managers", "misc", "miscellaneous"}
FORBIDDEN |= {"service", "services", "shared", "util", "utilities", "utils"}
# Each of these has stood for several things; a verb or a noun of the field says which.
RETIRED = {"take", "takes", "taken", "taking", "told", "telling", "noted", "shown", "kept", "seen"}
RETIRED |= {"said", "asked", "heard", "giving", "somebody", "nobody", "whoever"}
# These are being written anew.
NOT_YET = {
    PurePosixPath("strata/search", *name.split("/"))
    for name in (
        "cues.py",
        "index/scope.py",
        "index/sealing.py",
        "index/segment.py",
        "index/tail.py",
        "selection.py",
        "vectors/coded.py",
        "vectors/follow.py",
        "vectors/held.py",
    )
}
WORDS_IN_A_TEST_NAME = 3


def test_no_module_is_a_place_for_everything(
    python_files: dict[PurePosixPath, ast.Module],
) -> None:
    assert [str(path) for path in python_files if is_vague(path)] == []


def test_no_function_class_or_module_has_a_retired_word_in_its_name(
    source: dict[PurePosixPath, ast.Module],
) -> None:
    found = [
        fault
        for path, tree in source.items()
        if path not in NOT_YET
        for fault in retired_names(path, tree)
    ]
    assert not found, "say what it does or what it is:\n" + "\n".join(found)


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


def test_a_retired_word_would_be_noticed() -> None:
    text = "class _Taken:\n    def take_all(self): ...\n\n\ndef intake(): ...\n"
    path = PurePosixPath("strata/store/kept.py")
    assert list(retired_names(path, ast.parse(text))) == [
        "strata/store/kept.py",
        "strata/store/kept.py:1 _Taken",
        "strata/store/kept.py:2 take_all",
    ]


def retired_names(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    """Yield the module, and its classes and functions, if a retired word is in their names."""
    if has_retired_word(path.stem):
        yield str(path)
    for node in ast.walk(tree):
        is_named = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if is_named and has_retired_word(node.name):
            yield f"{path}:{node.lineno} {node.name}"


def has_retired_word(name: str) -> bool:
    words = re.findall(r"[A-Z]?[a-z0-9]+", name)
    return not RETIRED.isdisjoint(word.lower() for word in words)


def is_vague(path: PurePosixPath) -> bool:
    return not FORBIDDEN.isdisjoint({path.stem, *path.parent.parts})


def is_curt(name: str) -> bool:
    return name.startswith("test_") and len(name.split("_")) - 1 < WORDS_IN_A_TEST_NAME
