"""Words for a relationship, and the type of link that each means."""

from typing import Literal

import msgspec

from strata.decisions.links import LinkType


class Mapped(msgspec.Struct, frozen=True):
    """What a word means; a passive one, such as "replaced by", has its ends the other way."""

    link_type: LinkType
    is_passive: bool = False
    how: Literal["lexicon", "fallback"] = "lexicon"


def map_relationship(word: str) -> Mapped:
    """Return the type of link that a word means, or an association."""
    known: dict[str, LinkType] = {"supersedes": "evolution", "outcome_of": "implementation"}
    return Mapped(known[word]) if word in known else Mapped("association", how="fallback")
