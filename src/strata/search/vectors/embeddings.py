"""The vectors of a store: which models have followed it how far, and what they have made.

All of it is derived from the versions. A vector belongs to a content, not to a version, so
branches, merges and repeated texts share it.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from struct import iter_unpack
from typing import Literal

import msgspec

from strata.base import limits, results
from strata.base.errors import NotFound
from strata.search.vectors import codes
from strata.search.vectors.counting import Scope, TextCount, of_scope
from strata.search.vectors.encode import Chunk, Embedder, Result
from strata.sql import Connection, Read
from strata.store import DELETED, ERASED, TRIMMED, Store, count_texts, settle

State = Literal["active", "building", "retired"]
_UNREADABLE = DELETED | TRIMMED | ERASED
# How much the newest batch says about the rate.
_NEWEST = 0.3


class Model(msgspec.Struct, frozen=True):
    """One run of one embedder through the store; `position` is the last version it followed."""

    id: int
    role: str
    name: str
    embedder: str
    dimension: int
    state: State
    position: int
    revision: int
    embedded: int
    failed: int
    tokens: int
    rate: float
    created: int
    sealed: int


class ModelStatus(results.Result, frozen=True):
    """How far a model is. `rate` is in texts a second, 0 while it is unknown.

    `reason` says why the model cannot be used here; None when it can.
    """

    role: str
    name: str
    state: State
    embedded: int
    pending: int
    failed: int
    rate: float
    seconds_left: float | None
    reason: str | None = None


class Status(results.Result, frozen=True):
    """What waits to be embedded, by all models together, and how far each is.

    `reason` says why search goes by words only, where no model can make the first vectors.
    """

    pending: int
    models: tuple[ModelStatus, ...]
    reason: str | None = None


class Item(msgspec.Struct, frozen=True):
    """A version that was embedded: its content, and the result unless that was known before.

    Without content there is nothing to embed.
    """

    version: int
    before: int | None = None
    content: bytes | None = None
    result: Result | None = None


class Progress(msgspec.Struct, frozen=True):
    """How far a batch takes a model: from one position to another, in so many seconds."""

    start: int
    end: int
    seconds: float


class _Count(msgspec.Struct):
    """What a transaction adds to a model's counters, and the numbers that it takes out."""

    embedded: int = 0
    failed: int = 0
    tokens: int = 0
    revision: int = 0
    frequencies: Counter[int] = msgspec.field(default_factory=Counter)
    removed: set[int] = msgspec.field(default_factory=set)

    def add_chunks(self, chunks: Iterable[Chunk]) -> None:
        """Count the tokens of what was embedded."""
        for chunk in chunks:
            if chunk.tokens is not None:
                self.add_tokens(chunk.token_ids, 1)

    def add_tokens(self, ids: bytes | None, sign: int) -> None:
        """Count the tokens of one embedding in, or out."""
        self.tokens += sign
        for (token,) in iter_unpack("<I", ids or b""):
            self.frequencies[token] += sign


class Embeddings:
    """The tables of models and vectors of one store.

    `scopes` says of a role which texts it follows; without it, all of them. `is_outdated` says of
    the id of an embedder whether a later edition is to make its vectors anew.
    """

    def __init__(
        self,
        store: Store,
        scopes: Mapping[str, Scope] | None = None,
        is_outdated: Callable[[str], bool] = lambda _embedder: False,
    ) -> None:
        self.store = store
        self.is_outdated = is_outdated
        self._scopes = scopes or {}
        # The models whose texts were counted last.
        self._counted: list[int] = []
        self._texts = TextCount(store, with_documents=True)
        self._open_texts = TextCount(store, with_documents=False)

    # Models.

    def models(self) -> list[Model]:
        """Return all models, oldest first."""
        connection = self.store.connection()
        return [Model(*row) for row in connection.rows(self.store.queries.models)]

    def live(self, role: str) -> list[Model]:
        """Return the models of a role that follow the commits: the active one first."""
        found = [one for one in self.models() if one.role == role and one.state != "retired"]
        return sorted(found, key=lambda model: model.state)

    def use(self, role: str, embedder: Embedder, *, name: str | None = None) -> Model:
        """Let an embedder take over a role; the one before it answers until it has caught up.

        `name` is what it is found by at the next opening, if that is not its own name.
        """
        # An endpoint is asked for its dimension: not while others wait for the lock.
        what = (name or embedder.name, embedder.id, embedder.dimension)
        with self.store.writing():
            for model in self.live(role):
                if model.embedder == embedder.id:
                    self._retire_building(role, keep=model.id)
                    return model
            return self._start(role, what)

    def rebuild(self, role: str) -> Model:
        """Make the vectors of a role anew, while the ones there are answer. Raises NotFound."""
        with self.store.writing():
            for model in self.live(role):
                if model.state == "active":
                    return self._start(role, (model.name, model.embedder, model.dimension))
        raise NotFound(f"No model has the role {role!r}.", hint="There is nothing to rebuild.")

    def _start(self, role: str, what: tuple[str, str, int]) -> Model:
        self._retire_building(role)
        # The first model of a role replaces no other one: it answers from the start.
        return self._add(role, what, "building" if self.live(role) else "active")

    def _add(self, role: str, what: tuple[str, str, int], state: State) -> Model:
        values = (role, *what, state, self.store.clock())
        row = self.store.connection().row(self.store.queries.insert_model, values)
        assert row is not None, "INSERT … RETURNING gave no row"
        return next(model for model in self.models() if model.id == row[0])

    def replace(self, role: str, embedder: Embedder) -> None:
        """Put an embedder in the place of earlier editions of it, at once.

        A question cannot be compared with what those made. It is with what this one has made so
        far.
        """
        with self.store.writing():
            earlier = [one for one in self.live(role) if self.is_outdated(one.embedder)]
            for model in earlier:
                self._set_state(model, "retired")
            for model in earlier[:1]:
                self._add(role, (model.name, embedder.id, embedder.dimension), model.state)

    def _retire_building(self, role: str, *, keep: int = 0) -> None:
        for model in self.live(role):
            if model.state == "building" and model.id != keep:
                self._set_state(model, "retired")

    def _set_state(self, model: Model, state: State) -> None:
        self.store.connection().run(self.store.queries.set_model_state, (model.id, state))

    def switch(self, model: Model) -> bool:
        """Let a model that has caught up answer from now on; tell whether it was so.

        One that failed more often than not stays where it is: what answers now is better.
        """
        with self.store.writing():
            live = {one.id: one for one in self.live(model.role)}
            now = live.pop(model.id, None)
            if now is None or now.state != "building" or self.pending(now):
                return False
            if now.failed > now.embedded:
                return False
            for other in live.values():
                self._set_state(other, "retired")
            self._set_state(now, "active")
            return True

    # How far they are.

    def pending(self, model: Model) -> int:
        """Return how many texts a model has still to embed."""
        return self._behind(model, self._texts, self.store.queries.count_to_redo)

    def pending_in_search(self, role: str) -> int:
        """Return how many texts search finds by their words only, until they are embedded.

        Those of documents have a search of their own. Without a model of the role all count.
        """
        redo = self.store.queries.count_open_to_redo
        live = [model for model in self.models() if model.state != "retired"]
        self._counted = [model.id for model in live]
        pending = sum(self._behind(model, self._open_texts, redo) for model in live)
        if all(model.role != role for model in live):
            pending += self._open_texts.after(0, scope=self.scope(role))
        return pending

    def reads_of(self, roles: Iterable[str]) -> Iterator[Read]:
        """Yield what is read of roles before a question, and what `pending_in_search` reads."""
        for role in roles:
            yield self.store.queries.active_model, (role,)
        yield self.store.queries.models, ()
        for model in self._counted:
            yield self.store.queries.count_open_to_redo, (model,)

    def scope(self, role: str) -> Scope:
        """Return which texts a role follows."""
        return self._scopes.get(role)

    def followed(self, model: Model) -> int:
        """Return the version up to which a model has made what a question is compared with."""
        return 0 if self.is_outdated(model.embedder) else model.position

    def _behind(self, model: Model, texts: TextCount, redo: str) -> int:
        row = self.store.connection().row(redo, (model.id,))
        asker = (model.id, model.created)
        behind = texts.after(self.followed(model), asker, self.scope(model.role))
        return behind + (row[0] if row else 0)

    def status(
        self,
        roles: Iterable[str] = (),
        reason: Callable[[Model], str | None] = lambda _model: None,
    ) -> Status:
        """Return how far all models are. Of `roles` without a model everything is pending.

        `reason` says why one cannot be used here.
        """
        settle(self.store)
        with self.store.database.reading():
            models = self.models()
            found = [self._status_of(model, reason) for model in models]
            pending = sum(one.pending for one in found)
            if missing := set(roles) - {one.role for one in models if one.state != "retired"}:
                pending += sum(self._texts.after(0, scope=self.scope(role)) for role in missing)
        return Status(pending, tuple(found))

    def _status_of(self, model: Model, reason: Callable[[Model], str | None]) -> ModelStatus:
        is_live = model.state != "retired"
        pending = self.pending(model) if is_live else 0
        left = pending / model.rate if model.rate else None
        return ModelStatus(
            model.role,
            model.name,
            model.state,
            model.embedded,
            pending,
            model.failed,
            model.rate,
            left,
            reason(model) if is_live else None,
        )

    def guarded_texts(self, role: str, after: int = 0) -> int:
        """Return how many of the texts that a role has after a version are of documents."""
        found = count_texts(self.store, after, self.store.last_version())
        return of_scope(found[2:], self.scope(role))

    def guarded_vectors(self, model: Model) -> tuple[int, int, int]:
        """Return what a model has of documents: vectors, failures, and texts to do again."""
        row = self.store.connection().row(self.store.queries.count_guarded_vectors, (model.id,))
        return (row[0], row[1], row[2]) if row else (0, 0, 0)

    def failures(self, role: str, limit: int = 100) -> list[tuple[int, str]]:
        """Return version and reason of texts that the models of a role could not embed."""
        connection, queries = self.store.connection(), self.store.queries
        return [
            (row[0], row[1])
            for model in self.live(role)
            for row in connection.rows(queries.failures, (model.id, limit))
        ]

    def retry(self, role: str) -> int:
        """Let what failed be tried again; return how many texts that are."""
        total = 0
        with self.store.writing() as connection:
            for model in self.live(role):
                rows = connection.rows(self.store.queries.redo_failures, (model.id,))
                self._count(model.id, _Count(failed=-len(rows)))
                total += len(rows)
        return total

    def to_embed(self, model: Model, *, after: int, limit: int) -> list[int]:
        """Return versions a model has to embed next: those to be done again come first."""
        connection, queries = self.store.connection(), self.store.queries
        rows = connection.rows(queries.versions_to_redo, (model.id, limit))
        values = (max(after, model.position), limit, self.scope(model.role))
        rows = rows or connection.rows(queries.texts_after, values)
        return [row[0] for row in rows]

    def knows(self, model: Model, content: bytes) -> bool:
        """Whether a model has embedded a content before."""
        return self._found(model.id, content)[1] > 0

    # Writing.

    def write(self, model: Model, items: Sequence[Item], progress: Progress) -> bool:
        """Keep a batch and move on; False when another process has done so meanwhile."""
        with self.store.writing() as connection:
            rate = _rate(model.rate, items, progress.seconds)
            values = (model.id, progress.start, progress.end, rate)
            if connection.row(self.store.queries.move_model, values) is None:
                return False
            count = _Count()
            for item in items:
                count.revision |= item.version <= progress.start
                self._write_item(model.id, item, count)
            self._count(model.id, count)
        return True

    def _write_item(self, model: int, item: Item, count: _Count) -> None:
        self._remove_version(model, item.version, count)
        # The value may have been erased since its text was read: then nothing of it is kept.
        is_gone = self._flags(item.version) & _UNREADABLE
        if item.content is None or item.result == () or is_gone:
            return
        reason = item.result if isinstance(item.result, str) else None
        number, chunks = None, 0
        if reason is None and not self._flags(item.before) & ERASED:
            number, chunks = self._found(model, item.content)
            if not chunks and isinstance(item.result, tuple):
                number, chunks = self._insert(model, item.content, item.result)
                count.add_chunks(item.result)
        count.embedded += number is not None
        count.failed += reason is not None
        values = (model, item.version, item.before, number, chunks, reason)
        self.store.connection().run(self.store.queries.insert_embedded, values)

    def _flags(self, version: int | None) -> int:
        row = self.store.connection().row(self.store.queries.version_flags, (version,))
        return row[0] if row else 0

    def _found(self, model: int, content: bytes) -> tuple[int | None, int]:
        connection = self.store.connection()
        row = connection.row(self.store.queries.embedding_of_content, (model, content))
        return (row[0], row[1]) if row else (None, 0)

    def _insert(
        self, model: int, content: bytes, chunks: tuple[Chunk, ...]
    ) -> tuple[int | None, int]:
        connection, queries = self.store.connection(), self.store.queries
        first = self._last_number() + 1
        for number, chunk in enumerate(chunks, first):
            packed = chunk.vector
            values = (number, model, content, number - first, packed.scale, packed.steps)
            connection.run(queries.insert_embedding, values)
            if chunk.tokens is not None:
                values = (number, model, chunk.token_ids, chunk.tokens)
                connection.run(queries.insert_embedding_tokens, values)
        return (first if chunks else None), len(chunks)

    def _last_number(self) -> int:
        row = self.store.connection().row(self.store.queries.last_embedding)
        assert row is not None, "an aggregate gives a row"
        return max(row[0], row[1] * codes.PART - 1)

    def _count(self, model: int, count: _Count) -> None:
        connection, queries = self.store.connection(), self.store.queries
        values = (model, count.embedded, count.failed, count.tokens, count.revision)
        connection.run(queries.count_model, values)
        rows = [(model, token, more) for token, more in count.frequencies.items() if more]
        connection.run_many(queries.count_embedding_token, rows)
        if any(more < 0 for _model, _token, more in rows):
            connection.run(queries.delete_unused_tokens, (model,))
        for part in {number // codes.PART for number in count.removed}:
            if connection.row(queries.codes_of_part, (model, part)) is not None:
                self._remake(model, part)

    def renew(self, versions: Iterable[int]) -> None:
        """Embed versions that have a text now and had none; joins an open transaction."""
        queries = self.store.queries
        wanted = list(versions)
        with self._joining() as connection:
            for model in self.models():
                rows = [(model.id, version) for version in wanted if version <= model.position]
                connection.run_many(queries.insert_to_redo, rows)

    # Taking out.

    def forget(self, versions: Iterable[int], *, erased: bool) -> int:
        """Take out the vectors of versions whose values go; return how many there were.

        With `erased` also those that were read behind such a version: they are made again
        without it. Joins the transaction that this thread has open, if any.
        """
        counts = {model.id: _Count() for model in self.models()}
        if not counts:
            return 0
        found = 0
        with self._joining():
            for version in versions:
                for model, count in counts.items():
                    found += self._remove_version(model, version, count)
                if erased:
                    self._redo_behind(version, counts)
            for model, count in counts.items():
                if count != _Count():
                    count.revision = 1
                    self._count(model, count)
        return found

    def _remove_version(self, model: int, version: int, count: _Count) -> bool:
        """Remove what a version has, and its vectors if no other version has them."""
        connection, queries = self.store.connection(), self.store.queries
        row = connection.row(queries.delete_embedded, (model, version))
        if row is None:
            return False
        number, chunks, reason = row
        count.embedded -= number is not None
        count.failed -= reason is not None
        if number is not None and connection.row(queries.embedding_user, (number,)) is None:
            for one in range(number, number + chunks):
                connection.run(queries.delete_embedding, (one,))
                count.removed.add(one)
                if (tokens := connection.row(queries.delete_embedding_tokens, (one,))) is not None:
                    count.add_tokens(tokens[0], -1)
        return True

    def _redo_behind(self, version: int, counts: dict[int, _Count]) -> None:
        connection, queries = self.store.connection(), self.store.queries
        for model, behind in connection.rows(queries.embedded_behind, (version,)):
            self._remove_version(model, behind, counts[model])
            values = (model, behind, None, None, 0, None)
            connection.run(queries.insert_embedded, values)

    def drop_tokens(self, model: Model, *, keep: int) -> bool:
        """Drop some of the oldest token vectors beyond so many; tell whether there were any."""
        excess = min(model.tokens - keep, limits.EMBED_REMOVE_ROWS)
        if excess <= 0:
            return False
        with self.store.writing() as connection:
            self._drop_oldest_tokens(connection, model.id, excess)
        return True

    def _drop_oldest_tokens(self, connection: Connection, model: int, most: int) -> int:
        count = _Count()
        for (ids,) in connection.rows(self.store.queries.delete_oldest_tokens, (model, most)):
            count.add_tokens(ids, -1)
        self._count(model, count)
        return -count.tokens

    def remove(self, model: Model) -> None:
        """Remove some rows of a retired model, and itself when none is left."""
        queries, values = self.store.queries, (model.id, limits.EMBED_REMOVE_ROWS)
        with self.store.writing() as connection:
            if rows := connection.rows(queries.delete_some_embedded, values):
                self._count(model.id, _Count(embedded=-sum(row[0] is not None for row in rows)))
            elif self._drop_oldest_tokens(connection, *values):
                pass
            elif not connection.rows(queries.delete_some_embeddings, values):
                for statement in (queries.delete_frequencies, queries.delete_codes):
                    connection.run(statement, (model.id,))
                connection.run(queries.delete_model, (model.id,))

    # Codes.

    def has_part_to_seal(self, model: Model) -> bool:
        """Tell whether the codes of a part can be made: it is full, and the store large."""
        last = self._last_number()
        return last >= limits.NEAREST_HELD_MAX and model.sealed < last // codes.PART

    def seal(self, model: Model) -> bool:
        """Make the codes of a model's next part; tell whether there was one."""
        with self.store.writing() as connection:
            now = next((one for one in self.models() if one.id == model.id), None)
            if now is None or not self.has_part_to_seal(now):
                return False
            self._remake(now.id, now.sealed)
            connection.run(self.store.queries.set_sealed, (now.id, now.sealed + 1))
        return True

    def _remake(self, model: int, part: int) -> None:
        """Write the codes of a part as its vectors are now."""
        connection, queries = self.store.connection(), self.store.queries
        connection.run(queries.delete_codes_of_part, (model, part))
        made = self._codes(model, part)
        if made:
            connection.run(queries.insert_codes, (model, part, made))

    def _codes(self, model: int, part: int) -> bytes:
        """Return the codes of a part as the vectors give them; empty where there are none."""
        bounds = (part * codes.PART, (part + 1) * codes.PART)
        rows = self.store.connection().rows(self.store.queries.vectors_of_part, (model, *bounds))
        if not rows:
            return b""
        numbers, vectors = zip(*rows, strict=True)
        return codes.pack(part, codes.of_rows(numbers, vectors, len(vectors[0])))

    def wrong_codes(self) -> Iterator[tuple[int, int]]:
        """Yield model and part of codes that their vectors do not give."""
        connection, queries = self.store.connection(), self.store.queries
        for model in self.models():
            last = connection.row(queries.last_codes, (model.id,))
            for part in range(max(model.sealed, last[0] + 1 if last else 0)):
                row = connection.row(queries.codes_of_part, (model.id, part))
                if (row[0] if row else b"") != self._codes(model.id, part):
                    yield model.id, part

    def mend_codes(self) -> int:
        """Make codes that are wrong anew; return how many parts those were."""
        wrong = list(self.wrong_codes())
        with self.store.writing():
            for model, part in wrong:
                self._remake(model, part)
            for model in {model for model, _part in wrong}:
                self._count(model, _Count(revision=1))
        return len(wrong)

    @contextmanager
    def _joining(self) -> Generator[Connection]:
        connection = self.store.connection()
        if connection.in_transaction:
            yield connection
        else:
            with self.store.writing() as own:
                yield own


def _rate(before: float, items: Sequence[Item], seconds: float) -> float:
    """Return texts a second, of late more than before; what needed no model does not count."""
    made = sum(item.result is not None for item in items)
    if not made or seconds <= 0:
        return before
    now = made / seconds
    return now if not before else before + _NEWEST * (now - before)
