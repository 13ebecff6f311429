"""Transcripts of Gemini CLI: `tmp/PROJECT/chats/session-TIME-ID.jsonl`, before 2026 `.json`."""

from collections.abc import Iterable, Iterator

from strata.conversations.spoken import (
    ASSISTANT,
    USER,
    About,
    Members,
    SpokenTurn,
    Transcript,
    list_of,
    members_of,
    own_words,
    spoken_turn,
    text_of,
    time_of,
    tool_line,
)

CLIENT = "gemini"
_SPEAKERS = {"user": USER, "gemini": ASSISTANT}


def is_line(line: Members) -> bool:
    """Whether an object begins such a transcript, or is the whole of an earlier one."""
    return bool(text_of(line.get("sessionId"))) and "projectHash" in line


class GeminiLines:
    """Reads the lines. A message is written again when its tools have answered."""

    repeats = True

    def __init__(self) -> None:
        self.about = About()
        self._tools: dict[str, None] = {}

    def read(self, line: Members) -> Iterable[SpokenTurn]:
        """Return the turns of a line: mostly one, or none."""
        self.about.id = self.about.id or text_of(line.get("sessionId"))
        changed = members_of(line.get("$set")).get("messages")
        found = [*list_of(line.get("messages")), *list_of(changed), line]
        return [turn for message in found for turn in self._turn(members_of(message))]

    def _turn(self, message: Members) -> Iterator[SpokenTurn]:
        speaker = _SPEAKERS.get(text_of(message.get("type")))
        if speaker is None:
            return
        content = message.get("content")
        texts = [text_of(members_of(part).get("text")) for part in list_of(content)]
        texts = [content] if isinstance(content, str) else texts
        text = own_words(texts) if speaker == USER else "\n".join(texts)
        if text.strip():
            tools, self._tools = self._tools if speaker == ASSISTANT else {}, {}
            when = time_of(message.get("timestamp"))
            yield from spoken_turn(speaker, text, id=message.get("id"), time=when, tools=tools)
        # Tools are called behind what is said with them: they belong to the next turn.
        for call in map(members_of, list_of(message.get("toolCalls"))):
            self._tools[tool_line(call.get("name"), call.get("args"))] = None


def whole(document: Members) -> Transcript:
    """Return the conversation of a file that is one JSON object."""
    lines = GeminiLines()
    turns = list(lines.read(document))
    return Transcript(lines.about, turns)
