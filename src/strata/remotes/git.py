"""References of a git remote as a shelf: `refs/strata/ID` for each store, no server needed.

A reference leads to a commit without parents, whose tree holds the files of one store. So git sends
only the files that are new, and what was purged is in no commit that is left. Nothing of it is in
a branch: clones and pulls of the project do not fetch it.
"""

import re
import subprocess
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO

from strata.base import limits
from strata.base.errors import InvalidArgument, Unavailable
from strata.base.git_command import environment_of_user
from strata.remotes.manifest import check_store_id

_PREFIX = "refs/strata/"
# Git may run programs that an address names; these protocols run none but ssh.
_PROTOCOLS = "file:git:http:https:ssh"
_NOBODY = {
    "GIT_AUTHOR_NAME": "strata",
    "GIT_AUTHOR_EMAIL": "strata@localhost",
    "GIT_COMMITTER_NAME": "strata",
    "GIT_COMMITTER_EMAIL": "strata@localhost",
}


class GitShelf:
    """Files of stores in a git remote. Git itself speaks to it, with the user's own credentials."""

    def __init__(self, remote: str, *, folder: Path) -> None:
        if not remote or remote.startswith("-"):
            raise InvalidArgument(
                f"{remote!r} is no git remote.", hint="Write git:origin, or git:URL."
            )
        self._remote = remote
        self._folder = folder
        self.display = f"git:{remote}"
        # The ends of the references as they were fetched, and what was put and not yet sent.
        self._heads: dict[str, str] | None = None
        self._trees: dict[str, dict[str, str]] = {}
        self._changed: set[str] = set()

    def stores(self) -> list[str]:
        """Return the ids of the stores that have references in the remote."""
        return sorted(self._fetched())

    def _fetched(self) -> dict[str, str]:
        if self._heads is None:
            listed = self._git("ls-remote", "--refs", self._remote, f"{_PREFIX}*").decode()
            heads: dict[str, str] = {}
            for line in listed.splitlines():
                commit, _tab, name = line.partition("\t")
                with suppress(ValueError):
                    heads[check_store_id(name.removeprefix(_PREFIX))] = commit
            if heads:
                refs = [f"+{_PREFIX}{name}:{self._local_reference(name)}" for name in heads]
                # Without --depth: where a reference names a commit of the project, git would cut
                # the history of the project off there.
                self._git("fetch", "--quiet", "--no-tags", self._remote, *refs)
            self._heads = heads
        return self._heads

    def _local_reference(self, store: str) -> str:
        """Return the name under which a reference of the remote is kept in this repository."""
        return f"refs/strata-remotes/{self._key()}/{store}"

    def _key(self) -> str:
        return sha256(self._remote.encode()).hexdigest()[:12]

    def _tree(self, store: str) -> dict[str, str]:
        """Return the files of a store: their names and the ids of their contents."""
        if store not in self._trees:
            commit = self._fetched().get(store)
            listed = b"" if commit is None else self._git("ls-tree", "-z", commit)
            entries = (line.partition("\t") for line in listed.decode().split("\0"))
            self._trees[store] = {
                name: head.split(" ")[2] for head, _tab, name in entries if " blob " in head
            }
        return self._trees[store]

    def read(self, store: str, name: str, most: int) -> bytes | None:
        """Return a small file; None where there is none."""
        blob = self._tree(store).get(name)
        if blob is None:
            return None
        if int(self._git("cat-file", "-s", blob)) > most:
            return b""
        return self._git("cat-file", "blob", blob)

    def fetch(self, store: str, name: str, target: Path) -> None:
        """Copy a file from here to a new file."""
        blob = self._tree(store).get(name)
        if blob is None:
            raise Unavailable(f"{self.display} lacks a file that its manifest names.")
        with target.open("wb") as file:
            self._run(["cat-file", "blob", blob], output=file)

    def has(self, store: str, name: str) -> bool:
        """Tell whether there is a file."""
        return name in self._tree(store)

    def put(self, store: str, name: str, source: Path) -> None:
        """Keep a file for the next `finish`."""
        blob = self._git("hash-object", "-w", "--", str(source)).decode().strip()
        self._tree(store)[name] = blob
        self._changed.add(store)

    def names(self, store: str) -> list[str]:
        """Return the names of all files of a store; no push that was cut off left any."""
        return sorted(self._tree(store))

    def remove(self, store: str, name: str) -> None:
        """Leave a file out of the next `finish`."""
        if self._tree(store).pop(name, None) is not None:
            self._changed.add(store)

    def finish(self) -> None:
        """Send what was put: one commit without parents for each store that changed."""
        for store in sorted(self._changed):
            lines = "".join(
                f"100644 blob {blob}\t{name}\0" for name, blob in sorted(self._tree(store).items())
            )
            tree = self._git("mktree", "-z", given=lines.encode()).decode().strip()
            commit = self._git("commit-tree", tree, "-m", "strata").decode().strip()
            before = self._fetched().get(store, "")
            self._git(
                "push",
                "--quiet",
                f"--force-with-lease={_PREFIX}{store}:{before}",
                self._remote,
                f"{commit}:{_PREFIX}{store}",
            )
            self._git("update-ref", self._local_reference(store), commit)
        self._changed.clear()
        self._heads = None
        self._trees.clear()

    def _git(self, *arguments: str, given: bytes | None = None) -> bytes:
        return self._run(list(arguments), given=given)

    def _run(
        self, arguments: list[str], *, given: bytes | None = None, output: IO[bytes] | None = None
    ) -> bytes:
        environment = {
            **environment_of_user(),
            **_NOBODY,
            "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }
        try:
            done = subprocess.run(  # noqa: S603  (arguments are ours; the remote is no option)
                ["git", "-c", "core.hookspath=/dev/null", *arguments],  # noqa: S607  (the user's git)
                cwd=self._folder,
                env=environment,
                input=given or b"",
                stdout=output or subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=limits.REMOTE_GIT_TIMEOUT_S,
                check=False,
            )
        except FileNotFoundError as error:
            raise Unavailable("The program git was not found.", hint="Install git.") from error
        except subprocess.TimeoutExpired as error:
            raise Unavailable(
                f"{self.display} did not answer in time.", hint="Nothing was lost; try again."
            ) from error
        if done.returncode:
            raise Unavailable(
                f"{self.display} cannot be used: {_reason(done.stderr.decode(errors='replace'))}.",
                hint="Nothing was lost. Check `git remote -v` and your access, and try again.",
            )
        return done.stdout or b""


def _reason(said: str) -> str:
    """Return what git gives as the reason, without passwords; its further lines are advice."""
    lines = [line for line in said.splitlines() if line.strip()] or ["git failed"]
    marked = (line for line in lines if line.startswith(("fatal: ", "error: ", "ERROR: ")))
    return re.sub(r"(://)[^/@\s]*@", r"\1", next(marked, lines[-1])).strip().rstrip(".")[:300]
