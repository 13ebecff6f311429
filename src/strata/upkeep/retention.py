"""Retention: dropping old values that nothing needs any more.

A version may go when it has been replaced and no branch, fork point, tag or merge base still shows
it. Its row stays, with its digest, so that history is whole and `verify` can walk it; reading it
raises TooOld. Of kinds whose versions build on each other, the package that knows them tells which
ones are needed too.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeAlias

import msgspec

from strata.base.checks import check_number
from strata.base.duration import parse_duration
from strata.base.errors import InvalidArgument
from strata.base.results import Result
from strata.sql import seal_commit
from strata.store import (
    ERASED,
    NOW,
    TRIMMED,
    BranchRow,
    Store,
    change_setting,
    check_name,
    expiry,
    forget_text_counts,
    read_setting,
    unreadable,
)

Progress: TypeAlias = Callable[[str, int, int], None]
_SETTING = "retention"
_ANY = "*"
_KINDS = (
    _ANY,
    "kv",
    "json",
    "state",
    "event",
    "vector",
    "collection",
    "document",
    "text",
    "section",
    "suggestion",
    "comment",
    "image",
    "named",
    "file",
)


class Policy(Result, frozen=True):
    """How long replaced values of a space and kind are kept.

    With both limits a value goes only when it is past both.
    """

    space: str = _ANY
    kind: str = _ANY
    max_age_us: int | None = None
    max_versions: int | None = None


class Trim(Result, frozen=True):
    """What retention removed, or with `preview` would remove.

    `needed` counts versions past the policy that stay because something still shows them.
    """

    versions: int
    bytes: int
    needed: int
    preview: bool


class VersionSpan(msgspec.Struct, frozen=True):
    """A readable version and the range of points that show it."""

    version: int
    next_version: int
    next_timestamp: int
    newer: int
    bytes: int
    keyspace: int


class Chains(Protocol):
    """Knows kinds whose versions cannot be read without others."""

    # The kinds, each with the one whose policy counts for it.
    kinds: Mapping[str, str]

    def needed(self, branch: int, points: Sequence[int], kept: Collection[int]) -> set[int]:
        """Return the versions that stay: for what a branch's points show, and for those kept."""
        ...


class _NoChains:
    kinds: Mapping[str, str] = MappingProxyType({})

    def needed(self, branch: int, points: Sequence[int], kept: Collection[int]) -> set[int]:  # noqa: ARG002
        return set()


class Retention:
    """Policies and their application. Reached as `db.retention`."""

    def __init__(
        self,
        store: Store,
        *,
        trim: Callable[[Sequence[int]], object] = lambda _versions: None,
        chains: Chains | None = None,
    ) -> None:
        self._store = store
        self._chains: Chains = chains or _NoChains()
        # Drops what is derived in the file.
        self._forget_derived = trim

    def set(
        self,
        *,
        space: str = _ANY,
        kind: str = _ANY,
        max_age: str | float | None = None,
        max_versions: int | None = None,
    ) -> Policy:
        """Keep replaced values of a space and kind for so long, or so many a key.

        >>> db.retention.set(kind="kv", max_versions=3).max_versions
        3
        """
        age = None if max_age is None else parse_duration(max_age, parameter="max_age")
        policy = Policy(space, kind, age, max_versions)
        _check(policy)
        self._change(space, kind, policy)
        return policy

    def list(self) -> "list[Policy]":
        """Return all policies; the most specific one that fits a key counts.

        >>> _ = db.retention.set(max_age="30d")
        >>> [policy.space for policy in db.retention.list()]
        ['*']
        """
        return _decode(read_setting(self._store, _SETTING))

    def remove(self, *, space: str = _ANY, kind: str = _ANY) -> bool:
        """Drop a policy; tell whether there was one.

        >>> db.retention.remove()
        False
        """
        return self._change(space, kind)

    def _change(self, space: str, kind: str, *policies: Policy) -> bool:
        """Put policies in the place of that of a space and kind; tell whether there was one."""
        had = False

        def change(text: str | None) -> str:
            nonlocal had
            known = _decode(text)
            others = [one for one in known if (one.space, one.kind) != (space, kind)]
            had = len(others) < len(known)
            return msgspec.json.encode([*others, *policies]).decode()

        change_setting(self._store, _SETTING, change)
        return had

    def apply(self, *, preview: bool = False, progress: Progress | None = None) -> Trim:
        """Remove what the policies allow and nothing needs.

        >>> for n in range(5):
        ...     _ = db.kv.put("k", n)
        >>> _ = db.retention.set(max_versions=1)
        >>> db.retention.apply(preview=True).versions
        4
        >>> db.retention.apply().versions
        4
        """
        if preview:
            self._store.look()  # branches may have come and gone
            with self._store.database.reading():
                return self._trim(preview=True, progress=progress)
        with self._store.writing() as connection:
            trim = self._trim(preview=False, progress=progress)
            connection.run(self._store.queries.bump_removals)
        self._store.forget_removed()
        return trim

    def _trim(self, *, preview: bool, progress: Progress | None) -> Trim:
        overdue: list[VersionSpan] = []
        needed = 0
        policies, now = self.list(), self._store.clock()
        branches = self._store.catalog.all()
        for index, branch in enumerate(branches, 1):
            found = list(self._overdue(branch, policies, now))
            overdue += [span for span, is_needed in found if not is_needed]
            needed += sum(is_needed for _span, is_needed in found)
            if progress is not None:
                progress("retention", index, len(branches))
        if not preview:
            self._forget_derived([span.version for span in overdue])
            for span in overdue:
                self._strip(span)
            forget_text_counts(self._store, min((span.version for span in overdue), default=NOW))
        return Trim(len(overdue), sum(span.bytes for span in overdue), needed, preview)

    def _overdue(
        self, branch: BranchRow, policies: "list[Policy]", now: int
    ) -> Iterator[tuple[VersionSpan, bool]]:
        """Yield the versions past their policy, and whether something still shows them."""
        store = self._store
        has_expired = branch.deleted is not None and branch.deleted <= expiry(store)
        points = self._needed(branch, has_expired=has_expired)
        past: list[VersionSpan] = []
        kept: list[int] = []
        for keyspace, space, kind in store.catalog.all_keyspaces(store.connection()):
            of = self._chains.kinds.get(kind)
            policy = _policy_for(policies, space, of or kind)
            if policy is None and not has_expired:
                continue
            for span in version_spans(self._store, branch.id, keyspace):
                is_past = has_expired or (policy is not None and _is_past(span, policy, now))
                if of is None and is_past:
                    index = bisect_left(points, span.version)
                    yield span, index < len(points) and points[index] < span.next_version
                elif is_past:
                    past.append(span)
                elif of is not None:
                    kept.append(span.version)
        needed = self._chains.needed(branch.id, points, kept) if past else set[int]()
        yield from ((span, span.version in needed) for span in past)

    def _needed(self, branch: BranchRow, *, has_expired: bool) -> "list[int]":
        """Return the points of a branch that must stay readable, in order."""
        values = (branch.id, expiry(self._store))
        rows = self._store.connection().rows(self._store.queries.needed_points, values)
        now = [] if has_expired else [NOW - 1]
        return sorted([row[0] for row in rows] + now)

    def _strip(self, span: VersionSpan) -> None:
        strip(self._store, span.version, flag=TRIMMED, keeps_meta=True)


def version_spans(store: Store, branch: int, keyspace: int) -> list[VersionSpan]:
    """Return the readable versions of a branch's keyspace, and when each was replaced."""
    rows = store.connection().rows(store.queries.version_spans, (branch, keyspace))
    return [
        VersionSpan(row[0], row[1] or NOW, row[2] or NOW, row[3], row[4] or 0, keyspace)
        for row in rows
    ]


def strip(store: Store, version: int, *, flag: int, keeps_meta: bool) -> None:
    """Take the value out of a version; an erased one also loses what was derived from it.

    Events and cells keep their notes: type and link, or the counter.
    """
    connection, queries = store.connection(), store.queries
    connection.run(queries.strip_version, (flag, keeps_meta or flag == TRIMMED, version))
    if not keeps_meta and flag == ERASED:
        connection.run(queries.delete_attributes, (version,))
        connection.run(queries.delete_links, (version,))
        connection.run(queries.delete_item_tags, (version,))
        sealed = connection.row(queries.commit_of_version, (version,))
        if sealed is not None:
            seal_commit(connection, *sealed)


def _policy_for(policies: list[Policy], space: str, kind: str) -> Policy | None:
    wanted = ((space, kind), (space, _ANY), (_ANY, kind), (_ANY, _ANY))
    by_place = {(policy.space, policy.kind): policy for policy in policies}
    return next((by_place[place] for place in wanted if place in by_place), None)


def _is_past(span: VersionSpan, policy: Policy, now: int) -> bool:
    too_old = policy.max_age_us is None or span.next_timestamp <= now - policy.max_age_us
    too_many = policy.max_versions is None or span.newer >= policy.max_versions
    return span.next_version != NOW and too_old and too_many


def _decode(text: str | None) -> list[Policy]:
    if text is None:
        return []
    try:
        return msgspec.json.decode(text, type=list[Policy])
    except (msgspec.MsgspecError, TypeError) as error:
        raise unreadable("what retention keeps") from error


def _check(policy: Policy) -> None:
    check_name(policy.space, what="space")
    if policy.kind not in _KINDS:
        raise InvalidArgument(
            f"{policy.kind!r} is not a kind.", hint=f"Use {', '.join(_KINDS)}.", parameter="kind"
        )
    if policy.max_age_us is None and policy.max_versions is None:
        raise InvalidArgument(
            "A policy needs a limit.",
            hint='Give max_age (such as "30d"), max_versions, or both.',
            parameter="max_age",
        )
    if policy.max_versions is not None:
        check_number(policy.max_versions, name="max_versions")
