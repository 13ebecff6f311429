"""What lines of markdown look like. Only blanks and tabs are space here, as CommonMark has it."""

import re

_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details"
    " dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6"
    " head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option"
    " p param search section summary table tbody td tfoot th thead title tr track ul"
).replace(" ", "|")
_ATTRIBUTE = (
    r"(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*"
    r"(?:\s*=\s*(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?)"
)
ATX_MARK = r"#{1,6}(?=[ \t\n])"
FENCE_MARK = r"`{3,}(?=[^`\n]*\n)|~{3,}"
LIST_MARK = r"(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t\n])"
RULE = r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})(?=\n)"
# The six kinds of HTML that may follow a paragraph without a blank line between.
STRONG_HTML = (
    r"<(?:(?ai:script|pre|style|textarea)(?=[\s>])|!--|\?|![A-Za-z]|!\[CDATA\["
    rf"|/?(?ai:{_NAMES})(?=\s|/?>))"
)

BAR = re.compile(ATX_MARK)
FENCE = re.compile(FENCE_MARK)
LIST = re.compile(LIST_MARK)
RULE_LINE = re.compile(RULE)
FENCE_END = re.compile(r"(`{3,}|~{3,})[ \t]*(?=\n)")
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*(?=\n)")
TERMINATOR = re.compile(rf"{ATX_MARK}|{FENCE_MARK}|>|{RULE}|{STRONG_HTML}")
BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
# The end of lines that may belong to one paragraph or to link definitions before it.
RUN_END = re.compile(
    rf"\n(?=[ \t]*\n| {{0,3}}+(?:{ATX_MARK}|{FENCE_MARK}|>|{RULE}|{LIST_MARK}|{STRONG_HTML}))"
)
# A whole tag alone on its line: the kind of HTML that cannot break a paragraph.
_LONE_TAG = re.compile(
    rf"(?:<[A-Za-z][A-Za-z0-9\-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9\-]*\s*>)\s*\Z"
)
# How HTML begins, and what ends it; nothing means a blank line.
_HTML: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        re.compile(r"<(?ai:script|pre|style|textarea)(?=[\s>])"),
        re.compile(r"</(?ai:script|pre|style|textarea)>"),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?ai:{_NAMES})(?=\s|/?>)"), None),
)


def html_kind(text: str, at: int) -> tuple[bool, re.Pattern[str] | None] | None:
    """Tell what HTML begins at a place: whether it may break a paragraph, and what ends it."""
    for opening, closing in _HTML:
        if opening.match(text, at):
            return True, closing
    line = text[at : text.index("\n", at)]
    return (False, None) if _LONE_TAG.match(line) else None
