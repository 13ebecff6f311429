"""Search by meaning: the vectors behind it, and the models that make them."""

import time
from collections.abc import Iterator
from typing import Annotated

import msgspec

import strata
from strata.base.counts import plural
from strata.cli.command import Output, group
from strata.cli.meaning import live_models, unusable
from strata.cli.output import size
from strata.cli.session import Invocation
from strata.cli.show.progress import duration, progress
from strata.cli.show.text import one_line, table
from strata.models import ModelInfo, list_models, pull, verify_model
from strata.search import ModelStatus, Status
from strata.workspace import Workspace

Wait = Annotated[bool, "Make the vectors now, and wait for the end."]
# How often the bar gets new figures, and how long a standstill lasts before it is looked into.
_LOOK_S = 0.2
_STANDSTILL_S = 2.0
_LATER = (
    "programs that have the store open make them, and the old ones answer until then; "
    "`strata embeddings wait` makes them now"
)

embeddings = group(
    "embeddings",
    """Manage the vectors for search by meaning.

    Alone it shows how far they are. Programs that keep the store open make them in the
    background; commands do not, because they end too soon.

        strata put cache "Prices are cached for sixty seconds"
        strata embeddings
        strata embeddings wait
    """,
    alone="status",
)


@embeddings.reads("status", anywhere=True)
def status(db: Workspace) -> Output:
    """Show how far the vectors are, model by model.

    A building model takes over from the active one when it has caught up. Pending texts are
    found by their words until then; failed ones can be tried again.

        strata put cache "Prices are cached for sixty seconds"
        strata embeddings status
    """
    found = db.embeddings.status()
    problems = unusable(found)
    notes: list[str] = []
    if found.pending and not live_models(found):
        notes.append(f"{plural(found.pending, 'vector')} to be made: `strata embeddings wait`")
    elif not found.models:
        notes.append("nothing here can be embedded yet")
    for name, reason in problems.items():
        notes.append(f"{one_line(name)} cannot be used: {one_line(reason)}")
    headers = ("MODEL", "ROLE", "STATE", "EMBEDDED", "PENDING", "FAILED", "RATE", "LEFT")
    lines = table(headers, [_status_row(one) for one in found.models], right=headers[3:])
    return Output(found, lines, notes=notes, problems=problems)


def _status_row(one: ModelStatus) -> tuple[str, ...]:
    rate = f"{one.rate:,.0f}/s" if one.rate else "-"
    left = "-" if one.seconds_left is None or not one.pending else duration(one.seconds_left)
    counts = (f"{count:,}" for count in (one.embedded, one.pending, one.failed))
    return (one_line(one.name), one.role, one.state, *counts, rate, left)


@embeddings.writes("wait", anywhere=True)
def wait(db: Workspace) -> Output:
    """Make the vectors that are pending, and wait for the end.

    If another program is making them already, it goes on and this one waits for it. Ctrl-C
    stops; what was made stays. The exit code is 1 if some texts could not be embedded.

        strata put cache "Prices are cached for sixty seconds"
        strata embeddings wait
        strata search how long is a price kept --mode semantic
    """
    return _finish(db)


@embeddings.writes("rebuild", anywhere=True)
def rebuild(db: Workspace, *, wait: Wait = False) -> Output:
    """Make all vectors anew, with the models in use.

    The ones there are answer until the new ones are complete.

        strata put cache "Prices are cached for sixty seconds"
        strata embeddings wait
        strata embeddings rebuild --wait
    """
    if not live_models(db.embeddings.status()):
        raise strata.NotFound(
            "There is nothing to rebuild.", hint="`strata embeddings wait` makes the first."
        )
    db.embeddings.rebuild()
    return _go_on(db, "the vectors are to be made anew", wait=wait)


@embeddings.writes("use", anywhere=True)
def use(
    db: Workspace,
    model: Annotated[str, "A name from `strata models list`."],
    *,
    wait: Wait = False,
) -> Output:
    """Let another model make the vectors.

    MODEL may also be endpoint:URL#NAME, a model behind an OpenAI-compatible server such as
    Ollama; put its key into the variable STRATA_API_KEY. It makes all vectors anew; until it
    has, the ones of the model before it answer. The store remembers the choice.

        strata put cache "Prices are cached for sixty seconds"
        strata embeddings use minilm --wait
    """
    db.embeddings.use(model)
    return _go_on(db, f"{one_line(model)} is to make the vectors", wait=wait)


@embeddings.writes("retry", anywhere=True)
def retry(db: Workspace, *, wait: Wait = False) -> Output:
    """Try again what could not be embedded.

    A text fails when its model refuses it, or an endpoint does.

        strata put cache "Prices are cached for sixty seconds"
        strata embeddings retry
    """
    count = db.embeddings.retry()
    if not count:
        return Output({"again": 0}, "nothing has failed")
    return _go_on(db, f"{plural(count, 'text')} to be tried again", wait=wait)


def _go_on(db: Workspace, done: str, *, wait: bool) -> Output:
    """Wait for the end, or say who goes on."""
    return _finish(db) if wait else Output(db.embeddings.status(), done, notes=[_LATER])


def _finish(db: Workspace) -> Output:
    with progress("embed") as report:
        total = 0
        for found in _watch(db):
            total = max(total, found.pending)
            if report is not None:
                report("vectors", total - found.pending, total)
    made = db.embeddings.status()
    live = live_models(made)
    names = ", ".join(dict.fromkeys(one_line(one.name) for one in live))
    count = plural(sum(one.embedded for one in live), "vector")
    failed = sum(one.failed for one in live)
    again = f"{plural(failed, 'text')} could not be embedded: `strata embeddings retry`"
    return Output(
        made,
        f"{count} by {names}, none pending" if live else "there is nothing to embed",
        notes=[again] if failed else [],
        code=1 if failed else 0,
    )


def _watch(db: Workspace) -> Iterator[Status]:
    """Yield how far it is until nothing is left; raise when a model is missing for the rest."""
    least, since = None, time.monotonic()
    while True:
        is_made = db.embeddings.wait(_LOOK_S)
        found = db.embeddings.status()
        yield found
        # A model that has caught up may still have to take over.
        if is_made and all(one.state != "building" for one in found.models):
            return
        now = time.monotonic()
        if least is None or found.pending < least:
            least, since = found.pending, now
        elif now - since > _STANDSTILL_S:
            _explain_standstill(found)
            if is_made:
                return


def _explain_standstill(found: Status) -> None:
    for name, reason in unusable(found).items():
        raise strata.Unavailable(
            f"{plural(found.pending, 'vector')} cannot be made by {name}: {reason}",
            hint="`strata models local` looks at the files; search by words works meanwhile.",
            model=name,
        )


_STATES = {"not loaded": "installed", "absent": "not installed"}
_LANGUAGES_SHOWN = 4

models = group(
    "models",
    """List the models that search uses, and download others that embed text.

    Alone it lists them. Three come with the installation: two that embed text, and `judge`,
    which reads a question and a text together. Nothing is downloaded unless you say
    `strata models pull`.

        strata models
        strata models local
    """,
    alone="list",
)


@models.command_of("list")
def list_known(_session: Invocation) -> Output:
    """List the models there are.

    A library offers any model that it knows: LIBRARY:MODEL.

        strata models list
        strata models list --json
    """
    found = list_models()
    lines = table(("MODEL", "STATE", "SIZE", "LANGUAGES"), [_model_row(one) for one in found])
    notes = [f"for {one_line(one.name)}: {one_line(one.reason)}" for one in found if one.reason]
    return Output({"models": found}, lines, notes=notes)


def _model_row(one: ModelInfo) -> tuple[str, ...]:
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
            "as shipped" if one.ok else one.problem or "",
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
