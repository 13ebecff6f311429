"""Going on behind an answer while documents come, change and go.

What is ranked or sorted by time may move between two pages. So a token names what was shown,
by six bytes each, and the next page holds the best of the rest: nothing comes twice, and nothing
that stayed is passed over. A list is sorted by ids, which never move; its token is the last one.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import blake2b

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.documents.finding.request import FoundItem, Request
from strata.store import Snapshot

_SEEN_BYTES, _SUM_BYTES = 6, 8


class FindPage(msgspec.Struct, frozen=True, array_like=True):
    """Where an answer goes on. `now` is the time of the first page, which "2 days ago" means."""

    now: int
    question: bytes = b""
    after: str = ""
    seen: bytes = b""


class Pager:
    """Reads and writes the tokens of one question by one user in one store."""

    def __init__(self, snapshot: Snapshot, user: str, request: Request) -> None:
        self._store: bytes = snapshot.store.id.encode()[:64]
        scope, filters = request.scope, request.filters
        asked = (user, snapshot.branch, snapshot.bound, request.intent, scope, filters)
        data = msgspec.json.encode((*asked, request.query))
        self._question = self._sum(data)
        self.page = self._read(request.next_token) or FindPage(snapshot.store.clock())
        seen = self.page.seen
        self._seen = {seen[at : at + _SEEN_BYTES] for at in range(0, len(seen), _SEEN_BYTES)}

    @property
    def listed_before(self) -> int:
        """How many things the pages before this one have shown."""
        return len(self._seen)

    def was_listed(self, id_: str) -> bool:
        """Tell whether a page before this one has shown something."""
        return self._mark(id_) in self._seen

    def behind(self, shown: Iterable[FoundItem], *, has_more: bool) -> str | None:
        """Return the token for what comes behind this page; None for the last one."""
        marks = b"".join(
            self._mark(item.chunk_id or item.id) if item.type == "section" else self._mark(item.id)
            for item in shown
        )
        seen = self.page.seen + marks
        if not has_more or len(seen) > limits.FIND_PAGED_MAX * _SEEN_BYTES:
            return None
        return self._write(FindPage(self.page.now, self._question, seen=seen))

    def behind_id(self, last: str) -> str:
        """Return the token for what comes behind an id."""
        return self._write(FindPage(self.page.now, self._question, after=last))

    def _mark(self, id_: str) -> bytes:
        return blake2b(id_.encode(), digest_size=_SEEN_BYTES, key=self._store).digest()

    def _sum(self, data: bytes) -> bytes:
        return blake2b(data, digest_size=_SUM_BYTES, key=self._store).digest()

    def _write(self, page: FindPage) -> str:
        data = msgspec.msgpack.encode(page)
        return _spelled(self._sum(data) + data)

    def _read(self, token: str | None) -> FindPage | None:
        if token is None:
            return None
        try:
            raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
            # Decoding is lenient with what is no letter of a token.
            if _spelled(raw) != token or self._sum(raw[_SUM_BYTES:]) != raw[:_SUM_BYTES]:
                raise ValueError(token)
            page = msgspec.msgpack.decode(raw[_SUM_BYTES:], type=FindPage)
        except (ValueError, msgspec.MsgspecError):
            raise _refused("is none that this workspace gave out") from None
        if page.question != self._question:
            raise _refused("belongs to another question, branch or person")
        return page


def _spelled(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _refused(why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The `next_token` {why}.",
        hint="Send it unchanged, with the same intent, scope, filters and query; or begin anew.",
        parameter="next_token",
    )
