"""The `strata` command with the fixtures of the suite: `python -m tests.conformance.server ...`."""

import strata.tools
from strata.tools.exposing import _PLACES


def mount() -> None:
    """Put the suite's tools and prompts in the place of ours, in this process only."""
    from strata.mcp import encode
    from tests.conformance import fixtures

    _PLACES["memory"] = fixtures.__name__
    strata.tools.PROMPTS = fixtures.PROMPTS
    listed = encode.tool_entry
    encode.tool_entry = lambda tool, name=None: fixtures.tool_entry(listed(tool, name))
    encode.call_result = fixtures.call_result
    encode.prompt_entry = fixtures.prompt_entry
    encode.prompt_result = fixtures.prompt_result


if __name__ == "__main__":
    from strata.__main__ import main

    mount()
    main()
