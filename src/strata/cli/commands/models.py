"""Models that embed text: which there are, whether their files are right, getting others."""

from typing import Annotated

import msgspec

import strata
from strata.cli.command import Output, group
from strata.cli.output import size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.models import ModelInfo, list_models, pull, verify_model

_STATES = {"not loaded": "installed", "absent": "not installed"}
_LANGUAGES_SHOWN = 4

models = group(
    "models",
    """List models that can embed text, and download others.

    Alone it lists them. Two come with the installation; nothing is downloaded unless you
    say `strata models pull`.

        strata models
        strata models local
    """,
    alone="list",
)


@models.command_of("list")
def list_all(_session: Invocation) -> Output:
    """List the models there are.

    A library offers any model that it knows: LIBRARY:MODEL.

        strata models list
        strata models list --json
    """
    found = list_models()
    lines = table(("MODEL", "STATE", "SIZE", "LANGUAGES"), [_row(one) for one in found])
    notes = [f"for {one_line(one.name)}: {one_line(one.reason)}" for one in found if one.reason]
    return Output({"models": found}, lines, notes=notes)


def _row(one: ModelInfo) -> tuple[str, ...]:
    # The library itself, for any of its models.
    is_library = one.origin == "library" and ":" not in one.name
    shown = ", ".join(one.languages[:_LANGUAGES_SHOWN])
    more = len(one.languages) - _LANGUAGES_SHOWN
    return (
        f"{one.name}:MODEL" if is_library else one_line(one.name),
        _STATES.get(one.state, one.state),
        "" if one.size_bytes is None else size(one.size_bytes),
        f"{shown} and {more} more" if more > 0 else shown,
    )


class _Local(msgspec.Struct, frozen=True):
    """A model on this disk, and whether its files are what was shipped."""

    name: str
    size_bytes: int | None
    ok: bool
    problem: str | None = None


@models.command_of("local")
def local(_session: Invocation) -> Output:
    """Check the files of the models that came with the installation.

    Each file is compared with its checksum. If one is missing or not what was shipped, the
    exit code is 1; search goes on by words.

        strata models local
    """
    found = [_look_at(one) for one in list_models() if one.origin == "shipped"]
    rows = [
        (
            one.name,
            "" if one.size_bytes is None else size(one.size_bytes),
            "as shipped" if one.ok else one_line(one.problem or ""),
        )
        for one in found
    ]
    is_ok = all(one.ok for one in found)
    lines = table(("MODEL", "SIZE", "FILES"), rows, right=["SIZE"])
    return Output({"ok": is_ok, "models": found}, lines, code=0 if is_ok else 1)


def _look_at(model: ModelInfo) -> _Local:
    """Compare the files of a shipped model with their checksums."""
    try:
        verify_model(model.name)
    except strata.Unavailable as error:
        return _Local(model.name, model.size_bytes, ok=False, problem=error.message)
    return _Local(model.name, model.size_bytes, ok=True)


@models.command_of("pull")
def pull_model(
    _session: Invocation,
    name: Annotated[str, "LIBRARY:MODEL, such as fastembed:BAAI/bge-small-en-v1.5."],
) -> Output:
    """Download a model through a library.

    The library, fastembed or sentence-transformers, has to be installed, and it fetches the
    model from where it always does. This is the only command that downloads. A model that
    came with the installation is checked instead.

        strata models pull minilm
    """
    shown = one_line(name)
    with progress(f"pull {shown}"):
        found = pull(name)
    if found.origin == "shipped":
        return Output(found, f"{shown} came with the installation and is as shipped")
    note = f"`strata embeddings use {shown}` lets it make the vectors"
    return Output(found, f"pulled {shown}", notes=[note])
