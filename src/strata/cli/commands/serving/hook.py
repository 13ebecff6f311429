"""Commands that a client calls by itself, before the model reads a prompt."""

import gc
from time import monotonic

import click

import strata
from strata.cli.decorated import command, group
from strata.cli.output import answer, print_json
from strata.cli.session import Invocation, say
from strata.cli.show.text import one_line
from strata.hooks import PromptEvent, answer_hook, digest_lines, hear, read_input, reply_to


@group(
    "hook",
    examples="""
    strata hook
    """,
)
def hook(_session: Invocation) -> None:
    """Answer the hooks of clients.

    `strata setup CLIENT` writes these into a client's configuration, where it has hooks; the
    client calls them by itself. They never stop or delay a prompt: an error is a line on stderr
    and an exit code of 0, and nothing takes longer than a second.
    """
    click.echo(click.get_current_context().get_help())


@command(
    "prompt",
    group=hook,
    # What a newer configuration adds must not fail: some clients throw a prompt away at code 2.
    context_settings={"ignore_unknown_options": True},
    examples="""
    strata put cache/prices "Prices are cached for sixty seconds"
    strata hook prompt --show are the prices cached
    strata hook prompt --show 어제 하던 작업 이어서 하자
    echo '{"prompt": "are the prices cached?", "session_id": "3f2a"}' | strata hook prompt
    """,
)
@click.argument("words", metavar="[PROMPT]...", nargs=-1, type=click.UNPROCESSED,
                help="With --show: the prompt to try, instead of stdin.")  # fmt: skip
@click.option("--show", is_flag=True, help="Show people what it would do, and leave nothing.")
def prompt(session: Invocation, *, words: tuple[str, ...], show: bool) -> None:
    """Tell a client what the store knows about a prompt (UserPromptSubmit).

    Reads the client's JSON from stdin and prints what it adds to the prompt: a few lines that
    were found by words, or nothing. Where the prompt is clearly about resuming, deciding,
    searching or tracking, servers of this store learn that for a minute, and nothing else about
    it. No store is ever made.
    """
    if show:
        _show(session, PromptEvent(" ".join(words)) if words else hear(read_input()))
        return
    answer_hook(session.db)
    # Nothing is worth collecting any more, and at the end of a process that takes long.
    gc.freeze()


def _show(session: Invocation, heard: PromptEvent | None) -> None:
    if heard is None:
        say("no prompt came in")
        return
    started = monotonic()
    reply = reply_to(heard, session.db)
    took = (monotonic() - started) * 1000
    scores = ", ".join(f"{name} {score:.2f}" for name, score in reply.scores.items())
    answer(session, reply, [f"context: {reply.context} ({scores})", *reply.lines])
    if not session.json:
        say(f"{took:.0f} ms, {one_line(reply.store) if reply.store else 'no store here'}")


@command(
    "session",
    group=hook,
    context_settings={"ignore_unknown_options": True},
    examples="""
    strata decisions checkpoint "검색을 마쳤다" --next "Write the tests"
    strata hook session --show
    """,
)
@click.option("--show", is_flag=True, help="Show people what it would add.")
def begin(session: Invocation, *, show: bool) -> None:
    """Tell a client where work stopped (SessionStart).

    Prints the newest checkpoint of the branch and what changed since, as the client's JSON; or
    nothing, if there is none. No store is ever made.
    """
    try:
        lines = _stopped(session)
    except (strata.StrataError, OSError) as error:
        # A session begins whatever the store says.
        lines = []
        if not isinstance(error, strata.StoreNotFound):
            say(f"hook: {one_line(str(error))}")
    if show:
        answer(session, {"lines": lines}, lines, empty="there is no checkpoint here")
    elif lines:
        added = {"hookEventName": "SessionStart", "additionalContext": "\n".join(lines)}
        print_json({"hookSpecificOutput": added})


def _stopped(session: Invocation) -> list[str]:
    """Return where work stopped, in as few lines as a prompt may take."""
    session.warns = False
    with session.reading() as db:
        if not db.trust.is_given:
            say(f"hook: {db.trust.warning}")
            return []
        return digest_lines(db.decisions)
