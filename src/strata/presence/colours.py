"""Colours of users: computed from the user, so that they are the same everywhere."""

from hashlib import sha256

# As dark as each other: white letters can be read on each of them, and each can be seen as a
# thin line on a white page and on a nearly black one.
COLOURS = (
    "#d72323",
    "#b84c1e",
    "#956318",
    "#727213",
    "#3f7b14",
    "#157f38",
    "#147b61",
    "#167988",
    "#1e70b8",
    "#4262e0",
    "#7854e3",
    "#a035de",
    "#bd1fbd",
    "#ca2183",
)


# Has no factor in common with the number of colours: users who came one after the other look
# different, and as many users as there are colours have one each.
_STEP = 5


def colour_of(number: int, via: str | None = None) -> str:
    """Return the colour of a user, by how many users came before, or of an agent of theirs.

    >>> colour_of(0) == colour_of(0), colour_of(0) == colour_of(1)
    (True, False)
    """
    shift = 0 if via is None else 1 + _hash(via) % (len(COLOURS) - 1)
    return COLOURS[(number * _STEP + shift) % len(COLOURS)]


def _hash(name: str) -> int:
    return sha256(name.encode(errors="surrogatepass")).digest()[0]
