"""Which stores this user trusts: noted in the user's own folder, never in a store.

A store is a file, and files arrive with clones, backups and copies. What one of them says about
endpoints, storage, agents and secrets would otherwise decide where this user's data and keys go.
There is one small file for each trusted store, so that processes can add and remove them without
waiting for each other. A store in PostgreSQL comes from nowhere: the user names its address, by
`--db` or `STRATA_DB`, and so trusts it. `STRATA_TRUST` names paths of trusted stores for programs
that have no home.
"""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from strata.base import clock, ids, limits
from strata.base.errors import NotAllowed, Unavailable
from strata.store import Store
from strata.workspace.own_folder import user_folder

VARIABLE = "STRATA_TRUST"
_FOLDER = "trusted"
_SUFFIX = ".json"
# Stores that this process has made where nothing could be noted, as in a read-only home.
_made_here: set["_Place"] = set()


class TrustedStore(msgspec.Struct, frozen=True):
    """A store that is trusted: its id, where it is, and since when, in microseconds.

    `file` is the number that the file system knows the file by, which a move leaves as it is;
    `before` are the paths that the store was moved from, the last one first.
    """

    id: str
    path: str
    since: int
    file: int | None = None
    before: tuple[str, ...] = ()


class _Place(msgspec.Struct, frozen=True):
    """What trust is bound to: a copy has the same id, another store may get the same path."""

    id: str
    path: str

    @property
    def file(self) -> Path:
        """Where trust in it is noted; the id is whatever its file says, so it is no name."""
        name = sha256(f"{self.id}\0{self.path}".encode()).hexdigest()[:32]
        return _notes_folder() / f"{name}{_SUFFIX}"


def is_trusted(store: Store) -> bool:
    """Tell whether this user made the store where it is, or trusts it explicitly."""
    place = _place_of(store)
    return (
        place is None  # in memory: this process has made it; at an address: the user has named it
        or place in _made_here
        or place.path in _paths_of_environment()
        or _has_note(place)
        or _has_moved_here(place)
    )


def require_trust(store: Store, what: str) -> None:
    """Raise NotAllowed unless the store is trusted; `what` is what cannot be done without."""
    if not is_trusted(store):
        raise NotAllowed(f"{what}: {distrust_of(store)}.", hint=HINT)


HINT = "If you trust who made it, run `strata trust`."


def distrust_of(store: Store) -> str:
    """Say in half a sentence why a store is not trusted."""
    place = _place_of(store)
    assert place is not None, "a store in memory is trusted"
    others = [note.path for note in trusted_stores() if note.id == place.id]
    if others:
        return f"the store at {place.path} is a copy of the trusted one at {others[0]}, or moved"
    return f"the store at {place.path} was not made by you here, and is not trusted yet"


def note_made(store: Store) -> None:
    """Trust a store that this process has just made; its user may have no folder to write to."""
    place = _place_of(store)
    if place is None:
        return
    try:
        _write(place)
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        _made_here.add(place)


def note_trust(store: Store) -> None:
    """Trust a store from now on."""
    place = _place_of(store)
    if place is None:
        return
    try:
        _write(place)
    except (OSError, RuntimeError) as error:
        raise Unavailable(
            f"Trust could not be noted: {error}.",
            hint=f"Set the variable {VARIABLE} to the store's path instead.",
        ) from error


def drop_trust(path: Path) -> bool:
    """Trust whatever store is at a path no longer; tell whether it was trusted."""
    real = os.path.realpath(path)
    found = [note for note in trusted_stores() if note.path == real]
    for note in found:
        _Place(note.id, note.path).file.unlink(missing_ok=True)
    made = {place for place in _made_here if place.path == real}
    _made_here.difference_update(made)
    return bool(found or made)


def trusted_stores() -> list[TrustedStore]:
    """Return the stores that are noted as trusted, by path; some may be gone by now."""
    try:
        files = list(_notes_folder().glob(f"*{_SUFFIX}"))
    except (OSError, RuntimeError):
        return []
    found = [note for file in files if (note := _read(file)) is not None]
    return sorted(found, key=lambda note: (note.path, note.since))


def _place_of(store: Store) -> _Place | None:
    path = store.database.real_path
    if path is None:
        return None
    return _Place(store.id, str(path))


def _notes_folder() -> Path:
    return user_folder() / _FOLDER


def _paths_of_environment() -> set[str]:
    named = os.environ.get(VARIABLE, "")
    return {os.path.realpath(Path(path).expanduser()) for path in named.split(os.pathsep) if path}


def _has_note(place: _Place) -> bool:
    try:
        note = _read(place.file)
    except RuntimeError:
        return False
    if note is None or (note.id, note.path) != (place.id, place.path):
        return False
    number = _file_number(place.path)
    if note.file != number:  # noted by an earlier version, or the file was copied back
        with suppress(OSError):
            _write(place, msgspec.structs.replace(note, file=number))
    return True


def _has_moved_here(place: _Place) -> bool:
    """Note the new path of a trusted store whose folder was moved or renamed; tell if it was.

    It is the same file under the same id, and nothing is at the old path. A copy is another file.
    """
    number = _file_number(place.path)
    for note in trusted_stores():
        if (note.id, note.file) == (place.id, number) and not Path(note.path).exists():
            before = (note.path, *note.before)[: limits.MOVES_NOTED]
            with suppress(OSError):
                _write(place, TrustedStore(place.id, place.path, note.since, number, before))
                _Place(note.id, note.path).file.unlink(missing_ok=True)
            return True
    return False


def _file_number(path: str) -> int | None:
    try:
        return Path(path).stat().st_ino or None
    except OSError:
        return None


def former_folders(path: Path) -> list[Path]:
    """Return the project folders that a trusted store was moved from, the last one first."""
    real = os.path.realpath(path)
    found = (note.before for note in trusted_stores() if note.path == real)
    return [Path(before).parent.parent for before in next(found, ())]


def moved_store(path: Path) -> Path | None:
    """Return where a trusted store is now that is no longer at a path; None where not known."""
    was = os.path.realpath(path)
    found = (Path(note.path) for note in trusted_stores() if was in note.before)
    return next((place for place in found if place.exists()), None)


def _read(file: Path) -> TrustedStore | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=TrustedStore)
    except (OSError, msgspec.DecodeError):
        return None


def _write(place: _Place, note: TrustedStore | None = None) -> None:
    number = _file_number(place.path)
    note = note or TrustedStore(place.id, place.path, clock.now_us(), number)
    file = place.file
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = file.with_name(f".{ids.token()}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(msgspec.json.encode(note))
    part.replace(file)
    _drop_gone(file.parent)


def _drop_gone(folder: Path) -> None:
    """Forget stores that are gone, once there are many: programs make and delete them, too."""
    if sum(1 for _file in folder.iterdir()) <= limits.TRUST_NOTES_MAX:
        return
    for note in trusted_stores():
        if not Path(note.path).exists():
            _Place(note.id, note.path).file.unlink(missing_ok=True)
