"""Requests that carry a key: each is done once, however often it comes."""

from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.digests import digest
from strata.base.errors import Conflict, InvalidArgument
from strata.base.ids import hash_of_key
from strata.store import Store


class DocumentRequest(msgspec.Struct, frozen=True, array_like=True):
    """What a request asks for: an action, of which document, on which branch by its number.

    `arguments` is a hash of everything else that was given. Requests that were answered before it
    was kept have none.
    """

    operation: str
    document: str
    branch: int
    arguments: str = ""

    def repeats(self, known: "DocumentRequest") -> bool:
        """Tell whether this is a request that was answered before."""
        place = (known.operation, known.document, known.branch)
        is_same = known.arguments in ("", self.arguments)
        return is_same and place == (self.operation, self.document, self.branch)

    @property
    def words(self) -> str:
        """The action, for people."""
        return f"{self.operation} {self.document}".rstrip()


class Requests:
    """What was answered to one user's request, kept in the transaction that answered it."""

    def __init__(self, store: Store, user: str, key: str) -> None:
        self._store = store
        self._user = user
        self._key = check_key(key)
        self._kept = hash_of_key(self._key)

    # Any: each action answers with structs of its own, all of which can say `repeated`.
    def answer(self, asked: DocumentRequest, kind: Any) -> Any:
        """Return what was answered when the request came before, as this type, or None."""
        store = self._store
        row = store.connection().row(store.queries.request, (self._user, self._kept))
        if row is None:
            return None
        known, told = msgspec.json.decode(row[0], type=tuple[DocumentRequest, msgspec.Raw])
        if not asked.repeats(known):
            raise Conflict(
                f"The idempotency key {self._key!r} was used for another request: {known.words}.",
                hint="Nothing was changed. Use a new key for each request; the same key repeats"
                " the same request with the same arguments.",
                parameter="request",
            )
        answer: Any = msgspec.json.decode(told, type=kind)
        if isinstance(answer, list):
            answers = cast("list[Any]", answer)
            return [msgspec.structs.replace(one, repeated=True) for one in answers]
        return msgspec.structs.replace(answer, repeated=True)

    def _is_known(self) -> bool:
        store = self._store
        return store.connection().row(store.queries.request, (self._user, self._kept)) is not None

    def note(self, asked: DocumentRequest, answer: object) -> None:
        """Keep what is answered, in the transaction that is open on this thread."""
        connection, queries, now = (
            self._store.connection(),
            self._store.queries,
            self._store.clock(),
        )
        text = msgspec.json.encode((asked, answer)).decode()
        connection.run(queries.delete_old_requests, (now - limits.REQUEST_KEPT_S * 1_000_000,))
        connection.run(queries.insert_request, (self._user, self._kept, text, now))

    def note_alone(self, asked: DocumentRequest, answer: object) -> None:
        """Keep what is answered by itself, unless the same request was quicker."""
        with self._store.writing():
            if not self._is_known():
                self.note(asked, answer)


def hash_arguments(given: object) -> str:
    """Return what tells two requests of the same action apart."""
    return digest(msgspec.json.encode(given, order="deterministic")).hex()


def check_key(key: object) -> str:
    """Return an idempotency key, or raise InvalidArgument."""
    text = check_text(key, name="request")
    if 0 < len(text) <= limits.NAME_CHARACTERS_MAX:
        return text
    raise InvalidArgument(
        "The idempotency key is empty or too long.",
        hint=f"Use 1 to {limits.NAME_CHARACTERS_MAX} characters.",
        parameter="request",
    )
