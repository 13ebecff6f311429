"""What other memories write, as facts.

The object itself becomes the value, with the ids and times it had; its names make the key.

| from | key | tags |
|---|---|---|
| memory server, entity | entity/NAME | entity, its type |
| memory server, relation | relation/FROM/TYPE/TO | relation, its type |
| mem0, memory | memory/OWNER/ID | memory, its categories, user:…, agent:…, app:…, run:… |
| mem0, relation | relation/SOURCE/RELATIONSHIP/TARGET | relation, its type |
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, BinaryIO, cast

import msgspec

from strata.base import limits
from strata.base.checks import is_text
from strata.base.json_elements import elements
from strata.base.values import Json, decode
from strata.exchange.lines import Flaw, Parsed, numbered, reason_of
from strata.exchange.records import FactRecord

MEMORY_SERVER, MEM0 = "memory-server", "mem0"
# The lists in a document that hold something of ours to take.
LISTS = ("", "results", "memories", "entities", "relations")
_OWNERS = {"user_id": "user", "agent_id": "agent", "app_id": "app", "run_id": "run"}
# How well a memory answered some question is no part of it.
_PASSING = ("score", "rerank_score")


def read_foreign_lines(file: BinaryIO) -> Iterator[Parsed]:
    """Yield the facts of a file with one object a line."""
    for number, line in numbered(file):
        if line.strip():
            yield _read_line(number, line)


def _read_line(number: int, line: bytes) -> Parsed:
    try:
        return number, as_fact(decode(line))
    except (ValueError, RecursionError) as error:
        return Flaw(number, reason_of(error))


def read_foreign_document(file: BinaryIO) -> Iterator[Parsed]:
    """Yield the facts of a file that is one JSON list, or an object that holds lists."""
    for number, member, element in elements(file):
        if member not in LISTS:
            continue
        try:
            yield number, as_fact(element)
        except ValueError as error:
            yield Flaw(number, reason_of(error))


def origin_of(element: object) -> str | None:
    """Return which program writes such an object, or None."""
    if not isinstance(element, dict):
        return None
    names = cast("dict[str, object]", element).keys()
    if names >= {"name", "entityType"} or names >= {"from", "to", "relationType"}:
        return MEMORY_SERVER
    if "memory" in names or names >= {"source", "relationship"}:
        return MEM0
    return None


def as_fact(element: object) -> FactRecord:
    """Return the fact that another memory's object becomes; raise ValueError for others."""
    if not isinstance(element, dict):
        raise ValueError("it is not an object")
    members = cast("dict[str, Any]", element)
    if origin_of(members) == MEMORY_SERVER:
        return _graph_fact({name: part for name, part in members.items() if name != "type"})
    if "memory" in members:
        return _memory(members)
    if origin_of(members) == MEM0:
        target = members.get("target", members.get("destination"))
        names = (members.get("source"), members.get("relationship"), target)
        return _relation(members, names)
    raise ValueError("it is neither a memory, an entity nor a relation")


def _graph_fact(members: dict[str, Any]) -> FactRecord:
    if "entityType" not in members:
        return _relation(members, tuple(members[n] for n in ("from", "relationType", "to")))
    name, type_ = _text(members["name"], "name"), _text(members["entityType"], "entityType")
    if not isinstance(members.get("observations", []), list):
        raise ValueError("its observations are not a list")
    return FactRecord(_key("entity", name), value=members, tags=_tags("entity", type_))


def _relation(members: dict[str, Any], names: tuple[object, ...]) -> FactRecord:
    parts = [_text(name, "name") for name in names]
    return FactRecord(_key("relation", *parts), value=members, tags=_tags("relation", parts[1]))


def _memory(members: dict[str, Any]) -> FactRecord:
    text = _text(members["memory"], "memory")
    kept = {
        name: part for name, part in members.items() if part is not None and name not in _PASSING
    }
    owners = [(word, str(members[name])) for name, word in _OWNERS.items() if members.get(name)]
    id_ = str(members.get("id") or digest(text.encode()))
    owner = owners[0][1] if owners else "everyone"
    tags = _tags("memory", *_categories(members), *(f"{word}:{name}" for word, name in owners))
    return FactRecord(_key("memory", owner, id_), value=kept, tags=tags)


def _categories(members: dict[str, Any]) -> list[str]:
    found: Json = members.get("categories") or []
    return [part for part in found if isinstance(part, str)] if isinstance(found, list) else []


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"its {name} is no text")
    return value


def _key(*parts: str) -> str:
    """Join names to a key that no other names give, and that is not too long."""
    key = "/".join(_part(part) for part in parts)
    if len(key.encode()) <= limits.KEY_BYTES_MAX:
        return key
    cut = key.encode()[: limits.KEY_BYTES_MAX - 40].decode(errors="ignore")
    return f"{cut}~{digest(key.encode())}"


def _part(name: str) -> str:
    if not is_text(name):
        raise ValueError(f"{name!r} is no well-formed text")
    return name.replace("%", "%25").replace("/", "%2F").replace("\0", "%00")


def _tags(*names: str) -> tuple[str, ...]:
    """Return the names that can be tags; the value has all of them."""
    fitting = [
        name for name in names if is_text(name) and 0 < len(name) <= limits.TAG_CHARACTERS_MAX
    ]
    return tuple(dict.fromkeys(fitting))[: limits.TAGS_MAX]


def digest(data: bytes) -> str:
    """Return a name for something that has none."""
    return blake2b(data, digest_size=16).hexdigest()


def first_element(line: bytes) -> object:
    """Return the value of a line if it is JSON of its own, else None."""
    try:
        return decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
