"""Libraries that would report to their makers are imported in one place, which turns that off."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

LOUD = {"fastembed", "huggingface_hub", "onnxruntime", "sentence_transformers"}
HOME = PurePosixPath("src/strata/base/libraries.py")


def test_libraries_that_report_are_loaded_by_one_function(
    python_files: dict[PurePosixPath, ast.Module],
) -> None:
    assert HOME in python_files
    found = [
        f"{path} imports {name}"
        for path, tree in python_files.items()
        if path != HOME
        for name in imported(tree)
        if name in LOUD
    ]
    assert not found, "load them with strata.base.libraries.load_library"


def test_an_import_in_another_place_would_be_noticed() -> None:
    source = "import onnxruntime.capi\nimportlib.import_module('fastembed')\nfrom os import path"
    assert set(imported(ast.parse(source))) == {"onnxruntime", "fastembed", "os"}


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the packages that a source imports, also by a call that is given the name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            names = [one.value for one in node.args if isinstance(one, ast.Constant)]
            yield from (str(name).partition(".")[0] for name in names)
