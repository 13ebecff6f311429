"""Conversations of opencode: its database, and what `opencode export` writes."""

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
    spoken_turn,
    text_of,
    time_of,
    tool_line,
)

CLIENT = "opencode"


def is_export(document: Members) -> bool:
    """Whether an object is what `opencode export SESSION` writes."""
    about = members_of(document.get("info"))
    return isinstance(document.get("messages"), list) and text_of(about.get("id")).startswith(
        "ses_"
    )


def exported(document: Members) -> Transcript:
    """Return the conversation of an export."""
    about = members_of(document.get("info"))
    messages = (
        (members_of(members_of(one).get("info")), list_of(members_of(one).get("parts")))
        for one in list_of(document.get("messages"))
    )
    named = About(text_of(about.get("id")), text_of(about.get("title")))
    named.folder = text_of(about.get("directory"))
    return Transcript(named, turns_of(messages))


def turns_of(messages: Iterable[tuple[Members, list[Members]]]) -> Iterator[SpokenTurn]:
    """Yield the turns of messages, each given with its parts.

    What the model is still writing is left for the next time, and what follows it.
    """
    tools: list[str] = []
    for message, parts in messages:
        speaker, time = message.get("role"), members_of(message.get("time"))
        if speaker not in (USER, ASSISTANT):
            continue
        if speaker == ASSISTANT and not time.get("completed") and not message.get("error"):
            return
        for part in parts:
            if part.get("type") == "tool":
                state = members_of(part.get("state"))
                tools.append(tool_line(part.get("tool"), state.get("input")))
        texts = [text_of(part.get("text")) for part in parts if _is_spoken(part)]
        text = "\n".join(texts)
        if text.strip():
            called, tools = tools if speaker == ASSISTANT else [], []
            when = time_of(time.get("created"))
            yield from spoken_turn(speaker, text, id=message.get("id"), time=when, tools=called)


def _is_spoken(part: Members) -> bool:
    """Whether a part was said: not what the client added, or left out again."""
    return part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
