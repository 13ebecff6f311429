"""Taking a MAMA database into a branch.

Its rows go to a branch of their own, which holds nothing else; they are compared with the file
there, and then merged. So a second import of a file that has grown brings what is new, and what
was changed here and there is found out by the merge.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from strata.base import limits
from strata.base.errors import (
    AlreadyExists,
    DamagedStore,
    InvalidArgument,
    LimitExceeded,
    NotFound,
    TooOld,
    TransactionConflict,
)
from strata.base.values import Json
from strata.decisions import (
    IMPORTS,
    LINK_TYPES,
    Link,
    Memory,
    MemoryReader,
    change_of_link,
    change_of_memory,
    topic_key,
)
from strata.exchange.mama.backfill import Backfill, Backfiller, check_backfill
from strata.exchange.mama.edges import edges_of
from strata.exchange.mama.extra_table import ExtraTable, read_extra_table
from strata.exchange.mama.fields import MamaNotes
from strata.exchange.mama.memories import Memories, fitted, memories_of
from strata.exchange.mama.report import FoundSecret, LinkCount, MamaImport, SplitTopic
from strata.exchange.mama.source import MamaSource, find_mama, read_source
from strata.exchange.mama.vectors import MamaVectors, vectors_of
from strata.exchange.place import view_of
from strata.secrets import find_in
from strata.store import Header, Snapshot, StagedChange, Transaction
from strata.upkeep import Progress
from strata.workspace import Workspace

_BRANCHES = f"{IMPORTS}mama-"
_ATTEMPTS = 3
_STEPS = 5


def import_mama(
    db: Workspace,
    path: str | os.PathLike[str] | None = None,
    *,
    backfill: Backfill = "standard",
    preview: bool = False,
    progress: Progress | None = None,
) -> MamaImport:
    """Take the decisions and checkpoints of a MAMA database into the branch of a workspace.

    The file is only read, also while MAMA is running; without a path it is the one that MAMA
    itself would open. Nothing is lost: what cannot be taken as it is, is named in the report's
    warnings. A second run writes only what is new. `backfill` joins what MAMA left apart:
    "standard", "seed" for the numbers of the first design, or "none".

    >>> from strata.exchange import export_mama, import_mama
    >>> _ = db.decisions.save("auth", "토큰을 쓴다", "모바일 앱이 생겼다")
    >>> _ = export_mama(db, folder / "mama.db")
    >>> _ = db.branches.create_empty("copy")
    >>> import_mama(db.on("copy"), folder / "mama.db").memories
    {'decision': 1}
    >>> import_mama(db.on("copy"), folder / "mama.db").written
    0
    """
    how = check_backfill(backfill)
    if not preview:
        view_of(db).check_writable()
    tell = progress or _say_nothing
    tell("reading", 0, _STEPS)
    source = read_source(Path(path) if path is not None else find_mama())
    return _Import(db, source, how).run(preview=preview, tell=tell)


def _say_nothing(_stage: str, _done: int, _total: int) -> None:
    """Report no progress."""


class _Wanted(msgspec.Struct, frozen=True):
    """Everything a file says, as it is to be kept."""

    memories: dict[str, Memory]
    links: dict[str, Link]
    made: frozenset[str]  # links that the backfill made
    vectors: MamaVectors
    notes: MamaNotes


class _State(msgspec.Struct, frozen=True):
    """What a branch holds, by id."""

    memories: dict[str, Memory]
    links: dict[str, Link]


class _Import:
    """One import under way."""

    def __init__(self, db: Workspace, source: MamaSource, how: Backfill) -> None:
        # What is in the file is its owner's already: nothing in it is refused.
        self._db, self._source = db.allowing_secrets(), source
        self._how: Backfill = how
        self._view = view_of(db)
        self._branch = branch_of(source.path, into=db.branch)
        if db.branch.startswith(_BRANCHES):
            raise InvalidArgument(
                f"{db.branch!r} holds what a file says, and nothing else.",
                hint="Import into another branch.",
                parameter="branch",
            )

    def run(self, *, preview: bool, tell: Progress) -> MamaImport:
        """Import; where others write to the same branch meanwhile, begin again."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._run(preview=preview, tell=tell)
            except (AlreadyExists, TransactionConflict):
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _run(self, *, preview: bool, tell: Progress) -> MamaImport:
        notes = MamaNotes()
        kept = read_extra_table(self._source, notes=notes)
        before = self._before(kept)
        tell("understanding", 1, _STEPS)
        wanted = self._understand(before, kept, notes)
        changes = _changes(wanted, before)
        if preview:
            return self._report(wanted, len(changes), preview=True)
        tell("writing", 2, _STEPS)
        self._make_branch(kept)
        commits = self._write(changes)
        tell("checking", 3, _STEPS)
        check_state(wanted.memories, wanted.links, _state(self._snapshot()))
        tell("merging", 4, _STEPS)
        clashes, version = self._merge()
        clashes = tuple(id_ for id_ in clashes if id_ in wanted.memories or id_ in wanted.links)
        tell("done", _STEPS, _STEPS)
        found = self._report(wanted, len(changes), preview=False)
        return msgspec.structs.replace(found, commits=commits, version=version, clashes=clashes)

    def _snapshot(self) -> Snapshot:
        return Snapshot(self._view.store, self._branch)

    # Where it is written.

    def _before(self, kept: ExtraTable) -> _State:
        """Return what the file's branch holds, or would hold at first."""
        if self._db.branches.exists(self._branch):
            return _state(self._snapshot())
        origin = self._origin(kept)
        return _State({}, {}) if origin is None else _state(view_of(origin).snapshot)

    def _origin(self, kept: ExtraTable) -> Workspace | None:
        """Return the state that the file was exported from, if it was one of this branch."""
        # From another branch the merge would bring more than the file.
        if kept.origin is None or kept.origin.branch != self._db.branch:
            return None
        try:
            found = self._db.at(kept.origin.version)
            newest = found.log(limit=1)
        except (NotFound, InvalidArgument, TooOld):
            return None
        return found if newest and newest[0].hash == kept.origin.id else None

    def _make_branch(self, kept: ExtraTable) -> None:
        """Make the file's branch: empty, or where MAMA took over."""
        branches = self._db.branches
        notes: dict[str, Json] = {"source": str(self._source.path)}
        if branches.exists(self._branch):
            return
        origin = self._origin(kept)
        if origin is None or kept.origin is None:
            branches.create_empty(self._branch, metadata=notes)
        else:
            branches.fork(
                self._branch, source=self._db.branch, at=kept.origin.version, metadata=notes
            )

    # What the file says.

    def _understand(self, before: _State, kept: ExtraTable, notes: MamaNotes) -> _Wanted:
        source = self._source
        now_ms = self._view.store.clock() // 1000
        _tell_gaps(source, notes)
        found = memories_of(source, kept=kept, now_ms=now_ms, notes=notes)
        _keep_times(found.by_id, found.timeless, before.memories)
        edges = edges_of(source, found, notes=notes)
        memories = _with_left(found, edges.left, notes)
        links = _joined(edges.links, [link for link in kept.links if _is_whole(link, memories)])
        vectors = vectors_of(source, found, notes=notes)
        exported = {row.id for row in kept.rows.values()}
        fresh = [memory for memory in memories.values() if memory.id not in exported]
        filler = Backfiller(fresh, links.values(), now_ms=now_ms)
        made = {link.id: link for link in filler.links(_newest(vectors, fresh, notes), self._how)}
        for id_ in made.keys() & before.links.keys():
            made[id_] = msgspec.structs.replace(made[id_], created_at=before.links[id_].created_at)
        made = {id_: link for id_, link in made.items() if id_ not in links}
        return _Wanted(memories, links | made, frozenset(made), vectors, notes)

    # What is written.

    def _write(self, changes: Sequence[StagedChange]) -> int:
        """Write changes to the file's own branch; return how many commits that took."""
        store = self._view.store
        header = Header(
            f"import {self._source.digest}",
            self._view.signature,
            f"import {self._source.path.name}"[: limits.NAME_CHARACTERS_MAX],
        )
        parts = range(0, len(changes), limits.ITEMS_MAX)
        for start in parts:
            # Before the lock: the text index takes longer than all the rest.
            part = store.all_indexed(changes[start : start + limits.ITEMS_MAX])
            with Transaction(self._snapshot(), header, locked=False) as transaction:
                for change in part:
                    transaction.stage(change)
        return len(parts)

    def _merge(self) -> tuple[tuple[str, ...], int | None]:
        """Merge the file's branch; return what both sides changed, and the commit."""
        try:
            return self._merge_branch(self._branch)
        except LimitExceeded:
            return self._merge_in_steps()

    def _merge_branch(self, name: str) -> tuple[tuple[str, ...], int | None]:
        found = self._db.branches.merge(
            name, strategy="target_wins", message=f"import {self._source.path.name}"[:200]
        )
        return tuple(dict.fromkeys(entry.key for entry in found.conflicts)), found.commit

    def _merge_in_steps(self) -> tuple[tuple[str, ...], int | None]:
        """Merge commit by commit what would be too much for one."""
        clashes: list[str] = []
        version = None
        log = self._db.on(self._branch).log(limit=limits.PAGE_ITEMS_MAX)
        for commit in reversed(log):
            name = f"{self._branch}@{commit.version}"
            self._db.branches.fork(name, source=self._branch, at=commit.version)
            try:
                clashing, merged = self._merge_branch(name)
            finally:
                self._db.branches.delete(name, force=True)
            clashes += clashing
            version = merged or version
        return tuple(dict.fromkeys(clashes)), version

    # Reports.

    def _report(self, wanted: _Wanted, written: int, *, preview: bool) -> MamaImport:
        total = len(wanted.memories) + len(wanted.links)
        return MamaImport(
            path=self._source.path,
            schema_version=self._source.version,
            digest=self._source.digest,
            branch=self._db.branch,
            import_branch=self._branch,
            backfill=self._how,
            preview=preview,
            rows=self._source.counts,
            memories=dict(Counter(memory.type for memory in wanted.memories.values())),
            links=_counts(wanted),
            vectors=len(wanted.vectors.ids),
            written=written,
            unchanged=total - written,
            commits=0,
            version=None,
            warnings=tuple(wanted.notes.warnings),
            conflicts=_split(wanted),
            same_topics=_same_topics(wanted.memories.values()),
            clashes=(),
            not_taken=self._source.others,
            secrets=_secrets(wanted.memories.values()),
        )


def branch_of(path: Path, *, into: str) -> str:
    """Return the branch that holds what a file says; one for each branch it is imported into."""
    stem = re.sub(r"[^\w.-]+", "-", path.stem).strip("-.")[:40] or "file"
    named = os.fsencode(path.absolute()) + b"\0" + into.encode()
    place = blake2b(named, digest_size=4).hexdigest()
    return f"{_BRANCHES}{stem}-{place}"


def _state(snapshot: Snapshot) -> _State:
    keyspace = MemoryReader(snapshot)
    memories = {memory.id: memory for memory in keyspace.all()}
    return _State(memories, {link.id: link for link in keyspace.all_links()})


def _tell_gaps(source: MamaSource, notes: MamaNotes) -> None:
    for table in source.tables.values():
        for gap in table.gaps:
            end = "the end" if gap.before is None else f"row {gap.before}"
            begin = "the beginning" if gap.after is None else f"row {gap.after}"
            notes.warn(
                table.name, f"rows between {begin} and {end}", f"cannot be read: {gap.reason}"
            )


def _with_left(
    found: Memories, left: dict[str, dict[str, Json]], notes: MamaNotes
) -> dict[str, Memory]:
    """Return the memories with what no link could be made of beside them."""
    memories = dict(found.by_id)
    for id_, columns in left.items():
        memory = memories[id_]
        metadata = {**memory.metadata, "v1": {**memory.metadata.get("v1", {}), **columns}}
        whole = msgspec.structs.replace(memory, metadata=metadata)
        memories[id_] = fitted(whole, lambda what, id_=id_: notes.warn("decisions", id_, what))
    return memories


def _is_whole(link: Link, memories: dict[str, Memory]) -> bool:
    return link.from_id in memories and link.to_id in memories


def _joined(links: dict[str, Link], kept: Sequence[Link]) -> dict[str, Link]:
    """Return the links of the rows, and those that were written beside them.

    A link that replaces by another word is in the rows as one that supersedes.
    """
    replacing = {(link.from_id, link.to_id) for link in kept if link.supersedes}
    told = {
        id_: link
        for id_, link in links.items()
        if not (link.supersedes and (link.from_id, link.to_id) in replacing)
    }
    return told | {link.id: link for link in kept}


def _keep_times(
    memories: dict[str, Memory], timeless: Iterable[str], before: dict[str, Memory]
) -> None:
    """Let what has no time of its own keep the one of its first import."""
    for id_ in timeless:
        known = before.get(id_)
        if known is not None:
            memory = memories[id_]
            is_new = memory.updated_at == memory.created_at
            memories[id_] = msgspec.structs.replace(
                memory,
                created_at=known.created_at,
                updated_at=known.updated_at if is_new else memory.updated_at,
            )


def _newest(vectors: MamaVectors, memories: Iterable[Memory], notes: MamaNotes) -> MamaVectors:
    """Return the vectors that are compared with each other."""
    age = {memory.id: memory.created_at for memory in memories}
    order = [at for at, id_ in enumerate(vectors.ids) if id_ in age]
    if len(order) > limits.BACKFILL_VECTORS_MAX:
        notes.warn(
            "vss_memories",
            f"{len(order) - limits.BACKFILL_VECTORS_MAX:,} vectors",
            f"only the newest {limits.BACKFILL_VECTORS_MAX:,} were compared with each other",
        )
        order = sorted(order, key=lambda at: -age[vectors.ids[at]])[: limits.BACKFILL_VECTORS_MAX]
    if not order:
        return MamaVectors()
    return MamaVectors(tuple(vectors.ids[at] for at in order), vectors.matrix[order])


def _changes(wanted: _Wanted, before: _State) -> list[StagedChange]:
    """Return what is new or different; nothing is ever removed."""
    memories = [
        change_of_memory(memory)
        for memory in wanted.memories.values()
        if not _is_same(memory, before.memories.get(memory.id))
    ]
    links = [
        change_of_link(link)
        for link in wanted.links.values()
        if not _is_same(link, before.links.get(link.id))
    ]
    return memories + links


def _is_same(wanted: Memory | Link, found: Memory | Link | None) -> bool:
    return found is not None and msgspec.structs.replace(found, version=0) == wanted


def check_state(
    memories: dict[str, Memory],
    links: dict[str, Link],
    found: "_State",
) -> None:
    """Compare what is kept with what the file says, one by one; raise DamagedStore."""
    wrong = [
        id_ for id_, memory in memories.items() if not _is_same(memory, found.memories.get(id_))
    ]
    wrong += [id_ for id_, link in links.items() if not _is_same(link, found.links.get(id_))]
    if wrong:
        raise DamagedStore(
            f"{len(wrong):,} of the imported rows are not kept as they are in the file: "
            f"{', '.join(wrong[:5])}.",
            hint="Nothing was merged. Please report this; `db.verify()` checks the store.",
            ids=wrong,
        )


def _counts(wanted: _Wanted) -> tuple[LinkCount, ...]:
    counts: Counter[tuple[str, str]] = Counter()
    for id_, link in wanted.links.items():
        name = "suggestions" if link.is_suggestion else "links"
        if id_ in wanted.made:
            name = "backfilled_suggestions" if link.is_suggestion else "backfilled"
        counts[link.link_type, name] += 1
    names = LinkCount.__struct_fields__[1:]
    return tuple(LinkCount(type_, *(counts[type_, name] for name in names)) for type_ in LINK_TYPES)


def _split(wanted: _Wanted) -> tuple[SplitTopic, ...]:
    """Return the topics that have more than one current decision."""
    replaced = {link.to_id for link in wanted.links.values() if link.supersedes}
    heads: dict[str, list[str]] = defaultdict(list)
    for memory in wanted.memories.values():
        if memory.type == "decision" and memory.topic and memory.id not in replaced:
            heads[memory.topic].append(memory.id)
    return tuple(SplitTopic(topic, tuple(ids)) for topic, ids in heads.items() if len(ids) > 1)


def _same_topics(memories: Iterable[Memory]) -> tuple[tuple[str, ...], ...]:
    """Return spellings that mean one topic."""
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    for memory in memories:
        if memory.topic:
            spellings[topic_key(memory.topic)][memory.topic] = None
    return tuple(tuple(group) for group in spellings.values() if len(group) > 1)


def _secrets(memories: Iterable[Memory]) -> tuple[FoundSecret, ...]:
    return tuple(
        FoundSecret(memory.id, found.path, found.kind)
        for memory in memories
        for found in find_in({"topic": memory.topic, "content": memory.content, **memory.metadata})
    )
