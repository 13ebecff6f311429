"""Counting what was refused, so that an owner learns which users and agents send secrets.

A count has the kind of a secret, who sent it and when; nothing of the secret, nor where it was.
"""

from typing import cast

import msgspec

from strata.base import limits
from strata.base.errors import SecretRefused
from strata.base.results import TimedResult
from strata.base.values import Json
from strata.store import Signature, Store, read_signature

_DAY_US = 24 * 60 * 60 * 1_000_000


class RefusedSecrets(TimedResult, frozen=True):
    """How often secrets of one kind, sent by one user or agent, were refused, and when last."""

    TIME = "last"

    secret: str
    sender: Signature
    times: int
    last: int


def count_refusal(store: Store, error: SecretRefused, signature: str | None) -> None:
    """Count a refused write, in a transaction of its own: that of the write has ended."""
    now = store.clock()
    day = now // _DAY_US
    actor = msgspec.structs.replace(read_signature(signature), task=None).text or ""
    found = cast("list[dict[str, Json]]", error.details["found"])
    rows = [(day, kind, actor, now) for kind in sorted({str(one["kind"]) for one in found})]
    with store.writing() as connection:
        connection.run_many(store.queries.count_refused_secret, rows)
        oldest = day - limits.REFUSED_SECRETS_DAYS
        connection.run(store.queries.forget_refused_secrets, (oldest,))


def list_refusals(store: Store, *, days: int) -> list[RefusedSecrets]:
    """Return what was refused in the last days, by kind and sender, the latest first."""
    oldest = store.clock() // _DAY_US - days
    rows = store.connection().rows(store.queries.refused_secrets, (oldest,))
    return [
        RefusedSecrets(kind, read_signature(actor or None), int(times), last)
        for kind, actor, times, last in rows
    ]
