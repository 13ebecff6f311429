"""SQL lives in `.sql` files under names; Python holds none."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# What opens and ends a transaction is control of a connection, not a question to the data.
CONNECTION_CONTROL = {
    PurePosixPath("strata/sql/sqlite.py"): {
        "BEGIN",
        "BEGIN EXCLUSIVE",
        "BEGIN IMMEDIATE",
        "COMMIT",
        "ROLLBACK",
        "VACUUM",
    },
    PurePosixPath("strata/sql/postgres/connection.py"): {"BEGIN", "COMMIT", "ROLLBACK"},
}

# In capitals a few words give SQL away. In small letters they could be prose, so more is asked.
_CAPITALS = r"""
      \bSELECT\b .* \bFROM\b
    | \b(INSERT (\s+OR\s+\w+)? | REPLACE) \s+ INTO\b
    | \bUPDATE\b \s+ \S+ \s+ SET\b
    | \bDELETE \s+ FROM\b
    | \b(CREATE|DROP|ALTER) \s+ (TEMP(ORARY)? \s+ | UNIQUE \s+ | VIRTUAL \s+)*
          (TABLE|INDEX|VIEW|TRIGGER)\b
    | ^\s* (PRAGMA|SAVEPOINT|RELEASE|ATTACH|DETACH|VACUUM|REINDEX|ANALYZE|EXPLAIN)\b \s* \w*
    | ^\s* BEGIN (\s+ (DEFERRED|IMMEDIATE|EXCLUSIVE|CONCURRENT))? \s* ;? \s* $
    | ^\s* (COMMIT|ROLLBACK) \s* ;? \s* $
"""
_ANY_CASE = r"""
      ^\s* select \s+ .* \s from \s+ \w+ \s* (; | $ | (where|order|group|limit|join|left|as)\b)
    | ^\s* (insert (\s+or\s+\w+)? | replace) \s+ into \s+ \w+ \s*
          ( \( | values\b | select\b | default\b )
    | ^\s* update \s+ \w+ \s+ set \s+ \w+ \s* =
    | ^\s* delete \s+ from \s+ \w+ \s+ where\b
    | ^\s* create \s+ (temp(orary)? \s+ | unique \s+ | virtual \s+)* (table|index|view|trigger) \s+
          (if\s+not\s+exists\s+)? \w+ \s* ( \( | on\b | as\b | using\b )
    | ^\s* pragma \s+ \w+ \s* (= | \( | ; | $)
"""
_SQL = (
    re.compile(_CAPITALS, re.VERBOSE | re.DOTALL),
    re.compile(_ANY_CASE, re.VERBOSE | re.DOTALL | re.IGNORECASE),
)


def test_python_holds_no_sql(source: dict[PurePosixPath, ast.Module]) -> None:
    found = [
        f"{path}:{line} {text!r}"
        for path, tree in source.items()
        for line, text in statements(tree)
        if text.strip() not in CONNECTION_CONTROL.get(path, set())
    ]
    assert not found, "give it a name in src/strata/sql/statements:\n" + "\n".join(found)


def test_connection_control_is_still_needed(source: dict[PurePosixPath, ast.Module]) -> None:
    for path, allowed in CONNECTION_CONTROL.items():
        assert allowed == {text.strip() for _, text in statements(source[path])}, path


def test_sql_files_lie_in_one_folder(tracked: list[Path], root: Path) -> None:
    home = root / "src" / "strata" / "sql" / "statements"
    files = [path for path in tracked if path.suffix == ".sql"]
    assert files
    assert [
        path for path in files if path.is_relative_to(root / "src") and home not in path.parents
    ] == []


def test_sql_in_python_would_be_noticed() -> None:
    for line in (
        'run("SELECT value FROM version WHERE key = ?")',
        'run("""\n    select key\n    from version\n    where key = ?""")',
        'run(f"SELECT {column} FROM {table}")',
        'run("SELECT " + columns + " FROM version")',
        'run("insert into version (key) values (?)")',
        'run("WITH old AS (SELECT 1 FROM version) DELETE FROM version")',
        'run("UPDATE branch SET head = ?")',
        'run("create table if not exists note (id)")',
        'run("PRAGMA journal_mode = WAL")',
        'run("pragma user_version")',
        'run("VACUUM INTO ?")',
        'run("COMMIT")',
    ):
        assert len(list(statements(ast.parse(line)))) == 1, line


def test_prose_about_data_is_not_sql() -> None:
    for line in (
        '"""SELECT value FROM version is what this module avoids."""',
        'def merge():\n    """UPDATE branch SET head: done by commit."""',
        'raise NotFound("Select a branch from the list, or create one first.")',
        'hint = "Delete from this space only; update the settings to set another."',
        'help = "Create a table of contents. Insert into the text."',
        'metavar = "VERSION"',
        'message = "가지에서 하나를 선택하세요: select one from 목록"',
    ):
        assert list(statements(ast.parse(line))) == [], line


def statements(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield (line, text) for each string in a module that reads as SQL, docstrings aside."""
    ignored = {id(string) for string in docstrings(tree)}
    for node in ast.walk(tree):
        if id(node) in ignored:
            continue
        if is_text(node):
            ignored.update(id(part) for part in ast.walk(node) if part is not node)
        text = text_of(node)
        if any(pattern.search(text) for pattern in _SQL):
            yield getattr(node, "lineno", 0), text


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield strings that stand alone as a statement: docstrings, also those of attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def is_text(node: ast.AST) -> bool:
    """Tell whether a node builds one string out of smaller nodes."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod)
    )


def text_of(node: ast.AST) -> str:
    """Return the string a node builds, with a plain word where a value would be put in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left) + text_of(right)
        case ast.BinOp(left=left, op=ast.Mod()):
            return text_of(left)
        case ast.FormattedValue() | ast.Name() | ast.Attribute() | ast.Call():
            return "x"
        case _:
            return ""


# What only SQLite has. Above `sql`, a method of its connection or database says what is wanted.
_OF_ONE_DATABASE = frozenset({"data_version", "pragma", "vacuum", "wal_checkpoint"})


def test_only_sql_asks_what_one_database_has(source: dict[PurePosixPath, ast.Module]) -> None:
    found = [
        f"{path}:{line} .{name}"
        for path, tree in source.items()
        if path.parts[1] != "sql"
        for line, name in of_one_database(tree)
    ]
    assert not found, "give sql.Connection or sql.Database a method that says what is wanted"


def of_one_database(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of every attribute that belongs to one database."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _OF_ONE_DATABASE:
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            # A checkpoint of decisions is another thing.
            is_of_log = any(keyword.arg == "truncate" for keyword in node.keywords)
            if node.func.attr == "checkpoint" and is_of_log:
                yield node.lineno, node.func.attr


def test_a_fact_of_one_database_would_be_noticed() -> None:
    for line in (
        'connection.pragma("synchronous")',
        "connection.data_version()",
        "store.connection().vacuum()",
        "connection.checkpoint(truncate=True)",
    ):
        assert len(list(of_one_database(ast.parse(line)))) == 1, line
    assert not list(of_one_database(ast.parse('decisions.checkpoint("Half done")')))
