"""A package is imported through its `__init__.py`, which holds only imports and `__all__`.

The imports of most are for type checkers: `lazily` loads a module when one of its names is used.
"""

import ast
from collections.abc import Iterable
from pathlib import PurePosixPath

# Packages whose modules are imported by name. Each module of base is small and public; the server
# over standard input must not load the one over HTTP.
OPEN_PACKAGES = {"base", "mcp"}
# Packages that may import the SDK by its public name.
TOP_LAYERS = {"__main__", "cli", "mcp", "web", "reference"}


def test_packages_are_imported_through_their_interfaces(
    source: dict[PurePosixPath, ast.Module],
) -> None:
    interfaces = {
        path.parts[1]: exported(tree) for path, tree in source.items() if is_interface(path)
    }
    found = [
        f"{path}:{fault}"
        for path, tree in source.items()
        for fault in violations(path, tree, interfaces)
    ]
    assert not found, "import what the package's __init__.py lists in __all__:\n" + "\n".join(found)


def test_an_interface_holds_only_its_docstring_imports_and_all(
    source: dict[PurePosixPath, ast.Module],
) -> None:
    found = [
        f"{path}:{line}"
        for path, tree in source.items()
        # The SDK's own __init__.py loads each name when it is first used.
        if path.name == "__init__.py" and len(path.parts) > 2
        for line in extra_lines(tree)
    ]
    assert not found, "move this into a module of the package:\n" + "\n".join(found)


def test_an_import_past_an_interface_would_be_noticed() -> None:
    interfaces = {"store": {"Store"}, "sql": set[str]()}
    memory = PurePosixPath("strata/memory/facts.py")
    allowed = "from strata.store import Store\nfrom strata.base.errors import NotFound\n"
    assert violations(memory, ast.parse(allowed), interfaces) == []
    for line in (
        "from strata.store.commit import commit",
        "from strata.store import commit",
        "import strata.store.commit",
        "def late():\n    from strata.sql.sqlite import connect",
        "from strata import open",
        "import strata",
    ):
        assert len(violations(memory, ast.parse(line), interfaces)) == 1, line


def test_a_package_may_be_imported_whole_and_its_names_loaded_when_they_are_used() -> None:
    memory = PurePosixPath("strata/memory/facts.py")
    line = ast.parse("from strata import store")
    assert violations(memory, line, {"store": {"Store"}}) == []
    assert len(violations(memory, line, {"sql": {"Database"}})) == 1


def test_a_lazy_interface_loads_every_name_from_where_type_checkers_find_it(
    source: dict[PurePosixPath, ast.Module],
) -> None:
    lazy = {path.parent: tree for path, tree in source.items() if table_of(tree) is not None}
    assert len(lazy) > 8
    for package, tree in lazy.items():
        checked = {
            f"{module} {name}" for _line, module, name in imports(tree) if name in exported(tree)
        } | {f"{module} {real}={name}" for module, real, name in renamed(tree)}
        modules = {path.stem if path.suffix else path.name for path in inside(package, source)}
        own = ".".join(package.parts)
        # A module of the package needs no entry: it is found as such.
        wanted = {found for found in checked if found not in {f"{own} {name}" for name in modules}}
        assert set(table_of(tree) or ()) == wanted, package
        names = {entry.split()[1].rpartition("=")[2] for entry in wanted}
        assert not names & modules, f"{package}: a module takes the place of a name"


def test_a_package_may_import_its_own_modules() -> None:
    inside = PurePosixPath("strata/store/merge.py")
    line = "from strata.store.diff import changes\nfrom strata.store import snapshot"
    assert violations(inside, ast.parse(line), {"store": set()}) == []


def test_code_in_an_interface_would_be_noticed() -> None:
    interface = '"""Doc."""\nfrom strata.sql.database import Database\n__all__ = ["Database"]\n'
    assert extra_lines(ast.parse(interface)) == []
    assert extra_lines(ast.parse(interface + "LIMIT = 3\n")) == [4]
    assert extra_lines(ast.parse(interface + "__getattr__ = lazily(__name__, {})\n")) == []
    assert extra_lines(ast.parse(interface + "if TYPE_CHECKING:\n    from a import b\n")) == []
    assert extra_lines(ast.parse(interface + "if TYPE_CHECKING:\n    LIMIT = 3\n")) == [4]
    assert extra_lines(ast.parse(interface + "def late(): ...\n")) == [4]


def violations(path: PurePosixPath, tree: ast.Module, interfaces: dict[str, set[str]]) -> list[str]:
    """List the imports in a module that reach past the interface of another package."""
    own = path.with_suffix("").parts[1]
    return [
        f"{line} {module} {name}".rstrip()
        for line, module, name in imports(tree)
        if module.partition(".")[0] == "strata"
        and not may_import(own, module, name, interfaces=interfaces)
    ]


def may_import(own: str, module: str, name: str, *, interfaces: dict[str, set[str]]) -> bool:
    """Tell whether a package may write `from module import name` (`import module` without name)."""
    _, package, inner = [*module.split(".", 2), "", ""][:3]
    if not package:
        return own in TOP_LAYERS or name in interfaces
    if package in {own, *OPEN_PACKAGES}:
        return True
    return not inner and name in interfaces.get(package, set())


def imports(tree: ast.Module) -> list[tuple[int, str, str]]:
    """Return (line, module, name) of every import in a module, also those inside functions."""
    found: list[tuple[int, str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, node.module or "", alias.name) for alias in node.names]
    return found


def is_interface(path: PurePosixPath) -> bool:
    return path.name == "__init__.py" and len(path.parts) == 3


def exported(interface: ast.Module) -> set[str]:
    """Return the names in an interface's `__all__`."""
    for statement in interface.body:
        if isinstance(statement, ast.Assign) and is_all(statement):
            return set(ast.literal_eval(statement.value))
    return set()


def extra_lines(interface: ast.Module) -> list[int]:
    """Return the lines of an interface that are neither docstring, import nor `__all__`."""
    first = interface.body[:1]
    has_docstring = (
        first and isinstance(first[0], ast.Expr) and ast.get_docstring(interface) is not None
    )
    rest = interface.body[1:] if has_docstring else interface.body
    return [
        node.lineno
        for node in rest
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Assign) and (is_all(node) or is_lazy(node)))
        and not (isinstance(node, ast.If) and is_for_type_checkers(node))
    ]


def is_for_type_checkers(block: ast.If) -> bool:
    return ast.unparse(block.test) == "TYPE_CHECKING" and all(
        isinstance(node, ast.ImportFrom) for node in block.body
    )


def is_lazy(statement: ast.Assign) -> bool:
    return ast.unparse(statement).startswith("__getattr__ = lazily(__name__, ")


def table_of(interface: ast.Module) -> list[str] | None:
    """Return `module name` for each name that an interface loads lazily; None for another one."""
    for statement in interface.body:
        if isinstance(statement, ast.Assign) and is_lazy(statement):
            assert isinstance(statement.value, ast.Call)
            table = ast.literal_eval(statement.value.args[1])
            return [f"{home} {name}" for home, names in table.items() for name in names.split()]
    return None


def renamed(interface: ast.Module) -> list[tuple[str, str, str]]:
    """Return (module, name there, name here) of what an interface calls otherwise."""
    return [
        (node.module or "", alias.name, alias.asname)
        for node in ast.walk(interface)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname is not None
    ]


def inside(package: PurePosixPath, source: Iterable[PurePosixPath]) -> set[PurePosixPath]:
    """Return the modules and packages right inside a package."""
    depth = len(package.parts) + 1
    return {PurePosixPath(*path.parts[:depth]) for path in source if package in path.parents}


def is_all(statement: ast.Assign) -> bool:
    return [ast.unparse(target) for target in statement.targets] == ["__all__"]
