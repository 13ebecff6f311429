"""What the curator finds in a memory, and the change that it proposes for each finding.

It needs no model. Each finding is a commit with its reason on the curator's branch of proposals.
What waits there, or was rejected with the same reason, is not proposed again.
"""

# Names in signatures would load their packages.
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from strata.agents.cited_files import CitedFiles
from strata.agents.fact_twins import FactTwins, plain_text, share
from strata.base import clock, limits
from strata.base.checks import check_number
from strata.base.results import Result
from strata.base.validity import Validity, has_expired, read_members, read_tags
from strata.conversations import read_citation
from strata.documents import find_card
from strata.memory import superseding
from strata.proposals import REJECTED, REJECTIONS
from strata.store import Snapshot
from strata.workspace import Workspace, WorkspaceTransaction, project_folder

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Version
    from strata.store import Address

FindingKind: TypeAlias = Literal["twin", "expired", "outcome", "link", "source"]
Progress: TypeAlias = "Callable[[str, int, int], object]"
_FACT, _MEMORY, _LINK = "kv", "memory", "link"
_DECISIONS = "decisions"
_DOCUMENT = "doc_"


class CuratorFinding(Result, frozen=True):
    """Something that should be looked at: what kind, which key, why, and what is proposed."""

    kind: FindingKind
    space: str
    key: str
    reason: str
    change: str


class Curation(Result, frozen=True):
    """What a look at the memory gave: what was proposed, and how many facts were looked at.

    `known` counts findings that wait already, or that were rejected. With `more`, there was more
    than one look may propose.
    """

    branch: str
    findings: tuple[CuratorFinding, ...]
    looked_at: int
    known: int
    more: bool = False


class _Found(Struct, frozen=True):
    """A finding, where it is, and what makes the change in a transaction."""

    finding: CuratorFinding
    address: Address
    make: Callable[[WorkspaceTransaction], object]


def curate_memory(
    db: Workspace,
    *,
    limit: int = limits.CURATOR_FINDINGS_MAX,
    files: Path | None = None,
    progress: Progress | None = None,
) -> Curation:
    """Look for what should be tidied up, and propose a change for each of it, as the view's actor.

    `files` is the folder that paths of sources begin in: without, that of the project around the
    store.
    """
    check_number(limit, name="limit", most=limits.CURATOR_FINDINGS_MAX)
    root = project_folder(db.path) if files is None else files
    return _Curator(db, root=root, progress=progress).propose(limit)


class _Curator:
    """One look at the memory of a branch."""

    def __init__(self, db: Workspace, *, root: Path | None, progress: Progress | None) -> None:
        self._db = db
        self._snapshot = Snapshot(db.serving.store, db.branch)
        self._files = CitedFiles(root)
        self._progress = progress or _ignore
        self._now = db.time_of("now")
        self._today = clock.iso(self._now)[:10]
        self._looked_at = 0

    def propose(self, limit: int) -> Curation:
        """Propose a change for each finding that is new, at most `limit`."""
        known, findings = 0, list[CuratorFinding]()
        waiting, rejected = self._waiting(), self._rejected()
        draft: Workspace | None = None
        more = False
        for found in self._all():
            at = (*found.address, found.finding.reason)
            if found.address in waiting or at in rejected:
                known += 1
                continue
            if len(findings) == limit:
                more = True
                break
            draft = draft or self._db.proposing()
            with draft.transaction(message=found.finding.reason) as transaction:
                found.make(transaction)
            waiting.add(found.address)
            findings.append(found.finding)
        branch = draft.branch if draft is not None else ""
        return Curation(branch, tuple(findings), self._looked_at, known, more)

    def _waiting(self) -> set[Address]:
        """Return what waits for a user, by any proposer."""
        return set(self._db.proposals.addresses())

    def _rejected(self) -> set[tuple[str, str, str, str]]:
        events = self._db.space(REJECTIONS).events
        newest = events.newest(REJECTED, limit=limits.CURATOR_REJECTIONS_MAX)
        return {
            (str(one["space"]), str(one["kind"]), str(one["key"]), str(one["proposed"]))
            for one in (event.payload for event in newest)
        }

    def _all(self) -> Iterator[_Found]:
        for space in self._db.spaces.list():
            if space not in (_DECISIONS, REJECTIONS):
                yield from self._in_space(space)
        yield from self._in_decisions()
        yield from self._broken_links()

    # Facts.

    def _in_space(self, space: str) -> Iterator[_Found]:
        here, twins = self._db.space(space), FactTwins()
        for key, held in here.kv.scan():
            if self._looked_at >= limits.CURATOR_FACTS_MAX:
                break
            self._looked_at += 1
            if not self._looked_at % limits.CURATOR_TOLD_FACTS:
                self._progress("facts", self._looked_at, 0)
            twins.add(key, held.value, held.version)
            if held.tags:
                yield from self._of_tags(space, key, held)
        yield from self._equal(here, twins)
        yield from self._near(here, twins)

    def _of_tags(self, space: str, key: str, held: Version) -> Iterator[_Found]:
        validity = read_tags(held.tags)
        if has_expired(validity, now=self._now, zone=None):
            reason = f"expired {validity.until}"
            yield self._forgetting("expired", space, key, reason=reason)
            return
        problem = self._problem_of(validity, held.timestamp)
        if problem is not None:
            yield self._found(
                "source",
                (space, _FACT, key),
                reason=problem,
                change=f"review_by {self._today}",
                make=lambda tx: tx.space(space).facts.remember(
                    key, held.value, review_by=self._today
                ),
            )

    def _equal(self, here: Workspace, twins: FactTwins) -> Iterator[_Found]:
        for key, other in twins.equal():
            later, earlier = here.kv.get_many([key, other])
            if later is None or earlier is None or self._is_replaced(later, other):
                continue
            if plain_text(later.value) != plain_text(earlier.value):
                continue
            if set(later.tags) <= set(earlier.tags):
                reason = f"the same text as {other}"
                yield self._forgetting("twin", here.space_name, key, reason=reason)
            else:
                # What its tags say would be lost.
                reason = f"the same text as {other}, with other tags"
                yield self._replacing(here, (key, other), later, reason=reason)

    def _near(self, here: Workspace, twins: FactTwins) -> Iterator[_Found]:
        for key, other in twins.likely():
            later, earlier = here.kv.get_many([key, other])
            if later is None or earlier is None or self._is_replaced(later, other):
                continue
            alike = share(later.value, earlier.value)
            if not alike or plain_text(later.value) == plain_text(earlier.value):
                continue
            if self._replaced(here, key) or self._replaced(here, other):
                continue
            reason = f"says nearly the same as {other} ({alike:.0%})"
            yield self._replacing(here, (key, other), later, reason=reason)

    def _replaced(self, here: Workspace, key: str) -> bool:
        return bool(superseding(self._snapshot, here.space_name, key))

    @staticmethod
    def _is_replaced(later: Version, other: str) -> bool:
        return f"supersedes:{other}" in later.tags

    def _forgetting(self, kind: FindingKind, space: str, key: str, *, reason: str) -> _Found:
        return self._found(
            kind,
            (space, _FACT, key),
            reason=reason,
            change="forget",
            make=lambda tx: tx.space(space).facts.forget([key]),
        )

    def _replacing(
        self, here: Workspace, keys: tuple[str, str], later: Version, *, reason: str
    ) -> _Found:
        key, other = keys
        return self._found(
            "twin",
            (here.space_name, _FACT, key),
            reason=reason,
            change=f"replaces {other}",
            make=lambda tx: tx.space(here.space_name).facts.remember(
                key, later.value, replaces=[other]
            ),
        )

    # Decisions.

    def _in_decisions(self) -> Iterator[_Found]:
        decisions = self._db.decisions
        for memory in decisions.recent(limit=limits.CURATOR_MEMORIES_MAX):
            validity = read_members(memory.metadata)
            if validity.review_by is not None and validity.review_by <= self._today:
                continue
            problem = self._problem_of(validity, memory.updated_at * 1000)
            kind: FindingKind = "source"
            if problem is None and decisions.is_overdue(memory):
                kind, made = "outcome", clock.iso(memory.created_at * 1000)[:10]
                problem = f"no outcome since {made}"
            if problem is not None:
                yield self._found(
                    kind,
                    (_DECISIONS, _MEMORY, memory.id),
                    reason=problem,
                    change=f"review_by {self._today}",
                    make=partial(_mark_memory, id=memory.id, today=self._today),
                )

    def _broken_links(self) -> Iterator[_Found]:
        decisions = self._db.decisions
        for link in decisions.links():
            gone = next(
                (end for end in (link.from_id, link.to_id) if decisions.get(end) is None), None
            )
            if gone is not None:
                yield self._found(
                    "link",
                    (_DECISIONS, _LINK, link.id),
                    reason=f"leads to {gone}, which is gone",
                    change="unlink",
                    make=partial(_remove_link, id=link.id),
                )

    # Sources.

    def _problem_of(self, validity: Validity, written: int) -> str | None:
        """Say what is wrong with what something names as its sources; None where nothing is."""
        if validity.review_by is not None and validity.review_by <= self._today:
            return None
        problems = (self._problem(source, written) for source in validity.sources)
        return next((problem for problem in problems if problem is not None), None)

    def _problem(self, source: str, written: int) -> str | None:
        if source.startswith(_DOCUMENT):
            card = find_card(self._snapshot, source)
            is_there = card is not None and not card.trashed
            return None if is_there else f"its source {source} is gone"
        # A conversation that was never taken in is a text like any other.
        if read_citation(source) is not None and self._db.conversations.cited(source):
            return None
        return self._files.problem(source, written)

    def _found(
        self,
        kind: FindingKind,
        address: Address,
        *,
        reason: str,
        change: str,
        make: Callable[[WorkspaceTransaction], object],
    ) -> _Found:
        finding = CuratorFinding(kind, address[0], address[2], reason, change)
        return _Found(finding, address, make)


def _mark_memory(transaction: WorkspaceTransaction, *, id: str, today: str) -> None:
    transaction.decisions.review(id, by=today)


def _remove_link(transaction: WorkspaceTransaction, *, id: str) -> None:
    transaction.decisions.unlink(id)


def _ignore(_label: str, _done: int, _total: int) -> None: ...
