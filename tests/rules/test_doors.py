"""A room is entered by its door: its `__init__.py`, which holds nothing but what it hands out."""

import ast
from pathlib import PurePosixPath

# Floor 0 has no door: each of its modules is a small public thing that everybody stands on.
# So has the room of the servers: who starts one must not load the other.
OPEN_ROOMS = {"base", "mcp"}
# Only where requests arrive may code use the SDK by its outside name.
TOP_FLOOR = {"__main__", "cli", "mcp", "web", "reference"}


def test_rooms_are_entered_by_their_doors(source: dict[PurePosixPath, ast.Module]) -> None:
    doors = {path.parts[1]: handed_out(tree) for path, tree in source.items() if is_door(path)}
    found = [
        f"{path}:{fault}"
        for path, tree in source.items()
        for fault in intrusions(path, tree, doors)
    ]
    assert not found, "import what the room's __init__.py hands out:\n" + "\n".join(found)


def test_a_door_holds_only_its_docstring_imports_and_all(
    source: dict[PurePosixPath, ast.Module],
) -> None:
    found = [
        f"{path}:{line}"
        for path, tree in source.items()
        # The SDK's own door loads each name when it is first used.
        if path.name == "__init__.py" and len(path.parts) > 2
        for line in furniture(tree)
    ]
    assert not found, "move this into a module of the room:\n" + "\n".join(found)


def test_an_intruder_would_be_noticed() -> None:
    doors = {"store": {"Store"}, "sql": set[str]()}
    memory = PurePosixPath("strata/memory/facts.py")
    allowed = "from strata.store import Store\nfrom strata.base.errors import NotFound\n"
    assert intrusions(memory, ast.parse(allowed), doors) == []
    for line in (
        "from strata.store.commit import commit",
        "from strata.store import commit",
        "import strata.store.commit",
        "def late():\n    from strata.sql.sqlite import connect",
        "from strata import open",
        "import strata",
    ):
        assert len(intrusions(memory, ast.parse(line), doors)) == 1, line


def test_a_room_knows_its_own_modules() -> None:
    inside = PurePosixPath("strata/store/merge.py")
    line = "from strata.store.diff import changes\nfrom strata.store import snapshot"
    assert intrusions(inside, ast.parse(line), {"store": set()}) == []


def test_furniture_in_a_door_would_be_noticed() -> None:
    door = '"""Doc."""\nfrom strata.sql.database import Database\n__all__ = ["Database"]\n'
    assert furniture(ast.parse(door)) == []
    assert furniture(ast.parse(door + "LIMIT = 3\n")) == [4]
    assert furniture(ast.parse(door + "def late(): ...\n")) == [4]


def intrusions(path: PurePosixPath, tree: ast.Module, doors: dict[str, set[str]]) -> list[str]:
    """List the imports in a module that reach past the door of another room."""
    own = path.with_suffix("").parts[1]
    return [
        f"{line} {module} {name}".rstrip()
        for line, module, name in imports(tree)
        if module.partition(".")[0] == "strata" and not may_enter(own, module, name, doors=doors)
    ]


def may_enter(own: str, module: str, name: str, *, doors: dict[str, set[str]]) -> bool:
    """Tell whether a room may write `from module import name` (`import module` without name)."""
    _, room, inner = [*module.split(".", 2), "", ""][:3]
    if not room:
        return own in TOP_FLOOR
    if room in {own, *OPEN_ROOMS}:
        return True
    return not inner and name in doors.get(room, set())


def imports(tree: ast.Module) -> list[tuple[int, str, str]]:
    """Return (line, module, name) of every import in a module, also those inside functions."""
    found: list[tuple[int, str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, node.module or "", alias.name) for alias in node.names]
    return found


def is_door(path: PurePosixPath) -> bool:
    return path.name == "__init__.py" and len(path.parts) == 3


def handed_out(door: ast.Module) -> set[str]:
    """Return the names in a door's `__all__`."""
    for statement in door.body:
        if isinstance(statement, ast.Assign) and is_all(statement):
            return set(ast.literal_eval(statement.value))
    return set()


def furniture(door: ast.Module) -> list[int]:
    """Return the lines of a door that are neither docstring, import nor `__all__`."""
    first = door.body[:1]
    has_docstring = first and isinstance(first[0], ast.Expr) and ast.get_docstring(door) is not None
    rest = door.body[1:] if has_docstring else door.body
    return [
        node.lineno
        for node in rest
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Assign) and is_all(node))
    ]


def is_all(statement: ast.Assign) -> bool:
    return [ast.unparse(target) for target in statement.targets] == ["__all__"]
