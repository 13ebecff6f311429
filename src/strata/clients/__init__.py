"""Writing the configuration of clients such as Claude Code, and removing it again."""

from strata.clients.catalogue import CLIENTS, Client, Scope, seems_installed
from strata.clients.extras import plugin_files
from strata.clients.host import ClientHost, this_host
from strata.clients.launch import (
    PORTABLE,
    Program,
    command_line,
    hook_line,
    may_vanish,
    server_words,
    session_line,
    this_program,
    turn_line,
)
from strata.clients.remote import local_text, remote_command, remote_text
from strata.clients.setup import (
    FileChange,
    Wish,
    carry_out,
    check_scope,
    keeps_conversations,
    plan_setup,
    plan_undo,
    scopes_set_up,
)
from strata.clients.transcripts import Transcripts, transcripts_of

__all__ = [
    "CLIENTS",
    "PORTABLE",
    "Client",
    "ClientHost",
    "FileChange",
    "Program",
    "Scope",
    "Transcripts",
    "Wish",
    "carry_out",
    "check_scope",
    "command_line",
    "hook_line",
    "keeps_conversations",
    "local_text",
    "may_vanish",
    "plan_setup",
    "plan_undo",
    "plugin_files",
    "remote_command",
    "remote_text",
    "scopes_set_up",
    "seems_installed",
    "server_words",
    "session_line",
    "this_host",
    "this_program",
    "transcripts_of",
    "turn_line",
]
