"""Functions stay short and flat; a module is as large as its idea."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

FUNCTION_LINES = 60
POSITIONAL_PARAMETERS = 3
NESTING = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef
Files = dict[PurePosixPath, ast.Module]
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def test_functions_can_be_seen_at_once(python_files: Files) -> None:
    found = [
        f"{place}: {lines} lines"
        for place, function in functions(python_files)
        if (lines := length(function)) > FUNCTION_LINES
    ]
    assert not found, f"more than {FUNCTION_LINES} lines:\n" + "\n".join(found)


def test_nesting_stays_shallow(python_files: Files) -> None:
    found = [
        f"{place}: {levels} levels"
        for place, function in functions(without_tests(python_files))
        if (levels := depth(function.body)) > NESTING
    ]
    assert not found, f"nested more than {NESTING} deep:\n" + "\n".join(found)


def test_few_parameters_are_positional(python_files: Files) -> None:
    found = [
        f"{place}: {', '.join(names)}"
        for place, function in functions(without_tests(python_files))
        if len(names := positional(function)) > POSITIONAL_PARAMETERS
    ]
    assert not found, "make the later ones keyword-only:\n" + "\n".join(found)


def test_a_long_function_would_be_noticed() -> None:
    body = "\n".join(f"    x{i} = {i}" for i in range(60))
    docstring = '    """One.\n\n    Two.\n    """\n'
    assert length(only_function(f"def f():\n{docstring}{body}\n")) == 61
    assert length(only_function(f"@cached\ndef f():\n{body}\n")) == 61


def test_deep_nesting_would_be_noticed() -> None:
    chain = "def f(a):\n  if a:\n    pass\n  elif a > 1:\n    pass\n  elif a > 2:\n    pass\n"
    assert depth(only_function(chain).body) == 1
    deep = "def f(a):\n for b in a:\n  with b:\n   try:\n    while b: pass\n   finally: b()"
    assert depth(only_function(deep).body) == 4
    inner = "def f(a):\n  if a:\n    def g():\n      if a: pass"
    assert depth(only_function(inner).body) == 1


def test_too_many_positional_parameters_would_be_noticed() -> None:
    assert positional(only_function("def f(self, a, b, c, *, d, e): ...")) == ["a", "b", "c"]
    declared = "@doc.writes('move')\ndef f(db, a, b, c): ..."
    assert positional(only_function(declared)) == ["a", "b", "c"]
    assert len(positional(only_function("def f(a, /, b, c, d): ..."))) == 4


def functions(files: Files) -> Iterator[tuple[str, Function]]:
    """Yield each function with the place where it stands."""
    for path, tree in files.items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"{path}:{node.lineno} {node.name}", node


def without_tests(files: Files) -> Files:
    """Leave the tests out: fixtures are parameters there, and tables are loops."""
    return {path: tree for path, tree in files.items() if path.parts[0] != "tests"}


def only_function(text: str) -> Function:
    function = ast.parse(text).body[0]
    assert isinstance(function, Function)
    return function


def length(function: Function) -> int:
    """Count the lines of a function from its `def`, docstring aside."""
    total = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is None:
        return total
    return total - ((first.end_lineno or first.lineno) - first.lineno + 1)


def depth(body: list[ast.stmt]) -> int:
    """Count how deep blocks stand in each other. A function inside starts again from nothing."""
    levels = [0]
    for statement in body:
        if isinstance(statement, BLOCKS):
            levels += [1 + depth(inner) for inner in bodies(statement)]
            levels += [depth([branch]) for branch in else_if(statement)]
    return max(levels)


def bodies(block: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements that stand one level inside a block."""
    yield getattr(block, "body", [])
    yield getattr(block, "finalbody", [])
    if not else_if(block):
        yield getattr(block, "orelse", [])
    for part in (*getattr(block, "handlers", ()), *getattr(block, "cases", ())):
        yield part.body


def else_if(block: ast.stmt) -> list[ast.stmt]:
    """Return the `elif` of an `if`, which stands beside it and not inside."""
    orelse: list[ast.stmt] = getattr(block, "orelse", [])
    is_elif = isinstance(block, ast.If) and len(orelse) == 1 and isinstance(orelse[0], ast.If)
    return orelse if is_elif else []


def positional(function: Function) -> list[str]:
    """Name the parameters that may be given by position.

    Those that the language or the command line gives are aside: `self`, `cls`, and what the
    function of a command works on, before the words that a user types.
    """
    names = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    is_given = names[:1] in (["self"], ["cls"]) or any(map(declares, function.decorator_list))
    return names[1:] if is_given else names


def declares(decorator: ast.expr) -> bool:
    """Tell whether a decorator declares a command, as `reads` and `doc.writes` do."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("reads", "writes", "command", "command_of")
