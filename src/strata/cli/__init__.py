"""The `strata` command."""

from strata.cli.main import main

__all__ = ["main"]
