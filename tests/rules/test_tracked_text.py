"""The repository names no package registry and no folder of the machine it was written on."""

import re
from pathlib import Path

# Put together here, so that this file does not name them either.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("crates", "io"),
        ("conda", "anaconda", "org"),
    )
]
HOMES = re.compile(r"(?<![\w.])/(?:root|home/(?!you\b)\w+|Users/(?!you\b)\w+)/")
ABSOLUTE = re.compile(r"(?<![\w.])/[\w.-]+(?:/[\w.-]+)+")


def test_text_names_no_registry_and_no_folder_of_a_machine(tracked: list[Path], root: Path) -> None:
    found = [
        f"{path.relative_to(root)}: {fault}"
        for path in tracked
        for fault in faults(text_of(path), root)
    ]
    assert found == []


def test_a_registry_or_a_folder_would_be_noticed(root: Path) -> None:
    assert faults(f"--index-url https://{REGISTRIES[0]}/simple", root) == [REGISTRIES[0]]
    assert faults(f"see {root / 'LICENSE'} for more", root) == [str(root / "LICENSE")]
    home = f"/{'home'}/someone/"
    assert faults(f"open {home}notes.md", root) == [home]
    assert faults("open /home/you/notes.md, then /usr/bin/env and /a/b", root) == []


def faults(text: str, root: Path) -> list[str]:
    """List the registries, the homes and the folders of this machine that a text names."""
    registries = [name for name in REGISTRIES if name in text]
    homes = HOMES.findall(text)
    paths = {path for path in ABSOLUTE.findall(text) if root.parent in Path(path).parents}
    return registries + homes + sorted(path for path in paths if Path(path).exists())


def text_of(path: Path) -> str:
    """Return a file's text; nothing if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
