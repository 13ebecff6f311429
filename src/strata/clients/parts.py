"""What Strata writes into a client's file: the entry of its server, and its hooks."""

from collections.abc import Callable, Sequence
from typing import Protocol

from strata.base.errors import AlreadyExists
from strata.base.values import Json
from strata.clients import json_edit, toml_edit
from strata.clients.catalogue import Client, Hook, words_of
from strata.clients.jsonc import JsoncNode, Path, find, parse
from strata.clients.launch import is_prompt_hook, is_server, is_turn_hook

# The rest of an entry is the user's: time limits, variables, whether it is switched on.
_OWN = ("type", "command", "args")


class ConfigPart(Protocol):
    """One thing of ours in a text; every method takes a text and changes nothing."""

    about: str

    def read(self, text: str) -> Json:
        """Return Strata's own entry there; None if there is none."""
        ...

    def write(self, text: str, value: Json) -> str:
        """Return the text with this in it, in the place of an older one of ours."""
        ...

    def clear(self, text: str, before: str) -> str:
        """Return the text without it, and without what was made for it since `before`."""
        ...


def server_part(client: Client, name: str) -> ConfigPart:
    """Return the part that starts the server."""
    made = TomlServer if client.format == "toml" else JsonServer
    return made(client.container, name)


class JsonServer:
    """A member of the object that names the servers."""

    about = "server"

    def __init__(self, container: str, name: str) -> None:
        self._container = container
        self._path = (container, name)

    def read(self, text: str) -> Json:
        """Return the entry if it is ours."""
        node = find(parse(text), self._path)
        return node.value if node is not None and is_server(words_of(node.value)) else None

    def write(self, text: str, value: Json) -> str:
        """Add the entry, or bring ours up to date."""
        node = find(parse(text), self._path)
        if node is None:
            return json_edit.put(text, self._path, value)
        entry = _own_entry(node.value, self._path[-1])
        assert isinstance(value, dict), "an entry is an object"
        for key in (key for key in _OWN if key in value and entry.get(key) != value[key]):
            text = json_edit.put(text, (*self._path, key), value[key])
        return text

    def clear(self, text: str, before: str) -> str:
        """Cut the entry out."""
        if self.read(text) is None:
            return text
        return _pruned(json_edit.drop(text, self._path), before, (self._container,))


class TomlServer:
    """A table of its own."""

    about = "server"

    def __init__(self, container: str, name: str) -> None:
        self._path = (container, name)

    def read(self, text: str) -> Json:
        """Return the entry if it is ours."""
        entry = toml_edit.find(text, self._path)
        return entry if entry is not None and is_server(words_of(entry)) else None

    def write(self, text: str, value: Json) -> str:
        """Add the table, or bring ours up to date."""
        entry = toml_edit.find(text, self._path)
        assert isinstance(value, dict), "an entry is a table"
        if entry is None:
            return toml_edit.put(text, self._path, value)
        known = _own_entry(entry, self._path[-1])
        changed = {key: value[key] for key in _OWN if key in value and known.get(key) != value[key]}
        return toml_edit.put(text, self._path, changed) if changed else text

    def clear(self, text: str, before: str) -> str:  # noqa: ARG002  (nothing was made around it)
        """Cut the table out."""
        return text if self.read(text) is None else toml_edit.drop(text, self._path)


class ClientHook:
    """A line that a client runs at some events: an element of the list of each of them."""

    def __init__(self, about: str, events: Sequence[str], is_ours: Callable[[str], bool]) -> None:
        self.about = about
        self._lists = tuple(("hooks", event) for event in events)
        self._is_ours = is_ours

    def read(self, text: str) -> Json:
        """Return what is run at the first of the events, if it is ours."""
        root = parse(text)
        for events in self._lists:
            path = self._place(root, events)
            node = None if path is None else find(root, path)
            if node is not None:
                return node.value
        return None

    def write(self, text: str, value: Json) -> str:
        """Add the hook, or bring ours up to date."""
        assert isinstance(value, dict), "a hook is an object"
        for events in self._lists:
            text = self._written(text, events, value)
        return text

    def _written(self, text: str, events: Path, value: dict[str, Json]) -> str:
        root = parse(text)
        path = self._place(root, events)
        if path is None:
            return json_edit.append(text, events, {"hooks": [value]})
        line = find(root, (*path, "command"))
        if line is not None and line.value == value["command"]:
            return text
        return json_edit.put(text, (*path, "command"), value["command"])

    def clear(self, text: str, before: str) -> str:
        """Cut the hook out; others beside it stay."""
        for events in self._lists:
            while (path := self._place(parse(text), events)) is not None:
                group = find(parse(text), path[:-1])
                assert group is not None, "a hook is in a group"
                text = json_edit.drop(text, path if len(group.items) > 1 else path[:-2])
            text = _pruned(text, before, events)
        return text

    def _place(self, root: JsoncNode | None, events: Path) -> Path | None:
        groups = find(root, events)
        for at, group in enumerate(groups.items if groups is not None else ()):
            hooks = find(group.node, ("hooks",))
            for index, hook in enumerate(hooks.items if hooks is not None else ()):
                line = find(hook.node, ("command",))
                if line is not None and isinstance(line.value, str) and self._is_ours(line.value):
                    return (*events, at, "hooks", index)
        return None


def prompt_hook(hook: Hook) -> ClientHook:
    """Return the part that tells a client what the store knows about a prompt."""
    return ClientHook("hook", (hook.event,), is_prompt_hook)


def turn_hook(hook: Hook) -> ClientHook:
    """Return the part that keeps what was said."""
    return ClientHook("conversations", hook.turn_events, is_turn_hook)


def _own_entry(entry: Json, name: str) -> dict[str, Json]:
    """Return an entry that is ours; refuse to overwrite another program's."""
    if isinstance(entry, dict) and is_server(words_of(entry)):
        return entry
    raise AlreadyExists(
        f"There is a server called {name!r} already, and it is not Strata's.",
        hint="Choose another name for ours with --name.",
        name=name,
    )


def _pruned(text: str, before: str, path: Path) -> str:
    """Drop objects and lists that are empty now and were not there before."""
    then = parse(before)
    while path:
        node = find(parse(text), path)
        if node is None or node.value not in ({}, []) or find(then, path) is not None:
            break
        text = json_edit.drop(text, path)
        path = path[:-1]
    return text
