"""YAML read within bounds: a few lines of it may expand to gigabytes, or end the process."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, Node, SequenceNode

# Merges (`<<`) copy whole mappings, and those of merged ones again.
MERGED_MAX = 10_000

_MERGE = "tag:yaml.org,2002:merge"
# Any: what PyYAML reads has no types, in C least of all.
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_events: Callable[..., Iterator[Any]] = cast("Any", yaml).parse


class TooDeep(Exception):
    """Lists and mappings are nested deeper than authors write them."""


def load(source: str, depth_max: int) -> object:
    """Return what YAML says; raise TooDeep, or whatever PyYAML does."""
    _check_depth(source, depth_max)
    return yaml.load(source, Loader=_Bounded)  # noqa: S506 - a safe one, made narrower


def _check_depth(source: str, depth_max: int) -> None:
    """Refuse nesting before the nodes are made: that happens in C, on a stack without a check."""
    depth = 0
    for event in _events(source, Loader=_Safe):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > depth_max + 1:
            raise TooDeep


class _Bounded(_Safe):
    """Merges mappings as long as they stay small together."""

    _merged = 0

    def flatten_mapping(self, node: MappingNode) -> None:
        """Put merged mappings into the one that names them."""
        for one in _merged_into(node):
            self.flatten_mapping(one)
            self._merged += len(one.value)
            if self._merged > MERGED_MAX:
                raise ConstructorError(None, None, "merges too much", node.start_mark)
        _Safe.flatten_mapping(self, node)


def _merged_into(node: MappingNode) -> list[MappingNode]:
    values: list[Node] = [value for key, value in node.value if key.tag == _MERGE]
    lists = [value.value if isinstance(value, SequenceNode) else [value] for value in values]
    return [one for each in lists for one in each if isinstance(one, MappingNode)]
