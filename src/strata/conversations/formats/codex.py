"""Transcripts of Codex: `sessions/YEAR/MONTH/DAY/rollout-TIME-SESSION.jsonl`."""

from collections.abc import Iterable, Iterator

from strata.conversations.spoken import (
    ASSISTANT,
    USER,
    About,
    Members,
    SpokenTurn,
    decoded,
    list_of,
    members_of,
    own_words,
    spoken_turn,
    text_of,
    time_of,
    tool_line,
)

CLIENT = "codex"
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")


def is_line(line: Members) -> bool:
    """Whether an object is the first line of such a transcript."""
    payload = members_of(line.get("payload"))
    return line.get("type") == "session_meta" and bool(text_of(payload.get("id")))


class CodexLines:
    """Reads the lines. Instructions and what the client tells the model are left out."""

    repeats = False

    def __init__(self) -> None:
        self.about = About()
        self._tools: list[str] = []

    def read(self, line: Members) -> Iterable[SpokenTurn]:
        """Return the turn of a line, if a user or the model says something in it."""
        payload = members_of(line.get("payload"))
        if line.get("type") == "session_meta":
            # A forked session begins with the lines of the one it was forked from.
            self.about.id = self.about.id or text_of(payload.get("id"))
            self.about.folder = self.about.folder or text_of(payload.get("cwd"))
        if line.get("type") != "response_item":
            return ()
        if payload.get("type") in _CALLS:
            given = next((payload[name] for name in ("arguments", "input") if name in payload), "")
            if isinstance(given, str) and given.startswith("{"):
                given = decoded(given.encode("utf-8", "replace")) or given
            self._tools.append(tool_line(payload.get("name") or payload["type"], given))
        if payload.get("type") != "message":
            return ()
        return self._turn(payload, line.get("timestamp"))

    def _turn(self, message: Members, when: object) -> Iterator[SpokenTurn]:
        speaker = message.get("role")
        if speaker not in (USER, ASSISTANT):
            return
        texts = [text_of(members_of(part).get("text")) for part in list_of(message.get("content"))]
        text = own_words(texts) if speaker == USER else "\n".join(texts)
        if not text.strip():
            return
        tools, self._tools = self._tools if speaker == ASSISTANT else [], []
        yield from spoken_turn(speaker, text, id=message.get("id"), time=time_of(when), tools=tools)
