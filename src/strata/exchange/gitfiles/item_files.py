"""Facts and decisions as Markdown files: the same bytes on every machine, and read back exactly."""

import re
import unicodedata
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, cast

import msgspec

from strata.base import clock
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.values import Json, decode
from strata.decisions import OUTCOMES, Memory
from strata.exchange.gitfiles.front_matter import (
    FRAGILE,
    exact,
    split_front_matter,
    write_front_matter,
)
from strata.exchange.records import time_us
from strata.exchange.vault.places import file_name
from strata.store import DEFAULT_SPACE, check_key, check_name

FACTS, DECISIONS = "facts", "decisions"
_SUFFIX = ".md"
_WHY = "\n## Why\n\n"
# Members of a decision's file that are no metadata.
_OWN = ("id", "topic", "created", "updated", "replaces", "reasoning", "more")
_MEMBER = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r"decision[A-Za-z0-9_.:-]{1,120}")
_MARKS = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})", re.MULTILINE)
_FENCE = "```json\n"


class SharedFact(msgspec.Struct, frozen=True):
    """A fact as its file has it."""

    space: str
    key: str
    value: Json
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a user calls it."""
        return self.key


class SharedDecision(msgspec.Struct, frozen=True):
    """A decision as its file has it, and the decisions that it replaces."""

    memory: Memory
    replaces: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a user calls it."""
        return self.memory.topic or self.memory.id


def fact_file(fact: SharedFact) -> tuple[PurePosixPath, str]:
    """Return the path of a fact's file and its text."""
    value, is_text = fact.value, isinstance(fact.value, str) and _is_sturdy(fact.value)
    members: dict[str, Json] = {
        "key": fact.key,
        "space": None if fact.space == DEFAULT_SPACE else fact.space,
        "tags": cast("Json", sorted(fact.tags)) if fact.tags else None,
        "type": None if is_text else "json",
    }
    body = f"{value}\n" if is_text else _fenced(value)
    return fact_path(fact.space, fact.key), write_front_matter(members, body)


def fact_path(space: str, key: str) -> PurePosixPath:
    """Return where the file of a fact is, from its space and its key alone.

    Names that a file system might change or confuse get a mark of the whole key behind them.
    """
    parts = key.split("/")
    names = [file_name(part).lower() for part in parts]
    is_plain = names == parts and not any(part.endswith((_SUFFIX, "~")) for part in parts)
    is_plain = is_plain and unicodedata.normalize("NFC", key) == key and len(parts) <= 8
    if space == DEFAULT_SPACE and is_plain:
        return PurePosixPath(FACTS, *parts[:-1], f"{parts[-1]}{_SUFFIX}")
    mark = blake2b(f"{space}\0{key}".encode(), digest_size=5).hexdigest()
    leaf = unicodedata.normalize("NFC", names[-1]).encode()[:80].decode("utf-8", "ignore")
    above = [] if space == DEFAULT_SPACE else [f"{file_name(space).lower()}~space"]
    return PurePosixPath(FACTS, *above, f"{leaf}~{mark}{_SUFFIX}")


def decision_file(decision: SharedDecision) -> tuple[PurePosixPath, str]:
    """Return the path of a decision's file and its text."""
    memory = decision.memory
    metadata = {name: value for name, value in memory.metadata.items() if value is not None}
    reasoning = metadata.pop("reasoning", None)
    said = {name: value for name, value in metadata.items() if _is_member(name)}
    rest = {name: value for name, value in metadata.items() if not _is_member(name)}
    is_plain = _is_sturdy(memory.content) and _WHY not in f"\n{memory.content}\n"
    is_section = is_plain and isinstance(reasoning, str) and _is_sturdy(reasoning)
    members: dict[str, Json] = {
        "id": memory.id,
        "topic": memory.topic,
        "created": clock.iso(memory.created_at * 1000),
        "updated": clock.iso(memory.updated_at * 1000),
        "replaces": cast("Json", sorted(decision.replaces)) if decision.replaces else None,
        **{name: said[name] for name in sorted(said)},
        "reasoning": None if is_section else reasoning,
        "more": rest or None,
    }
    body = f"{memory.content}\n" if is_plain else _fenced(memory.content)
    if is_section:
        body += f"{_WHY}{reasoning}\n"
    return decision_path(memory), write_front_matter(members, body)


def decision_path(memory: Memory) -> PurePosixPath:
    """Return where the file of a decision is: its topic for readers, its id for certain."""
    topic = file_name(unicodedata.normalize("NFC", memory.topic or "decision")).lower()
    short = topic.encode()[:60].decode("utf-8", "ignore").strip(" .")
    mark = blake2b(memory.id.encode(), digest_size=5).hexdigest()
    return PurePosixPath(DECISIONS, f"{short}~{mark}{_SUFFIX}")


def _is_member(name: str) -> bool:
    return name not in _OWN and _MEMBER.fullmatch(name) is not None


def _is_sturdy(text: str) -> bool:
    """Whether text may lie in a file as it is."""
    return not (FRAGILE.search(text) or _MARKS.search(text) or text.startswith(_FENCE))


def _fenced(value: Json) -> str:
    data = msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2)
    return f"{_FENCE}{exact(data)}\n```\n"


# Reading back what may come from a stranger: each problem is a ValueError, told as a reason.


def read_item(path: PurePosixPath, text: str) -> SharedFact | SharedDecision:
    """Return the fact or the decision of a file; raise ValueError for what is none."""
    if _has_conflict(text):
        raise ValueError("git left marks of a conflict in it")
    try:
        return _read(path, text)
    except (InvalidArgument, LimitExceeded) as error:  # of names, keys and times
        raise ValueError(error.message) from error


def _read(path: PurePosixPath, text: str) -> SharedFact | SharedDecision:
    members, body = split_front_matter(text)
    if path.parts[:1] == (DECISIONS,):
        found = _decision(members, body)
        expected = decision_path(found.memory)
    else:
        found = _fact(path, members, body)
        expected = fact_path(found.space, found.key)
    if path != expected:
        raise ValueError(f"what it says belongs into {expected}")
    return found


def _has_conflict(text: str) -> bool:
    return all(re.search(f"^{mark}", text, re.MULTILINE) for mark in ("<{7} ", "={7}$", ">{7} "))


def _fact(path: PurePosixPath, members: dict[str, Json], body: str) -> SharedFact:
    odd = members.keys() - {"key", "space", "tags", "type"}
    if odd:
        raise ValueError(f"its front matter says {min(odd)}, which facts do not have")
    key = members.get("key", "/".join((*path.parts[1:-1], path.stem)))
    space = members.get("space", DEFAULT_SPACE)
    tags = members.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ValueError("its tags are no list of texts")
    value: Json = _unfenced(body) if members.get("type") == "json" else body.removesuffix("\n")
    kept = tuple(dict.fromkeys(cast("list[str]", tags)))
    return SharedFact(check_name(space, what="space"), check_key(key), value, kept)


def _decision(members: dict[str, Json], body: str) -> SharedDecision:
    id_, topic = members.get("id"), members.get("topic")
    if not isinstance(id_, str) or _ID.fullmatch(id_) is None:
        raise ValueError("its id is none of a decision")
    if not isinstance(topic, str) or not topic.strip():
        raise ValueError("it has no topic")
    content, reasoning = _content(body)
    more = members.get("more", {})
    if not isinstance(more, dict):
        raise ValueError("`more` is no object")
    metadata: dict[str, Any] = {**more, **{k: v for k, v in members.items() if k not in _OWN}}
    reasoning = members.get("reasoning", reasoning)
    if reasoning is not None:
        metadata["reasoning"] = reasoning
    _check_metadata(metadata)
    memory = Memory(
        id=id_,
        type="decision",
        topic=topic,
        content=content,
        metadata=metadata,
        created_at=_time(members, "created"),
        updated_at=_time(members, "updated"),
    )
    return SharedDecision(memory, _ids(members.get("replaces", [])))


def _check_metadata(metadata: dict[str, Any]) -> None:
    if metadata.get("outcome") not in (None, *OUTCOMES):
        raise ValueError(f"its outcome is none of {', '.join(OUTCOMES)}")
    confidence = metadata.get("confidence")
    if confidence is not None and not (
        isinstance(confidence, (int, float)) and 0 <= confidence <= 1
    ):
        raise ValueError("its confidence is no number from 0 to 1")
    if not isinstance(metadata.get("reasoning", ""), str):
        raise ValueError("its reasoning is no text")


def _content(body: str) -> tuple[str, str | None]:
    if body.startswith(_FENCE):
        found = _unfenced(body)
        if not isinstance(found, str):
            raise ValueError("its content is no text")
        return found, None
    content, why, reasoning = body.partition(_WHY)
    if not content.strip():
        raise ValueError("it has no content")
    return content.removesuffix("\n"), reasoning.removesuffix("\n") if why else None


def _unfenced(body: str) -> Json:
    if not body.startswith(_FENCE) or not body.rstrip("\n").endswith("\n```"):
        raise ValueError("its JSON is not between fences")
    try:
        return decode(body.rstrip("\n")[len(_FENCE) : -len("\n```")])
    except (ValueError, RecursionError) as error:
        raise ValueError("its JSON cannot be read") from error


def _time(members: dict[str, Json], name: str) -> int:
    return time_us(str(members.get(name, ""))) // 1000


def _ids(value: Json) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [None]
    if not all(isinstance(one, str) and _ID.fullmatch(one) for one in found):
        raise ValueError("`replaces` is no list of ids of decisions")
    return tuple(sorted(set(cast("list[str]", found))))
