"""strata_store, strata_recall, strata_search, strata_forget and strata_status."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.tools.budget import as_text, cut, skip_listed, tokens
from strata.tools.declare import HIDDEN, AllowSecrets, When
from strata.tools.memory.group import (
    AsOf,
    Key,
    Keys,
    Limit,
    Namespace,
    memory,
    moment,
    one_of,
    refuse_beside,
)
from strata.tools.session import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.conversations import ConversationTurn
    from strata.memory import Fact
    from strata.search import Hit
    from strata.workspace import Workspace, WorkspaceTransaction

# No store has events of more digits.
_SEQUENCE_DIGITS = 15
Tags = Annotated[list[str] | None, "Labels (until:DATE); omitted: kept"]
# Of several things that are stored at once, so many are compared with what exists.
_COMPARED_MAX = 20


class FactEntry(msgspec.Struct, frozen=True):
    """One of several things to store."""

    key: str
    value: Json
    tags: list[str] | None = None
    namespace: str | None = None
    if_version: int | None = None
    replaces: Annotated[list[str] | None, HIDDEN] = None


class StoreAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where a value went."""

    key: str | UnsetType = UNSET
    version: int
    timestamp: str
    branch: str | UnsetType = UNSET
    unchanged: bool | UnsetType = UNSET
    # Other keys of the namespace that hold the same text.
    same_as: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    # At most two facts that say nearly the same, and what can be done about them.
    similar: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    results: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET


@memory.writes(idempotent=True, example={"key": "deploy/target", "value": "blue", "tags": ["ops"]})
def store(
    call: Call,
    *,
    key: Key = None,
    value: Annotated[Json, "Text or any JSON"] = UNSET,  # pyright: ignore[reportArgumentType]
    tags: Tags = None,
    namespace: Namespace = None,
    path: Annotated[str | None, "Only this part, e.g. $.port"] = None,
    if_version: Annotated[int | None, "Only at this version; 0: if new"] = None,
    replaces: Annotated[list[str] | None, "Keys it replaces"] = None,
    items: Annotated[
        list[FactEntry] | None, "Several, all or none; tags, namespace fill gaps"
    ] = None,
    allow_secrets: AllowSecrets = False,
) -> StoreAnswer:
    """Remember or update a fact under a key; old values stay in history.

    Needs key (a short clear name) and value, or items. No passwords or tokens. For what
    happened: strata_log.
    """
    here = _allowing(call, allow_secrets=allow_secrets)
    if one_of(key=key, items=items) == "items":
        hint = "Each item has its own value, if_version and replaces; path needs a call with key."
        given = {"value": value, "path": path, "if_version": if_version, "replaces": replaces}
        refuse_beside("items", hint=hint, **given)
        defaults = FactEntry("", None, tags, namespace)
        return _stored_many(call, here, items or [], defaults=defaults)
    if value is UNSET:
        raise InvalidArgument("There is no value to store.", parameter="value")
    assert key is not None
    there = here if namespace is None else here.space(namespace)
    fact = there.facts.remember(
        key, value, tags=tags, path=path, if_version=if_version, replaces=replaces or ()
    )
    return _stored(call, fact)


def _stored(call: Call, fact: "Fact") -> StoreAnswer:
    held, similar = fact.held, _similar_facts(call, fact)
    return StoreAnswer(
        key=fact.key,
        version=held.version,
        timestamp=held.iso_time,
        branch=call.branch,
        unchanged=fact.is_unchanged or UNSET,
        same_as=list(fact.same_as) or UNSET,
        similar=similar or UNSET,
        hint=_SIMILAR if similar else UNSET,
    )


_SIMILAR = (
    "It is stored. If it says the same as a fact in similar, forget one of them; if that one holds"
    " no longer, store this one again with replaces."
)


def _similar_facts(call: Call, fact: "Fact") -> list[dict[str, Any]]:
    """Return at most two facts that say nearly the same as what was stored.

    Inside a transaction nothing is compared: what it has staged is in no index yet.
    """
    if fact.is_unchanged or call.session.transaction is not None:
        return []
    return [
        {
            "key": twin.hit.key,
            **_value_or_snippet(twin.hit.value, twin.hit.snippet),
            "likeness": twin.likeness,
        }
        for twin in call.db.twins_of(fact)
    ]


def _stored_many(
    call: Call,
    here: "Workspace | WorkspaceTransaction",
    items: list[FactEntry],
    *,
    defaults: FactEntry,
) -> StoreAnswer:
    from strata.memory import NewFact  # noqa: PLC0415  (not before the first reply)

    wanted: list[NewFact] = []
    for item in items:
        tags = defaults.tags if item.tags is None else item.tags
        space = defaults.namespace if item.namespace is None else item.namespace
        kept = None if tags is None else tuple(tags)
        replaces = tuple(item.replaces or ())
        given = (item.key, item.value, kept, space or call.space, item.if_version)
        wanted.append(NewFact(*given, replaces=replaces))
    facts = here.facts.remember_many(wanted)
    if not facts:
        raise InvalidArgument("There are no items to store.", parameter="items")
    newest = max(facts, key=lambda fact: fact.held.version)
    results = [_placed(call, fact, is_compared=n < _COMPARED_MAX) for n, fact in enumerate(facts)]
    return StoreAnswer(
        version=newest.held.version,
        timestamp=newest.held.iso_time,
        branch=call.branch,
        results=results,
    )


def _placed(call: Call, fact: "Fact", *, is_compared: bool) -> dict[str, Any]:
    place = {"key": fact.key, "namespace": fact.space, "version": fact.held.version}
    place |= {"same_as": list(fact.same_as)} if fact.same_as else {}
    similar = _similar_facts(call, fact) if is_compared else []
    place |= {"similar": similar} if similar else {}
    return place | {"unchanged": True} if fact.is_unchanged else place


def _allowing(call: Call, *, allow_secrets: bool) -> "Workspace | WorkspaceTransaction":
    return call.target.allowing_secrets() if allow_secrets else call.target


class RecallAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known by a name, by several, or which names there are."""

    found: bool | UnsetType = UNSET
    key: str | UnsetType = UNSET
    value: Any | UnsetType = UNSET
    version: int | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    tags: tuple[str, ...] = ()
    kind: Annotated[str, HIDDEN] = "kv"
    similar: Annotated[list[str], HIDDEN] = []
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    results: list[Any] | UnsetType = UNSET
    keys: list[str] | UnsetType = UNSET
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool, HIDDEN] = False
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET


def _rest_of_list(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any]:
    """Return the arguments that fetch what did not fit."""
    if arguments.get("prefix") is not None:
        return arguments | {"after": kept[-1]}
    return arguments | {"keys": list(arguments["keys"])[len(kept) :]}


@memory.reads(example={"key": "deploy/target"}, resume=_rest_of_list)
def recall(
    call: Call,
    *,
    key: Key = None,
    keys: Keys = None,
    prefix: Annotated[str | None, 'List names that begin so; "" lists all'] = None,
    namespace: Namespace = None,
    as_of: AsOf = None,
    after: Annotated[str | None, "Go on behind this name", HIDDEN] = None,
    offset: Annotated[int, "Go on at this character of a long value", HIDDEN] = 0,
    limit: Limit = 100,
) -> RecallAnswer:
    """Get what is stored under an exact key, now or at a past time.

    Give key, keys or prefix. Key unknown: strata_search. Past value, time unknown:
    strata_history.
    """
    here = call.within(namespace, as_of)
    asked = one_of(key=key, keys=keys, prefix=prefix)
    if asked != "prefix":
        refuse_beside(asked, after=after)
    if asked != "key":
        refuse_beside(asked, offset=offset or None)
    if asked == "prefix":
        return _listed(here, prefix or "", after=after, limit=limit)
    if asked == "key":
        assert key is not None
        return _recalled(call, here, key, namespace=namespace, offset=offset)
    results = [_recalled(call, here, name, namespace=namespace) for name in keys or []]
    return RecallAnswer(results=msgspec.to_builtins(results), as_of=moment(here))


def _listed(
    here: "Workspace | WorkspaceTransaction", prefix: str, *, after: str | None, limit: int
) -> RecallAnswer:
    found = {
        name
        for kind in (here.kv, here.json, here.state)
        for name in kind.list(prefix, limit=limit + 1, after=after)
    }
    return RecallAnswer(keys=sorted(found), as_of=moment(here))


def _recalled(
    call: Call,
    here: "Workspace | WorkspaceTransaction",
    key: str,
    *,
    namespace: str | None,
    offset: int = 0,
) -> RecallAnswer:
    fact = here.facts.recall(key)
    if fact is None and "#" in key and (turns := call.db.conversations.cited(key)):
        return _spoken(call, key, turns, offset=offset)
    if fact is None:
        return _not_found(call, here, key, namespace=namespace or call.space)
    held = fact.held
    value, end = _part(held.value, offset)
    following: dict[str, Json] | UnsetType = UNSET
    if end is not None:
        rest = {"key": key, "namespace": fact.space, "branch": call.branch, "offset": end}
        following = {"tool": "strata_recall", "arguments": {**rest, "as_of": held.version}}
    return RecallAnswer(
        found=True,
        key=key,
        value=value,
        version=held.version,
        timestamp=held.iso_time,
        tags=held.tags,
        kind=fact.kind,
        as_of=moment(here),
        truncated=end is not None,
        next=following,
        hint=_waiting(call, fact.space, key),
    )


def _waiting(call: Call, space: str, key: str) -> str | UnsetType:
    """Say to a caller whose changes wait for a user that one of this fact does."""
    if not call.session.proposes:
        return UNSET
    from strata.tools.proposing import waiting_note  # noqa: PLC0415  (seldom needed)

    return waiting_note(call, space, key) or UNSET


def _spoken(
    call: Call, key: str, turns: "Sequence[ConversationTurn]", *, offset: int
) -> RecallAnswer:
    """Return what was said in the turns that a key cites."""
    lines = [f"{turn.speaker}, {turn.iso_time[:19]}Z: {turn.text}" for turn in turns]
    value, end = _part("\n\n".join(lines), offset)
    following: dict[str, Json] | UnsetType = UNSET
    if end is not None:
        rest: dict[str, Json] = {"key": key, "branch": call.branch, "offset": end}
        following = {"tool": "strata_recall", "arguments": rest}
    return RecallAnswer(
        found=True,
        key=key,
        value=value,
        version=turns[-1].version,
        timestamp=turns[-1].iso_time,
        kind="turn",
        truncated=end is not None,
        next=following,
    )


def _not_found(
    call: Call, here: "Workspace | WorkspaceTransaction", key: str, *, namespace: str
) -> RecallAnswer:
    """Say that no fact has this name; a key of another kind comes with the call that reads it."""
    reading = _reading(call, here, key, namespace=namespace)
    if reading is None:
        return RecallAnswer(
            found=False,
            key=key,
            similar=_similar(here, key),
            hint=_waiting(call, namespace, key),
            as_of=moment(here),
        )
    kind, tool, arguments = reading
    if isinstance(as_of := moment(here), str):
        arguments |= {"as_of": as_of}
    return RecallAnswer(
        found=False,
        key=key,
        kind=kind,
        as_of=as_of,
        hint=f"This is the key of a {kind}, not of a fact: the call in next reads it.",
        next={"tool": tool, "arguments": {**arguments, "branch": call.branch}},
    )


def _reading(
    call: Call, here: "Workspace | WorkspaceTransaction", key: str, *, namespace: str
) -> tuple[str, str, dict[str, Any]] | None:
    """Return kind, tool and arguments that read what a search shows under a key."""
    if key.isdecimal() and len(key) <= _SEQUENCE_DIGITS:
        event = here.events.get(int(key)) if int(key) else None
        if event is not None:
            wanted = {"event": event.type, "after": event.sequence - 1, "limit": 1}
            return "event", "strata_history", wanted | {"namespace": namespace}
    if key.startswith("doc_"):
        return "document", "read_document", {"documentId": key}
    if call.db.decisions.get(key) is not None:
        return "memory", "load_context", {"id": key}
    return None


def _part(value: Json, offset: int) -> tuple[Json, int | None]:
    """Return a value, or what fits of its text from a character on and where that ends."""
    if not offset and tokens(value) <= limits.ANSWER_TOKENS_MAX:
        return value, None
    text = as_text(value)
    part = cut(text[offset:], limits.ANSWER_TOKENS_MAX)
    end = offset + len(part)
    return part, end if end < len(text) else None


def _similar(here: "Workspace | WorkspaceTransaction", key: str) -> list[str]:
    """Return names that may have been meant: models guess keys."""
    from difflib import get_close_matches  # noqa: PLC0415  (needed for what is missing only)

    names = here.kv.list(limit=1000)
    last = key.rpartition("/")[2].lower()
    ends = [name for name in names if name.lower().endswith(last)] if last else []
    return list(dict.fromkeys([*ends, *get_close_matches(key, names, n=3)]))[:3]


class ForgetAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was deleted."""

    deleted: bool
    branch: str
    results: Annotated[dict[str, bool] | UnsetType, HIDDEN] = UNSET


@memory.writes(destructive=True, idempotent=True, example={"key": "deploy/target"})
def forget(
    call: Call, *, key: Key = None, keys: Keys = None, namespace: Namespace = None
) -> ForgetAnswer:
    """Delete a fact by its key.

    Its history stays until a user runs `strata purge`.
    """
    here = call.within(namespace)
    if one_of(key=key, keys=keys) == "key":
        return ForgetAnswer(here.facts.forget([key or ""])[0], call.branch)
    gone = here.facts.forget(keys or [])
    return ForgetAnswer(any(gone), call.branch, dict(zip(keys or [], gone, strict=True)))


Kind = Literal["kv", "json", "state", "event", "memory", "document", "turn"]
# The namespace of what says none; answers leave it out.
DEFAULT_SPACE = "default"


# What a text takes in an answer at most; `strata_recall` gives the whole of it.
_TEXT_TOKENS = 120
_CAVEAT_TOKENS = 40


class FoundFact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was found: its value, or a snippet of one that is long.

    `strata_recall` reads the whole of a fact, and tells how to read the other kinds.
    """

    key: str
    kind: str
    namespace: Annotated[str, HIDDEN] = DEFAULT_SPACE
    value: Any | UnsetType = UNSET
    snippet: str | UnsetType = UNSET
    score: float
    relevance: Annotated[float, HIDDEN] = 0.0
    timestamp: str
    version: Annotated[int, HIDDEN]
    # The type of an event, whose key is its sequence number; the topic of a decision.
    event: Annotated[str | UnsetType, HIDDEN] = UNSET
    topic: Annotated[str | UnsetType, HIDDEN] = UNSET
    # That it was replaced, failed or has expired.
    caveat: Annotated[str | UnsetType, HIDDEN] = UNSET
    tags: tuple[str, ...] = ()


_TAGGED = "What is listed carries the tags, newest first."
_NO_MATCH = "No text has these words or means this: ask in other words, or with fewer conditions."


class Results(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found, best first."""

    results: list[FoundFact]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    notes: Annotated[tuple[str, ...], HIDDEN] = ()
    # Texts that are found by their words only, until their vectors are made.
    pending: Annotated[int, HIDDEN] = 0
    # Whether anything stored is relevant, and what comes nearest if not.
    known: Annotated[bool, HIDDEN] = True
    nearest: Annotated[str, HIDDEN] = ""


def _rest_of_search(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any] | None:
    """Return the arguments of the next page; None behind the last one that can be had."""
    rest = skip_listed(arguments, kept)
    return rest if rest["offset"] < limits.SEARCH_RESULTS_MAX else None


@memory.reads(example={"query": "how do we deploy?", "k": 5}, resume=_rest_of_search)
def search(
    call: Call,
    *,
    query: Annotated[str, "In any language"],
    k: Annotated[int, Meta(description="At most", ge=1, le=50)] = 10,
    tags: Annotated[list[str] | None, "All of these"] = None,
    namespace: Annotated[str | None, "Default: all"] = None,
    as_of: AsOf = None,
    since: Annotated[When | None, "Written since"] = None,
    until: Annotated[When | None, "Written until"] = None,
    kinds: Annotated[list[Kind] | None, "memory: decisions"] = None,
    strict: Annotated[bool, "False: the nearest, relevant or not", HIDDEN] = True,
    expired: Annotated[bool, "What no longer holds, too", HIDDEN] = False,
    offset: Annotated[
        int, Meta(description="Results to skip", le=limits.SEARCH_RESULTS_MAX), HIDDEN
    ] = 0,
) -> Results:
    """Find facts, events, decisions, documents by meaning and words.

    Use it before answering about the project, or without a key.
    """
    here = call.db if as_of is None else call.db.at(as_of)
    # One more than is shown tells whether there is another page.
    wanted = min(offset + k + 1, limits.SEARCH_RESULTS_MAX)
    answer = here.search(
        query,
        wanted,
        spaces=None if namespace is None else [namespace],
        kinds=call.searched(kinds),
        tags=tags or (),
        since=since,
        until=until,
        strict=strict,
        expired=expired,
    )
    found = [_found(here, hit) for hit in answer.hits[offset:]]
    notes = answer.notes
    if not answer.hits and tags:
        there = here if namespace is None else here.space(namespace)
        found = _tagged(there, tags, offset=offset, k=k)
        notes = (*notes, _TAGGED) if found else notes
    if not (found or answer.hits or answer.nearest):
        notes = (*notes, _NO_MATCH)
    return Results(
        found,
        moment(here),
        notes,
        answer.pending,
        known=answer.known,
        nearest=answer.nearest,
    )


def _tagged(here: "Workspace", tags: list[str], *, offset: int, k: int) -> list[FoundFact]:
    """Return what carries the tags, newest first, where nothing answers the query."""
    held = [(key, here.kv.get(key)) for key in here.kv.list(tags=tags, limit=1000)]
    known = [(key, version) for key, version in held if version is not None]
    known.sort(key=lambda pair: -pair[1].version)
    return [
        FoundFact(
            key=key,
            kind="kv",
            namespace=here.space_name,
            **_value_or_snippet(version.value, None),
            score=0.0,
            timestamp=version.iso_time,
            version=version.version,
            tags=version.tags,
        )
        for key, version in known[offset : offset + k + 1]
    ]


def _found(here: "Workspace", hit: "Hit") -> FoundFact:
    memory = here.decisions.get(hit.key) if hit.kind == "memory" else None
    if memory is None:
        return FoundFact(
            key=hit.key,
            kind=hit.kind,
            namespace=hit.namespace,
            **_readable_hit(hit),
            score=round(hit.score, 4),
            relevance=hit.relevance,
            timestamp=hit.iso_time,
            version=hit.version,
            event=hit.event or UNSET,
            caveat=cut(hit.caveat, _CAVEAT_TOKENS) or UNSET,
            tags=hit.tags,
        )
    # Its text is what was found, with the time at which it was decided; load_context shows more.
    return FoundFact(
        key=hit.key,
        kind=hit.kind,
        **_value_or_snippet(memory.content, hit.snippet),
        score=round(hit.score, 4),
        relevance=hit.relevance,
        timestamp=f"{memory.iso_time[:19]}Z",
        version=hit.version,
        topic=memory.topic or UNSET,
        caveat=cut(hit.caveat, _CAVEAT_TOKENS) or UNSET,
        tags=hit.tags,
    )


def _readable_hit(hit: "Hit") -> dict[str, Any]:
    """Return the title of a document with what it says, and of anything else its value."""
    if hit.kind == "document":
        return {"value": hit.value, "snippet": hit.snippet}
    return _value_or_snippet(hit.value, hit.snippet)


def _value_or_snippet(value: Any, snippet: str | None) -> dict[str, Any]:
    """Return a value that is short enough to be read beside others, else a part of it."""
    if tokens(value) <= _TEXT_TOKENS:
        return {"value": value}
    return {"snippet": snippet or cut(as_text(value), _TEXT_TOKENS)}


class StoreStatus(msgspec.Struct, frozen=True):
    """The store at a glance."""

    version: str
    branch: str
    namespace: str
    auto_embed: Annotated[bool, HIDDEN]
    branches: int
    keys: int
    events: int
    path: str
    pending_embeddings: int
    embedder: Annotated[str | None, HIDDEN]
    tool_groups: Annotated[tuple[str, ...], HIDDEN]
    warnings: Annotated[tuple[str, ...], HIDDEN]


@memory.reads()
def status(call: Call) -> StoreStatus:
    """Show the current branch and namespace, counts, the store's path and warnings."""
    is_own = call.branch == call.session.branch  # a branch that the call names must exist
    is_there = not is_own or call.anywhere.branches.exists(call.branch)
    db = call.db if is_there else call.anywhere
    info, embeddings = db.info(), db.embeddings.status()
    exposure = call.session.exposure
    warnings = list(exposure.warnings)
    if not is_there:
        warnings.append(
            f"The branch {call.branch!r} was deleted: switch to another, or restore it"
            f" (strata_branch). The counts are of {db.branch!r}."
        )
    if not call.session.host.is_made:
        warnings.append("There is no store yet; the first write makes it.")
    if clock_warning := db.resolve("now").warning:
        warnings.append(f"Time: {clock_warning}.")
    if trust_warning := db.trust.warning:
        warnings.append(trust_warning)
    if embeddings.reason:
        warnings.append(f"Search goes by words only: {embeddings.reason}")
    return StoreStatus(
        version=info.version,
        branch=call.branch,
        namespace=call.space,
        auto_embed=call.session.host.auto_embed,
        branches=info.branches,
        keys=info.keys,
        events=info.events,
        path=_path(call),
        pending_embeddings=embeddings.pending,
        embedder=embeddings.models[0].name if embeddings.models else None,
        tool_groups=exposure.groups,
        warnings=tuple(warnings),
    )


def _path(call: Call) -> str:
    """Return where the store is; over HTTP its name alone, for the rest is the server's matter."""
    from pathlib import PurePath  # noqa: PLC0415  (not before the first reply)

    from strata.sql import is_address, parse_address  # noqa: PLC0415  (not before the first reply)

    path = call.session.host.path
    if call.session.grant is None:
        return path
    return parse_address(path).workspace if is_address(path) else PurePath(path).name
