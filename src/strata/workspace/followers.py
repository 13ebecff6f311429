"""What is derived from a store and trails its commits: kept once for all views of it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from strata.base import limits
from strata.decisions import Graphs, LinkCandidates, Linker, Pruner, Rule, check_rule
from strata.memory import Matrices
from strata.models import is_outdated
from strata.search import (
    Embeddings,
    Follower,
    Following,
    Sealer,
    Search,
    Status,
    TextIndexer,
    Texts,
    Turn,
    drop_holders,
    drop_wrong_segments,
    foreignness,
    forget_words,
    text_of_row,
)
from strata.sql import Row
from strata.store import IndexEntry, KeyOrders, StagedChange, Store
from strata.upkeep import (
    Problem,
    Progress,
    Reindex,
    StoreLeases,
    change_of,
    reindex,
)
from strata.workspace.background import BackgroundWork
from strata.workspace.meaning import (
    MULTILINGUAL,
    SCOPES,
    Getter,
    Loaders,
    StoreMeaning,
)
from strata.workspace.settings import Settings

if TYPE_CHECKING:
    from strata.documents import SharedState
    from strata.publishing import Public


class Followers:
    """The arrays behind vector collections and search, and the thread that makes vectors."""

    def __init__(self, store: Store, *, is_automatic: bool, catches_up: bool) -> None:
        self._store = store
        self.matrices = Matrices(store)
        self.key_orders = KeyOrders(store)
        self.graphs = Graphs(store)
        self._candidates = LinkCandidates(store)
        self.embeddings = Embeddings(store, SCOPES, is_outdated)
        self.loaders = Loaders(self.embeddings)
        self._getters = {role: Getter(self.loaders, role) for role in self.loaders.roles}
        self.meaning = StoreMeaning(
            self.embeddings,
            self.loaders,
            on_question=self._keep_up,
            add=self._add,
        )
        self._sealer = Sealer(store, self._turn("sealing"))
        self.search = Search(store, self.meaning, seal=self._seal)
        pruner = Pruner(store, turn=self._turn("pruning"))
        self._linker = self.linker()
        follower = self._follower()
        self.following = Following(BackgroundWork(self._sealer, follower, self._linker, pruner))
        store.on_removal += [self.search.forget, self.meaning.forget]
        self.is_automatic = is_automatic
        # Makes pending vectors before the first search of a process that ends soon.
        self._late_follower = follower if catches_up else None

    @cached_property
    def documents(self) -> "SharedState":
        """What all views share of documents, made when the first of them needs it."""
        from strata.documents import SharedState, open_storage  # noqa: PLC0415  (seldom needed)

        storage = Settings(self._store).get
        return SharedState(
            self._store,
            self.search,
            storage=lambda: open_storage(storage),
            unpublish=self._unpublish,
        )

    def _unpublish(self, document: str, branch: int) -> None:
        from strata.publishing import hide_from_visitors  # noqa: PLC0415  (seldom needed)

        hide_from_visitors(self._store, document, branch)

    @cached_property
    def public(self) -> "Public":
        """What visitors see, the same for all views."""
        from strata.publishing import Public  # noqa: PLC0415  (seldom needed)

        return Public(self._store)

    def _follower(self) -> Follower:
        return Follower(
            self.embeddings,
            self._getters,
            texts=Texts(self._text_of, self._before),
            leases=StoreLeases(self._store),
        )

    def linker(self, rule: Rule | None = None) -> Linker:
        """Return what links memories by meaning: by a rule, or as the settings say."""
        settings = Settings(self._store)
        return Linker(
            self._store,
            self.meaning,
            graphs=self.graphs,
            candidates=self._candidates,
            turn=self._turn("linking"),
            rule=lambda: rule or check_rule(settings.get("linking")),
        )

    def _turn(self, name: str) -> Turn:
        return Turn(StoreLeases(self._store), seconds=limits.LEASE_S, name=name)

    def look_again(self, role: str) -> None:
        """Let the follower ask at once for a model that it could not have before."""
        self._getters[role] = Getter(self.loaders, role)

    def _add(self, role: str) -> None:
        """Follow the texts of a role too."""
        if self.loaders.add(role):
            self.look_again(role)

    def status(self) -> Status:
        """Return how far the vectors are, and why a model cannot be used."""
        found = self.embeddings.status(self.loaders.roles, self.loaders.reason)
        return replace(found, reason=self.loaders.no_model())

    def start(self, *, after_s: float = 0.0) -> None:
        """Make vectors in the background from now on, or after a pause."""
        self.is_automatic = True
        self._store.after_commit = self.following.wake
        self.following.start(after_s=after_s)

    def _keep_up(self) -> None:
        """Make what is pending before, or beside, the answer to a question about meaning."""
        if (
            self.is_automatic
            and not self.following.is_running
            and self.embeddings.status(self.loaders.roles).pending
        ):
            self.start()
        follower, self._late_follower = self._late_follower, None
        if follower is not None:
            follower.catch_up(limits.EMBED_CATCH_UP_S)

    def begin(self) -> None:
        """Start with the first commit; a program that only reads starts with a search."""
        self.start()
        self.following.wake()

    def _text_of(self, row: Row) -> str:
        kind = self._store.keyspace_name(row[6])[1]
        text = text_of_row(kind, (row[0], row[1], row[2], row[3], row[4]))
        if not text.isascii() and foreignness(text) > 0:
            self._add(MULTILINGUAL)
        return text

    def _before(self, version: int) -> int | None:
        return self.search.before(version)

    def _seal(self) -> None:
        """Seal what is unsealed: in the background where that runs, or else now."""
        if self.following.is_running:
            self.following.wake()
        elif not self._store.database.read_only and not self._store.connection().in_transaction:
            self._sealer.catch_up()

    def _change(self, row: Row) -> StagedChange:
        return change_of(row, *self._store.keyspace_name(row[6]))

    def entries(self) -> Callable[[Row], IndexEntry | None]:
        """Return what makes the entries of versions anew, giving each word once."""
        indexer = TextIndexer()

        def entry(row: Row) -> IndexEntry | None:
            found = indexer.entry(self._change(row))
            if found is not None:
                indexer.remember(found.new_words)
            return found

        return entry

    @contextmanager
    def erasing(self) -> Generator[Callable[[Sequence[int]], None]]:
        """Give what takes out all that is derived of values, and forget it in memory behind."""
        with self.search.index():
            pass  # Reading it takes long; inside the transaction others would wait for it.
        try:
            yield self._erase
        finally:
            self._store.forget_removed()

    def _erase(self, versions: Sequence[int]) -> None:
        self.embeddings.forget(versions, erased=True)
        with self.search.index() as index:
            forget_words(self._store, index, versions, change=self._change)
        drop_holders(self._store, versions)

    def trim(self, versions: Sequence[int]) -> None:
        """Take out what is derived of values that retention removes, in its transaction."""
        self.embeddings.forget(versions, erased=False)
        drop_holders(self._store, versions)

    def code_problems(self) -> Iterator[Problem]:
        """Yield the codes of vectors that these do not give."""
        for model, part in self.embeddings.wrong_codes():
            yield Problem(
                "index",
                f"The codes of part {part} of the vectors of model {model} are wrong. Nothing is"
                " lost: `strata reindex` makes them anew from the vectors.",
            )

    def reindex(self, progress: Progress | None = None) -> Reindex:
        """Make the text index anew where it is wrong or missing, and the codes of vectors."""
        self.embeddings.mend_codes()
        try:
            found = reindex(
                self._store,
                self.entries(),
                renew=self.embeddings.renew,
                changed=partial(drop_holders, self._store),
                progress=progress,
            )
            segments = drop_wrong_segments(self._store)
            self._sealer.catch_up()
            return replace(found, segments=segments)
        finally:
            self._store.forget_removed()

    def close(self) -> None:
        """Stop the work in the background."""
        self.following.stop()
