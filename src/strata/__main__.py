"""`python -m strata` is the command line, and so is the script `strata`."""

import gc
import sys
from importlib import import_module

# How many new objects the collector waits for. Loading makes a hundred thousand that stay.
_COLLECT_AFTER = 50_000


def main() -> None:
    """Run the command line; what must be quick starts without loading the rest of it."""
    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])
    _load_msgspec()
    try:
        _run()
    finally:
        # Nothing is worth collecting any more, and at the end of a process that takes long.
        gc.freeze()


def _load_msgspec() -> None:
    """Load msgspec without `typing_extensions`, which it uses where that can be had.

    Python has what it takes from there; loading it takes as long as all of msgspec.
    """
    if "typing_extensions" in sys.modules:
        return
    # The documented way to say that a module cannot be had.
    sys.modules["typing_extensions"] = None  # pyright: ignore[reportArgumentType]
    import_module("msgspec")
    del sys.modules["typing_extensions"]


def _run() -> None:
    quick = {("mcp",): _serve, ("hook", "prompt"): _hook, ("hook", "turn"): _turn_hook}
    for words, run in quick.items():
        is_asked = tuple(sys.argv[1 : len(words) + 1]) == words
        if is_asked and run(sys.argv[len(words) + 1 :]):
            return
    from strata.cli import main as whole  # noqa: PLC0415  (slow to load)

    whole()


def _serve(arguments: list[str]) -> bool:
    """Serve a client whose options are plain; tell whether they were."""
    from strata.mcp.start import read, serve  # noqa: PLC0415  (only this command needs it)

    options = read(arguments)
    if options is not None:
        serve(options)
    return options is not None


def _hook(arguments: list[str]) -> bool:
    """Answer a hook whose options are plain; tell whether they were."""
    from strata.hooks import run_hook  # noqa: PLC0415  (only this command needs it)

    return run_hook(arguments)


def _turn_hook(arguments: list[str]) -> bool:
    """Keep what was said, by a hook whose options are plain; tell whether they were."""
    from strata.hooks import run_turn_hook  # noqa: PLC0415  (only this command needs it)

    return run_turn_hook(arguments)


def mcp() -> None:
    """Run `strata mcp`: clients that take a single program start it as `strata-mcp`."""
    sys.argv.insert(1, "mcp")
    main()


if __name__ == "__main__":
    main()
