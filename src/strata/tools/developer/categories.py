"""The seventy-four tools in the order in which they are listed: seventeen categories."""

from strata.tools.declare import ToolGroup
from strata.tools.developer.branches import branch_tools
from strata.tools.developer.database import bundle, database, durability, retention
from strata.tools.developer.events import event
from strata.tools.developer.json import json
from strata.tools.developer.kv import kv
from strata.tools.developer.models import config, embedding, inference, model_tools
from strata.tools.developer.search import search_tools
from strata.tools.developer.spaces import space_tools
from strata.tools.developer.state import state
from strata.tools.developer.transactions import txn
from strata.tools.developer.vectors import vector

# By the name of the category.
CATEGORIES: dict[str, ToolGroup] = {
    "database": database,
    "kv": kv,
    "state": state,
    "event": event,
    "json": json,
    "space": space_tools,
    "branch": branch_tools,
    "vector": vector,
    "txn": txn,
    "search": search_tools,
    "bundle": bundle,
    "retention": retention,
    "config": config,
    "embed": embedding,
    "inference": inference,
    "models": model_tools,
    "durability": durability,
}
TOOL_GROUPS = tuple(CATEGORIES.values())
