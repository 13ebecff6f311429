"""The store's side of what git shares: every item as a file would have it, and changes to them."""

from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec

from strata.base.errors import InvalidArgument, LimitExceeded, SecretRefused
from strata.base.values import Json
from strata.decisions import (
    MemoryReader,
    change_of_link,
    change_of_memory,
    new_link,
)
from strata.exchange.gitfiles.item_files import (
    SharedDecision,
    SharedFact,
    decision_file,
    fact_file,
)
from strata.exchange.gitfiles.sharing import GitSharing
from strata.exchange.place import view_of
from strata.memory import Facts, Kv
from strata.secrets import find_in, mask
from strata.store import Header, StagingView, Transaction
from strata.workspace import Workspace

OPERATION = "git"


class StoreSide(msgspec.Struct, frozen=True):
    """What the store shares: texts of files by path, and what is not written, with its reason."""

    texts: dict[str, str]
    withheld: dict[str, str]


def store_side(db: Workspace, sharing: GitSharing) -> StoreSide:
    """Return the files that the store would write. What holds a secret is withheld."""
    texts: dict[str, str] = {}
    withheld: dict[str, str] = {}
    for (path, text), value in _items(db, sharing):
        if find_in(value):
            withheld[str(path)] = "it holds a secret"
        else:
            texts[str(path)] = text
    return StoreSide(texts, withheld)


def _items(db: Workspace, sharing: GitSharing) -> Iterator[tuple[tuple[PurePosixPath, str], Json]]:
    for one in sharing.prefixes:
        for key, held in db.space(one.space).kv.scan(one.prefix):
            fact = SharedFact(one.space, key, held.value, held.tags)
            yield fact_file(fact), {key: held.value, "tags": list(held.tags)}
    if sharing.decisions:
        snapshot = view_of(db).snapshot
        reader = MemoryReader(snapshot)
        for memory in reader.of_type("decision"):
            links = reader.links_of(memory.id, end="from")
            replaced = tuple({link.to_id for link in links if link.supersedes})
            text = decision_file(SharedDecision(memory, replaced))
            yield text, {"topic": memory.topic, "content": memory.content, **memory.metadata}


class StoreChanges:
    """Changes to the store that one commit makes, staged item by item."""

    def __init__(self, db: Workspace, message: str) -> None:
        view = view_of(db)
        view.check_writable()
        header = Header(OPERATION, view.signature, view.message(message))
        self._transaction = Transaction(view.snapshot, header, locked=False, screen=view.screen)
        self._view = view

    def put(self, item: SharedFact | SharedDecision) -> None:
        """Stage an item; raise ValueError with the reason why it may not be kept."""
        try:
            with self._transaction.whole():
                if isinstance(item, SharedFact):
                    self._put_fact(item)
                else:
                    self._put_decision(item)
        except SecretRefused as error:
            raise ValueError("it holds a secret") from error
        except (InvalidArgument, LimitExceeded) as error:
            raise ValueError(error.message) from error

    def _put_fact(self, fact: SharedFact) -> None:
        # As the store's own call would do it, so that it can be compared with what others wrote.
        view = StagingView(self._transaction, space=fact.space)
        value, _data = self._view.encoded(fact.value, name=fact.key)
        Facts(view).remember(fact.key, value, tags=list(fact.tags))

    def _put_decision(self, decision: SharedDecision) -> None:
        memory, transaction = decision.memory, self._transaction
        reader = MemoryReader(transaction)
        before = reader.get(memory.id)
        if before is not None and before.type != "decision":
            raise ValueError("its id is that of another kind of memory")
        if self._view.masks:
            content, metadata = mask(memory.content)[0], mask(memory.metadata)[0]
            memory = msgspec.structs.replace(memory, content=content, metadata=metadata)
        transaction.stage(change_of_memory(memory))
        for old in decision.replaces:
            if old != memory.id and memory.id not in reader.superseding(old):
                link = new_link(
                    memory.id,
                    old,
                    "evolution",
                    confidence=1.0,
                    created_by="user",
                    created_at=memory.created_at,
                    relationship="supersedes",
                )
                transaction.stage(change_of_link(link))

    def delete(self, item: SharedFact) -> None:
        """Stage the removal of a fact."""
        Kv(StagingView(self._transaction, space=item.space)).delete(item.key)

    def commit(self) -> int | None:
        """Commit what was staged; return its version, or None if there was nothing."""
        receipt = self._transaction.commit()
        return None if receipt is None else receipt.version

    def drop(self) -> None:
        """Drop what was staged."""
        self._transaction.rollback()
