"""Comments and suggestions as text: where their words are, and who wrote them."""

from collections.abc import Mapping

from strata.cli.show.text import one_line
from strata.documents import path_name
from strata.review import Spot


def place_of(spot: Spot | None) -> str:
    """Say in which line and section words are."""
    if spot is None:
        return "nowhere any more"
    path = path_name(spot.path)
    return f"line {spot.line}{f', {one_line(path)}' if path else ''}"


def author_of(author: str, via: str | None, names: Mapping[str, str]) -> str:
    """Name a user, and the agent that wrote for them."""
    name = one_line(names.get(author, author))
    return f"{name} by {one_line(via)}" if via else name
