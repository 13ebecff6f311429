"""The vectors behind search by meaning: how far they are, making them, another model."""

import time
from collections.abc import Iterator

import click

import strata
from strata.cli.decorated import command, group
from strata.cli.meaning import live_models, unusable
from strata.cli.output import answer, plural
from strata.cli.session import Invocation, say
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.search import ModelStatus, Status

_WAIT = click.option("--wait", is_flag=True, help="Make the vectors now, and wait for the end.")
# How often the bar gets new figures, and how long a standstill lasts before it is looked into.
_LOOK_S = 0.2
_STANDSTILL_S = 2.0
_LATER = (
    "programs that have the store open make them, and the old ones answer until then; "
    "`strata embeddings wait` makes them now"
)


@group(
    "embeddings",
    examples="""
    strata put cache "Prices are cached for sixty seconds"
    strata embeddings
    strata embeddings wait
    """,
)
def embeddings(session: Invocation) -> None:
    """Look after the vectors behind search by meaning.

    Alone it shows how far they are. Programs that keep the store open make them in the
    background; commands do not, because they end too soon.
    """
    _show(session)


@command(
    "status",
    group=embeddings,
    examples="""
    strata put cache "Prices are cached for sixty seconds"
    strata embeddings status
    """,
)
def status(session: Invocation) -> None:
    """Show how far the vectors are, model by model.

    A building model takes over from the active one when it has caught up. Pending texts are
    found by their words until then; failed ones can be tried again.
    """
    _show(session)


def _show(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = db.embeddings.status()
        problems = unusable(found)
        answer(session, found, _table(found), problems=problems)
        if session.json:
            return
        if found.pending and not live_models(found):
            say(f"{plural(found.pending, 'vector')} to be made: `strata embeddings wait`")
        elif not found.models:
            say("nothing here can be embedded yet")
        for name, reason in problems.items():
            say(f"{one_line(name)} cannot be used: {one_line(reason)}")


def _table(found: Status) -> list[str]:
    headers = ("MODEL", "ROLE", "STATE", "EMBEDDED", "PENDING", "FAILED", "RATE", "LEFT")
    return table(headers, [_row(one) for one in found.models], right=headers[3:])


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


@command(
    "wait",
    group=embeddings,
    examples="""
    strata put cache "Prices are cached for sixty seconds"
    strata embeddings wait
    strata search how long is a price kept --mode semantic
    """,
)
def wait(session: Invocation) -> int | None:
    """Make the vectors that are pending, and wait for the end.

    If another program is making them already, it goes on and this one waits for it. Ctrl-C
    stops; what was made stays. The exit code is 1 if some texts could not be embedded.
    """
    with session.writing(anywhere=True) as db:
        return _finish(session, db)


@command(
    "rebuild",
    group=embeddings,
    examples="""
    strata put cache "Prices are cached for sixty seconds"
    strata embeddings wait
    strata embeddings rebuild --wait
    """,
)
@_WAIT
def rebuild(session: Invocation, *, wait: bool) -> int | None:
    """Make all vectors anew, with the models in use.

    The ones there are answer until the new ones are complete.
    """
    with session.writing(anywhere=True) as db:
        if not live_models(db.embeddings.status()):
            raise strata.NotFound(
                "There is nothing to rebuild.", hint="`strata embeddings wait` makes the first."
            )
        db.embeddings.rebuild()
        return _go_on(session, db, "the vectors are to be made anew", wait=wait)


@command(
    "use",
    group=embeddings,
    examples="""
    strata put cache "Prices are cached for sixty seconds"
    strata embeddings use minilm --wait
    """,
)
@click.argument("model", help="A name from `strata models list`.")
@_WAIT
def use(session: Invocation, *, model: str, wait: bool) -> int | None:
    """Let another model make the vectors.

    MODEL may also be endpoint:URL#NAME, a model behind an OpenAI-compatible server such as
    Ollama; its key stands in the variable STRATA_API_KEY. It makes all vectors anew; until it
    has, the ones of the model before it answer. The store remembers the choice.
    """
    with session.writing(anywhere=True) as db:
        db.embeddings.use(model)
        return _go_on(session, db, f"{one_line(model)} is to make the vectors", wait=wait)


@command(
    "retry",
    group=embeddings,
    examples="""
    strata put cache "Prices are cached for sixty seconds"
    strata embeddings retry
    """,
)
@_WAIT
def retry(session: Invocation, *, wait: bool) -> int | None:
    """Try again what could not be embedded.

    A text fails when its model refuses it, or an endpoint does.
    """
    with session.writing(anywhere=True) as db:
        count = db.embeddings.retry()
        if not count:
            answer(session, {"again": 0}, ["nothing has failed"])
            return None
        return _go_on(session, db, f"{plural(count, 'text')} to be tried again", wait=wait)


def _go_on(session: Invocation, db: strata.Workspace, done: str, *, wait: bool) -> int | None:
    """Wait for the end, or say who goes on."""
    if wait:
        return _finish(session, db)
    answer(session, db.embeddings.status(), [done])
    if not session.json:
        say(_LATER)
    return None


def _finish(session: Invocation, db: strata.Workspace) -> int | None:
    with progress("embed") as report:
        total = 0
        for found in _watch(db):
            total = max(total, found.pending)
            if report is not None:
                report("vectors", total - found.pending, total)
    made = db.embeddings.status()
    failed = sum(one.failed for one in live_models(made))
    answer(session, made, [_told(made)])
    if failed and not session.json:
        say(f"{plural(failed, 'text')} could not be embedded: `strata embeddings retry`")
    return 1 if failed else None


def _watch(db: strata.Workspace) -> Iterator[Status]:
    """Yield how far it is until nothing is left; raise when a model is missing for the rest."""
    least, since = None, time.monotonic()
    while True:
        is_made = db.embeddings.wait(_LOOK_S)
        found = db.embeddings.status()
        yield found
        if is_made and not _is_switching(found):
            return
        now = time.monotonic()
        if least is None or found.pending < least:
            least, since = found.pending, now
        elif now - since > _STANDSTILL_S:
            _explain_standstill(found)
            if is_made:
                return


def _is_switching(found: Status) -> bool:
    """Whether a model that has caught up is still to take over."""
    return any(one.state == "building" for one in found.models)


def _explain_standstill(found: Status) -> None:
    for name, reason in unusable(found).items():
        raise strata.Unavailable(
            f"{plural(found.pending, 'vector')} cannot be made by {name}: {reason}",
            hint="`strata models local` looks at the files; search by words works meanwhile.",
            model=name,
        )


def _told(found: Status) -> str:
    live = live_models(found)
    if not live:
        return "there is nothing to embed"
    names = ", ".join(dict.fromkeys(one_line(one.name) for one in live))
    return f"{plural(sum(one.embedded for one in live), 'vector')} by {names}, none pending"
