"""What follows a store's commits, made when it is first needed: most commands do without it."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from strata.base.memo import forget_texts
from strata.store import Store

if TYPE_CHECKING:
    from strata.documents import TextJoiner
    from strata.workspace.followers import Followers

# Whether vectors are made in the background, not at all, or before the first search.
AutoEmbed: TypeAlias = bool | Literal["before_search"]


class LateFollowers:
    """Search, embeddings and links of a store, loaded when they are first needed."""

    def __init__(self, store: Store, *, auto_embed: AutoEmbed = False) -> None:
        self.store = store
        may_write = not store.database.read_only
        self._is_automatic = auto_embed is True and may_write
        self._catches_up = auto_embed == "before_search" and may_write
        self._lock = threading.Lock()
        self._made: Followers | None = None
        store.joiner = _LateJoiner(self)
        store.on_removal += [self._forget_words, forget_texts]
        if self._is_automatic:
            store.after_commit = lambda: self.made().begin()

    def made(self) -> Followers:
        """Return what follows the store, the same for all threads."""
        with self._lock:
            if self._made is None:
                from strata.workspace.followers import Followers  # noqa: PLC0415  (slow to load)

                self._made = Followers(
                    self.store, is_automatic=self._is_automatic, catches_up=self._catches_up
                )
            return self._made

    def _forget_words(self) -> None:
        if self.store.indexer is not None:
            self.store.indexer.forget()

    def close(self) -> None:
        """Stop the work in the background, if there is any."""
        if self._made is not None:
            self._made.close()


class _LateJoiner:
    """Merges documents: loads what knows how when there is one to merge or to show."""

    kinds = frozenset({"behind", "document", "section", "snapshot", "text"})
    shows = kinds | {"comment", "suggestion"}

    def __init__(self, followers: LateFollowers) -> None:
        self._followers = followers

    @cached_property
    def _joiner(self) -> TextJoiner:
        from strata.documents import TextJoiner  # noqa: PLC0415  (seldom needed)

        followers = self._followers
        return TextJoiner(followers.store, followers.made().documents.texts)

    # Any: see Joiner of the store.
    def permitted(self, plan: Any, task: Any, pair: Any) -> Any:
        """Return a comment or a suggestion as it may be merged, if it may."""
        return self._joiner.permitted(plan, task, pair)

    def join(self, plan: Any, task: Any, pairs: Any) -> None:
        """Plan what a merge writes for documents."""
        self._joiner.join(plan, task, pairs)

    def readable_change(self, pair: Any) -> Any:
        """Return a change of a document in a readable form."""
        return self._joiner.readable_change(pair)
