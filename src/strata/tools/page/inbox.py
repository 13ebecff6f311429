"""The inbox: what waits for the user, and what was changed last."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from strata.documents import DRAFT
from strata.tools.budget import as_text
from strata.tools.page.group import PageAnswer, Who, iso, page, permits, who_wrote, writers
from strata.tools.page.recent import RecentLine, recent_lines
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.base.values import Json
    from strata.decisions import Memory
    from strata.proposals import ProposedChange
    from strata.review import WaitingComment, WaitingSuggestion
    from strata.tasks import Task
    from strata.workspace import Workspace

Kind = Literal["conflict", "proposal", "suggestion", "comment", "task", "decision"]
# What may be done with a suggestion, by whether it can be made.
_MAY = {
    "applies": ("accept", "reject"),
    "changed": ("apply", "reject"),
    "done": ("reject",),
    "gone": ("reject",),
}
_PLACED = ("applies", "changed")
# What an item shows of words; the screen of its thing has all of them.
_SHORT_CHARACTERS = 500
_DRAFT_CHARACTERS = 50_000
# Most suggestions, comments and decisions that are counted, of each.
_COUNTED = 50
# Tasks that are looked at for those that failed.
_TASKS = 100
_MILLISECOND_US = 1000


class InboxTwin(PageAnswer, frozen=True):
    """A fact that says nearly the same as a proposed one."""

    key: str
    text: str


class InboxItem(PageAnswer, frozen=True, kw_only=True, omit_defaults=True):
    """Something that waits for the user; `can` names what they may do about it."""

    id: str
    kind: Kind
    # Of the document or the decision, or the name of the agent.
    title: str
    document: str | UnsetType = UNSET
    suggestion_id: str | UnsetType = UNSET
    comment_id: str | UnsetType = UNSET
    task: str | UnsetType = UNSET
    decision: str | UnsetType = UNSET
    # Of a proposal: its id, the branch that it waits on, what it names as its sources, and facts
    # that say nearly the same.
    proposal: str | UnsetType = UNSET
    branch: str | UnsetType = UNSET
    sources: tuple[str, ...] = ()
    twins: tuple[InboxTwin, ...] = ()
    # The headings above the words.
    section: str | UnsetType = UNSET
    before: str | UnsetType = UNSET
    after: str | UnsetType = UNSET
    body: str | UnsetType = UNSET
    # Of a suggestion: whether it can be made (applies, done, changed, gone), and what is there now.
    state: str | UnsetType = UNSET
    now: str | UnsetType = UNSET
    # Why a comment is here: mention, reply or document.
    meant: str | UnsetType = UNSET
    who: Who
    when: str
    can: tuple[str, ...]


class InboxPage(PageAnswer, frozen=True):
    """What waits, newest first within its kind; how many of each; what was changed last."""

    items: list[InboxItem]
    counts: dict[str, int]
    # Whether more waits than is shown.
    more: bool
    recent: list[RecentLine]


class Waiting(PageAnswer, frozen=True):
    """How much waits for the user; `more` where it is more than that."""

    count: int
    more: bool


@page.reads(example={})
def waiting(call: Call) -> Waiting:
    """Count what waits in the inbox of the user, up to a hundred or so."""
    here, grant = call.db, call.session.grant
    count, more = 0, False
    if permits(grant, "memory"):
        count += here.proposals.count()
    if permits(grant, "comments"):
        found = here.review.inbox(_COUNTED)
        more = found.more
        count += len(found.suggestions) + len(found.comments)
    if permits(grant, "agents"):
        count += sum(task.status == "failed" for task in here.agents.tasks(_TASKS))
    if permits(grant, "decisions"):
        overdue = here.decisions.overdue(_COUNTED)
        more = more or len(overdue) == _COUNTED
        count += len(overdue)
    return Waiting(count=count, more=more)


@page.reads(example={})
def inbox(
    call: Call,
    *,
    limit: Annotated[int, Meta(description="Most items of a kind", ge=1, le=200)] = 50,
    recent: Annotated[int, Meta(description="Most things changed last", ge=0, le=100)] = 20,
) -> InboxPage:
    """Show what waits for the user: conflicts, proposals, suggestions, comments, tasks, decisions.

    A decision waits when it had no outcome for 30 days. Then come things changed last.
    """
    here, grant = call.db, call.session.grant
    items: list[InboxItem] = []
    more, names = False, here.users.names()
    if permits(grant, "memory"):
        proposals = here.proposals.list(limit=limit, twins=True)
        more = proposals.more
        items += [_proposal(one) for one in proposals]
    if permits(grant, "comments"):
        found = here.review.inbox(limit)
        more = more or found.more
        decided = [_suggestion(one, names) for one in found.suggestions]
        items = [*(one for one in decided if one.kind == "conflict"), *items]
        items += [one for one in decided if one.kind != "conflict"]
        items += [_comment(one, names) for one in found.comments]
    if permits(grant, "agents"):
        failed = (task for task in here.agents.tasks(_TASKS) if task.status == "failed")
        items += [_task(task, names) for task in failed][:limit]
    if permits(grant, "decisions"):
        items += _decisions(here, here.decisions.overdue(limit))
    counts = {kind: sum(one.kind == kind for one in items) for kind in Kind.__args__}
    lines = recent_lines(call, recent) if recent else []
    return InboxPage(items=items, counts=counts, more=more, recent=lines)


def _proposal(one: "ProposedChange") -> InboxItem:
    before, after = (_text(one.words_of(value)) for value in (one.before, one.after))
    # No other screen has the text of a document that is only proposed.
    most = _DRAFT_CHARACTERS if one.kind == DRAFT else _SHORT_CHARACTERS
    may_edit = isinstance(one.words, str) and len(one.words) <= most and one.action != "removed"
    return InboxItem(
        id=one.id,
        kind="proposal",
        title=one.title,
        proposal=one.id,
        branch=one.branch,
        before=before[:_SHORT_CHARACTERS],
        after=after[:most],
        state="changed" if one.conflict else "applies",
        now=before[:_SHORT_CHARACTERS] if one.conflict else UNSET,
        body=one.reason or UNSET,
        sources=one.sources,
        twins=tuple(
            InboxTwin(key=twin.key, text=_text(twin.value)[:_SHORT_CHARACTERS])
            for twin in one.twins
        ),
        who=Who(
            person=one.person_name,
            agent=one.agent if one.person is not None else None,
            task=one.task,
            label=one.actor if one.person is None else None,
        ),
        when=iso(one.timestamp),
        can=(
            "apply" if one.conflict else "accept",
            "reject",
            *(("edit",) if may_edit else ()),
            "open",
        ),
    )


def _text(value: "Json") -> str:
    return "" if value is None else as_text(value)


def _suggestion(found: "WaitingSuggestion", names: Mapping[str, str]) -> InboxItem:
    one, state, spot = found.suggestion, found.proposal.state, found.proposal.spot
    is_short = max(len(one.original), len(one.replacement)) <= _SHORT_CHARACTERS
    return InboxItem(
        id=one.id,
        kind="conflict" if one.reason == "merge" else "suggestion",
        title=found.title,
        document=one.document,
        suggestion_id=one.id,
        section=UNSET if spot is None else " > ".join(spot.path) or UNSET,
        before=one.original[:_SHORT_CHARACTERS],
        after=one.replacement[:_SHORT_CHARACTERS],
        state=state,
        now=UNSET if spot is None or state != "changed" else spot.text[:_SHORT_CHARACTERS],
        body=one.rationale or UNSET,
        who=who_wrote(names, one.author, one.via),
        when=iso(one.created),
        can=(*_MAY[state], *(("edit",) if is_short and state in _PLACED else ()), "open"),
    )


def _comment(found: "WaitingComment", names: Mapping[str, str]) -> InboxItem:
    one, thread = found.comment, found.thread
    return InboxItem(
        id=one.id,
        kind="comment",
        title=found.title,
        document=one.document,
        comment_id=thread.id,
        section=" > ".join(thread.heading) or UNSET,
        before=UNSET if thread.quote is None else thread.quote[:_SHORT_CHARACTERS],
        body=one.body[:_SHORT_CHARACTERS],
        meant=found.meant,
        who=who_wrote(names, one.author, one.via),
        when=iso(one.created),
        can=("reply", "resolve", "open"),
    )


def _task(task: "Task", names: Mapping[str, str]) -> InboxItem:
    return InboxItem(
        id=task.id,
        kind="task",
        title=task.agent_name,
        document=task.document or UNSET,
        task=task.id,
        before=task.instruction[:_SHORT_CHARACTERS],
        body=UNSET if task.error is None else task.error[:_SHORT_CHARACTERS],
        who=who_wrote(names, task.user, task.agent_name, task=task.id),
        when=iso(task.ended or task.created),
        can=("retry", "open"),
    )


def _decisions(here: "Workspace", found: "list[Memory]") -> Iterator[InboxItem]:
    saved = {memory.id: here.decisions.versions(memory.id)[-1] for memory in found}
    authors = writers(here, saved.values())
    for memory in found:
        yield InboxItem(
            id=memory.id,
            kind="decision",
            title=memory.topic or "",
            decision=memory.id,
            body=memory.content[:_SHORT_CHARACTERS],
            who=authors[saved[memory.id]],
            when=iso(memory.created_at * _MILLISECOND_US),
            can=("outcome", "open"),
        )
