"""The vectors behind search by meaning: how far they are, making them, another model."""

import time
from collections.abc import Iterator
from typing import Annotated

import strata
from strata.cli.command import Output, group
from strata.cli.meaning import live_models, unusable
from strata.cli.output import plural
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
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
    lines = table(headers, [_row(one) for one in found.models], right=headers[3:])
    return Output(found, lines, notes=notes, problems=problems)


def _row(one: ModelStatus) -> tuple[str, ...]:
    rate = f"{one.rate:,.0f}/s" if one.rate else "-"
    left = "-" if one.seconds_left is None or not one.pending else _duration(one.seconds_left)
    counts = (f"{count:,}" for count in (one.embedded, one.pending, one.failed))
    return (one_line(one.name), one.role, one.state, *counts, rate, left)


def _duration(seconds: float) -> str:
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


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
