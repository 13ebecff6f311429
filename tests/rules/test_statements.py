"""Each statement belongs to one package; the others ask that package.

`CROSSINGS` is what still goes past this rule. It may only become shorter.
"""

import ast
from collections import defaultdict
from pathlib import Path, PurePosixPath

from strata.sql.queries import statements

# The package that runs the statements of a file.
OWNERS = {
    "agents": "tasks",
    "catalog": "store",
    "commit": "store",
    "counting": "store",
    "document": "documents",
    "earlier": "sql",
    "embedding": "search",
    "exchange": "exchange",
    "finding": "documents",
    "hooks": "hooks",
    "integrity": "sql",
    "linking": "decisions",
    "memories": "decisions",
    "access": "access",
    "presence": "presence",
    "projection": "store",
    "publishing": "publishing",
    "request": "documents",
    "secrets": "secrets",
    "signin": "access",
    "text": "search",
    "token": "access",
    "upkeep": "upkeep",
    "upload": "documents",
    "version": "store",
}
CROSSINGS = {
    "decisions": {
        "setting",
        "keyspace_branches",
        "upsert_setting",
        "version_at",
        "version_number",
    },
    "documents": {
        "change_access_mark",
        "delete_invitations_of_document",
        "delete_placement",
        "delete_publication",
        "delete_published_images",
        "delete_published_versions",
        "delete_shares_of_document",
        "delete_spaces_of_document",
        "delete_tasks_about",
        "hide_publication_of_branch",
        "insert_audit",
        "is_published",
        "published_documents",
        "version_number",
        "version_spans",
    },
    "exchange": {
        "branch_commits_forward",
        "insert_sealing_version",
        "insert_version",
        "keyspaces",
        "versions_of_commit",
    },
    "memory": {
        "versions_since",
    },
    "presence": {
        "user_names",
    },
    "search": {
        "generation",
        "version_number",
    },
    "secrets": {
        "branch_commits",
        "settings",
        "tags",
    },
    "sql": {
        "bump_generation",
    },
    "store": {
        "tag",
    },
    "upkeep": {
        "branch_commits_forward",
        "branch_tip",
        "branches",
        "declared_between",
        "insert_word",
        "last_version",
        "lineage",
        "keyspaces",
        "version_through_lineage",
        "versions_of_commit",
    },
    "web": {
        "access_mark",
    },
    "workspace": {
        "agent_names",
        "count_guarded_texts",
        "count_guarded_vectors",
        "delete_setting",
        "setting",
        "settings",
        "store_name",
        "tag",
        "upsert_setting",
    },
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
    crossings = {package: names for package, names in found.items() if names}
    assert crossings == CROSSINGS, "ask the package that owns the statement"


def test_every_statement_is_used(source: dict[PurePosixPath, ast.Module], root: Path) -> None:
    asked = {name for tree in source.values() for name in used(tree)}
    assert sorted(owners(root).keys() - asked) == []


def test_a_foreign_statement_would_be_noticed() -> None:
    for line in ("x.queries.tag", "self._queries.tag", "queries.tag", "load().tag"):
        assert used(ast.parse(line)) == {"tag"}
    assert used(ast.parse("commit.tag")) == set()
