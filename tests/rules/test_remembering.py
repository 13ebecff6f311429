"""Whatever remembers texts must be reached by a purge: see strata.base.memo."""

import ast
from pathlib import Path

import strata

SOURCE = Path(strata.__file__).parent
# What these remember is no text of a store.
ALLOWED = {
    "base/memo.py": "remembers for all others",
    "clients/jsonc.py": "configuration files of clients",
    "documents/markdown/code.py": "marks of code: backticks and tildes",
    "documents/markdown/scan.py": "marks of code: backticks and tildes",
    "models/minilm.py": "rows of a model's table",
    "models/multilingual.py": "blocks of a model's weights",
    "store/signature.py": "names of actors and users, and ids of tasks",
}


def test_only_functions_that_see_no_texts_use_a_cache_that_no_purge_reaches() -> None:
    users = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if "lru_cache" in path.read_text(encoding="utf-8")
    }
    assert users == set(ALLOWED)


def test_what_is_cached_for_good_takes_no_texts() -> None:
    """`cache` never drops anything, so only names and numbers of the program itself may go in."""
    found = {
        f"{path.relative_to(SOURCE).as_posix()}:{function.name}"
        for path in SOURCE.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        and any(getattr(one, "id", "") == "cache" for one in function.decorator_list)
        and function.args.args
    }
    assert found == KNOWN


KNOWN = {
    "mcp/upload_requests.py:_codes",
    "search/cues.py:_pattern",
    "search/stemming.py:_pattern",
    "search/tokens.py:_pattern",
    "sql/foreign.py:foreign_statements",
    "sql/migrate.py:_known_objects",
    "sql/queries.py:load",
    "tools/call.py:_warn_of",
    "hooks/detection.py:_ideas",
    "sql/sqlite_database.py:_new_shape",
    "web/plain_pages.py:_template",
    "web/public/rendering/code.py:_known",
}
