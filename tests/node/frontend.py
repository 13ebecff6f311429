"""The page: built from frontend/ into src/strata/web/static, checked, and served for development.

What is built is committed, so that a checkout and a wheel serve pages without Node. sources.txt
beside it says which sources it was built from. `./dev frontend` runs this.
"""

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.node.packages import ROOT, environment, install, node

FRONTEND = ROOT / "frontend"
STATIC = ROOT / "src" / "strata" / "web" / "static"
# Stands beside what was built; the hash of everything that it was built from.
SOURCES = "sources.txt"
# In kB, packed by gzip: what a browser loads before it shows a route.
BUDGETS_KB = {"shell": 35, "document": 175, "statistics": 65, "styles": 14}
ROUTES = {
    "src/screens/document/screen.tsx": "document",
    "src/screens/settings/statistics.tsx": "statistics",
}
SCREENS = "src/screens/"
# Tests, what they stand on, and prose change nothing of what is built.
APART = (".test.ts", ".test.tsx", ".fake.ts", ".md")


def main(arguments: list[str]) -> int:
    """Do what is asked: build if nothing is."""
    task = arguments[0] if arguments else "build"
    tasks = {"build": build, "check": check, "fix": fix, "test": test, "watch": watch}
    if task not in tasks:
        print(f"frontend knows {', '.join(tasks)}, not {task!r}", file=sys.stderr)
        return 2
    return tasks[task]()


def build(target: Path = STATIC, source: Path = FRONTEND) -> int:
    """Build the page into a folder, and say beside it what it was built from."""
    prepare(source)
    options = ["--outDir", str(target), "--emptyOutDir", "--logLevel", "warn"]
    code = run("vite", "bin/vite.js", "build", *options, folder=source)
    if code != 0:
        return code
    over = pack(target)
    for line in over:
        print(line, file=sys.stderr)
    (target / SOURCES).write_text(f"{fingerprint(source)}\n", encoding="utf-8", newline="\n")
    return 1 if over else 0


def pack(target: Path) -> list[str]:
    """Pack what was built with Brotli, and return which routes are above their budget."""
    manifest = target / "manifest.json"
    over = over_budget(json.loads(manifest.read_text(encoding="utf-8")), target)
    manifest.unlink()
    script = str(ROOT / "tests" / "node" / "brotli.mjs")
    subprocess.run([str(node()), script, str(target / "assets")], check=True)
    return over


def over_budget(manifest: dict[str, Any], target: Path) -> list[str]:
    """Return a line for each route, and for the styles of each screen, above their budget."""
    shell = closure(manifest, "index.html")
    sizes = {"shell": shell}
    for name, budget_of in ROUTES.items():
        sizes[budget_of] = shell | closure(manifest, name)
    lines: list[str] = []
    for name, files in sizes.items():
        scripts = {file for file in files if file.endswith(".js")}
        lines += above(f"{name} (scripts)", scripts, target, BUDGETS_KB[name])
    # A user waits for the styles of one screen, not for those of all screens.
    for name in (name for name in manifest if name.startswith(SCREENS)):
        files = shell | closure(manifest, name)
        styles = {file for file in files if file.endswith(".css")}
        screen = name.removeprefix(SCREENS).partition("/")[0]
        lines += above(f"{screen} (styles)", styles, target, BUDGETS_KB["styles"])
    return lines


def closure(manifest: dict[str, Any], name: str) -> set[str]:
    """Return the files that a source needs before it runs."""
    found: set[str] = set()
    todo = [name]
    while todo:
        chunk = manifest[todo.pop()]
        if chunk["file"] not in found:
            found |= {chunk["file"], *chunk.get("css", [])}
            todo += chunk.get("imports", [])
    return found


def above(name: str, files: set[str], target: Path, budget_kb: int) -> list[str]:
    """Return a line that says by how much files are above their budget, packed by gzip."""
    size = sum(len(gzip.compress((target / file).read_bytes(), 9)) for file in files) / 1000
    print(f"  {name}: {size:.1f} kB of {budget_kb}")
    return [f"{name}: {size:.1f} kB, and the budget is {budget_kb}"] if size > budget_kb else []


def check() -> int:
    """Let the formatter and the compiler look at every source."""
    prepare(FRONTEND)
    return prettier("--check") or run("typescript", "bin/tsc", "--noEmit")


def fix() -> int:
    """Format every source."""
    prepare(FRONTEND)
    return prettier("--write")


def prettier(verb: str) -> int:
    """Run the formatter over everything but the lock, which npm writes."""
    places = ["src", "*.html", "*.json", "*.ts", "!package-lock.json"]
    return run("prettier", "bin/prettier.cjs", verb, "--log-level=warn", *places)


def test() -> int:
    """Check the sources and run the unit tests."""
    return check() or run("vitest", "vitest.mjs", "run")


def watch() -> int:
    """Serve the sources; what is not a page goes to the server that STRATA_SERVER names."""
    prepare(FRONTEND)
    command = command_of("vite", "bin/vite.js")
    if os.name != "nt":
        # In our place, so that whoever ends this ends it.
        os.chdir(FRONTEND)
        os.execv(command[0], command)
    return subprocess.run(command, cwd=FRONTEND, check=False).returncode


def fingerprint(source: Path = FRONTEND) -> str:
    """Hash what a build follows from, by name and content."""
    digest = hashlib.sha256()
    for path in sources(source):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(source).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def sources(source: Path = FRONTEND) -> Iterator[Path]:
    """Yield the files that a build follows from, tests and prose left out."""
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source).parts[0] != "node_modules" and path.is_file()
        if inside and not path.name.endswith(APART):
            yield path


def prepare(source: Path) -> None:
    """Install the packages and link them where the sources look for them."""
    packages = install("frontend") / "node_modules"
    link = source / "node_modules"
    if link.resolve() == packages.resolve():
        return
    if os.name == "nt":
        import _winapi  # A link that needs no rights of an administrator.

        if link.exists():
            link.rmdir()
        _winapi.CreateJunction(str(packages), str(link))
        return
    link.unlink(missing_ok=True)
    link.symlink_to(packages, target_is_directory=True)


def run(package: str, script: str, *arguments: str, folder: Path = FRONTEND) -> int:
    """Run a program of the installed packages in the folder of the sources."""
    command = command_of(package, script, *arguments, folder=folder)
    return subprocess.run(command, cwd=folder, env=environment(), check=False).returncode


def command_of(package: str, script: str, *arguments: str, folder: Path = FRONTEND) -> list[str]:
    """Return the command that starts a program of the installed packages."""
    return [str(node()), str(folder / "node_modules" / package / script), *arguments]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
