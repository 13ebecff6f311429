"""Remotes: the same memory on several machines."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import click
import msgspec

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, group, writes
from strata.cli.output import size
from strata.cli.session import Invocation, say
from strata.cli.show.changes import change_lines, conflict_lines, filed_lines
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line, table
from strata.store import Strategy
from strata.workspace import Workspace, clone_target

RemoteName = Annotated[
    str | None, "The remote; else origin, or the only one.", Spelling("[REMOTE]")
]
Address = Annotated[
    str,
    "A URL of `strata serve`, a folder, s3://BUCKET/PREFIX, git:origin or git:URL.",
    Spelling("ADDRESS"),
]
Token = Annotated[
    str | None,
    "For a server; kept in a file of yours, not in the store. STRATA_REMOTE_TOKEN wins over it.",
]
Endpoint = Annotated[str | None, "Where a bucket answers, if it is not Amazon's.", Spelling("URL")]
Region = Annotated[str | None, "The region of a bucket; AWS_REGION when unset."]
Only = Annotated[
    tuple[str, ...],
    "Only this branch; may be repeated. Otherwise all of them.",
    Spelling("BRANCH", "--only"),
]
PullStrategy = Annotated[
    Strategy,
    "Who wins where both sides changed a place: source_wins is the remote, target_wins this store.",
]

remote = group(
    "remote",
    """Name the places that hold the same memory.

    A remote is another `strata serve`, a folder (on a USB stick, or one that a program
    synchronises), a bucket of S3-compatible storage, or a git remote: then the memory lies in
    refs/strata/ beside the code, and no server is needed.

        strata put greeting 안녕
        mkdir stick
        strata remote add origin stick
        strata remote list
    """,
)


@remote.writes("add", anywhere=True)
def add(
    db: Workspace,
    name: Annotated[str, "How it is called here, such as origin."],
    address: Address,
    *,
    token: Token = None,
    endpoint: Endpoint = None,
    region: Region = None,
) -> Output:
    """Let the store know a remote.

    Nothing is sent yet. One of that name is replaced.

        strata put greeting 안녕
        strata remote add origin https://memory.example.com --token TOKEN
        strata remote add stick ./stick
        strata remote add bucket s3://team/memory --region eu-north-1
        strata remote add code git:origin
    """
    found = db.remotes.add(name, address, token=token, endpoint=endpoint, region=region)
    return Output(
        found,
        f"added {found.kind} {one_line(found.name)}: {one_line(found.address)}",
        notes=_cautions(found),
    )


def _cautions(found: strata.RemoteInfo) -> Iterator[str]:
    """Yield what the user should know of a place before something is sent there."""
    if found.kind == "folder" and not Path(found.address).is_dir():
        yield "there is no such folder now; it has to be there for a push"
    is_near = urlsplit(found.address).hostname in ("localhost", "127.0.0.1", "::1")
    if found.address.startswith("http://") and not is_near:
        yield "over http:// others on the way can read the memory and the token; use https://"


@remote.reads("list", anywhere=True)
def list_remotes(db: Workspace) -> Output:
    """List the remotes of the store.

    With each of them what it is, and when you last pulled from it and pushed to it.

        strata put greeting 안녕
        strata remote add stick ./stick
        strata remote list
    """
    found = db.remotes.list()
    rows = [
        (one.name, one.kind, one.address, _when(one.pulled), _when(one.pushed)) for one in found
    ]
    lines = table(("NAME", "KIND", "ADDRESS", "PULLED", "PUSHED"), rows)
    shown = lines if rows else ["no remotes; `strata remote add` adds one"]
    return Output({"remotes": found}, shown)


def _when(microseconds: int | None) -> str:
    if microseconds is None:
        return "-"
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(microseconds / 1_000_000))


@remote.writes("remove", anywhere=True)
def remove(db: Workspace, name: Annotated[str, "The remote."]) -> Output:
    """Forget a remote.

    What came from it stays in the store, and what was sent stays there. The token for its server
    is forgotten, unless another remote of yours has the same address.

        strata put greeting 안녕
        strata remote add stick ./stick
        strata remote remove stick
    """
    found = db.remotes.remove(name)
    return Output(found, f"removed {one_line(found.name)}")


@writes("push", takes="allow-secrets actor", anywhere=True)
def push(
    db: Workspace,
    name: RemoteName = None,
    *,
    only: Only = (),
    full: Annotated[bool, "Write everything anew, in a folder, bucket or git remote."] = False,
) -> Output:
    """Send what a remote lacks.

    Commits keep their hashes. A server moves its branches forward or merges; it refuses when it
    has commits that are not here: then `strata pull` first. What was purged here is purged there.

        strata put greeting 안녕
        mkdir stick && strata remote add origin stick
        strata push
    """
    with progress("push") as report:
        done = db.remotes.push(name, branches=only, full=full, progress=report)
    return Output(done, list(_push_lines(done)))


def _push_lines(done: strata.Push) -> Iterator[str]:
    where = one_line(done.remote)
    if not (done.commits or done.erased):
        yield f"{where} has everything"
        return
    branches = ", ".join(map(one_line, done.branches)) or "no branch moved"
    yield f"sent {plural(done.commits, 'commit')} to {where}, {size(done.size_bytes)}: {branches}"
    if done.merged:
        yield f"  merged there: {', '.join(map(one_line, done.merged))}"
    if done.erased:
        yield f"  {plural(done.erased, 'purged value')} removed there"


@writes("pull", takes="allow-secrets actor", anywhere=True)
def pull(
    db: Workspace,
    name: RemoteName = None,
    *,
    only: Only = (),
    strategy: PullStrategy = "strict",
    preview: Annotated[bool, "Only show what it would do."] = False,
    keep_purged: Annotated[bool, "Keep here what was purged there."] = False,
) -> Output:
    """Take in what a remote has, and merge it.

    A branch that ends where the remote goes on is moved forward. Where both sides wrote, they are
    merged over the last state that both had; deletions arrive. On a conflict nothing of your
    branch is changed and the exit code is 1: `strata merge REMOTE/BRANCH --preview` shows it, and
    --choose decides it, or pull with a --strategy. Secrets are refused on arrival, unless
    --allow-secrets says otherwise.

        strata put greeting 안녕
        mkdir stick && strata remote add origin stick
        strata push
        strata pull --preview
        strata pull
    """
    with progress("pull") as report:
        done = db.remotes.pull(
            name,
            branches=only,
            strategy=strategy,
            preview=preview,
            erases=not keep_purged,
            progress=report,
        )
    open_ = any(one.merge is not None and one.merge.undecided for one in done.branches)
    return Output(done, list(_pull_lines(done)), code=1 if preview and open_ else 0)


def _pull_lines(done: strata.Pull) -> Iterator[str]:
    moved = [one for one in done.branches if one.outcome != "unchanged"]
    if not (done.commits or moved or done.tags or done.erased):
        yield f"{one_line(done.remote)} has nothing new"
        return
    if not done.preview:
        yield f"took in {plural(done.commits, 'commit')} from {one_line(done.remote)}"
    for one in moved:
        yield from _branch_lines(one, preview=done.preview)
    if done.tags:
        yield f"  tags: {', '.join(map(one_line, done.tags))}"
    if done.erased:
        yield f"  {plural(done.erased, 'version')} purged, as in the remote"
    yield from (f"  {one_line(note)}" for note in done.notes)


def _branch_lines(one: strata.PulledBranch, *, preview: bool) -> Iterator[str]:
    name = one_line(one.name)
    if one.merge is None:
        words = {"created": "new branch", "forwarded": "moved forward"}
        yield f"  {name}: {words.get(one.outcome, one.outcome)}"
        return
    merge = one.merge
    conflicts = f" and {plural(len(merge.conflicts), 'conflict')}" if merge.conflicts else ""
    would = "would merge" if preview else "merged"
    yield f"  {name}: {would} {plural(merge.applied, 'change')}{conflicts}"
    if preview:
        yield from change_lines(merge.changes)
        yield from conflict_lines(merge.conflicts)
        yield from filed_lines(merge.filed)


@command("sync", takes="allow-secrets actor")
def sync(
    session: Invocation,
    name: RemoteName = None,
    *,
    only: Only = (),
    strategy: PullStrategy = "strict",
    watch: Annotated[bool, "Go on until Ctrl-C, as soon as something changes."] = False,
    every: Annotated[
        int, "Seconds between two looks at the remote, with --watch.", msgspec.Meta(ge=1, le=86_400)
    ] = 30,
) -> Output:
    """Pull, then push.

    With --watch it goes on: own writes are sent within a second or two, and the remote is looked
    at every 30 seconds. A remote that does not answer is tried again.

        strata put greeting 안녕
        mkdir stick && strata remote add origin stick
        strata sync
    """
    with session.writing(anywhere=True) as db:
        if watch:
            return _watch(db, name, only=only, strategy=strategy, every=every)
        with progress("sync") as report:
            done = db.remotes.sync(name, branches=only, strategy=strategy, progress=report)
    return Output(done, [*_pull_lines(done.pull), *_push_lines(done.push)])


def _watch(
    db: Workspace, name: str | None, *, only: tuple[str, ...], strategy: Strategy, every: int
) -> Output:
    """Sync again and again; tell of what moved, and of what failed once."""
    rounds, told = 0, ""
    with suppress(KeyboardInterrupt):
        for done in db.remotes.watch(name, branches=only, strategy=strategy, every_s=every):
            rounds += 1
            failure = str(done) if isinstance(done, strata.StrataError) else ""
            if failure and failure != told:
                say(f"{failure} Trying again.")
            told = failure
            for line in () if isinstance(done, strata.StrataError) else _news(done):
                click.echo(line)
    return Output({"rounds": rounds}, f"stopped after {plural(rounds, 'round')}")


def _news(done: strata.Sync) -> Iterator[str]:
    """Yield what a sync moved, and nothing where it moved nothing."""
    if done.pull.commits or done.pull.erased:
        yield from _pull_lines(done.pull)
    if done.push.commits or done.push.erased:
        yield from _push_lines(done.push)


@command("clone")
def clone(
    session: Invocation,
    address: Address,
    place: Annotated[
        Path | None,
        "A folder for the project, or a file such as memory.strata; else as with `strata init`.",
        Spelling(type=click.Path(path_type=Path)),
    ] = None,
    *,
    name: Annotated[str, "How the remote is called.", Spelling("NAME")] = "origin",
    token: Token = None,
    endpoint: Endpoint = None,
    region: Region = None,
) -> Output:
    """Make a new store of what a remote has.

    History, branches, tags, documents with comments and images come along; users, shares and
    tokens do not. The remote is remembered as origin, for push and pull. PLACE is a folder, which
    gets the store .strata/store.db, or a file, by a name with an ending; folders that are missing
    are made. A store that holds something is never cloned over.

        mkdir stick
        strata put greeting 안녕
        strata remote add origin stick && strata push
        strata clone stick laptop
        cd laptop && strata get greeting
        strata clone stick backups/second.strata
    """
    target = clone_target(place or session.new_place())
    with progress("clone") as report:
        done = strata.clone(
            address,
            target,
            name=name,
            token=token,
            endpoint=endpoint,
            region=region,
            progress=report,
        )
    return Output(
        done,
        [f"made a store at {target}", *_pull_lines(done)],
        notes=[] if done.branches else ["nothing was pushed there yet; `strata pull` tries again"],
    )
