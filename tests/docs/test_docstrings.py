"""Every example in a docstring runs, and every public call of the SDK has one."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import strata
from strata.access import (
    Audit,
    DocumentSpaces,
    Folders,
    Permissions,
    Shares,
    Teams,
    Tokens,
    Users,
)
from strata.documents import Documents
from strata.memory import Events, JsonDocuments, Kv, Spaces, State, Vectors
from strata.review import Review
from strata.store import Tags
from strata.upkeep import Retention, StoreLeases
from strata.workspace import (
    Branches,
    Bundles,
    OpenTransaction,
    Serving,
    Settings,
    StoreEmbeddings,
    StoreModels,
    Workspace,
)

SDK = (
    Workspace,
    Kv,
    JsonDocuments,
    State,
    Events,
    Vectors,
    Spaces,
    Branches,
    Bundles,
    Tags,
    Retention,
    StoreLeases,
    Tokens,
    Settings,
    Serving,
    StoreEmbeddings,
    StoreModels,
    OpenTransaction,
    Documents,
    Review,
    Users,
    Teams,
    Folders,
    DocumentSpaces,
    Shares,
    Permissions,
    Audit,
)


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = [info.name for info in pkgutil.walk_packages(strata.__path__, "strata.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    # Looking for docstrings takes ten times as long as reading the source.
    showing = [module for module in [strata, *modules] if ">>> " in inspect.getsource(module)]
    return [test for module in showing for test in finder.find(module) if test.examples]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_the_example_of_a_docstring_runs(example: doctest.DocTest, tmp_path: Path) -> None:
    db = strata.open(tmp_path / "store.db", durability="standard", auto_embed=False)
    example.globs.update({"db": db, "folder": tmp_path, "strata": strata})
    said: list[str] = []
    result = doctest.DocTestRunner().run(example, out=said.append, clear_globs=False)
    db.close()
    assert result.attempted > 0
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("kind", SDK, ids=lambda kind: kind.__name__)
def test_every_public_call_has_an_example(kind: type) -> None:
    calls = [
        (name, call)
        for name, call in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    ]
    assert calls
    bare = [name for name, call in calls if ">>> " not in (inspect.getdoc(call) or "")]
    assert not bare, f"{kind.__name__} has no example for {bare}"
