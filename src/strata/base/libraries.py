"""Libraries that would report to their makers: loaded here, with their reporting turned off."""

import importlib
import os
from typing import Any

# Read when a library starts, so they are set before its import. Processes started later inherit
# them. onnxruntime reports by default since 1.29; the libraries of models use huggingface_hub.
_TURNED_OFF = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}


def load_library(name: str) -> Any:  # a module found by its name has no types
    """Import a library that may report to its maker, with that turned off.

    No other place may import these: `tests/rules/test_quiet.py` looks for them.
    """
    os.environ.update(_TURNED_OFF)
    library = importlib.import_module(name)
    # A program may have imported it before it imported Strata.
    turn_off = getattr(library, "disable_telemetry_events", None)
    if turn_off is not None:
        turn_off()
    return library
