"""What files and store had in common when they last met, by git branch.

An entry is the text of a file and the text that the store would have written then. Mostly both are
one. They differ where a git branch has another form of something than the store, and neither has
changed since: then nothing is to be done.
"""

from pathlib import Path
from urllib.parse import quote

import msgspec

from strata.base import ids
from strata.base.checkout import Checkout
from strata.base.errors import Unavailable

_FOLDER = "strata/base"


class Meeting(msgspec.Struct, frozen=True, array_like=True):
    """A file and the store's form of it, when they last met; None for what was not there."""

    file: str | None
    store: str | None


class Baseline:
    """The meetings of one git branch, by the path of the file."""

    def __init__(self, path: Path, entries: dict[str, Meeting] | None) -> None:
        self._path = path
        self.is_new = entries is None
        self.entries = entries or {}

    def get(self, path: str) -> Meeting:
        """Return how a file and the store last met."""
        return self.entries.get(path) or Meeting(None, None)

    def note(self, path: str, file: str | None, store: str | None) -> None:
        """Note how they meet now."""
        if file is None and store is None:
            self.entries.pop(path, None)
        else:
            self.entries[path] = Meeting(file, store)

    def save(self) -> None:
        """Keep it for the next time."""
        part = self._path.with_name(f".{ids.token()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(msgspec.json.encode(self.entries, order="sorted"))
            part.replace(self._path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise Unavailable(
                f"{self._path} cannot be written: {error.strerror}.", path=str(self._path)
            ) from error


def read_baseline(checkout: Checkout, git_branch: str) -> Baseline:
    """Return what is noted of a git branch; what is missing or unreadable begins anew.

    Without it, what differs on both sides is a conflict: nothing is lost.
    """
    name = f"{quote(git_branch, safe='')}.json"
    path = checkout.repository / _FOLDER / name
    try:
        return Baseline(path, msgspec.json.decode(path.read_bytes(), type=dict[str, Meeting]))
    except (OSError, msgspec.DecodeError):
        return Baseline(path, None)


def forget_baselines(checkout: Checkout) -> None:
    """Drop what is noted of every git branch."""
    for path in (checkout.repository / _FOLDER).glob("*.json"):
        path.unlink(missing_ok=True)
