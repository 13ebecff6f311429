"""Link definitions, `[label]: target "title"`: they come before paragraphs and are none."""

import re

_LABEL = re.compile(r"[ ]{0,3}\[((?:[^\[\]\\]|\\[\s\S])*+)\]:[ \t]*\n?[ \t]*")
_BRACKETED = re.compile(r"<(?:[^<>\\\n]|\\.)*+>")
_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_TITLE = re.compile(
    r"\"(?:[^\"\\]|\\[\s\S])*+\"|'(?:[^'\\]|\\[\s\S])*+'|\((?:[^()\\]|\\[\s\S])*+\)"
)
# A label or title that has no end yet, and might get one from more text.
_OPEN_LABEL = re.compile(r"[ ]{0,3}\[(?:[^\[\]\\]|\\[\s\S])*+\\?\Z")
_OPEN_TITLE = re.compile(
    r"(?:\"(?:[^\"\\]|\\[\s\S])*+|'(?:[^'\\]|\\[\s\S])*+|\((?:[^()\\]|\\[\s\S])*+)\\?\Z"
)
_REST = re.compile(r"[ \t]*\n")
_PARENTHESES_MAX = 32


def is_open(text: str) -> bool:
    """Tell whether more lines could change where the definition that begins a text ends."""
    label = _LABEL.match(text)
    if label is None:
        return bool(_OPEN_LABEL.match(text))
    target = _target_end(text, label.end(), len(text))
    space = _SPACE.match(text, target or label.end())
    at = space.end() if space else len(text)
    return at == len(text) or bool(_OPEN_TITLE.match(text, at))


def definition_end(text: str, at: int, limit: int) -> int:
    """Return where the definition that begins a line ends; 0 when it is none.

    `limit` is where the lines end that may belong to it.
    """
    label = _LABEL.match(text, at, limit)
    if label is None or not label[1].strip():
        return 0
    target = _target_end(text, label.end(), limit)
    if not target:
        return 0
    if text[target - 1] == "\n":  # An escaped line end: what is seen here ends with it.
        return target
    return _behind_title(text, target, limit)


def _target_end(text: str, at: int, limit: int) -> int:
    """Return where a link's target ends; 0 when there is none."""
    if text.startswith("<", at):
        found = _BRACKETED.match(text, at, limit)
        return found.end() if found else 0
    depth, start = 0, at
    while at < limit and (character := text[at]) > " " and character != "\x7f":
        if character == "\\" and at + 1 < limit:
            if text[at + 1] == " ":
                break
            at += 2
            if text[at - 1] == "\n":
                break
            continue
        if character == ")" and not depth:
            break
        depth += (character == "(") - (character == ")")
        if depth > _PARENTHESES_MAX:
            return 0
        at += 1
    return at if at > start and not depth else 0


def _behind_title(text: str, target: int, limit: int) -> int:
    """Return where a definition ends whose target ends here; 0 when something else follows."""
    space = _SPACE.match(text, target, limit)
    title = _TITLE.match(text, space.end(), limit) if space and space.end() > target else None
    if title is not None:
        rest = _REST.match(text, title.end(), limit)
        if rest is not None:
            return rest.end()
        if len(title[0]) == 2:
            return 0
    rest = _REST.match(text, target, limit)
    return rest.end() if rest else 0
