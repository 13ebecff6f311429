"""A public class has a name of its own, so that a reader who meets it knows which one it is."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "strata"


def homonyms(root: Path) -> dict[str, list[str]]:
    """Return the names that public classes of several modules share, with these modules."""
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(str(path.relative_to(root)))
    return {name: found for name, found in modules.items() if len(found) > 1}


def test_no_two_public_classes_share_a_name() -> None:
    shared = [f"{name}: {', '.join(found)}" for name, found in homonyms(SOURCE).items()]
    assert not shared, "name one of them after what it is for:\n" + "\n".join(shared)


def test_shared_names_are_noticed(tmp_path: Path) -> None:
    for module, names in {"a": ["Item", "_Own"], "b": ["Item", "_Own"], "c": ["Other"]}.items():
        text = "".join(f"class {name}: ...\n" for name in names)
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
    assert homonyms(tmp_path) == {"Item": ["a.py", "b.py"]}
