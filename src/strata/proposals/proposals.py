"""`db.proposals`: what agents propose, and what users decide about it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from strata.access import owner_of
from strata.base import limits
from strata.base.checks import check_many, check_number, check_text
from strata.base.errors import (
    BranchNotFound,
    InvalidArgument,
    MergeConflict,
    NotAllowed,
    NotFound,
    StrataError,
)
from strata.base.page import ResultPage, cut_page
from strata.base.values import Json, encode
from strata.decisions import MemoryReader, change_of_memory
from strata.documents import DRAFT
from strata.proposals.branches import (
    Proposer,
    base_of,
    branches_for,
    find_branch,
    prepared_branch,
    proposer_of,
)
from strata.proposals.drafts import check_deciding, make_document, new_draft, put_draft
from strata.proposals.pending import PendingChanges
from strata.proposals.records import (
    BY_OTHERS,
    DECISIONS,
    REJECTED,
    ProposalVerdict,
    ProposedChange,
    RefusedProposal,
    Twin,
    id_of,
)
from strata.search import twins_of
from strata.store import (
    EVENT,
    WHOLE,
    Address,
    Header,
    Signature,
    Snapshot,
    StagedChange,
    Transaction,
    View,
    Visibility,
    accept_changes,
    agree,
    delete,
    drop_changes,
    find_commit,
    read_signature,
    restore,
    revert_commits,
    with_person,
)

if TYPE_CHECKING:
    from strata.documents import Documents

# Kinds of facts, whose values a reviewer may write in other words.
_FACTS = ("kv", "json", "state")
_MEMORY = "memory"


class _Found(NamedTuple):
    """A proposal, and what waits beside it on its branch."""

    pending: PendingChanges
    proposal: ProposedChange


class Proposals:
    """Changes that agents propose for this branch. Reached as `db.proposals`.

    Each proposer has a branch, forked from the one that the changes are for. What is accepted
    becomes a commit on that one; what is rejected leaves the branch of proposals.
    """

    def __init__(
        self,
        view: View,
        *,
        visibility: Callable[[], Visibility],
        log: Callable[[Sequence[tuple[str, Json]]], object],
        documents: "Callable[[str | None], Documents]",
    ) -> None:
        self._view = view
        self._store = view.store
        self._visibility = visibility
        # Notes what was rejected, so that an agent does not propose it again.
        self._log = log
        # The documents of this branch, as an agent writes them for the user.
        self._documents = documents

    def branch(self) -> str:
        """Return the branch that this actor proposes on; it is made, or brought up to date.

        >>> db.as_actor("claude").proposals.branch()
        'proposals/claude'
        """
        self._view.check_writable()
        return prepared_branch(self._store, self._view.branch, self._proposer)

    def draft(self, title: str, content: str = "", *, folder: str | None = None) -> str:
        """Propose a new document for a folder, else for the user's own; return the proposal's id.

        Users who see the folder see it among the proposals, and those may decide who may put
        documents there. It is no document until one of them accepts it. One with the same title
        that waits there already is replaced.

        >>> claude = db.as_actor("claude")
        >>> id = claude.proposals.draft("배포 계획", "# 배포\\n금요일은 쉰다.")
        >>> len(db.search("금요일")), db.proposals.get(id).title
        (0, '배포 계획')
        >>> [made] = db.proposals.accept(id).documents
        >>> db.documents.get(made).title
        '배포 계획'
        """
        self._view.check_writable()
        self._view.check_name(title, "title")
        home = self._documents(None).rights.home(folder, need="commenter")
        draft = new_draft(title, content, folder=home.id)
        name = self.branch()
        header = Header("propose", self._view.signature)
        address, version = put_draft(
            Snapshot(self._store, name), header, draft, screen=self._view.screen
        )
        return id_of(self._store.catalog.require(name, self._store.connection()), address, version)

    @property
    def _reviewer(self) -> str | None:
        """Who signs a decision: the handle on the file itself is the owner's."""
        owner = owner_of(self._store)
        return with_person(self._view.signature, Signature(person=owner.id, name=owner.name))

    @property
    def _proposer(self) -> Proposer:
        return proposer_of(read_signature(self._view.signature))

    def base_of(self, branch: str) -> str | None:
        """Return what this actor's branch of proposals is for; None for all other branches.

        >>> claude = db.as_actor("claude")
        >>> claude.proposals.base_of(claude.proposals.branch()), db.proposals.base_of("default")
        ('default', None)
        """
        return base_of(self._store, branch, self._proposer)

    def own_version(self, space: str, kind: str, key: str) -> int | None:
        """Return the version of a key that this actor has proposed and that waits, or None.

        >>> claude = db.as_actor("claude")
        >>> written = claude.proposing().kv.put("k", 1).version
        >>> claude.proposals.own_version("default", "kv", "k") == written
        True
        """
        own = find_branch(self._store, self._view.branch, self._proposer)
        if own is None:
            return None
        record = Snapshot(self._store, own.name).get(space, kind, key)
        # What the branch shows of its base was not proposed.
        if record is None or record[0] <= (own.fork_version or 0):
            return None
        if agree(record, self._view.snapshot.get(space, kind, key)):
            return None
        written = find_commit(self._store, record[0]).operation
        return None if written.partition(" ")[0] in BY_OTHERS else record[0]

    # Reading.

    def list(
        self, *, limit: int = 50, after: str | None = None, twins: bool = False
    ) -> ResultPage[ProposedChange, str]:
        """Return what waits, oldest first, at most `limit`, behind the id `after`.

        With `twins`, each new fact comes with facts of this branch that say nearly the same.

        >>> _ = db.as_actor("claude").proposing().kv.put("배포", "금요일에는 하지 않는다")
        >>> [(one.key, one.after, one.proposed_by) for one in db.proposals.list()]
        [('배포', '금요일에는 하지 않는다', 'claude')]
        >>> db.kv.get("배포") is None
        True
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        waiting = sorted(self._names(), key=lambda one: one[0])
        names = [id_ for _version, id_, _address, _pending in waiting]
        if after is not None and after not in names:
            raise _missing(after)
        start = 0 if after is None else names.index(after) + 1
        shown = [
            self._with_twins(pending.read(address), twins=twins)
            for _version, _id, address, pending in waiting[start : start + limit + 1]
        ]
        return cut_page(
            shown,
            limit,
            lambda one: one.id,
            onward=lambda after: self.list(limit=limit, after=after, twins=twins),
        )

    def count(self) -> int:
        """Return how many changes wait.

        >>> _ = db.as_actor("claude").proposing().kv.put_many({"a": 1, "b": 2})
        >>> db.proposals.count()
        2
        """
        return sum(len(pending) for pending in self._waiting())

    def addresses(self) -> "list[Address]":
        """Return the places that proposals would change: space, kind and key of each.

        >>> _ = db.as_actor("claude").proposing().kv.put("k", 1)
        >>> db.proposals.addresses()
        [('default', 'kv', 'k')]
        """
        return [address for _version, _id, address, _pending in self._names()]

    def get(self, name: str) -> ProposedChange:
        """Return what waits under an id or a key, with its twins; raise NotFound.

        >>> _ = db.as_actor("claude").proposing().kv.put("k", 1)
        >>> db.proposals.get("k").action
        'added'
        """
        [found] = self._named([name])
        return self._with_twins(found.proposal, twins=True)

    def _waiting(self) -> Iterator[PendingChanges]:
        visibility = self._visibility()
        for row, _proposer in branches_for(self._store, self._view.branch):
            yield PendingChanges(self._store, row, self._view.branch, visibility=visibility)

    def _names(self) -> Iterator[tuple[int, str, Address, PendingChanges]]:
        for pending in self._waiting():
            for version, id_, address in pending.names():
                yield version, id_, address, pending

    def _with_twins(self, proposal: ProposedChange, *, twins: bool) -> ProposedChange:
        if not twins or proposal.kind != "kv" or proposal.action == "removed":
            return proposal
        place = (proposal.space, proposal.kind, proposal.key)
        found = twins_of(self._view.snapshot, place, proposal.after)
        near = (Twin(one.hit.key, one.hit.value, one.likeness) for one in found)
        return replace(proposal, twins=tuple(near))

    def _named(self, names: Iterable[str]) -> "list[_Found]":
        """Return the proposals of some names, each once, in order; raise NotFound."""
        waiting = list(self._names())
        by_id = {id_: (address, pending) for _version, id_, address, pending in waiting}
        found: dict[str, _Found] = {}
        for name in names:
            chosen = [name] if name in by_id else _ids_of(name, waiting)
            if len(chosen) > 1:
                raise InvalidArgument(
                    f"{len(chosen)} proposals are called {name[:200]!r}.",
                    hint=f"Name one by its id: {', '.join(chosen[:5])}.",
                    parameter="names",
                )
            for id_ in chosen:
                address, pending = by_id[id_]
                found[id_] = _Found(pending, pending.read(address))
            if not chosen:
                raise _missing(name)
        return list(found.values())

    # Deciding.

    def accept(self, *names: str, force: bool = False) -> ProposalVerdict:
        """Make the changes of some proposals, by their ids or keys: one commit for each proposer.

        A change whose place the base branch has changed since is refused, and others are made;
        with `force` it is made too, over what is there now.

        >>> _ = db.as_actor("claude").proposing().kv.put("k", "새 값")
        >>> done = db.as_actor("소연").proposals.accept("k")
        >>> db.kv.get("k").value, db.log(limit=1)[0].actor, db.log(limit=1)[0].message
        ('새 값', '소연', 'accept k, proposed by claude')
        >>> db.proposals.count()
        0
        """
        self._view.check_writable()
        return self._accept(self._named(check_many(names, name="names")), force=force)

    def _accept(
        self, found: "list[_Found]", *, force: bool, verb: str = "accept"
    ) -> ProposalVerdict:
        drafts = [one for one in found if one.proposal.kind == DRAFT]
        made = self._accept_drafts(drafts)
        changes = [one for one in found if one.proposal.kind != DRAFT]
        refused = [_refused(one.proposal) for one in changes if one.proposal.conflict and not force]
        left_out = {one.id for one in refused}
        done: list[ProposedChange] = []
        commits: list[int] = []
        cleared: list[int] = []
        for pending, chosen in _by_branch(
            one for one in changes if one.proposal.id not in left_out
        ):
            try:
                commit = self._commit_accepted(pending, chosen, verb, force=force)
            except (MergeConflict, BranchNotFound) as error:
                # The base has changed, or another user has decided, within this very moment.
                refused += [_refused(one, error) for one in chosen]
                continue
            # An event that both have is the same event; hiding it would be another change.
            wanted = pending.joined_addresses(chosen)
            rest = frozenset(address for address in wanted if address[1] != EVENT)
            cleared += self._clear(pending, rest, message=_message(verb, chosen))
            if commit is None:
                refused += [_refused(one, _missing(one.id)) for one in chosen]
                continue
            commits.append(commit)
            done += chosen
        return _joined(
            ProposalVerdict(tuple(done), tuple(commits), tuple(refused), tuple(cleared)), made
        )

    def _accept_drafts(
        self, found: "Iterable[_Found]", *, content: str | None = None
    ) -> ProposalVerdict:
        """Make proposed documents, with the rights of the user who accepts them."""
        verdict = ProposalVerdict(())
        for pending, one in found:
            documents = self._documents(one.agent or (None if one.person else one.actor))
            try:
                made = make_document(documents, one, content=content)
            except StrataError as error:
                verdict = _joined(verdict, ProposalVerdict((), refused=(_refused(one, error),)))
                continue
            cleared = self._clear(
                pending, frozenset(one.addresses), message=_message("accept", [one])
            )
            if not cleared:  # another user has decided about it within this very moment
                documents.trash(made.document)
                refusal = _refused(one, _missing(one.id))
                verdict = _joined(verdict, ProposalVerdict((), refused=(refusal,)))
                continue
            accepted = ProposalVerdict((one,), (), (), tuple(cleared), (made.document,))
            verdict = _joined(verdict, accepted)
        return verdict

    def _commit_accepted(
        self, pending: PendingChanges, chosen: Sequence[ProposedChange], verb: str, *, force: bool
    ) -> int | None:
        """Make changes on the base; return the commit, or None where another process has."""
        merged = accept_changes(
            self._store,
            pending.branch,
            pending.joined_addresses(chosen),
            upto=pending.version,
            target=self._view.branch,
            strategy="source_wins" if force else "strict",
            actor=self._reviewer,
            message=_message(verb, chosen),
            visibility=self._visibility(),
        )
        return merged.commit

    def reword(self, name: str, value: Json, *, force: bool = False) -> ProposalVerdict:
        """Accept a proposal in other words: a fact's value, a decision's or a document's text.

        >>> _ = db.as_actor("claude").proposing().kv.put("deploy", "never on fridays")
        >>> _ = db.proposals.reword("deploy", "Never on Fridays")
        >>> db.kv.get("deploy").value
        'Never on Fridays'
        """
        self._view.check_writable()
        [found] = self._named([name])
        one = found.proposal
        if one.kind == DRAFT:
            return self._accept_drafts([found], content=check_text(value, name="value"))
        if one.action == "removed" or one.kind not in (*_FACTS, _MEMORY):
            raise InvalidArgument(
                f"The proposal {one.title!r} has no words that could be changed.",
                hint="Accept or reject it as it is.",
                parameter="name",
            )
        if one.conflict and not force:
            return ProposalVerdict((), refused=(_refused(one),))
        header = Header("reword", self._reviewer, f"reword {one.title}")
        branch = Snapshot(self._store, one.branch)
        with Transaction(branch, header, locked=True, screen=self._view.screen) as transaction:
            transaction.stage(_reworded(transaction, one, value))
        place = (one.space, one.kind, one.key)
        pending, now = next(
            (pending, pending.read(address))
            for _version, _id, address, pending in self._names()
            if address == place and pending.branch == one.branch
        )
        # The words are the reviewer's, the proposal is still whose it was.
        told = replace(
            one, id=now.id, after=now.after, version=now.version, addresses=now.addresses
        )
        return self._accept([_Found(pending, told)], force=force, verb="accept in other words")

    def reject(self, *names: str, reason: str | None = None) -> ProposalVerdict:
        """Take proposals, by their ids or keys, out of those that wait; this branch stays as it is.

        That they were rejected is noted in the log of the space `proposals`, without their values.

        >>> _ = db.as_actor("claude").proposing().kv.put("k", 1)
        >>> _ = db.proposals.reject("k", reason="틀렸다")
        >>> db.proposals.count(), db.space("proposals").events.list()[0].payload["reason"]
        (0, '틀렸다')
        """
        self._view.check_writable()
        if reason is not None:
            check_text(reason, name="reason")
        done: list[ProposedChange] = []
        refused: list[RefusedProposal] = []
        cleared: list[int] = []
        found = self._named(check_many(names, name="names"))
        for one in found:
            if one.proposal.kind == DRAFT:
                check_deciding(self._documents(None), one.proposal)
        for pending, chosen in _by_branch(found):
            wanted = frozenset(address for one in chosen for address in one.addresses)
            if commits := self._clear(pending, wanted, message=_message("reject", chosen)):
                cleared += commits
                done += chosen
            else:
                refused += [_refused(one, _missing(one.id)) for one in chosen]
        notes = [(REJECTED, _rejection(one, reason)) for one in done]
        for start in range(0, len(notes), limits.ITEMS_MAX):
            self._log(notes[start : start + limits.ITEMS_MAX])
        return ProposalVerdict(tuple(done), refused=tuple(refused), cleared=tuple(cleared))

    def _clear(
        self, pending: PendingChanges, wanted: frozenset[Address], *, message: str
    ) -> "list[int]":
        """Take changes out of a branch of proposals, which goes when it holds no others."""
        try:
            commit = drop_changes(
                self._store,
                pending.branch,
                wanted,
                upto=pending.version,
                target=self._view.branch,
                operation=message.partition(" ")[0],
                actor=self._reviewer,
                message=message,
            )
        except BranchNotFound:
            return []  # another user has decided about the last of its changes
        # Unless more was proposed meanwhile.
        with suppress(BranchNotFound, NotAllowed):
            delete(self._store, pending.branch, has_work=self._has_more)
        return [] if commit is None else [commit]

    def reopen(self, verdict: ProposalVerdict) -> None:
        """Take a decision back: what was accepted is undone, and the proposals wait again.

        Documents that were made go to the trash. Raises MergeConflict where the base branch has
        changed there since.

        >>> _ = db.as_actor("claude").proposing().kv.put("k", 1)
        >>> db.proposals.reopen(db.proposals.accept("k"))
        >>> db.kv.get("k") is None, db.proposals.count()
        (True, 1)
        """
        self._view.check_writable()
        for version in (*verdict.commits, *verdict.cleared):
            if find_commit(self._store, version).operation not in DECISIONS:
                raise InvalidArgument(
                    f"Version {version} is no decision about a proposal.",
                    hint="Pass what `accept`, `reword` or `reject` returned.",
                    parameter="verdict",
                )
        for document in verdict.documents:
            self._documents(None).trash(document)
        for version in verdict.commits:
            self._undo(version, self._view.branch)
        for version in verdict.cleared:
            row = self._store.catalog.by_id(find_commit(self._store, version).branch)
            name = row.name
            if row.deleted is not None:
                is_free = self._store.catalog.known(name) is None
                name = restore(self._store, name, as_name=None if is_free else f"{name}-again").name
            self._undo(version, name)

    def _undo(self, version: int, branch: str) -> None:
        revert_commits(
            self._store,
            [find_commit(self._store, version)],
            onto=branch,
            operation="undo",
            strategy="strict",
            actor=self._reviewer,
            message=None,
        )

    def _has_more(self, branch: int) -> bool:
        row = self._store.catalog.by_id(branch)
        return len(PendingChanges(self._store, row, self._view.branch, visibility=WHOLE)) > 0


def _ids_of(name: str, waiting: Iterable[tuple[int, str, Address, PendingChanges]]) -> list[str]:
    """Return the ids of the proposals for a key or of a title, or of the one whose id ends so."""
    known = [(id_, address, pending) for _version, id_, address, pending in waiting]
    by_key = [id_ for id_, address, _pending in known if address[2] == name]
    by_title = [id_ for id_, address, pending in known if pending.title(address) == name]
    by_end = [id_ for id_, _address, _pending in known if len(name) > 3 and id_.endswith(name)]
    return by_key or by_title or by_end


def _by_branch(
    found: Iterable[_Found],
) -> "list[tuple[PendingChanges, list[ProposedChange]]]":
    groups: dict[str, tuple[PendingChanges, list[ProposedChange]]] = {}
    for pending, proposal in found:
        groups.setdefault(proposal.branch, (pending, []))[1].append(proposal)
    return list(groups.values())


def _message(verb: str, chosen: Sequence[ProposedChange]) -> str:
    """Return what a commit says: what was decided about, and who proposed it."""
    what = _public_title(chosen[0]) if len(chosen) == 1 else f"{len(chosen):,} changes"
    task = chosen[0].task
    by = f"{chosen[0].proposed_by}{f' in {task}' if task else ''}"
    return f"{verb} {what}, proposed by {by}"


def _public_title(one: ProposedChange) -> str:
    """Return what commits call a proposal: users read them who do not see a document's folder."""
    return "a new document" if one.kind == DRAFT else one.title


def _joined(one: ProposalVerdict, other: ProposalVerdict) -> ProposalVerdict:
    return ProposalVerdict(
        one.decided + other.decided,
        one.commits + other.commits,
        one.refused + other.refused,
        one.cleared + other.cleared,
        one.documents + other.documents,
    )


def _rejection(one: ProposedChange, reason: str | None) -> dict[str, Json]:
    return {
        "space": one.space,
        "kind": one.kind,
        "key": one.id if one.kind == DRAFT else one.key,
        "proposed_by": one.proposed_by,
        "proposed": one.reason,
        "reason": reason,
    }


def _reworded(transaction: Transaction, one: ProposedChange, value: Json) -> StagedChange:
    """Return the change that gives a proposal other words; its tags and links stay."""
    if one.kind == _MEMORY:
        memory = MemoryReader(transaction).require(one.key)
        return change_of_memory(replace(memory, content=check_text(value, name="value")))
    record = transaction.get(one.space, one.kind, one.key)
    assert record is not None, "the proposal has just been read"
    return StagedChange(one.space, one.kind, one.key, encode(value), meta=record[4], tags=one.tags)


def _missing(name: str) -> NotFound:
    return NotFound(
        f"No proposal {name[:200]!r} waits here.",
        hint="It may have been decided about, or proposed anew. `db.proposals.list()` shows "
        "what waits.",
        name=name[:200],
    )


def _refused(one: ProposedChange, error: StrataError | None = None) -> RefusedProposal:
    message = (
        f"{one.title!r} was changed on {one.base!r} since the change was proposed."
        if error is None
        else error.message
    )
    hint = "Look at both values; accept it with force, reword it, or reject it."
    code, told = (MergeConflict.code, hint) if error is None else (error.code, error.hint)
    return RefusedProposal(one.id, one.title, code, message, told)
