"""Conversations of other programs, taken in as append-only streams of turns."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.conversations.conversations import Conversations
    from strata.conversations.importing import ImportedConversation, ImportedFile
    from strata.conversations.records import (
        CONVERSATION,
        SPACE,
        Citation,
        Conversation,
        ConversationTurn,
        read_citation,
    )
    from strata.conversations.transcripts import CLIENTS

__all__ = [
    "CLIENTS",
    "CONVERSATION",
    "SPACE",
    "Citation",
    "Conversation",
    "ConversationTurn",
    "Conversations",
    "ImportedConversation",
    "ImportedFile",
    "read_citation",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.conversations.conversations": "Conversations",
        "strata.conversations.importing": "ImportedConversation ImportedFile",
        "strata.conversations.records": (
            "CONVERSATION SPACE Citation Conversation ConversationTurn read_citation"
        ),
        "strata.conversations.transcripts": "CLIENTS",
    },
)
