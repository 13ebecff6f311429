"""Whether search by meaning works for a store: its models, and what waits for them."""

import msgspec

import strata
from strata.base.counts import plural
from strata.models import list_models
from strata.search import ModelStatus, Status

# The model that makes the first vectors of a store, unless another one was chosen.
_FIRST = "minilm"


class MeaningStatus(msgspec.Struct, frozen=True):
    """How far search by meaning is, and why it does not work where it does not."""

    works: bool
    embedded: int
    pending: int
    failed: int
    reasons: tuple[str, ...] = ()


def look(db: strata.Workspace) -> MeaningStatus:
    """Return how far search by meaning is, loading no model."""
    status = db.embeddings.status()
    live = live_models(status)
    reasons = tuple(f"{name}: {reason}" for name, reason in unusable(status).items())
    return MeaningStatus(
        any(one.embedded for one in live) and not reasons,
        sum(one.embedded for one in live),
        status.pending,
        sum(one.failed for one in live),
        reasons,
    )


def live_models(status: Status) -> list[ModelStatus]:
    """Return the models that answer, or are to answer next."""
    return [one for one in status.models if one.state != "retired"]


def unusable(status: Status) -> dict[str, str]:
    """Return the models that a store needs and this process cannot use, and why."""
    live = live_models(status)
    if live:
        return {one.name: one.reason for one in live if one.reason}
    return {
        one.name: one.reason or f"It is {one.state}."
        for one in list_models()
        if one.name == _FIRST and one.state in ("absent", "failed")
    }


def status_line(meaning: MeaningStatus) -> str:
    """Say it in a line."""
    if meaning.reasons:
        return f"by words only; {'; '.join(meaning.reasons)}"
    parts = [plural(meaning.embedded, "vector")] if meaning.embedded else []
    if meaning.pending:
        parts.append(f"{meaning.pending:,} pending (`strata embeddings wait`)")
    if meaning.failed:
        parts.append(f"{meaning.failed:,} failed (`strata embeddings retry`)")
    how = "by words and meaning" if meaning.works else "by words so far"
    return f"{how}; {', '.join(parts) or 'nothing to embed yet'}"
