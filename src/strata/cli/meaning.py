"""Whether search by meaning works for a store: its models, and what waits for them."""

import msgspec

import strata
from strata.cli.output import plural
from strata.models import ModelInfo, list_models
from strata.search import ModelStatus, Status

_DEFAULT = "minilm"


class Meaning(msgspec.Struct, frozen=True):
    """How far search by meaning is, and why it does not work where it does not."""

    works: bool
    embedded: int
    pending: int
    failed: int
    reasons: tuple[str, ...] = ()


def look(db: strata.Workspace) -> Meaning:
    """Return how search by meaning stands, loading no model."""
    status = db.embeddings.status()
    live = live_models(status)
    reasons = tuple(f"{one.name}: {one.reason}" for one in unusable(status))
    return Meaning(
        any(one.embedded for one in live) and not reasons,
        sum(one.embedded for one in live),
        status.pending,
        sum(one.failed for one in live),
        reasons,
    )


def live_models(status: Status) -> list[ModelStatus]:
    """Return the models that answer, or are to answer next."""
    return [one for one in status.models if one.state != "retired"]


def unusable(status: Status) -> list[ModelInfo]:
    """Return the models that a store needs and this installation cannot load."""
    needed = {one.name for one in live_models(status)} or {_DEFAULT}
    return [
        one
        for one in list_models()
        # A model of a library is listed behind the library's name.
        if (one.name.partition(":")[2] or one.name) in needed and one.state in ("absent", "failed")
    ]


def told(meaning: Meaning) -> str:
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
