"""Kinds of values behind one name: a key keeps the kind it was first given."""

from typing import TypeAlias

import strata
from strata.base.values import Json
from strata.memory import json_path

KINDS = ("kv", "json", "state")
Rooms: TypeAlias = strata.Workspace | strata.WorkspaceTransaction


def kind_of(db: Rooms, key: str) -> str | None:
    """Return the kind under which a key holds a value; a plain value comes first."""
    rooms = (db.kv, db.json, db.state)
    return next((room.kind for room in rooms if room.exists(key)), None)


def fetch(
    db: Rooms, key: str, *, kind: str | None = None, path: str | None = None
) -> tuple[str, strata.Version | strata.Cell] | None:
    """Return what a key holds, whatever its kind, and the kind; None when it holds nothing."""
    found_kind = kind or kind_of(db, key)
    if found_kind is None:
        return None
    if found_kind == "json":
        found = db.json.get(key, path or "$")
        return None if found is None else (found_kind, found)
    whole = db.state.get(key) if found_kind == "state" else db.kv.get(key)
    if whole is None or path is None:
        return None if whole is None else (found_kind, whole)
    is_there, part = json_path.lookup(whole.value, json_path.parse(path))
    if not is_there:
        return None
    return found_kind, strata.Version(part, whole.version, whole.timestamp)


def put(db: Rooms, key: str, value: Json, *, kind: str, path: str | None) -> strata.Version:
    """Put a value, or a part of one, without conditions."""
    if kind == "json":
        return db.json.set(key, path or "$", value)
    if kind == "state":
        cell = db.state.set(key, value)
        return strata.Version(cell.value, cell.version, cell.timestamp)
    whole = db.kv.get(key)
    if path is None or whole is None:
        return db.kv.put(key, value)
    changed = json_path.assign(whole.value, json_path.parse(path), value)
    # Somebody else's change since the value was read must not get lost.
    return db.kv.put(key, changed, tags=whole.tags, if_version=whole.version)


def delete(db: Rooms, key: str, *, kind: str, path: str | None) -> bool:
    """Remove a key, or a part of its value; tell whether it was there."""
    if kind == "json":
        return bool(db.json.delete(key, path or "$"))
    if kind == "state":
        return db.state.delete(key)
    steps = json_path.parse(path) if path is not None else ()
    whole = db.kv.get(key)
    if not steps or whole is None:
        return db.kv.delete(key)
    rest, was_there = json_path.remove(whole.value, steps)
    if not was_there or rest is json_path.MISSING:
        return False
    db.kv.put(key, rest, tags=whole.tags, if_version=whole.version)
    return True
