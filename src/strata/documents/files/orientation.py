"""How a camera was held: one number of its notes, read without trusting the rest of them."""

from typing import Literal

_BEGINNING = b"Exif\0\0"
_ORIENTATION = 0x0112
_SHORT = 3
_ENTRY_BYTES = 12
# A directory of notes has a few dozen entries.
_ENTRIES_MAX = 1_000
UPRIGHT = 1
SIDEWAYS = frozenset({5, 6, 7, 8})


def orientation(exif: bytes) -> int:
    """Return the orientation that Exif data names, 1 to 8; upright if it makes no sense."""
    notes = exif.removeprefix(_BEGINNING)
    order: Literal["little", "big"]
    if notes.startswith(b"II*\0"):
        order = "little"
    elif notes.startswith(b"MM\0*"):
        order = "big"
    else:
        return UPRIGHT

    def number(at: int, count: int) -> int:
        return int.from_bytes(notes[at : at + count], order)

    first = number(4, 4)
    for entry in range(min(number(first, 2), _ENTRIES_MAX)):
        at = first + 2 + entry * _ENTRY_BYTES
        if (number(at, 2), number(at + 2, 2)) == (_ORIENTATION, _SHORT):
            turn = number(at + 8, 2)
            return turn if 1 <= turn <= 8 else UPRIGHT
    return UPRIGHT
