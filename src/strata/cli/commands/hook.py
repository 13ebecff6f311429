"""Commands that a client calls by itself, before a prompt and after a turn."""

from time import monotonic
from typing import Annotated

import click

import strata
from strata.cli.command import Output, Spelling, group
from strata.cli.commands.setup import offer_lines, offers_of
from strata.cli.output import print_json
from strata.cli.session import Invocation, say
from strata.cli.show.text import one_line
from strata.hooks import (
    PromptEvent,
    answer_hook,
    digest_lines,
    hear,
    keep_turn,
    read_input,
    reply_to,
)

hook = group(
    "hook",
    """Answer the hooks of clients.

    `strata setup CLIENT` writes these into a client's configuration, where it has hooks; the
    client calls them by itself. They never stop or delay a prompt: an error is a line on stderr
    and an exit code of 0, and nothing takes longer than a second.

        strata hook
    """,
)


@hook.command_of("prompt")
def prompt(
    session: Invocation,
    words: Annotated[
        tuple[str, ...],
        "With --show: the prompt to try, instead of stdin.",
        Spelling("[PROMPT]...", type=click.UNPROCESSED),
    ] = (),
    *,
    show: Annotated[bool, "Show what it would do, and write nothing."] = False,
) -> Output | None:
    """Tell a client what the store knows about a prompt (UserPromptSubmit).

    Reads the client's JSON from stdin and prints what it adds to the prompt: a few lines that
    were found by words, or nothing. Where the prompt is clearly about resuming, deciding,
    searching or tracking, servers of this store learn that for a minute, and nothing else about
    it. No store is ever made.

        strata put cache/prices "Prices are cached for sixty seconds"
        strata hook prompt --show are the prices cached
        strata hook prompt --show 어제 하던 작업 이어서 하자
        echo '{"prompt": "are the prices cached?", "session_id": "3f2a"}' | strata hook prompt
    """
    if show:
        return _lines_of(session, PromptEvent(" ".join(words)) if words else hear(read_input()))
    answer_hook(session.db)
    return None


def _lines_of(session: Invocation, heard: PromptEvent | None) -> Output | None:
    if heard is None:
        say("no prompt came in")
        return None
    started = monotonic()
    reply = reply_to(heard, session.db)
    took = (monotonic() - started) * 1000
    scores = ", ".join(f"{name} {score:.2f}" for name, score in reply.scores.items())
    where = one_line(reply.store) if reply.store else "no store here"
    lines = [f"context: {reply.context} ({scores})", *reply.lines]
    return Output(reply, lines, notes=[f"{took:.0f} ms, {where}"])


@hook.command_of("session")
def begin(
    session: Invocation, *, show: Annotated[bool, "Show what it would add."] = False
) -> Output | None:
    """Tell a client where work stopped (SessionStart).

    Prints the newest checkpoint of the branch and what changed since, as the client's JSON; or
    nothing, if there is none. No store is ever made.

        strata decisions checkpoint "검색을 마쳤다" --next "Write the tests"
        strata hook session --show
    """
    try:
        lines = _stopped(session)
    except (strata.StrataError, OSError) as error:
        # A session begins whatever the store says.
        lines = []
        if not isinstance(error, strata.StoreNotFound):
            say(f"hook: {one_line(str(error))}")
    if show:
        return Output({"lines": lines}, lines, empty="there is no checkpoint here")
    if lines:
        added = {"hookEventName": "SessionStart", "additionalContext": "\n".join(lines)}
        print_json({"hookSpecificOutput": added})
    return None


def _stopped(session: Invocation) -> list[str]:
    """Return where work stopped, in as few lines as a prompt may take."""
    session.warns = False
    with session.reading() as db:
        if not db.trust.is_given:
            say(f"hook: {db.trust.warning}")
            return []
        return [*digest_lines(db.decisions), *_to_merge(db)]


def _to_merge(db: strata.Workspace) -> list[str]:
    """Return what git has merged and Strata has not, for an agent to offer to its user."""
    lines = list(offer_lines([one for one in offers_of(db) if one.commits]))
    return [f"- to merge, if the user agrees: {line}" for line in lines]


@hook.command_of("turn")
def end(session: Invocation) -> None:
    """Keep what was said in a turn (Stop, PreCompact, SessionEnd).

    Reads the client's JSON from stdin, and appends what is new in the transcript that it names to
    the project's store: without a model, and only what is new since the last time. Secrets are
    masked. It prints nothing. No store is ever made.

        echo '{"hook_event_name": "Stop"}' > stop.json
        strata hook turn < stop.json
    """
    keep_turn(session.db)


for _command in (prompt, begin, end):
    # What a newer configuration adds must not fail: some clients throw a prompt away at code 2.
    _command.ignore_unknown_options = True
