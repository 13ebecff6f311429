"""Transcripts of Claude Code: `projects/FOLDER/SESSION.jsonl`."""

from collections.abc import Iterable, Iterator

from strata.conversations.spoken import (
    ASSISTANT,
    USER,
    About,
    Members,
    SpokenTurn,
    list_of,
    members_of,
    own_words,
    spoken_turn,
    text_of,
    time_of,
    tool_line,
)

CLIENT = "claude-code"


def is_line(line: Members) -> bool:
    """Whether an object is a line of such a transcript that names its session."""
    return bool(text_of(line.get("sessionId"))) and "projectHash" not in line and "type" in line


class ClaudeCodeLines:
    """Reads the lines. Words of subagents, of the client and of summaries are left out."""

    repeats = False

    def __init__(self) -> None:
        self.about = About()
        self._tools: list[str] = []

    def read(self, line: Members) -> Iterable[SpokenTurn]:
        """Return the turn of a line, if a user or the model says something in it."""
        about = self.about
        about.id = about.id or text_of(line.get("sessionId"))
        about.folder = about.folder or text_of(line.get("cwd"))
        for name in ("summary", "aiTitle", "customTitle"):
            about.title = text_of(line.get(name)) or about.title
        if line.get("isSidechain") or line.get("isMeta") or line.get("isCompactSummary"):
            return ()
        if line.get("type") not in (USER, ASSISTANT):
            return ()
        return self._turn(line, str(line["type"]))

    def _turn(self, line: Members, speaker: str) -> Iterator[SpokenTurn]:
        content = members_of(line.get("message")).get("content")
        blocks = [members_of(block) for block in list_of(content)]
        texts = [content] if isinstance(content, str) else list(_texts(blocks))
        self._tools += [
            tool_line(block.get("name"), block.get("input"))
            for block in blocks
            if block.get("type") == "tool_use"
        ]
        text = own_words(texts) if speaker == USER else "\n".join(texts)
        if not text.strip():
            return
        tools, self._tools = self._tools if speaker == ASSISTANT else [], []
        when = time_of(line.get("timestamp"))
        yield from spoken_turn(speaker, text, id=line.get("uuid"), time=when, tools=tools)


def _texts(blocks: list[Members]) -> Iterator[str]:
    for block in blocks:
        if block.get("type") == "text":
            yield text_of(block.get("text"))
        elif block.get("type") == "image":
            yield "[image]"
