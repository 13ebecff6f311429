"""Who sees what: some kinds of keys are for some people only."""

from collections.abc import Collection
from typing import Literal, Protocol, TypeAlias

from strata.store.record import Address

# What documents are made of. Only their own package lists, changes and removes them, for only it
# knows what belongs together; everything else leaves these kinds out.
GUARDED = frozenset(
    {
        "document",
        "text",
        "snapshot",
        "section",
        "behind",
        "suggestion",
        "comment",
        "image",
        "blob",
        "named",
        "file",
        "draft",
    }
)
# Of these, what follows from the others, and is no change that a user made.
FOLLOWING = frozenset({"snapshot", "section", "behind", "blob"})
# The operation of commits that write nothing but what follows from earlier ones.
FOLLOWING_OPERATION = "document settle"
# Bytes that several documents may use: taken over by users who may, and never taken back.
SHARED = frozenset({"blob"})
# The role for a document that it takes to do what a merge may leave out.
Need: TypeAlias = Literal["commenter", "editor"]


class Visibility(Protocol):
    """What a user may see of a store, and change by operations on whole commits."""

    def shows(self, address: Address) -> bool:
        """Tell whether a key may be seen; one that may not looks as if it were not there."""
        ...

    def writable(self, addresses: Collection[Address]) -> Collection[Address]:
        """Return those that may be changed; raise NotAllowed for what is seen, but may not."""
        ...

    def barred(
        self, document: str, authors: Collection[str], *, need: Need = "editor"
    ) -> frozenset[str]:
        """Return the authors whose changes that need a role for a document a merge leaves out."""
        ...


class _Whole:
    """What a caller sees who has the file itself."""

    def shows(self, address: Address) -> bool:  # noqa: ARG002
        return True

    def writable(self, addresses: Collection[Address]) -> Collection[Address]:
        return addresses

    def barred(
        self,
        document: str,  # noqa: ARG002
        authors: Collection[str],  # noqa: ARG002
        *,
        need: Need = "editor",  # noqa: ARG002
    ) -> frozenset[str]:
        return frozenset()


class _Unguarded(_Whole):
    """What a caller sees who asks for nothing that has permissions."""

    def shows(self, address: Address) -> bool:
        return address[1] not in GUARDED

    def writable(self, addresses: Collection[Address]) -> Collection[Address]:
        return [address for address in addresses if self.shows(address)]


WHOLE: Visibility = _Whole()
UNGUARDED: Visibility = _Unguarded()


def is_change(address: Address) -> bool:
    """Tell whether a key holds what a user wrote, and not what follows from that."""
    return address[1] not in FOLLOWING
