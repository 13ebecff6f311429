"""Parts of a document that are small enough to be found, read and embedded one by one."""

from collections.abc import Sequence

from msgspec import Struct

from strata.documents.markdown.outline import Section

CHUNK_CHARACTERS_MAX = 4_000


class Chunk(Struct, frozen=True):
    """A section, or a part of a long one: `text[start:end]` of the section with that number."""

    section: int
    start: int
    end: int


def chunks(text: str, found: Sequence[Section]) -> list[Chunk]:
    """Cut sections into chunks."""
    result: list[Chunk] = []
    for number, section in enumerate(found):
        at = section.start
        while section.end - at > CHUNK_CHARACTERS_MAX:
            cut = text.rfind("\n\n", at + 1000, at + CHUNK_CHARACTERS_MAX - 2) + 2
            cut = cut if cut > 1 else at + 2000
            result.append(Chunk(number, at, cut))
            at = cut
        result.append(Chunk(number, at, section.end))
    return result
