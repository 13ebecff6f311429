"""Strata's own agents, each by the id that it is asked by."""

from collections.abc import Callable

from strata.agents.curator import curate
from strata.agents.digest import digest
from strata.agents.duplicates import find_duplicates
from strata.agents.linker import link
from strata.agents.outliner import outline
from strata.agents.running import TaskRun

BEHAVIOURS: dict[str, Callable[[TaskRun], str]] = {
    "agent_linker": link,
    "agent_outliner": outline,
    "agent_duplicates": find_duplicates,
    "agent_digest": digest,
    "agent_curator": curate,
}
