"""Below the tools, sentences, details and names of parameters are those of the SDK: snake_case.

MCP clients read camelCase; the tools translate what is raised below them.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# A word such as documentId; letters of a pattern or of a time's form are none.
WIRE = re.compile(r"(?<![\w-])[a-z]{2,}(?:[A-Z][a-z]+)+(?!\w)")
# Words of others: a status that stores hold, and an attribute of SVG.
KNOWN = {"timedOut", "viewBox"}
# The names of commands, members of clients' own files, patterns of keys and passwords in files of
# other programs, and the XML of Word.
NOT_CHECKED = (
    "strata/base/shell.py",
    "strata/clients/",
    "strata/conversations/formats/",
    "strata/secrets/rules/",
    "strata/documents/files/docx.py",
)


def test_names_below_the_tools_are_those_of_the_sdk(
    source: dict[PurePosixPath, ast.Module], root: Path
) -> None:
    below = packages_below_the_tools(root)
    assert {"base", "documents", "review", "workspace"} <= below
    found = [
        f"{path}:{fault}"
        for path, module in source.items()
        if path.parts[1] in below and not str(path).startswith(NOT_CHECKED)
        for fault in faults(module)
    ]
    assert not found, "use the SDK's names; the tools translate them:\n" + "\n".join(found)


def test_a_name_of_the_tools_would_be_noticed() -> None:
    planted = """
def refuse(text, limit):
    "Docstrings may explain what becomes documentId."
    hint = f"Send {limit} as tokenBudget."
    check_number(limit, name="maxNodes")
    raise Conflict("The `nextToken` is unknown.", hint=hint, currentText=text, status="timedOut")
"""
    assert sorted(faults(ast.parse(planted))) == [
        "4 tokenBudget",
        "5 maxNodes",
        "6 currentText",
        "6 nextToken",
    ]


def faults(module: ast.Module) -> Iterator[str]:
    """Yield the line number and the word for each camelCase word in strings and keywords."""
    explained = {id(node) for node in docstrings(module)}
    for node in ast.walk(module):
        if isinstance(node, ast.keyword):
            text, line = node.arg or "", node.value.lineno
        elif isinstance(node, ast.Constant) and id(node) not in explained:
            text, line = str(node.value), node.lineno
        else:
            continue
        yield from (f"{line} {word}" for word in WIRE.findall(text) if word not in KNOWN)


def docstrings(module: ast.Module) -> Iterator[ast.expr]:
    """Yield the strings that are statements of their own."""
    return (node.value for node in ast.walk(module) if isinstance(node, ast.Expr))


def packages_below_the_tools(root: Path) -> set[str]:
    """Return the packages of the layers below that of the tools."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    packages = [layer.replace(" ", "").split("|") for layer in layers]
    place = next(place for place, names in enumerate(packages) if "tools" in names)
    return {name for names in packages[place + 1 :] for name in names}
