"""Strata's own agents, each by the id that it is asked by."""

from collections.abc import Callable

from strata.tools.agents.platform.digest import digest
from strata.tools.agents.platform.duplicates import find_duplicates
from strata.tools.agents.platform.linker import link
from strata.tools.agents.platform.outliner import outline
from strata.tools.agents.running import TaskRun

BEHAVIOURS: dict[str, Callable[[TaskRun], str]] = {
    "agent_linker": link,
    "agent_outliner": outline,
    "agent_duplicates": find_duplicates,
    "agent_digest": digest,
}
