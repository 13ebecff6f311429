"""What a caller may write whose changes wait for a user: default is no.

Facts, events, decisions and new documents go to a branch of proposals. In documents, edits become
suggestions and comments are comments. Everything else that writes is refused: other branches,
merges, erasure, settings, files, sharing, agents.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from strata.base.errors import NotAllowed

if TYPE_CHECKING:
    from strata.tools.declare import Tool

# On a branch of proposals, in documents as suggestions and comments, or only for the session.
Way: TypeAlias = Literal["branch", "documents", "session"]

_ON_BRANCH = (
    "strata_store strata_forget strata_log "
    "save_decision save_checkpoint save_insight evolve_outcome evolve_supersede update_outcome "
    "strata_kv_put strata_kv_delete strata_kv_put_many strata_kv_delete_many "
    "strata_json_set strata_json_delete strata_event_append "
    "strata_state_set strata_state_delete strata_state_init strata_state_cas"
)
# Their permission to each document and folder is that of a commenter.
_IN_DOCUMENTS = (
    "edit_document.create edit_document.createFromTemplate "
    "edit_document.edit edit_document.write manage_suggestions.propose manage_suggestions.withdraw "
    "manage_comments.create manage_comments.reply manage_comments.edit manage_comments.delete "
    "manage_comments.resolve manage_comments.reopen"
)
_FOR_SESSION = "strata_branch.switch strata_branch_switch strata_space_switch"
_WAYS: dict[str, Way] = {
    **dict.fromkeys(_ON_BRANCH.split(), "branch"),
    **dict.fromkeys(_IN_DOCUMENTS.split(), "documents"),
    **dict.fromkeys(_FOR_SESSION.split(), "session"),
}


_INSTEAD = (
    "Propose facts with strata_store, decisions with save_decision, documents with edit_document;"
    " edits become suggestions. Tell the user what else should be done."
)


def way_of(tool: str, action: str | None) -> Way | None:
    """Return where a proposing caller's write goes; None for what is refused."""
    return _WAYS.get(tool if action is None else f"{tool}.{action}")


def proposing(tool: "Tool") -> "Tool | None":
    """Return a tool as far as a proposing caller may use it; None for one that is refused."""
    if tool.reads_only or tool.delegates or way_of(tool.name, None) is not None:
        return tool
    return tool.limited_to(
        [
            name
            for name, action in tool.actions.items()
            if action.reads_only or way_of(tool.name, name) is not None
        ],
        note="Here only",
    )


def check_proposable(tool: str, action: str | None) -> Way:
    """Return where a proposing caller's write goes; raise NotAllowed for what is refused."""
    found = way_of(tool, action)
    if found is None:
        what = tool if action is None else f"{tool} with action {action}"
        raise NotAllowed(f"{what} is not for callers whose changes wait for a user.", hint=_INSTEAD)
    return found
