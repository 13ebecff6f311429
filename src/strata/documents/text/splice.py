"""One replacement in a text: what the diff finds and what a replica applies."""

from msgspec import Struct


class Splice(Struct, frozen=True):
    """Put `text` in the place of `before[start:end]`; offsets count code points."""

    start: int
    end: int
    text: str
