"""What is slow to load is loaded when first needed, so that the first answer comes at once."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["asyncio", "click", "numpy", "zstandard"])
def test_importing_strata_stays_light(module: str) -> None:
    assert module not in loaded_by("-c", "import strata")


@pytest.mark.parametrize("module", ["asyncio", "numpy", "zstandard"])
def test_showing_the_version_stays_light(module: str) -> None:
    assert module not in loaded_by("-m", "strata", "--version")


def test_a_heavy_import_would_be_noticed() -> None:
    assert {"numpy", "zstandard"} <= loaded_by("-c", "import numpy, zstandard")


def loaded_by(*arguments: str) -> set[str]:
    """Return every module that a fresh Python loads for a command."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}
