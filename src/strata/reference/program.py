"""Pages that the program's own text can write: the SDK, errors and limits."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import FunctionType

import msgspec

import strata
from strata.access import (
    Audit,
    DocumentSpaces,
    Folders,
    Permissions,
    ShareLinks,
    Shares,
    SignIns,
    Teams,
    Tokens,
    Users,
)
from strata.base import limits
from strata.base.errors import StrataError
from strata.base.results import Result, TimedResult
from strata.decisions import Decisions
from strata.documents import Documents
from strata.memory import Events, Facts, JsonDocuments, Kv, Spaces, State, Vectors
from strata.presence import Presences
from strata.publishing import Publishing
from strata.reference.pages import WRITTEN
from strata.review import Review
from strata.store import Tags
from strata.tasks import Agents
from strata.upkeep import Retention, StoreLeases
from strata.workspace import (
    Branches,
    Bundles,
    Remotes,
    Serving,
    Settings,
    StoreEmbeddings,
    StoreModels,
    StoreTrust,
    Workspace,
)

# The packages whose names the handle's signatures have.
_JOINED = """
    access decisions documents memory presence publishing review search secrets store tasks
    workspace
""".split()

_SDK = f"""\
# SDK

{WRITTEN}

`db = strata.open(…)` gives a `Workspace`; everything else is reached from it. Results are frozen
structs. `.to_dict()` turns one into plain JSON, and `.time` of what happened at one moment is an
aware `datetime`; `timestamp` is the same in microseconds. Every example is run by the tests, with
`db` a new store and `folder` an empty folder. What can go wrong is in [errors](errors.md).
"""

_ERRORS = f"""\
# Errors

{WRITTEN}

Everything Strata raises on purpose is a `strata.StrataError` with a stable `code`, a `message` a
person can act on, often a `hint` that names the next thing to do, and `details` for programs.
Nothing is changed by a call that raises one. A `NotFound` is also a `KeyError`, an
`InvalidArgument` a `ValueError`, a `WrongType` a `TypeError` and a `StoreNotFound` a
`FileNotFoundError`.

| class | code | meaning |
|---|---|---|
"""

_LIMITS = f"""\
# Limits

{WRITTEN}

Every upper bound has a name, a number and a reason. An error that refuses something because of a
limit (`limit_exceeded`) states both numbers.

| name | value | why |
|---|---|---|
"""

_PLACES: tuple[tuple[str, type], ...] = (
    ("db", Workspace),
    ("db.facts", Facts),
    ("db.kv", Kv),
    ("db.json", JsonDocuments),
    ("db.state", State),
    ("db.events", Events),
    ("db.vectors", Vectors),
    ("db.spaces", Spaces),
    ("db.decisions", Decisions),
    ("db.documents", Documents),
    ("db.review", Review),
    ("db.presence", Presences),
    ("db.publishing", Publishing),
    ("db.agents", Agents),
    ("db.people", Users),
    ("db.teams", Teams),
    ("db.folders", Folders),
    ("db.document_spaces", DocumentSpaces),
    ("db.shares", Shares),
    ("db.share_links", ShareLinks),
    ("db.rights", Permissions),
    ("db.audit", Audit),
    ("db.embeddings", StoreEmbeddings),
    ("db.models", StoreModels),
    ("db.branches", Branches),
    ("db.tags", Tags),
    ("db.bundles", Bundles),
    ("db.remotes", Remotes),
    ("db.retention", Retention),
    ("db.leases", StoreLeases),
    ("db.tokens", Tokens),
    ("db.sign_ins", SignIns),
    ("db.settings", Settings),
    ("db.trust", StoreTrust),
    ("db.serving", Serving),
)


def program_pages() -> dict[str, str]:
    """Return the pages by the name of their file."""
    return {
        "errors.md": _ERRORS + "".join(_error_lines(StrataError, 0)),
        "limits.md": _LIMITS + "".join(_limit_lines()),
        "sdk.md": _SDK + "".join(_sdk_parts()),
    }


def _error_lines(kind: type[StrataError], depth: int) -> Iterator[str]:
    about = _paragraph(kind)
    yield f"| {'&emsp;' * depth}`{kind.__name__}` | `{kind.code}` | {about} |\n"
    public = [child for child in kind.__subclasses__() if child.__module__ == kind.__module__]
    for child in sorted(public, key=lambda child: child.__name__):
        yield from _error_lines(child, depth + 1)


def _limit_lines() -> Iterator[str]:
    """Read names, values and the comments above them from the module itself."""
    text = Path(inspect.getfile(limits)).read_text(encoding="utf-8")
    lines, reason = text.splitlines(), ""
    names = {
        node.lineno: node.targets[0].id
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for number, line in enumerate(lines, 1):
        if line.startswith("# "):
            above = lines[number - 2] if number > 1 else ""
            reason = f"{reason} {line[2:]}" if above.startswith("# ") else line[2:]
        elif number in names:
            yield f"| `{names[number]}` | {getattr(limits, names[number]):,} | {reason} |\n"


def _sdk_parts() -> Iterator[str]:
    yield "\n## strata\n"
    yield from _entry("strata.open", strata.open)
    yield from _entry("strata.clone", strata.clone)
    yield from _entry("strata.restore", strata.restore)
    yield from _entry("strata.locate_store", strata.locate_store)
    for place, kind in _PLACES:
        yield f"\n## {place}\n\n{_paragraph(kind)}\n"
        for name, function in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                yield from _entry(f"{place}.{name}", function)
    yield "\n## Results\n\nWhat the calls return. Every one has `to_dict()`.\n"
    for kind in sorted(_results(Result), key=lambda kind: (kind.__name__, kind.__module__)):
        yield from _result(kind)


def _results(kind: type[Result]) -> Iterator[type[Result]]:
    """Yield the kinds of results that are made of one, and what is made of those."""
    for child in kind.__subclasses__():
        if child is not TimedResult and child.__module__.startswith("strata."):
            yield child
        yield from _results(child)


def _result(kind: type[Result]) -> Iterator[str]:
    yield f"\n### {kind.__name__}\n\n{_paragraph(kind)}\n\n| field | type |\n|---|---|\n"
    for field in msgspec.structs.fields(kind):
        shown = _plain_types(inspect.formatannotation(field.type)).replace("|", "\\|")
        yield f"| `{field.name}` | `{shown}` |\n"
    if issubclass(kind, TimedResult):
        yield f"| `time` | `datetime`, from `{kind.TIME}` |\n"


def _entry(name: str, function: Callable[..., object]) -> Iterator[str]:
    assert isinstance(function, FunctionType), f"{name} is not a plain function"
    about, example = _parts(inspect.getdoc(function) or "")
    yield f"\n### {name}\n\n```\n{name.rpartition('.')[2]}{_signature(function)}\n```\n"
    yield f"\n{about}\n"
    if example:
        yield f"\n```pycon\n{example}\n```\n"


def signature_of(function: FunctionType) -> inspect.Signature:
    """Return a signature with its types, those that are imported for type checkers too."""
    try:
        return inspect.signature(function, locals=_Names(function.__globals__), eval_str=True)
    except NameError:  # Numpy's types are for type checkers alone.
        return inspect.signature(function)


def _signature(function: FunctionType) -> str:
    signature = signature_of(function)
    shown = [p for p in signature.parameters.values() if p.name != "self"]
    text = str(signature.replace(parameters=shown))
    # The quotes of a forward reference say nothing to a reader.
    return re.sub(r"-> '([^']*)'$", r"-> \1", _plain_types(text))


class _Names(dict[str, object]):
    """The names in a module's annotations; some of them are imported for type checkers only."""

    def __missing__(self, name: str) -> object:
        """Find a name in the packages that the workspace joins."""
        for package in _JOINED:
            interface = import_module(f"strata.{package}")
            if name in interface.__all__:
                return getattr(interface, name)
        raise KeyError(name)


def _plain_types(text: str) -> str:
    """Return annotations without the paths of their types, which say nothing to a reader."""
    return re.sub(r"[\w.]+\.(?=\w)", "", text)


def _parts(text: str) -> tuple[str, str]:
    """Split a docstring into its words and its example."""
    about, mark, example = dedent(text).partition(">>> ")
    return about.strip(), (mark + example).strip()


def _paragraph(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
