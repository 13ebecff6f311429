"""Reading JSON with comments and trailing commas, and remembering where each part is."""

import json
import re
from functools import lru_cache
from typing import NamedTuple

from strata.base.values import Json
from strata.clients.spans import Unreadable, line_of

Path = tuple[str | int, ...]

# What people nest by hand is a dozen deep; Python's own stack ends near a thousand.
_DEPTH_MAX = 200
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}
_WORD = re.compile("true|false|null")


class JsoncNode(NamedTuple):
    """A value and its place in the text; `items` are what an object or array holds."""

    value: Json
    start: int
    end: int
    items: "tuple[JsoncItem, ...]" = ()


class JsoncItem(NamedTuple):
    """A member of an object, or an element of an array, with the comma behind it if any."""

    key: str | None
    start: int
    node: JsoncNode
    comma: int | None


# One step after the other looks at the same text, which may have megabytes.
@lru_cache(maxsize=4)
def parse(text: str) -> JsoncNode | None:
    """Read a document; None where there is nothing but space and comments."""
    reader = _Reader(text)
    reader.skip()
    if reader.at == len(text):
        return None
    node = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.fault("there is text after the end of the document")
    return node


def find(node: JsoncNode | None, path: Path) -> JsoncNode | None:
    """Return the value at a path; of members with the same name the last one counts."""
    for step in path:
        if node is None:
            return None
        item = find_item(node, step)
        node = None if item is None else item.node
    return node


def find_item(node: JsoncNode, step: str | int) -> JsoncItem | None:
    """Return the member of that name, or the element at that index."""
    if isinstance(step, int):
        is_there = isinstance(node.value, list) and step < len(node.items)
        return node.items[step] if is_there else None
    return next((item for item in reversed(node.items) if item.key == step), None)


class _Reader:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip(self) -> None:
        """Go over space and comments."""
        found = _TRIVIA.match(self.text, self.at)
        assert found is not None, "it matches nothing at all, too"
        self.at = found.end()
        if self.text.startswith("/*", self.at):
            raise self.fault("a comment is not closed")

    def value(self, depth: int) -> JsoncNode:
        """Read any value."""
        if depth > _DEPTH_MAX:
            raise self.fault(f"it is nested more than {_DEPTH_MAX} deep")
        if self.text.startswith(("{", "["), self.at):
            return self._container(depth)
        start = self.at
        for pattern in (_STRING, _NUMBER, _WORD):
            if found := pattern.match(self.text, start):
                self.at = found.end()
                return JsoncNode(self._decode(found.group()), start, self.at)
        raise self.fault("a value is expected here")

    def _decode(self, word: str) -> Json:
        if word in _WORDS:
            return _WORDS[word]
        try:
            return json.loads(word)
        except ValueError:  # a number of thousands of digits
            raise self.fault("this number is too long") from None

    def _container(self, depth: int) -> JsoncNode:
        start = self.at
        is_object = self.text[start] == "{"
        closing = "}" if is_object else "]"
        items: list[JsoncItem] = []
        self.at += 1
        self.skip()
        while not self.text.startswith(closing, self.at):
            if items and items[-1].comma is None:
                raise self.fault(f"a comma or {closing} is expected here")
            items.append(self._item(depth, is_object=is_object))
        self.at += 1
        value: Json = (
            {item.key or "": item.node.value for item in items}
            if is_object
            else [item.node.value for item in items]
        )
        return JsoncNode(value, start, self.at, tuple(items))

    def _item(self, depth: int, *, is_object: bool) -> JsoncItem:
        start = self.at
        key = self._key() if is_object else None
        node = self.value(depth + 1)
        self.skip()
        comma = self.at if self.text.startswith(",", self.at) else None
        if comma is not None:
            self.at += 1
            self.skip()
        return JsoncItem(key, start, node, comma)

    def _key(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.fault("a name in double quotes is expected here")
        self.at = found.end()
        self.skip()
        if not self.text.startswith(":", self.at):
            raise self.fault("a colon is expected here")
        self.at += 1
        self.skip()
        return str(json.loads(found.group()))

    def fault(self, message: str) -> Unreadable:
        """Return the error that names the place."""
        return Unreadable(message, line_of(self.text, self.at))
