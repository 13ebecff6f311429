"""Each statement belongs to one package; the others call a function of that package."""

import ast
from collections import defaultdict
from pathlib import Path, PurePosixPath

from strata.sql.queries import statements

# The package that runs the statements of a file.
OWNERS = {
    "agents": "tasks",
    "catalog": "store",
    "commit": "store",
    "copying": "sql",
    "counting": "store",
    "document": "documents",
    "earlier": "sql",
    "embedding": "search",
    "exchange": "exchange",
    "finding": "documents",
    "hooks": "hooks",
    "integrity": "sql",
    "linking": "decisions",
    "look": "sql",
    "memories": "decisions",
    "migrate": "sql",
    "access": "access",
    "presence": "presence",
    "projection": "store",
    "publishing": "publishing",
    "request": "documents",
    "secrets": "secrets",
    "segments": "search",
    "settings": "store",
    "sharing": "access",
    "signin": "access",
    "tags": "store",
    "text": "search",
    "token": "access",
    "upkeep": "upkeep",
    "upload": "documents",
    "version": "store",
}


def owners(root: Path) -> dict[str, str]:
    """Return the package that owns each statement."""
    folder = root / "src" / "strata" / "sql" / "statements"
    files = [
        path for name in ("common", "sqlite") for path in sorted((folder / name).glob("*.sql"))
    ]
    return {
        name: OWNERS[path.stem]
        for path in files
        for name in statements(path.read_text(encoding="utf-8"))
    }


def used(tree: ast.Module) -> set[str]:
    """Return the names of statements that a module asks for."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and _is_queries(node.value)
    }


def _is_queries(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Call(func=ast.Name(id=name)):
            return name in {"queries", "_queries", "load"}
        case _:
            return False


def test_a_package_runs_its_own_statements(
    source: dict[PurePosixPath, ast.Module], root: Path
) -> None:
    owner, found = owners(root), defaultdict[str, set[str]](set)
    for path, tree in source.items():
        package = path.parts[1]
        found[package] |= {name for name in used(tree) if owner.get(name, package) != package}
    crossings = {package: sorted(names) for package, names in found.items() if names}
    assert not crossings, "call a function of the package that owns the statement"


def test_every_statement_is_used(source: dict[PurePosixPath, ast.Module], root: Path) -> None:
    asked = {name for tree in source.values() for name in used(tree)}
    assert sorted(owners(root).keys() - asked) == []


def test_a_foreign_statement_would_be_noticed() -> None:
    for line in ("x.queries.tag", "self._queries.tag", "queries.tag", "load().tag"):
        assert used(ast.parse(line)) == {"tag"}
    assert used(ast.parse("commit.tag")) == set()
