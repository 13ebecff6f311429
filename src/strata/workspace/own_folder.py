"""The folder of this user in which Strata keeps what belongs to no project."""

import os
import sys
from pathlib import Path


def user_folder() -> Path:
    """Return the platform's folder for a user's data of ours."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "strata"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "strata"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "strata"
