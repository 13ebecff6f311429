"""Colours of people: the same everywhere, without anybody having to remember them."""

from hashlib import sha256

# As dark as each other: white letters can be read on each of them, and each can be seen as a
# thin line on a white page and on a nearly black one.
COLOURS = (
    "#d72323", "#b84c1e", "#956318", "#727213", "#3f7b14", "#157f38", "#147b61",
    "#167988", "#1e70b8", "#4262e0", "#7854e3", "#a035de", "#bd1fbd", "#ca2183",
)  # fmt: skip


def colour_of(person: str, via: str | None = None) -> str:
    """Return the colour of somebody, or of the agent that acts for them.

    >>> colour_of("user_1") == colour_of("user_1"), len(colour_of("user_1", via="codex"))
    (True, 7)
    """
    name = person if via is None else f"{person}\0{via}"
    number = sha256(name.encode(errors="surrogatepass")).digest()[0]
    return COLOURS[number % len(COLOURS)]
