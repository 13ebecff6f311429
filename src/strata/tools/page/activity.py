"""What users and agents did, run by run, and taking a run back."""

from typing import TYPE_CHECKING, Annotated

from strata.base.errors import NotFound
from strata.store import Signature
from strata.tools.memory.past import LINK
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, who_signed, writers
from strata.tools.page.naming import ChangedNames, group_of
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.base.errors import ConflictEntry
    from strata.store import LaterChange, Merge, ShownChange
    from strata.workspace import ActivityItem, ActivityRun, Workspace

# What a page shows of what a run changed, and of what a reversal would change.
_ITEMS_MAX = 200


class TouchedLine(PageAnswer, frozen=True):
    """Something that a run changed; words are those of a document, where they are known."""

    group: str
    kind: str
    id: str
    # The namespace of a fact or an event, the topic of a decision.
    place: str
    title: str
    changes: int
    words_added: int | None
    words_removed: int | None


class RunLine(PageAnswer, frozen=True):
    """What one author did without a long pause, or all of a task."""

    who: Who
    started: str | None
    ended: str | None
    # The commits to take back, newest first.
    commits: list[int]
    items: list[TouchedLine]
    total: int
    message: str | None
    is_typing: bool
    # Whether it may go on before this page.
    is_cut: bool


class Activity(PageAnswer, frozen=True):
    """Runs, newest first; `next` is what to send as `before` for earlier ones."""

    runs: list[RunLine]
    next: int | None


class BackLine(PageAnswer, frozen=True):
    """Something that goes back to what it was."""

    group: str
    title: str
    action: str


class LaterLine(PageAnswer, frozen=True):
    """Something that stays, because it was changed since, and by whom."""

    group: str
    title: str
    who: Who
    changed: str | None


class Reversal(PageAnswer, frozen=True):
    """What a reversal did or would do; `version` is null in a preview and where nothing was due."""

    version: int | None
    back: list[BackLine]
    kept: list[LaterLine]
    # Events stay: a log says what happened.
    events_kept: int


@page.reads(needs="memory", example={"limit": 20})
def activity(
    call: Call,
    *,
    before: Annotated[int | None, "Only what was done before this commit"] = None,
    person: Annotated[str | None, "Only by this user: id or email"] = None,
    agent: Annotated[str | None, "Only by this agent"] = None,
    task: Annotated[str | None, "Only what an agent did in this task"] = None,
    since: Annotated[str | None, "Only since this time"] = None,
    limit: Limit = 20,
) -> Activity:
    """List what users and agents did on the branch, run by run, newest first."""
    here = call.db
    if task is not None:
        here, since = _during(call, task, since)
    found = here.activity(
        limit=limit, before=before, person=person, agent=agent, task=task, since=since
    )
    names = ChangedNames(call.db)
    return Activity(runs=[_run(run, names) for run in found], next=found.next)


def _during(call: Call, task: str, since: str | None) -> "tuple[Workspace, str | None]":
    """Return the store as it was when a task of the user ended, and when the task was made.

    So its commits are found without looking at those made since.
    """
    try:
        found = call.db.agents.task(task)
    except NotFound:
        return call.db, since
    here = call.db
    if found.ended is not None and call.session.at is None:
        here = here.at(iso(found.ended))
    return here, since or iso(found.created)


@page.writes(needs="memory", example={"versions": [1], "preview": True})
def revert(
    call: Call,
    *,
    versions: Annotated[list[int], "Commits to take back, as one"],
    preview: Annotated[bool, "Only tell what would happen"] = False,
    leaves_rest: Annotated[bool, "Take back what can be, and leave what was changed since"] = False,
) -> Reversal:
    """Take commits back as one new commit; what others changed since stays, and is named."""
    done = call.db.revert(
        versions, strategy="target_wins" if leaves_rest else "strict", preview=preview
    )
    return _reversal(done, ChangedNames(call.anywhere.on(call.branch)))


def _run(run: "ActivityRun", names: ChangedNames) -> RunLine:
    items = [one for one in run.touched if one.kind != LINK]
    return RunLine(
        who=who_signed(names.there, _signature(run)),
        started=iso(run.started),
        ended=iso(run.timestamp),
        commits=list(run.commits),
        items=[_touched(one, names) for one in items[:_ITEMS_MAX]],
        total=sum(count for kind, count in run.counts.items() if kind != LINK),
        message=run.message,
        is_typing=run.is_typing,
        is_cut=run.cut,
    )


def _signature(run: "ActivityRun") -> Signature:
    agent = run.agent if run.person is not None else run.actor
    return Signature(agent, run.person, run.person_name, run.task)


def _touched(item: "ActivityItem", names: ChangedNames) -> TouchedLine:
    name = names.of((item.space, item.kind, item.key))
    return TouchedLine(
        group=group_of(item.space, item.kind),
        kind=item.kind,
        id=name.id,
        place=name.place,
        title=name.title,
        changes=item.changes,
        words_added=item.words_added,
        words_removed=item.words_removed,
    )


def _reversal(done: "Merge", names: ChangedNames) -> Reversal:
    kept = {one.conflict: one for one in done.kept}
    return Reversal(
        version=done.commit,
        back=[_back(one, names) for one in done.changes if one.kind != LINK][:_ITEMS_MAX],
        kept=[_later(one, kept.get(one.id), names) for one in done.conflicts][:_ITEMS_MAX],
        events_kept=done.events_kept,
    )


def _back(change: "ShownChange", names: ChangedNames) -> BackLine:
    value = change.before if change.after is None else change.after
    title = names.of((change.space, change.kind, change.key), value).title
    return BackLine(group=group_of(change.space, change.kind), title=title, action=change.action)


def _later(entry: "ConflictEntry", later: "LaterChange | None", names: ChangedNames) -> LaterLine:
    return LaterLine(
        group=group_of(entry.space, entry.kind),
        title=names.of((entry.space, entry.kind, entry.key), entry.target or entry.source).title,
        who=Who() if later is None else writers(names.there, [later.version])[later.version],
        changed=None if later is None else iso(later.timestamp),
    )
