"""Sentences name who acts: a user, an agent, a client, a server, a caller.

"Somebody" and "whoever" leave the reader to guess, and so do "is told" and "stands".
"""

import re
from collections.abc import Iterator
from pathlib import Path

# Not a name in quotes, an address or a constant.
VAGUE = re.compile(
    r"(?<![\"'])\b(?:[Ss]omebody|[Ww]hoever|[Nn]obody|[Aa]nybody|oneself)\b(?![\"'@])"
    r"|\b(?:is|are) told\b"
    r"|\b[Ss]tands\b(?! (?:for|out|in for)\b)"
    r"|\b[Ff]loor \d",
)
# What users say, in their own words.
PHRASES = "src/strata/hooks/phrases.py"
# Pages that are generated from the source.
NOT_CHECKED = ("docs/reference/",)


def test_sentences_name_who_acts(tracked: list[Path], root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{fault}"
        for path in tracked
        if is_checked(path.relative_to(root).as_posix())
        for fault in faults(path.read_text(encoding="utf-8"))
    ]
    assert not found, "name the user, agent, client, server or caller:\n" + "\n".join(found)


def test_a_vague_word_would_be_noticed() -> None:
    assert list(faults("# Fine.\n# Whoever asks is told so.\n")) == ["2 Whoever", "2 is told"]
    assert list(faults("what stands here; Nobody; floor 3")) == [
        "1 stands",
        "1 Nobody",
        "1 floor 3",
    ]
    assert list(faults("it stands for a word, and stands out")) == []
    assert is_checked("src/strata/store/merge.py")
    assert is_checked("src/strata/sql/statements/common/access.sql")
    assert not is_checked("src/strata/sql/statements/sqlite/migrations/0001_store.sql")
    assert is_checked("docs/how-to/serve.md")
    assert not is_checked("docs/reference/cli.md")


def is_checked(name: str) -> bool:
    """Tell whether a file is written by hand in plain words, or should be."""
    if name == PHRASES:
        return False
    parts = name.split("/")
    if parts[:2] == ["src", "strata"]:
        # What a migration says is part of the format.
        is_statement = name.endswith(".sql") and "migrations" not in parts
        return is_statement or name.endswith((".py", ".html"))
    is_page = parts[0] == "docs" or len(parts) == 1
    return is_page and name.endswith(".md") and not name.startswith(NOT_CHECKED)


def faults(text: str) -> Iterator[str]:
    """Yield the line number and the word for each vague word of a text."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in VAGUE.finditer(line):
            yield f"{number} {match[0]}"
