"""Images in a document's text: `![alt](image:ID)`, and which ones a text shows."""

import re

_IN_TEXT = re.compile(
    r"!\[((?:[^\[\]\\]|\\.)*)\]\(image:([0-9a-f]{64})(?:[ \t]+\"[^\"\n]*\")?\)", re.DOTALL
)


def image_markdown(alt: str, image: str) -> str:
    """Return what to write into a document where an image belongs."""
    plain = " ".join(alt.split())
    escaped = re.sub(r"([\\\[\]])", r"\\\1", plain)
    return f"![{escaped}](image:{image})"


def image_links(text: str, place: str) -> str:
    """Return a text in which images are addresses below a place, for readers outside of Strata."""

    def linked(found: re.Match[str]) -> str:
        return found[0].replace(f"(image:{found[2]}", f"({place}{found[2]}", 1)

    return _IN_TEXT.sub(linked, text)


def images_in(text: str) -> list[str]:
    """Return the ids of the images that a text shows, each once, in their order."""
    return list(dict.fromkeys(found[2] for found in _IN_TEXT.finditer(text)))
