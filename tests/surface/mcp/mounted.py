"""The `strata` command with tools of a test: `python -m tests.surface.mcp.mounted MODULE ...`.

The module's TOOL_GROUPS take the place of the group `memory`, in this process only.
"""

import sys

from strata.tools.exposing import _PLACES


def mount(module: str) -> None:
    """Let the group `memory` be declared by a module of a test."""
    _PLACES["memory"] = module


if __name__ == "__main__":
    from strata.__main__ import main

    mount(sys.argv.pop(1))
    main()
