"""Reads that a caller expects to make, and the answers that came before they were asked for.

In a transaction, reads that are foreseen are sent with the next round trip, and their answers hold
until the transaction writes or ends. Outside of one, a block of reads goes by one look at the
store: the answers of its foreseen reads hold as long as the number of the state is the same, also
for later blocks.
"""

from collections.abc import Iterable, Sequence

from strata.sql.connection import Read, Row

# Answers that are kept after the block that needed them, and the rows that one may have.
_KEPT_MAX = 64
_KEPT_ROWS_MAX = 64


class Foresight:
    """The expected reads of one thread, and their answers."""

    __slots__ = (
        "_answers",
        "_at",
        "_blocks",
        "_coming",
        "_is_outdated",
        "_told",
        "has_looked",
        "is_active",
        "wanted",
    )

    def __init__(self) -> None:
        # Whether anything is foreseen or known: asked before every read.
        self.is_active = False
        self._blocks = 0
        # What the open transaction, or the next one, will read, and what it was told.
        self._coming: dict[Read, None] = {}
        self._told: dict[Read, list[Row]] = {}
        # Whether the open block knows the state of the store.
        self.has_looked = False
        # What the open block will read, and the answers in one state of the store.
        self.wanted: dict[Read, None] = {}
        self._answers: dict[Read, list[Row]] = {}
        self._at = -1
        # Whether values were erased since the open block began.
        self._is_outdated = False

    def foresee(self, reads: Iterable[Read], *, in_transaction: bool) -> None:
        """Expect reads in the open block, or else in the open transaction or the next one."""
        expected = self.wanted if self._blocks and not in_transaction else self._coming
        expected.update(dict.fromkeys(reads))
        self.is_active = True

    # In a transaction.

    def pop_coming(self) -> Sequence[Read]:
        """Return what is to be sent with the next round trip of a transaction."""
        if not self._coming:
            return ()
        taken = tuple(read for read in self._coming if read not in self._told)
        self._coming.clear()
        return taken

    def hear(self, read: Read, rows: list[Row]) -> None:
        """Keep an answer until the transaction writes or ends."""
        self._told[read] = rows

    def answer(self, read: Read) -> list[Row] | None:
        """Return the answer of a read; None if it must be sent, and then foreseen no longer."""
        found = self._told.get(read)
        if found is None:
            self._coming.pop(read, None)
        return found

    def drop(self, reads: Iterable[Read]) -> None:
        """Expect reads no longer, and forget what was told of them."""
        for read in reads:
            self._coming.pop(read, None)
            self._told.pop(read, None)

    def forget(self) -> None:
        """Forget what was told, because the transaction has written."""
        self._told.clear()

    def end(self) -> None:
        """Forget everything of a transaction that has ended."""
        self._coming.clear()
        self._told.clear()
        self.is_active = self._blocks > 0

    # In a block outside of a transaction.

    @property
    def in_block(self) -> bool:
        """Whether a block of reads is open."""
        return self._blocks > 0

    @property
    def knows_state(self) -> bool:
        """Whether a block is open that has looked, so that its reads need not ask for the state."""
        return self._blocks > 0 and self.has_looked

    def enter(self, reads: Iterable[Read]) -> None:
        """Begin a block, or one inside it."""
        if not self._blocks:
            self.has_looked = self._is_outdated = False
        self._blocks += 1
        self.is_active = True
        self.wanted.update(dict.fromkeys(reads))

    def leave(self) -> None:
        """End a block; what was foreseen in it may be asked again by the next one."""
        self._blocks -= 1
        if self._blocks == 0:
            last = [] if self._is_outdated else list(self._answers.items())[-_KEPT_MAX:]
            self._answers = {read: rows for read, rows in last if len(rows) <= _KEPT_ROWS_MAX}
            self.wanted.clear()
            self.is_active = bool(self._coming or self._told)

    def forget_answers(self) -> None:
        """Forget what blocks have read, because values were erased; any thread may call this."""
        self._is_outdated = True
        self._answers, self._at = {}, -1

    def coming_at(self, state: int) -> list[Read]:
        """Return the reads of the block whose answers in a state are not known."""
        known = self._answers if self._at == state else {}
        return [read for read in self.wanted if read not in known]

    def answer_at(self, read: Read, state: int) -> list[Row] | None:
        """Return the answer of a read in a state."""
        return self._answers.get(read) if self._at == state else None

    def keep(self, answers: Iterable[tuple[Read, list[Row]]], state: int) -> None:
        """Keep answers that were read in one state."""
        if self._at != state:
            self._answers.clear()
            self._at = state
        self._answers.update(answers)
        self.has_looked = True
