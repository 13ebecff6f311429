"""`python -m strata` is the command line, and so is the script `strata`."""

import sys


def main() -> None:
    """Run the command line; a plain `strata mcp` starts without loading the rest of it."""
    if sys.argv[1:2] == ["mcp"]:
        from strata.mcp.start import read, serve  # noqa: PLC0415  (only this command needs it)

        options = read(sys.argv[2:])
        if options is not None:
            serve(options)
            return
    from strata.cli import main as run  # noqa: PLC0415  (slow to load)

    run()


def mcp() -> None:
    """Run `strata mcp`: clients that take a single program start it as `strata-mcp`."""
    sys.argv.insert(1, "mcp")
    main()


if __name__ == "__main__":
    main()
