"""Lets every Python process that tests start use PostgreSQL where the tests themselves do.

Its folder is on PYTHONPATH then. Nothing is imported before the process itself opens stores.
"""

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_OPENING = "strata.workspace.opening"


class _Redirect(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the module that opens stores, and then leads its paths to the server."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != _OPENING:
            return None
        sys.meta_path.remove(self)
        found = find_spec(fullname)
        assert found is not None
        self._loader = found.loader
        found.loader = self
        return found

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert self._loader is not None
        self._loader.exec_module(module)
        sys.path.append(str(Path(__file__).parents[2]))
        from tests.child.leading import lead_to_server

        lead_to_server(module)


if "TESTS_RUN_ON_POSTGRES" in os.environ:
    sys.meta_path.insert(0, _Redirect())
