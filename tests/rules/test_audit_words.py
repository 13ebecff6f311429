"""The page has words for every action of the audit log, and for every detail of one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = ROOT / "frontend" / "src" / "screens" / "settings" / "audit-words.ts"
NOTES = ("note", "_note")
ACTION = re.compile(r"[a-z_]+\.[a-z_]+")
# Details that a call gives with `**`, by its action.
GATHERED = {
    "browser.open": {"label", "token"},
    "store.verify": {"ok", "problems", "commits", "versions"},
}


def noted() -> Iterator[tuple[set[str], set[str]]]:
    """Yield the actions and the names of the details of every entry that the code writes."""
    for path in sorted((ROOT / "src" / "strata").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            actions = {
                one.value
                for argument in node.args
                for one in ast.walk(argument)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
                if ACTION.fullmatch(one.value)
            }
            if name in NOTES and actions:
                given = {one.arg for one in node.keywords if one.arg not in (None, "subject")}
                gathered = set[str]().union(*(GATHERED.get(one, set()) for one in actions))
                yield actions, {str(one) for one in given} | gathered


def test_every_action_and_detail_of_the_audit_log_has_words_in_both_languages() -> None:
    written = list(noted())
    actions = set[str]().union(*(one for one, _ in written))
    details = set[str]().union(*(one for _, one in written))
    assert {"user.add", "document.unpin", "store.verify"} <= actions
    languages = WORDS.read_text(encoding="utf-8").split("\n  {\n")[1:]
    assert len(languages) == 2
    for words in languages:
        done = set(re.findall(r'^      "([a-z_.]+)": ', words, re.MULTILINE))
        kinds, named = (_names_in(block, words) for block in ("of", "details"))
        assert actions - done == set()
        assert details - named == set()
        assert {one.split(".")[0] for one in actions} - kinds == set()


def _names_in(block: str, words: str) -> set[str]:
    [rows] = re.findall(rf"^    {block}: \{{\n(.*?)\n    \}},", words, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"^      (\w+): ", rows, re.MULTILINE))
