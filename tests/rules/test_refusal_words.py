"""The page says in both languages what the server refuses, by its code and what comes with it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from strata.base import errors

ROOT = Path(__file__).resolve().parents[2]
WORDS = ROOT / "frontend" / "src" / "api" / "refusal-words.ts"
# Those of the page's own interface, beside the codes of errors.
ALSO = {"internal", "not_signed_in", "other"}
KINDS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.StrataError)
}


def test_every_code_of_an_error_has_words_in_both_languages() -> None:
    catalogue = WORDS.read_text(encoding="utf-8").partition("\n);\n")[0]
    languages = catalogue.split("\n  {\n")[1:]
    assert len(languages) == 2
    codes = {kind.code for kind in KINDS.values()} | ALSO
    assert {"not_found", "secret_refused", "locked"} <= codes
    for words in languages:
        assert set(re.findall(r"^    (\w+): \{", words, re.MULTILINE)) == codes


def test_a_sentence_made_of_a_detail_has_an_error_that_gives_it() -> None:
    text = WORDS.read_text(encoding="utf-8")
    [block] = re.findall(r"^const exactly.*?^\};", text, re.DOTALL | re.MULTILINE)
    wanted = {
        (code, detail)
        for code, rows in re.findall(r"^  (\w+): \{\n(.*?)^  \},", block, re.DOTALL | re.MULTILINE)
        for detail in re.findall(r"^    (\w+): ", rows, re.MULTILINE)
    }
    assert ("not_found", "branch") in wanted
    assert wanted - set(given()) == set()


def given() -> Iterator[tuple[str, str]]:
    """Yield the code and the name of every detail that an error is raised with."""
    for path in sorted((ROOT / "src" / "strata").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            kind = KINDS.get(getattr(node.func, "attr", getattr(node.func, "id", "")))
            if kind is not None:
                yield from ((kind.code, camel(one.arg or "")) for one in node.keywords)


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
