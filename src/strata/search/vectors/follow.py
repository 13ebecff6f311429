"""The follower: embeds what was committed, a small batch at a time, one process for all.

Models run outside any transaction, and a batch becomes durable in one. A process that dies in
between has lost that batch's work and nothing else: the position of its model has not moved.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

import msgspec

from strata.base import limits
from strata.base.errors import StrataError, TooOld, Unavailable
from strata.search.vectors.embeddings import Embeddings, Item, Model, ModelStatus, Progress
from strata.search.vectors.encode import (
    Embedder,
    Passage,
    encode,
    group_size,
    reads_before,
)
from strata.sql import Row
from strata.store import DELETED, ERASED, TRIMMED, version_row

_UNREADABLE = DELETED | TRIMMED | ERASED
LEASE = "embedding"
# How often a process looks whether another one has made what it waits for.
_LOOK_S = 0.05

# Returns the embedder that made a model's vectors, or without a model the one a role begins
# with, waiting while it loads; None when there is none now.
Get: TypeAlias = Callable[[Model | None], Embedder | None]
Job: TypeAlias = Callable[[Callable[[], bool]], bool]


class Texts(msgspec.Struct, frozen=True):
    """Where a version's text comes from, and which version it is read behind.

    A row is what the statement `version_number` returns. A text may be empty.
    """

    text_of: Callable[[Row], str]
    before: Callable[[int], int | None] = lambda _version: None


class Leases(Protocol):
    """The right to do a kind of work, held by one process at a time."""

    def acquire(self, name: str, *, seconds: float) -> Any:
        """Return a lease, or None when another process holds it."""
        ...

    def renew(self, lease: Any, *, seconds: float) -> Any:
        """Return the lease for longer, or None when it is lost. Its type is the giver's own."""
        ...

    def release(self, lease: Any) -> bool:
        """Give a lease back."""
        ...


class Turn:
    """This process's turn to do some work: a lease that is renewed while it works."""

    def __init__(self, leases: Leases, *, seconds: float, name: str = LEASE) -> None:
        self._leases = leases
        self._name = name
        self._seconds = seconds
        self._lease: Any = None  # the giver's own type
        self._renewed = 0.0

    def take(self) -> bool:
        """Take the turn, or keep it; False when it is another process's."""
        now = time.monotonic()
        if self._lease is None:
            self._lease = self._leases.acquire(self._name, seconds=self._seconds)
        elif now - self._renewed < self._seconds / 3:
            return True
        else:
            self._lease = self._leases.renew(self._lease, seconds=self._seconds)
        self._renewed = now
        return self._lease is not None

    def release(self) -> None:
        """Let another process go on at once."""
        lease, self._lease = self._lease, None
        if lease is not None:
            self._leases.release(lease)

    def abandon(self) -> None:
        """Forget the lease: it belongs to the process that this one was forked from."""
        self._lease = None


def _is_fit(model: Model | ModelStatus) -> bool:
    """Whether a model may take over: one that fails more often than not may not."""
    return model.failed <= model.embedded


class Follower:
    """Does the work that there is, in small steps. One thread at a time may use it."""

    def __init__(
        self,
        embeddings: Embeddings,
        embedders: Mapping[str, Get],
        *,
        texts: Texts,
        leases: Leases,
        tokens_max_items: int = limits.EMBED_TOKENS_ITEMS_MAX,
        lease_s: float = limits.LEASE_S,
    ) -> None:
        self.embeddings = embeddings
        self.turn = Turn(leases, seconds=lease_s)
        # As it is: a role may be added while the work goes on.
        self._embedders = embedders
        self._texts = texts
        self._tokens_max_items = tokens_max_items
        # Up to which version a model is known to have nothing to do, by id and birth.
        self._clear: dict[tuple[int, int], int] = {}
        # The same of roles that have no model yet.
        self._empty: dict[str, int] = {}
        # Until when a model is left alone that cannot be had from where it was asked for.
        self._rests: dict[tuple[Get, int], float] = {}

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that are followed here."""
        return tuple(self._embedders)

    def pending(self) -> int:
        """Return how many texts wait, and how many models to take over."""
        found = self.embeddings.status(self.roles)
        switches = sum(one.state == "building" and _is_fit(one) for one in found.models)
        return found.pending + switches

    def step(self, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Do one small piece of work if it is this process's turn; tell whether there was one.

        Raises Unavailable when a model cannot work now.
        """
        for job in self._jobs():
            if not self.turn.take():
                return False
            if job(is_stopped):
                return True
        self.turn.release()
        return False

    def catch_up(self, seconds: float) -> None:
        """Embed what is pending for at most so long, or wait while another process does.

        Loading a model does not count: the question needs it as well. A failure is not raised:
        the answer that follows says what is pending.
        """
        until: float | None = None

        def is_late() -> bool:
            nonlocal until
            until = until or time.monotonic() + seconds
            return time.monotonic() >= until

        try:
            while seconds > 0 and self.pending():
                is_done = self.step(is_late)
                if is_late() or (not is_done and self.turn.take()):
                    break  # time is up, or no model can be had here for what is left
                if not is_done:
                    time.sleep(_LOOK_S)
        except StrataError:
            pass
        finally:
            self.turn.release()

    def _jobs(self) -> Iterator[Job]:
        """Yield what could be done: first what answers, last what only tidies up."""
        models = self.embeddings.models()
        for role in self.roles:
            live = self.embeddings.live(role)
            if not live and not self._is_resting(role) and self._has_texts(role):
                yield partial(self._begin, role)
            for model in live:
                yield from self._jobs_of(model)
        for model in models:
            if model.state == "retired":
                yield partial(self._remove, model)

    def _jobs_of(self, model: Model) -> Iterator[Job]:
        if self.embeddings.is_outdated(model.embedder):
            if not self._is_resting(model.role):
                yield partial(self._replace, model.role)
            return
        if self.embeddings.has_part_to_seal(model):
            yield partial(self._seal, model)
        if self._next(model, 1):
            if not self._is_resting(model.role, model.id):
                yield partial(self._feed, model)
        elif model.state == "building":
            if _is_fit(model):
                yield partial(self._switch, model)
        elif self._lag(model) > limits.EMBED_SKIP_VERSIONS:
            yield partial(self._skip, model)
        if model.tokens > self._tokens_max_items:
            yield partial(self._drop_tokens, model)

    def _is_resting(self, role: str, model: int = 0) -> bool:
        return time.monotonic() < self._rests.get((self._embedders[role], model), 0.0)

    def _embedder(self, role: str, model: Model | None = None) -> Embedder | None:
        """Return a role's embedder, if it is the one that made a model's vectors.

        If not, its work rests: it should not cost the store a lease every few seconds.
        """
        get = self._embedders[role]
        embedder = get(model)
        if embedder is not None and (model is None or model.embedder == embedder.id):
            return embedder
        key = (get, model.id if model is not None else 0)
        self._rests[key] = time.monotonic() + limits.EMBED_REST_S
        return None

    def _has_texts(self, role: str) -> bool:
        """Tell whether there is a text for a role, and remember up to where there is none."""
        store, scope = self.embeddings.store, self.embeddings.scope(role)
        last, after = store.last_version(), self._empty.get(role, 0)
        if store.connection().row(store.queries.texts_after, (after, 1, scope)) is not None:
            return True
        self._empty[role] = last
        return False

    def _next(self, model: Model, limit: int) -> list[int]:
        """Return the next versions to embed, and remember where there are none."""
        key = (model.id, model.created)
        last = self.embeddings.store.last_version()
        found = self.embeddings.to_embed(model, after=self._clear.get(key, 0), limit=limit)
        if not found:
            self._clear[key] = last
        return found

    def _lag(self, model: Model) -> int:
        return self._clear.get((model.id, model.created), 0) - model.position

    # Pieces of work.

    def _begin(self, role: str, _is_stopped: Callable[[], bool]) -> bool:
        embedder = self._embedder(role)
        if embedder is not None:
            self.embeddings.use(role, embedder)
        return embedder is not None

    def _replace(self, role: str, _is_stopped: Callable[[], bool]) -> bool:
        embedder = self._embedder(role)
        if embedder is None or self.embeddings.is_outdated(embedder.id):
            return False
        self.embeddings.replace(role, embedder)
        return True

    def _switch(self, model: Model, _is_stopped: Callable[[], bool]) -> bool:
        return self.embeddings.switch(model)

    def _remove(self, model: Model, _is_stopped: Callable[[], bool]) -> bool:
        self.embeddings.remove(model)
        return True

    def _seal(self, model: Model, _is_stopped: Callable[[], bool]) -> bool:
        return self.embeddings.seal(model)

    def _drop_tokens(self, model: Model, _is_stopped: Callable[[], bool]) -> bool:
        return self.embeddings.drop_tokens(model, keep=self._tokens_max_items)

    def _skip(self, model: Model, _is_stopped: Callable[[], bool]) -> bool:
        """Move on over versions without text, so that they are not read again."""
        end = self._clear[model.id, model.created]
        return self.embeddings.write(model, (), Progress(model.position, end, 0.0))

    def _feed(self, model: Model, is_stopped: Callable[[], bool]) -> bool:
        """Embed a batch. False when its model is not at hand here."""
        embedder = self._embedder(model.role, model)
        if embedder is None:
            return False
        versions = self._next(model, limits.EMBED_BATCH_ITEMS)
        started = time.monotonic()
        items: list[Item] = []
        failure: Unavailable | None = None
        try:
            for found in self._embedded(model, embedder, versions):
                items += found
                is_late = time.monotonic() - started > limits.EMBED_BATCH_S
                if is_late or is_stopped() or not self.turn.take():
                    break
        except Unavailable as error:
            failure = error
        if items:
            end = max(model.position, items[-1].version)
            progress = Progress(model.position, end, time.monotonic() - started)
            self.embeddings.write(model, items, progress)
        if failure is not None:
            raise failure
        return True

    def _embedded(
        self, model: Model, embedder: Embedder, versions: Sequence[int]
    ) -> Iterator[list[Item]]:
        """Yield what becomes of each version, in order, a few at a time."""
        made: set[bytes] = set()
        for group in self._groups(embedder, versions):
            fresh = {
                item.content: passage
                for item, passage in group
                if item.content is not None
                and item.content not in made
                and not self.embeddings.knows(model, item.content)
            }
            results = dict(zip(fresh, encode(embedder, list(fresh.values())), strict=True))
            made.update(content for content, found in results.items() if not isinstance(found, str))
            yield [
                msgspec.structs.replace(item, result=results.get(item.content or b""))
                for item, _passage in group
            ]

    def _groups(
        self, embedder: Embedder, versions: Sequence[int]
    ) -> Iterator[list[tuple[Item, Passage]]]:
        """Yield versions with their texts, as many as a model is given at once."""
        is_behind = reads_before(embedder)
        texts_max, characters_max = group_size(embedder)
        group: list[tuple[Item, Passage]] = []
        for version in versions:
            group.append(self._read(version, is_behind=is_behind))
            characters = sum(len(passage.text) for _item, passage in group)
            if len(group) >= texts_max or characters >= characters_max:
                yield group
                group = []
        if group:
            yield group

    def _read(self, version: int, *, is_behind: bool) -> tuple[Item, Passage]:
        text = self._text(version)
        if not text.strip():
            return Item(version), Passage("")
        before = self._texts.before(version) if is_behind else None
        context = self._text(before) if before is not None else ""
        passage = Passage(text, context)
        return Item(version, before if context else None, passage.content), passage

    def _text(self, version: int) -> str:
        """Return the text of a version; empty when there is none, or none any more."""
        row = version_row(self.embeddings.store, version)
        if row is None or row[2] & _UNREADABLE:
            return ""
        try:
            return self._texts.text_of(row)
        except TooOld:
            return ""
