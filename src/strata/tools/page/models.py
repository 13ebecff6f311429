"""Models: those that make vectors for search by meaning, and the language model."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from strata.tools.page.group import PageAnswer, page, require_owner
from strata.tools.page.work import WorkLine, work_line
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.tools.chores import Report
    from strata.workspace import Workspace

_REINDEX = "reindex"


class EmbeddingModel(PageAnswer, frozen=True):
    """A model that makes vectors, and how far it is."""

    name: str
    role: str
    state: str
    embedded: int
    pending: int
    failed: int
    # Texts a second; 0 while it is unknown.
    rate: float
    seconds_left: float | None
    reason: str | None


class ModelList(PageAnswer, frozen=True):
    """The models in use, and what waits for them."""

    models: list[EmbeddingModel]
    pending: int
    # Why search goes by words only, if it does.
    reason: str | None
    # Whether this server makes vectors of what is written by itself.
    is_automatic: bool
    # The language model that the settings name.
    language_model: str | None
    endpoint: str | None
    reindex: WorkLine | None


@page.reads(needs="memory", example={})
def models(call: Call) -> ModelList:
    """Show which models make vectors, how far they are, and which language model is asked."""
    here = call.anywhere
    status = here.embeddings.status()
    name, endpoint = (here.settings.get(one) for one in ("model_name", "model_endpoint"))
    return ModelList(
        models=[
            EmbeddingModel(
                name=one.name,
                role=one.role,
                state=one.state,
                embedded=one.embedded,
                pending=one.pending,
                failed=one.failed,
                rate=one.rate,
                seconds_left=one.seconds_left,
                reason=one.reason,
            )
            for one in status.models
        ],
        pending=status.pending,
        reason=status.reason,
        is_automatic=here.embeddings.is_automatic,
        language_model=None if name is None else str(name),
        endpoint=None if endpoint is None else str(endpoint),
        reindex=work_line(call, _REINDEX),
    )


@page.writes(needs="memory", example={"what": "retry"})
def make_vectors(
    call: Call,
    *,
    what: Annotated[
        Literal["pending", "retry", "rebuild"],
        "What waits; what failed, again; or all vectors anew, while the old ones answer",
    ],
) -> ModelList:
    """Let this server make vectors in the background; for the owner alone."""
    here = call.anywhere
    require_owner(here, "let the server make vectors")
    if what == "rebuild":
        here.embeddings.rebuild()
    elif what == "retry":
        here.embeddings.retry()
    here.embeddings.start()
    return models(call)


@page.writes(needs="memory", example={})
def reindex(call: Call) -> ModelList:
    """Make the text index anew where it does not fit the values; for the owner alone.

    It goes on in the background: `models` shows how far it is.
    """
    here = call.anywhere
    require_owner(here, "make the text index anew")

    def work(db: "Workspace", report: "Report") -> dict[str, Any]:
        done = db.reindex(progress=report)
        return {"changed": done.changed, "damaged": len(done.damaged)}

    call.session.host.chores.start(_REINDEX, here, work)
    return models(call)
