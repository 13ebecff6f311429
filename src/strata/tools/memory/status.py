"""Status: where one stands, and whether all is well."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import msgspec

from strata.tools.declare import HIDDEN
from strata.tools.memory.surface import memory
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Workspace


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
    if db.trust.warning is not None:
        warnings.append(db.trust.warning)
    if embeddings.reason:
        warnings.append(f"Search goes by words only: {embeddings.reason}")
    return StoreStatus(
        version=info.version, branch=call.branch, namespace=call.space,
        auto_embed=call.session.host.auto_embed, branches=info.branches, keys=info.keys,
        events=info.events, path=_path(call),
        pending_embeddings=embeddings.pending, embedder=_embedder(db),
        tool_groups=exposure.groups, warnings=tuple(warnings),
    )  # fmt: skip


def _path(call: Call) -> str:
    """Return where the store is; over HTTP its name alone, for folders are the server's matter."""
    path = call.session.host.path
    return path if call.session.grant is None else PurePath(path).name


def _embedder(db: "Workspace") -> str | None:
    models = db.embeddings.status().models
    return models[0].name if models else None
