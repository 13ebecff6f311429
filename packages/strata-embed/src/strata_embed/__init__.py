"""The weights of Strata's embedding models: files, and the folder they lie in.

`manifest.json` gives the size and the sha256 of each. The code that runs them is in Strata.
"""

from pathlib import Path

FOLDER = Path(__file__).parent

__all__ = ["FOLDER"]
