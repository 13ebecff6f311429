"""Facts as an agent means them: a name and what is known by it, whatever kind holds it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice

import msgspec

from strata.base import limits
from strata.base.checks import check_many, check_number
from strata.base.errors import InvalidArgument, NotFound
from strata.base.page import ResultPage, cut_page
from strata.base.results import Result
from strata.base.validity import check_validity
from strata.base.values import Json, encode, equal
from strata.memory import json_path
from strata.memory.keyed import (
    Version,
    as_version,
    check_count,
    check_page,
    check_range,
    check_tags,
    check_version,
)
from strata.sql import Read
from strata.store import (
    DELETED,
    GONE,
    NEXT_KEY,
    NOW,
    Address,
    KeyOrders,
    Record,
    Snapshot,
    StagedChange,
    Transaction,
    View,
    after_prefix,
    check_key,
    check_name,
    meta_of_deletion,
)

# Where a name is looked for, in this order; what is kept by `remember` is of the first kind.
KINDS = ("kv", "json", "state")


class NewFact(msgspec.Struct, frozen=True):
    """Something to remember. Without tags it keeps those it has.

    With `if_version`, only if that is its version now (0: nothing is known by that name).
    """

    key: str
    value: Json
    tags: tuple[str, ...] | None = None
    space: str | None = None
    if_version: int | None = None
    # Tags that take the place of those with the same beginning: `until:2026-05-03`.
    marks: tuple[str, ...] = ()
    # Other facts of its space that it replaces.
    replaces: tuple[str, ...] = ()


class Fact(Result, frozen=True):
    """What is known by a name; `is_unchanged` if it was known before just so.

    `same_as` has other names of its space that were remembered with the same text.
    """

    key: str
    space: str
    kind: str
    held: Version
    is_unchanged: bool = False
    same_as: tuple[str, ...] = ()


class KeyPlace(Result, frozen=True):
    """Where names go on behind a prefix: a name, or with a "/" at its end all names below it."""

    prefix: str
    names: int


class Facts:
    """What is known, by name. Reached as `db.facts`."""

    def __init__(self, view: View, orders: Callable[[], KeyOrders] | None = None) -> None:
        self._view = view
        # None within a transaction: its own changes are in no order yet.
        self._orders = orders

    def remember(
        self,
        key: str,
        value: Json,
        *,
        tags: Iterable[str] | None = None,
        path: str | None = None,
        if_version: int | None = None,
        since: str | None = None,
        until: str | None = None,
        review_by: str | None = None,
        sources: Iterable[str] = (),
        replaces: Iterable[str] = (),
    ) -> Fact:
        """Keep a value; the same value with the same tags writes nothing.

        Without `tags` it keeps those it has. With `path`, only that part of the value is set.
        With `if_version`, only if that is its version now (0: nothing is known by that name).

        `since` and `until` are dates or times between which it holds: searches leave out what has
        expired. From `review_by` on, they say that it should be looked at again. `sources` tell
        where it comes from: turns of a conversation (`codex/01a1#12-15`), a document, a file, an
        address. All of these are kept as tags.

        `replaces` names other facts of this space that hold no longer: they stay, and searches
        show this one above them. It is kept as a tag `supersedes:KEY` for each.

        >>> _ = db.facts.remember("sale", "20 %", until="2026-05-03", sources=["codex/01a1#12"])
        >>> db.facts.recall("sale").held.tags
        ('until:2026-05-03', 'source:codex/01a1#12')
        >>> _ = db.facts.remember("sale/new", "30 %", replaces=["sale"])
        >>> db.facts.recall("sale/new").held.tags
        ('supersedes:sale',)
        >>> first = db.facts.remember("deploy", {"region": "서울"}, tags=["ops"])
        >>> db.facts.remember("deploy", {"region": "서울"}).is_unchanged
        True
        >>> db.facts.remember("deploy", 3, path="$.replicas").held.value
        {'region': '서울', 'replicas': 3}
        """
        validity = check_validity(since=since, until=until, review_by=review_by, sources=sources)
        given = None if tags is None else check_tags(tags)
        item = NewFact(
            key,
            value,
            given,
            if_version=if_version,
            marks=check_tags(validity.marks),
            replaces=tuple(check_many(replaces, name="replaces")),
        )
        steps = None if path is None else json_path.parse(path)
        place = (self._view.space, KINDS[0], check_key(key))
        with self._view.writing("put", about=[place]) as transaction:
            return self._stage(transaction, item, place, steps=steps)

    def remember_many(self, items: Iterable[NewFact]) -> list[Fact]:
        """Keep several values in one commit, all of them or none.

        >>> from strata.memory import NewFact
        >>> [fact.key for fact in db.facts.remember_many([NewFact("a", 1), NewFact("b", "둘")])]
        ['a', 'b']
        """
        wanted = check_many(items, name="items")
        check_count(len(wanted))
        places = [self._place(item) for item in wanted]
        with self._view.writing("put", about=places) as transaction:
            return [
                self._stage(transaction, item, place)
                for item, place in zip(wanted, places, strict=True)
            ]

    def recall(self, key: str) -> Fact | None:
        """Return what is known by a name, or None.

        >>> _ = db.json.set("plan", "$.steps", ["build"])
        >>> db.facts.recall("plan").kind
        'json'
        """
        check_key(key)
        for kind in KINDS:
            record = self._view.snapshot.get(self._view.space, kind, key)
            if record is not None and not record[2] & GONE:
                return Fact(key, self._view.space, kind, as_version(record))
        return None

    def places(
        self, prefix: str = "", *, limit: int = 100, after: str | None = None
    ) -> ResultPage[KeyPlace, str]:
        """Return where names go on behind a prefix, in order: one level of a tree of names.

        A place that ends with "/" stands for all names below it. `more` of the result tells
        whether there are others, and `next` is what to pass as `after` to get them.

        >>> for name in ("api/limit", "api/auth/key", "deploy"):
        ...     _ = db.facts.remember(name, 1)
        >>> [(place.prefix, place.names) for place in db.facts.places()]
        [('api/', 2), ('deploy', 1)]
        >>> [place.prefix for place in db.facts.places("api/")]
        ['api/auth/', 'api/limit']
        """
        check_page(limit)
        check_range(prefix, after)
        snapshot, found = self._view.snapshot, set[str]()
        for kind in KINDS:
            found |= set(
                snapshot.key_groups(self._view.space, kind, prefix, after=after, limit=limit + 1)
            )
        return cut_page(
            [
                KeyPlace(
                    place, self._count(place) if place.endswith("/") and place != prefix else 1
                )
                for place in sorted(found)[: limit + 1]
            ],
            limit,
            lambda place: place.prefix,
            onward=lambda after: self.places(prefix, limit=limit, after=after),
        )

    def items(
        self,
        prefix: str = "",
        *,
        containing: str = "",
        limit: int = 100,
        after: str | None = None,
        offset: int = 0,
    ) -> ResultPage[Fact, str]:
        """Return facts by name, at most `limit`, behind `after` or from `offset` on.

        With `containing`, only those with this part in their name, in capitals or not, among
        the first 100,000 names.

        >>> _ = db.facts.remember("a/1", "하나"); _ = db.json.set("a/2", "$", {"b": 2})
        >>> [(fact.key, fact.kind) for fact in db.facts.items("a/")]
        [('a/1', 'kv'), ('a/2', 'json')]
        >>> [fact.key for fact in db.facts.items(offset=1)]
        ['a/2']
        """
        check_page(limit)
        check_range(prefix, after)
        check_number(offset, name="offset", least=0)
        snapshot, space = self._view.snapshot, self._view.space
        with snapshot.reading():
            if offset and not containing and self._orders is not None:
                first = prefix if after is None else after + NEXT_KEY
                near, offset = self._orders().behind(snapshot, (space, KINDS), first, offset=offset)
                after = near or after
            most = offset + limit + 1
            kinds = self._named(prefix, containing, after=after, most=most)
            keys = sorted(kinds)[offset:most]
            with snapshot.ahead((space, kinds[key], key) for key in keys):
                found = [
                    Fact(key, space, kinds[key], as_version(record))
                    for key in keys
                    if (record := snapshot.get(space, kinds[key], key)) is not None
                ]
        return cut_page(
            found,
            limit,
            lambda fact: fact.key,
            onward=lambda after: self.items(
                prefix, containing=containing, limit=limit, after=after
            ),
        )

    def count(self, prefix: str = "", *, containing: str = "") -> int:
        """Return how many names begin with a prefix, and have a part that is asked for.

        With `containing`, of the first 100,000 names.

        >>> _ = db.facts.remember("api/Limit", 1); _ = db.facts.remember("api/key", 2)
        >>> db.facts.count("api/"), db.facts.count(containing="limit")
        (2, 1)
        """
        check_range(prefix, None)
        if not containing:
            return self._count(prefix)
        with self._view.snapshot.reading():
            return len(self._named(prefix, containing))

    def _count(self, prefix: str) -> int:
        snapshot, space = self._view.snapshot, self._view.space
        if prefix and self._orders is not None:
            return self._orders().count(snapshot, (space, KINDS), prefix)
        return sum(snapshot.count(space, kind, prefix) for kind in KINDS)

    def _named(
        self, prefix: str, containing: str, *, after: str | None = None, most: int = NOW
    ) -> dict[str, str]:
        """Return names and their kinds; all that fit, or at least the first `most` of them."""
        snapshot, space, part = self._view.snapshot, self._view.space, containing.casefold()
        kinds = dict[str, str]()
        for kind in KINDS:
            if part:
                names = snapshot.names(space, kind, prefix, after=after)
                found = [
                    name
                    for name in islice(names, limits.NAMES_LOOKED_AT)
                    if part in name.casefold()
                ]
            else:
                keys = snapshot.keys(space, kind, prefix, after=after, limit=most)
                found = [key for key, _version in keys]
            for key in found:
                kinds.setdefault(key, kind)
        return kinds

    def history(self, key: str, *, limit: int | None = None) -> list[Version]:
        """Return what was known by a name, newest first, deletions included.

        >>> _ = db.facts.remember("k", 1); _ = db.facts.remember("k", 2)
        >>> [held.value for held in db.facts.history("k")]
        [2, 1]
        """
        check_key(key)
        for kind in KINDS:
            records = self._view.snapshot.history(self._view.space, kind, key, limit=limit)
            if records:
                return [as_version(record) for record in records]
        return []

    def forget(self, keys: Sequence[str]) -> list[bool]:
        """Remove names from now on, in one commit; tell of each whether it was known.

        >>> _ = db.facts.remember("k", 1)
        >>> db.facts.forget(["k", "missing"])
        [True, False]
        """
        wanted = [check_key(key) for key in check_many(keys, name="keys")]
        check_count(len(wanted))
        about = [(self._view.space, kind, key) for key in wanted for kind in KINDS]
        with self._view.writing("delete", about=about) as transaction:
            return [self._stage_deletion(transaction, key) for key in wanted]

    def _place(self, item: NewFact) -> Address:
        space = self._view.space if item.space is None else check_name(item.space, what="space")
        return space, KINDS[0], check_key(item.key)

    def _stage(
        self,
        transaction: Transaction,
        item: NewFact,
        place: Address,
        *,
        steps: Sequence[json_path.Step] | None = None,
    ) -> Fact:
        space, _kind, key = place
        record = transaction.get(*place)
        if item.if_version is not None:
            check_number(item.if_version, name="if_version", least=0)
            check_version(record, key, item.if_version)
        before = _live(record)
        kept = before.tags if before else ()
        tags = check_tags(item.tags) if item.tags is not None else kept
        if item.marks:
            names = {mark.partition(":")[0] for mark in item.marks}
            others = (tag for tag in tags if tag.partition(":")[0] not in names)
            tags = check_tags([*others, *item.marks])
        if item.replaces:
            tags = check_tags([*tags, *_replacing(transaction, space, item)])
        value = item.value if steps is None else _assigned(before, steps, item.value)
        if before and equal(before.value, value) and set(before.tags) == set(tags):
            return Fact(key, space, "kv", before, is_unchanged=True)
        meta = msgspec.json.encode({"tags": tags}) if tags else None
        mark = _mark_of(value)
        same = _same_as(transaction, space, key, mark=mark) if mark else ()
        marks = (mark,) if mark else ()
        change = StagedChange(
            space, "kv", key, encode(value), meta=meta, tags=tags, attributes=marks
        )
        held = Version(value, *transaction.stage(change), tags)
        return Fact(key, space, "kv", held, same_as=same)

    def _stage_deletion(self, transaction: Transaction, key: str) -> bool:
        found = False
        for kind in KINDS:
            record = transaction.get(self._view.space, kind, key)
            if record is not None and not record[2] & GONE:
                meta = meta_of_deletion(kind, record)
                transaction.stage(
                    StagedChange(self._view.space, kind, key, flags=DELETED, meta=meta)
                )
                found = True
        return found


# What the tag begins with by which a fact says that it replaces another one.
_SUPERSEDES = "supersedes:"
_REPLACING = (_SUPERSEDES, after_prefix(_SUPERSEDES))


def _replacing(transaction: Transaction, space: str, item: NewFact) -> list[str]:
    """Return the tags by which a fact replaces others; raise for what cannot be replaced."""
    for name in item.replaces:
        if name == item.key:
            raise InvalidArgument(
                f"{name!r} cannot replace itself.",
                hint="Storing a key again replaces its value.",
                parameter="replaces",
            )
        if _live(transaction.get(space, KINDS[0], check_key(name))) is None:
            raise NotFound(
                f"There is no fact {name[:200]!r} to replace in the space {space!r}.",
                hint="Name the keys of facts that hold no longer.",
                key=name[:200],
            )
    return [f"{_SUPERSEDES}{name}" for name in item.replaces]


def keys_replaced_by(fact: Fact) -> list[str]:
    """Return the keys that a fact says to replace."""
    tags = (tag for tag in fact.held.tags if tag.startswith(_SUPERSEDES))
    return [tag.removeprefix(_SUPERSEDES) for tag in tags]


def replaced_keys(snapshot: Snapshot, keys: Iterable[str]) -> set[str]:
    """Return which keys a fact of any space and branch may replace: others need no look."""
    tags = {f"{_SUPERSEDES}{key}": key for key in keys}
    if not tags:
        return set()
    return {tags[tag] for tag in snapshot.known_tags(tags, between=_REPLACING)}


def reads_of_replaced(snapshot: Snapshot) -> Iterator[Read]:
    """Yield the read by which `replaced_keys` begins, for a caller that foresees it."""
    yield snapshot.read_of_tags(_REPLACING)


def superseding(snapshot: Snapshot, space: str, key: str) -> list[str]:
    """Return the facts of a space that say by a tag that they replace one: `supersedes:KEY`."""
    found = snapshot.by_tag(space, KINDS[0], f"{_SUPERSEDES}{key}")
    return [name for name in found if name != key]


# The attribute that texts are compared by, how long they are at least, and how many are named.
_TEXT = "text"
_TEXT_CHARACTERS_MIN = 16
_SAME_SHOWN = 3


def _mark_of(value: Json) -> tuple[str, str] | None:
    """Return the attribute that equal texts share; None for what is short or no text.

    Blanks and the case of letters make no difference.
    """
    if not isinstance(value, str) or len(value) < _TEXT_CHARACTERS_MIN:
        return None
    plain = " ".join(value.split()).casefold()
    return _TEXT, sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _same_as(
    transaction: Transaction, space: str, key: str, *, mark: tuple[str, str]
) -> tuple[str, ...]:
    """Return other names of a space that hold the same text: one look at an index."""
    found = transaction.by_attribute(space, "kv", mark[0], value=mark[1])
    return tuple(name for name in found if name != key)[:_SAME_SHOWN]


def _live(record: Record | None) -> Version | None:
    return None if record is None or record[2] & GONE else as_version(record)


def _assigned(before: Version | None, steps: Sequence[json_path.Step], value: Json) -> Json:
    document: json_path.Document = json_path.MISSING if before is None else before.value
    if before is not None and steps and not isinstance(document, (dict, list)):
        raise InvalidArgument(
            "The value has no parts: it is neither an object nor a list.",
            hint="Leave out `path` to replace the whole value.",
            parameter="path",
        )
    return json_path.assign(document, steps, value)
