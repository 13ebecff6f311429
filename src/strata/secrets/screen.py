"""The screen: every change passes it before it is staged, indexed and written."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from strata.base.errors import SecretRefused
from strata.base.values import Json, decode, encode
from strata.secrets.candidates import fits_a_rule, may_hold
from strata.secrets.find import find_secrets
from strata.secrets.values import SecretInValue, SecretSpot, mask, spots
from strata.store import BINARY, DELETED, EVENT, GONE, TRIMMED, Record, StagedChange, plain

# The last letters of names that say what their value is, such as api_key and password.
_TAILS = frozenset("ord swd ase ode pwd ass ret ken ial als key".split())
_HINT = (
    "Keep it in a vault and store where it is. To store it anyway: `db.allowing_secrets()`; "
    "`db.settings.set('secrets', 'mask')` masks instead."
)
_SHOWN_MAX = 5
# Changes that are looked at as one text: more, and one long word costs a look at all of them.
_GROUP = 32
# A refusal names no more: the caller mends one kind of text, not each of ten thousand places.
_NAMED_MAX = 100
# Bytes with notes that Strata made itself: what is in them was looked at before it went in.
_PACKED = frozenset({"text", "snapshot"})


class SecretScreen:
    """Refuses or masks secrets. The store holds one, and does not know what it looks for."""

    def __init__(self, read_mode: Callable[[], str]) -> None:
        self._read_mode = read_mode
        self._mode: str | None = None

    @property
    def mode(self) -> str:
        """What is done with a secret: refuse, mask or allow."""
        if self._mode is None:
            self._mode = self._read_mode()
        return self._mode

    def forget(self) -> None:
        """Read the setting again before the next change."""
        self._mode = None

    @property
    def masks(self) -> bool:
        """Whether a secret is replaced by a mark instead of refused."""
        return (self._mode or self.mode) == "mask"

    def check(self, change: StagedChange, held: Callable[[str, str, str], Record | None]) -> None:
        """Raise SecretRefused for a change with a secret that its key does not hold already."""
        if change.kind in _PACKED or change.flags & DELETED:
            return
        # The quick look comes first: it is part of every put, and nearly every value passes.
        if not _may_hold((change,)):
            return
        if self.mode == "allow":
            return
        found = list(islice(_new_spots(change, held), _NAMED_MAX))
        if found:
            raise refusal(_called(change), found)

    def check_many(
        self, changes: Sequence[StagedChange], held: Callable[[str, str, str], Record | None]
    ) -> None:
        """Check several changes, looking at a group of them at once where none holds a secret."""
        for start in range(0, len(changes), _GROUP):
            group = changes[start : start + _GROUP]
            if _may_hold(group):
                for change in group:
                    self.check(change, held)

    def cleaned(self, name: str, data: bytes, before: Callable[[], Json]) -> bytes:
        """Return JSON without new secrets, each replaced by a mark."""
        value = decode(data)
        found = {spot.text for spot in spots(value, name=name)}
        if not found:
            return data
        known = {spot.text for spot in spots(before(), name=name)}
        return encode(mask(value, name=name, known=known)[0]) if found - known else data

    def screen_note(self, value: Json, what: str, *, is_name: bool = False) -> Json:
        """Return a note as it may be kept, masked if the setting says so.

        A name is refused even then: masked, it would be another name.
        """
        if self.mode == "allow":
            return value
        found = list(spots(value))
        if found and (is_name or self.mode == "refuse"):
            raise refusal(f"The {what}", found)
        return mask(value)[0] if found else value


def refusal(place: str, found: Iterable[SecretSpot]) -> SecretRefused:
    """Return the error that names kinds and places, and nothing of what is secret."""
    places = [SecretInValue(spot.kind, spot.path) for spot in islice(found, _NAMED_MAX)]
    shown = ", ".join(_place_of(one) for one in places[:_SHOWN_MAX])
    least = "at least " if len(places) == _NAMED_MAX else ""
    more = f" and {least}{len(places) - _SHOWN_MAX} more" if len(places) > _SHOWN_MAX else ""
    return SecretRefused(
        f"{place} holds what must stay secret: {shown}{more}. Nothing was written.",
        hint=_HINT,
        found=[{"kind": one.kind, "path": one.path} for one in places],
    )


def refusal_by_line(place: str, text: str, *, before: str) -> SecretRefused | None:
    """Return the error for what is new and secret in a text, by its lines; None if nothing is."""
    known = {before[one.start : one.end] for one in find_secrets(before)}
    new = (
        SecretSpot(one.kind, f"line {text.count(chr(10), 0, one.start) + 1}", secret)
        for one in find_secrets(text)
        if (secret := text[one.start : one.end]) not in known
    )
    found = list(islice(new, _NAMED_MAX))
    return refusal(place, found) if found else None


def _place_of(found: SecretInValue) -> str:
    if found.path == "$":
        return found.kind
    return f"{found.kind} {'at' if found.path[0] == '$' else 'in'} {found.path}"


def spots_of(change: StagedChange) -> list[SecretSpot]:
    """Return the secrets of a change: in its key, its value and what is noted beside it."""
    return list(_spots_of(change)) if _may_hold((change,)) else []


def _new_spots(
    change: StagedChange, held: Callable[[str, str, str], Record | None]
) -> Iterator[SecretSpot]:
    """Yield the secrets of a change that its key does not hold already."""
    known: set[str] | None = None
    for spot in _spots_of(change):
        if known is None:
            known = {one.text for one in _spots_of_record(change, held(*change.address))}
        if spot.text not in known:
            yield spot


def _may_hold(changes: Sequence[StagedChange]) -> bool:
    """Whether one of several changes must be looked at more closely; False is certain."""
    names: list[str] = []
    parts: list[bytes] = []
    for change in changes:
        key, data = change.key, change.data
        # A key alone may say that its value, a text, is a password.
        if data[:1] == b'"' and key[-3:].lower() in _TAILS and not change.flags & BINARY:
            return True
        names.append(key)
        if change.space != names[0]:  # once is enough where all are in one
            names.insert(0, change.space)
        if not change.flags & BINARY:
            parts.append(data)
        if change.meta is not None:
            parts.append(change.meta)
    parts.append("\n".join(names).encode())
    looked_at = b"\n".join(parts)
    return may_hold(looked_at) and fits_a_rule(looked_at)


def _spots_of(change: StagedChange) -> Iterator[SecretSpot]:
    for place, text in (("the key", change.key), ("the space", change.space)):
        yield from (SecretSpot(spot.kind, place, spot.text) for spot in spots(text))
    name = "" if change.kind in (EVENT, "vector") else change.key
    if not change.flags & BINARY:
        yield from spots(decode(change.data or b"null"), name=name)
    if change.meta is not None:
        for member, value in decode(change.meta).items():
            inner = spots(value)
            yield from (SecretSpot(one.kind, _beside(member, one.path), one.text) for one in inner)


def _beside(member: str, path: str) -> str:
    return path if member == "metadata" else f"the {member}"


def _spots_of_record(change: StagedChange, record: Record | None) -> Iterator[SecretSpot]:
    if record is not None and not record[2] & (GONE | TRIMMED):
        flags = record[2] & BINARY
        data = b"" if flags else plain(record)
        yield from _spots_of(
            StagedChange(change.space, change.kind, change.key, data, flags, record[4])
        )


def _called(change: StagedChange) -> str:
    """Name a change for a message, without what is secret in its key."""
    key = mask(change.key)[0]
    if change.kind == EVENT:
        return f"The event of type {mask(decode(change.meta or b'{}').get('type'))[0]!r}"
    return f"{'The metadata' if change.kind == 'vector' else 'The value'} of {key!r}"
