"""Running `git`, for what its files alone do not tell. Nothing that must be quick comes here."""

import os
import subprocess
from pathlib import Path

from strata.base import limits
from strata.base.errors import Unavailable


def run_git(
    folder: Path, *words: str, stdin: bytes | None = None, keeps_index: bool = False
) -> bytes:
    """Run git in a folder and return what it prints; raise Unavailable with what it says.

    What git tells its hooks by the environment is left out, so that the folder alone counts; with
    `keeps_index` the index that a commit under way is made from is used.
    """
    kept = {"GIT_INDEX_FILE"} if keeps_index else set[str]()
    told = {name for name in os.environ if name.startswith("GIT_")} - kept - _HARMLESS
    environment = {name: value for name, value in os.environ.items() if name not in told}
    try:
        done = subprocess.run(  # noqa: S603  (words of our own, no shell)
            ["git", *words],  # noqa: S607  (the user's own git)
            cwd=folder,
            env={**environment, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
            input=stdin if stdin is not None else b"",
            capture_output=True,
            timeout=limits.GIT_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise Unavailable(
            "git is not installed, or not in PATH.", hint="Install git, and try again."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(
            f"`git {words[0]}` took longer than {limits.GIT_TIMEOUT_S:g} seconds in {folder}.",
            hint="Try again when the repository is not in use.",
        ) from error
    if done.returncode != 0:
        told_why = " ".join(done.stderr.decode("utf-8", "replace").split())[:300]
        raise Unavailable(
            f"`git {' '.join(words[:2])}` failed in {folder}: {told_why or done.returncode}.",
            path=str(folder),
        )
    return done.stdout


# Who commits and where git finds its own programs: no part of what git says to a hook.
_HARMLESS = frozenset(
    f"GIT_{name}"
    for name in (
        "AUTHOR_NAME AUTHOR_EMAIL COMMITTER_NAME COMMITTER_EMAIL EXEC_PATH SSH SSH_COMMAND "
        "CONFIG_GLOBAL CONFIG_SYSTEM CONFIG_NOSYSTEM"
    ).split()
)


def environment_of_user() -> dict[str, str]:
    """Return the environment without the repository that git names to its hooks.

    How the user reaches servers, such as GIT_ASKPASS and GIT_SSH_COMMAND, stays.
    """
    return {name: value for name, value in os.environ.items() if name not in _OF_REPOSITORY}


_OF_REPOSITORY = frozenset(
    f"GIT_{name}"
    for name in (
        "DIR WORK_TREE INDEX_FILE COMMON_DIR OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES "
        "QUARANTINE_PATH SHALLOW_FILE GRAFT_FILE NAMESPACE PREFIX"
    ).split()
)
