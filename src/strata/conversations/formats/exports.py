"""What ChatGPT and claude.ai hand out as `conversations.json`."""

from collections.abc import Iterator

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
)

CHATGPT, CLAUDE_AI = "chatgpt", "claude-ai"
_SENDERS = {"human": USER, "user": USER, "assistant": ASSISTANT}


def is_chatgpt(conversation: Members) -> bool:
    """Whether an object is a conversation of ChatGPT."""
    return isinstance(conversation.get("mapping"), dict)


def is_claude_ai(conversation: Members) -> bool:
    """Whether an object is a conversation of claude.ai."""
    return isinstance(conversation.get("chat_messages"), list)


def of_chatgpt(conversation: Members) -> Transcript:
    """Return a conversation of ChatGPT: of its tree, the branch that was shown last."""
    id_ = text_of(conversation.get("conversation_id")) or text_of(conversation.get("id"))
    about = About(id_, text_of(conversation.get("title")))
    return Transcript(about, _of_tree(conversation))


def _of_tree(conversation: Members) -> Iterator[SpokenTurn]:
    nodes = members_of(conversation.get("mapping"))
    path: dict[str, Members] = {}
    at = text_of(conversation.get("current_node")) or _newest_leaf(nodes)
    while at in nodes and at not in path:
        path[at] = members_of(nodes[at])
        at = text_of(path[at].get("parent"))
    for name, node in reversed(path.items()):
        message = members_of(node.get("message"))
        speaker = members_of(message.get("author")).get("role")
        if speaker not in (USER, ASSISTANT) or _is_hidden(message):
            continue
        text = "\n".join(_parts(members_of(message.get("content"))))
        when = time_of(message.get("create_time"))
        yield from spoken_turn(speaker, text, id=message.get("id") or name, time=when)


def _newest_leaf(nodes: Members) -> str:
    """Return where the newest branch ends, for exports that do not say what was shown."""
    leaves = [name for name, node in nodes.items() if not members_of(node).get("children")]
    return max(leaves, key=lambda name: _written(members_of(nodes[name])), default="")


def _written(node: Members) -> int:
    return time_of(members_of(node.get("message")).get("create_time")) or 0


def _is_hidden(message: Members) -> bool:
    """Whether a message was meant for a tool, or was not shown."""
    notes = members_of(message.get("metadata"))
    to_tool = text_of(message.get("recipient")) not in ("", "all")
    return to_tool or bool(notes.get("is_visually_hidden_from_conversation"))


def _parts(content: Members) -> Iterator[str]:
    # What a model thought, and what its tools were sent, are of other types.
    if content.get("content_type") not in ("text", "multimodal_text"):
        return
    for part in list_of(content.get("parts")):
        if isinstance(part, str):
            yield part
        elif text := text_of(members_of(part).get("text")):
            yield text
        elif "image" in text_of(members_of(part).get("content_type")):
            yield "[image]"


def of_claude_ai(conversation: Members) -> Transcript:
    """Return a conversation of claude.ai."""
    about = About(text_of(conversation.get("uuid")), text_of(conversation.get("name")))
    return Transcript(about, _of_messages(conversation))


def _of_messages(conversation: Members) -> Iterator[SpokenTurn]:
    for message in map(members_of, list_of(conversation.get("chat_messages"))):
        speaker = _SENDERS.get(text_of(message.get("sender")))
        if speaker is None:
            continue
        blocks = map(members_of, list_of(message.get("content")))
        texts = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
        # Exports of the first years have the text alone.
        text = "\n".join(filter(None, texts)) or text_of(message.get("text"))
        when = time_of(message.get("created_at"))
        yield from spoken_turn(
            speaker, "\n".join([text, *_files(message)]), id=message.get("uuid"), time=when
        )


def _files(message: Members) -> Iterator[str]:
    """Yield the names of files that came with a message."""
    for name in ("attachments", "files"):
        for file in map(members_of, list_of(message.get(name))):
            if called := text_of(file.get("file_name")):
                yield f"[file: {called}]"
