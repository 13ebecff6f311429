"""Conversations of other programs: taking them in, listing, reading and forgetting them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import click
import msgspec

import strata
from strata.base.checkout import worktree_folders
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, group, more_notes
from strata.cli.output import confirm, local_time, size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line, table
from strata.cli.words import Limit, Yes
from strata.clients import ClientHost, Transcripts, this_host, transcripts_of
from strata.conversations import CLIENTS, Conversation, ConversationTurn, ImportedFile
from strata.workspace import Workspace, former_folders

_SHOWN_NOTES = 10
_STATES = {
    "new": "new",
    "grown": "went on",
    "unchanged": "unchanged",
    "forgotten": "forgotten here before, left alone (--again takes it in)",
}

conversations = group(
    "conversations",
    """Take in and read what was said to models in other programs.

    Files of Claude Code, Codex, Gemini CLI and opencode, and exports of ChatGPT and claude.ai. Each
    conversation is a stream of turns with their own times. Secrets are masked, no model is asked,
    and nothing leaves this machine. Alone it lists them.

        strata init
        strata conversations
    """,
    takes="branch at",
    alone="list",
)

ClientName = Annotated[
    str | None, "Only those of this client.", Spelling(type=click.Choice(list(CLIENTS)))
]
Since = Annotated[str | None, "Only those that went on since then.", Spelling("TIME")]
ConversationName = Annotated[str, "Its id, or the beginning of it.", Spelling("CONVERSATION")]


@conversations.command_of("import", takes="branch actor allow-secrets")
def import_conversations(
    session: Invocation,
    paths: Annotated[
        tuple[Path, ...],
        "Files or folders; without one, those that clients keep about this project.",
        Spelling("[PATH]...", type=click.Path(exists=True, path_type=Path)),
    ] = (),
    *,
    client: ClientName = None,
    since: Since = None,
    again: Annotated[bool, "Take in what was forgotten here, too."] = False,
    preview: Annotated[bool, "Show which files would be read, and read none."] = False,
    yes: Yes = False,
) -> Output:
    """Take in conversations of other programs.

    What was taken in before is not taken in again, so that the same command goes on where the last
    one stopped. Without a PATH it looks where clients keep the conversations of this project, shows
    the files and asks before it reads them.

        echo '{"type":"user","sessionId":"7f2a","message":{"content":"배포 포트는?"}}' > a.jsonl
        strata conversations import a.jsonl
        strata search 배포 포트 --kind turn
        strata conversations import --preview
    """
    if paths:
        found = [Transcripts("", tuple(paths), sum(map(_size_of, paths)))]
        folders: Sequence[str] | None = None
    else:
        host = this_host()
        places = _places(session, host)
        found = [one for one in transcripts_of(host, places) if client in (None, one.client)]
        folders = [str(place) for place in places]
        if not found:
            return Output({"files": []}, empty=_nowhere(host))
    if preview:
        return Output({"files": found}, list(_listed(found)), notes=["nothing was read"])
    if not paths:
        for line in _listed(found):
            click.echo(line, err=True)
        confirm("Read these files and keep what was said in the store?", yes=yes)
    every = [path for one in found for path in one.paths]

    def work(db: Workspace) -> list[ImportedFile]:
        with progress("import") as report:
            return db.conversations.import_files(
                every, client=client, since=since, folders=folders, again=again, progress=report
            )

    done = session.creating(work)
    return Output({"files": done}, list(_summary(done)), notes=list(_notes(done)))


def _places(session: Invocation, host: ClientHost) -> list[Path]:
    """Return the folders of the project: here, its other worktrees, and where it was before."""
    if host.project is None:
        return []
    here = Path(host.project)
    place = session.location.place
    before = former_folders(place) if isinstance(place, Path) else []
    return list(dict.fromkeys((here, *worktree_folders(here), *before)))


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _nowhere(host: ClientHost) -> str:
    if host.project is None:
        return "there is no project here; name the files to read"
    return f"no client keeps conversations about {one_line(str(host.project))}"


def _listed(found: Sequence[Transcripts]) -> Iterator[str]:
    for one in found:
        name = CLIENTS.get(one.client, "")
        amount = f"{plural(len(one.paths), 'file')}, {size(one.size_bytes)}"
        yield f"{name}: {amount}" if name else amount
        for path in one.paths:
            yield f"  {one_line(str(path))}"


def _summary(done: Sequence[ImportedFile]) -> Iterator[str]:
    every = [one for file in done for one in file.conversations]
    turns = sum(one.turns for one in every)
    yield f"{plural(turns, 'new turn')} in {plural(len(every), 'conversation')}"
    for state, words in _STATES.items():
        count = sum(one.state == state for one in every)
        if count:
            yield f"  {count:,} {words}"
    masked = sum(one.masked for one in every)
    if masked:
        yield f"  {plural(masked, 'secret')} masked"


def _notes(done: Sequence[ImportedFile]) -> Iterator[str]:
    notes = [f"{one_line(file.path)}: {note}" for file in done for note in file.notes]
    yield from notes[:_SHOWN_NOTES]
    if len(notes) > _SHOWN_NOTES:
        yield f"and {len(notes) - _SHOWN_NOTES:,} more; --json lists them"


@conversations.reads("list")
def list_conversations(
    db: Workspace,
    *,
    client: ClientName = None,
    since: Since = None,
    after: Annotated[str | None, "Begin behind this one.", Spelling("ID")] = None,
    limit: Limit = 50,
) -> Output:
    """List conversations, the one that went on last first.

    `strata conversations show` shows what was said in one of them.

        strata init
        strata conversations list
        strata conversations list --client codex --since 2026-01-01
    """
    found = db.conversations.list(client=client, since=since, after=after, limit=limit)
    rows = [
        (one_line(one.id), local_time(one.timestamp), one.turns, one_line(one.title))
        for one in found
    ]
    return Output(
        {"conversations": found, "more": found.more},
        table(("CONVERSATION", "LAST TURN", "TURNS", "TITLE"), rows, right=["TURNS"]),
        empty="no conversations here; `strata conversations import` takes some in",
        notes=more_notes(found, "--after"),
    )


@conversations.reads("show")
def show(
    db: Workspace,
    name: ConversationName,
    *,
    after: Annotated[int, "Begin behind this turn.", msgspec.Meta(ge=0)] = 0,
    limit: Limit = 100,
) -> Output:
    """Show what was said in a conversation, turn by turn.

    CONVERSATION#12 shows one turn, CONVERSATION#12-15 several: so facts and decisions cite them.

        echo '{"type":"user","sessionId":"7f2a","message":{"content":"배포 포트는?"}}' > a.jsonl
        strata conversations import a.jsonl
        strata conversations show 7f2a
        strata conversations show claude-code/7f2a#1
    """
    id_, hash_, span = name.partition("#")
    found = db.conversations.called(id_)
    if not hash_:
        turns = db.conversations.turns(found.id, after=after, limit=limit)
        return Output(
            {"conversation": found, "turns": turns, "more": turns.more},
            [*_head(found), *_turn_lines(turns)],
            notes=more_notes(turns, "--after"),
        )
    cited = db.conversations.cited(f"{found.id}#{span}")
    if not cited:
        raise strata.NotFound(
            f"There is no turn {span!r} in {found.id}.", hint=f"It has {found.turns:,} turns."
        )
    return Output({"conversation": found, "turns": cited, "more": False}, list(_turn_lines(cited)))


def _head(found: Conversation) -> Iterator[str]:
    yield click.style(one_line(found.title), bold=True)
    where = f" in {one_line(found.folder)}" if found.folder else ""
    name = CLIENTS.get(found.client, found.client)
    yield f"{one_line(found.id)}  {name}{where}, {plural(found.turns, 'turn')}"


def _turn_lines(turns: Sequence[ConversationTurn]) -> Iterator[str]:
    for turn in turns:
        yield ""
        head = f"#{turn.number} {one_line(turn.speaker)}"
        when = click.style(local_time(turn.timestamp), dim=True)
        yield f"{click.style(head, bold=True)}  {when}"
        yield from (click.style(f"  · {one_line(tool)}", dim=True) for tool in turn.tools)
        yield from (f"  {one_line(line)}" for line in turn.text.splitlines())


@conversations.command_of("forget", takes="branch actor")
def forget(
    session: Invocation,
    names: Annotated[
        tuple[str, ...], "Their ids, or the beginnings of them.", Spelling("CONVERSATION...")
    ],
    *,
    preview: Annotated[bool, "Show what would be forgotten, forget nothing."] = False,
    yes: Yes = False,
) -> Output:
    """Remove conversations from now on.

    History keeps them, and imports and hooks pass over them. `strata purge` erases single turns
    for good.

        echo '{"type":"user","sessionId":"7f2a","message":{"content":"배포 포트는?"}}' > a.jsonl
        strata conversations import a.jsonl
        strata conversations forget 7f2a --preview
        strata conversations forget 7f2a --yes
    """
    with session.writing() as db:
        found = [db.conversations.called(name) for name in names]
        lines = [f"{one_line(one.id)}  {plural(one.turns, 'turn')}  {one.title}" for one in found]
        if preview:
            return Output({"conversations": found}, lines, notes=["nothing was forgotten"])
        turns = sum(one.turns for one in found)
        what = f"{plural(len(found), 'conversation')} with {plural(turns, 'turn')}"
        confirm(f"Forget {what}?", yes=yes)
        for one in found:
            db.conversations.forget(one.id)
    return Output({"conversations": found}, [f"forgot {line}" for line in lines])
