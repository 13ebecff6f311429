"""`python -m strata` is the command line, and so is the script `strata`."""

import sys
from importlib import import_module


def main() -> None:
    """Run the command line; what must be quick starts without loading the rest of it."""
    quick = {("mcp",): _serve, ("hook", "prompt"): _hook}
    for words, run in quick.items():
        if tuple(sys.argv[1 : len(words) + 1]) == words:
            _load_lightly()
            if run(sys.argv[len(words) + 1 :]):
                return
    from strata.cli import main as whole  # noqa: PLC0415  (slow to load)

    whole()


def _load_lightly() -> None:
    """Load msgspec without `typing_extensions`, which it looks into where it is installed.

    It comes with the packages of the server over HTTP. Nothing here uses it, and loading it takes a
    fifth of the time to the first reply.
    """
    name = "typing_extensions"
    if name in sys.modules:
        return
    sys.modules[name] = None  # pyright: ignore[reportArgumentType]  (it means: not to be had)
    try:
        import_module("msgspec")
    finally:
        del sys.modules[name]


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


def mcp() -> None:
    """Run `strata mcp`: clients that take a single program start it as `strata-mcp`."""
    sys.argv.insert(1, "mcp")
    main()


if __name__ == "__main__":
    main()
