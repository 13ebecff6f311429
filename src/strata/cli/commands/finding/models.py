"""Models that embed text: which there are, whether their files are right, getting others."""

import click
import msgspec

import strata
from strata.cli.decorated import command, group
from strata.cli.output import answer, size
from strata.cli.session import Invocation, say
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.models import ModelInfo, list_models, pull, verify_model

_STATES = {"not loaded": "installed", "absent": "not installed"}
_LANGUAGES_SHOWN = 4


class _Local(msgspec.Struct, frozen=True):
    """A model on this disk, and whether its files are what was shipped."""

    name: str
    size_bytes: int | None
    ok: bool
    problem: str | None = None


@group(
    "models",
    examples="""
    strata models
    strata models local
    """,
)
def models(session: Invocation) -> None:
    """See which models can embed text, and get others.

    Alone it lists them. Two come with the installation; nothing is downloaded unless you
    say `strata models pull`.
    """
    _list(session)


@command(
    "list",
    group=models,
    examples="""
    strata models list
    strata models list --json
    """,
)
def list_all(session: Invocation) -> None:
    """List the models there are.

    A library stands for any model that it knows: LIBRARY:MODEL.
    """
    _list(session)


def _list(session: Invocation) -> None:
    found = list_models()
    lines = table(("MODEL", "STATE", "SIZE", "LANGUAGES"), [_row(one) for one in found])
    answer(session, {"models": found}, lines)
    if not session.json:
        for one in found:
            if one.reason:
                say(f"for {one_line(one.name)}: {one_line(one.reason)}")


def _row(one: ModelInfo) -> tuple[str, ...]:
    # The library itself, which stands for any of its models.
    is_library = one.origin == "library" and ":" not in one.name
    shown = ", ".join(one.languages[:_LANGUAGES_SHOWN])
    more = len(one.languages) - _LANGUAGES_SHOWN
    return (
        f"{one.name}:MODEL" if is_library else one_line(one.name),
        _STATES.get(one.state, one.state),
        "" if one.size_bytes is None else size(one.size_bytes),
        f"{shown} and {more} more" if more > 0 else shown,
    )


@command(
    "local",
    group=models,
    examples="""
    strata models local
    """,
)
def local(session: Invocation) -> int | None:
    """Check the files of the models that came with the installation.

    Each file is compared with its checksum. If one is missing or not what was shipped, the
    exit code is 1; search goes on by words.
    """
    found = [look_at(one) for one in list_models() if one.origin == "shipped"]
    rows = [
        (one.name, "" if one.size_bytes is None else size(one.size_bytes),
         "as shipped" if one.ok else one_line(one.problem or ""))
        for one in found
    ]  # fmt: skip
    is_ok = all(one.ok for one in found)
    lines = table(("MODEL", "SIZE", "FILES"), rows, right=["SIZE"])
    answer(session, {"ok": is_ok, "models": found}, lines)
    return None if is_ok else 1


def look_at(model: ModelInfo) -> _Local:
    """Compare the files of a shipped model with their checksums."""
    try:
        verify_model(model.name)
    except strata.Unavailable as error:
        return _Local(model.name, model.size_bytes, ok=False, problem=error.message)
    return _Local(model.name, model.size_bytes, ok=True)


@command(
    "pull",
    group=models,
    examples="""
    strata models pull minilm
    """,
)
@click.argument("name", help="LIBRARY:MODEL, such as fastembed:BAAI/bge-small-en-v1.5.")
def pull_model(session: Invocation, *, name: str) -> None:
    """Download a model through a library.

    The library, fastembed or sentence-transformers, has to be installed, and it fetches the
    model from where it always does. This is the only command that downloads. A model that
    came with the installation is checked instead.
    """
    with progress(f"pull {one_line(name)}"):
        found = pull(name)
    if found.origin == "shipped":
        answer(session, found, [f"{one_line(name)} came with the installation and is as shipped"])
        return
    answer(session, found, [f"pulled {one_line(name)}"])
    if not session.json:
        say(f"`strata embeddings use {one_line(name)}` lets it make the vectors")
