"""What clients get beside the tools: instructions, prompts, and pages that show answers."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

# At most 600 characters: every client puts them into each prompt.
INSTRUCTIONS = (
    "Strata is this project's memory; it outlives the conversation. Before you answer or decide"
    " anything about the project, search it (strata_search). When the user tells you something"
    " worth keeping, or you learn it, store it (strata_store, a short key such as deploy/target)."
    " Log what was done and what came of it (strata_log). Before risky or experimental changes,"
    " fork a branch and work there (strata_branch); merge what worked. Old values are never"
    " lost: strata_history shows them."
)
_WITH_DECISIONS = (
    "Strata is this project's memory; it outlives the conversation. Before you answer or decide"
    " anything about the project, search it (strata_search, search_by_context). Store what is worth"
    " keeping (strata_store), log what happened (strata_log). Save decisions with their reasons"
    " (save_decision), how they turned out (evolve_outcome) and where work stops (save_checkpoint);"
    " load_checkpoint resumes. Before risky changes fork a branch and work there (strata_branch);"
    " merge what worked. Old values are never lost."
)
_DECISIONS_ALONE = (
    "Strata remembers this project's decisions; it outlives the conversation. Before you decide or"
    " explain anything, look what was decided and why (search_by_context, search_by_topic). Save"
    " decisions with their reasons (save_decision), how they turned out (evolve_outcome), lessons"
    " (save_insight), and where work stops (save_checkpoint); load_checkpoint resumes."
)


_DOCUMENTS_ALONE = (
    "Strata keeps this team's documents: markdown that people and agents write together. Look for"
    " what is known before you answer or write (find), then read it (read_document; a long one by"
    " sections). Change few words rather than the whole text (edit_document, action edit, with"
    " oldString copied from what you read and its version as baseVersion). The folder of a document"
    " decides who sees it: never move or share one unasked. Link related documents by [[Title]]."
    " Nothing is lost: every version stays."
)
_WARNINGS_SHOWN = 2
_DOCUMENTS_BESIDE = (
    " Documents: find, read_document, then edit_document with oldString copied from what you read."
)


def instructions_for(groups: Sequence[str], warnings: Sequence[str] = ()) -> str:
    """Return the instructions that name only tools which the client has.

    What was asked for and is not there comes last: no other place is read by every client.
    """
    told = " ".join(["", *warnings[:_WARNINGS_SHOWN]])
    return _instructions(groups) + told


def _instructions(groups: Sequence[str]) -> str:
    beside = _DOCUMENTS_BESIDE if "core" in groups else ""
    if "decisions" in groups:
        return (_WITH_DECISIONS if "memory" in groups else _DECISIONS_ALONE) + beside
    if "core" in groups and "memory" not in groups:
        return _DOCUMENTS_ALONE
    return INSTRUCTIONS + beside


class Prompt(msgspec.Struct, frozen=True):
    """A prompt that clients show as a command; `{}` stands for its argument."""

    name: str
    title: str
    description: str
    text: str
    argument: str | None = None
    about_argument: str = ""

    def filled(self, value: str) -> str:
        """Return the text with its argument."""
        return self.text.replace("{}", value.strip() or "the current work")


PROMPTS: tuple[Prompt, ...] = (
    Prompt(
        "resume",
        "Resume work",
        "Pick up where the last conversation ended.",
        "Find out where we left off with {}: read the newest events (strata_history with"
        ' event "*"), search for open questions, decisions and next steps (strata_search), and'
        " check the branch (strata_status). Then tell me in a few lines what was done, what is"
        " open, and what you would do next.",
        "topic",
        "What to resume; left out: the current work",
    ),
    Prompt(
        "decide",
        "Record a decision",
        "Look up what is known, decide, and keep the reason.",
        "Help me decide about {}. First search for earlier decisions and facts on it"
        " (strata_search). Weigh the alternatives shortly, ask me what you cannot know, and when we"
        " agree, store the decision with its reason and the alternatives refused (strata_store,"
        " key decisions/…, tag decision).",
        "question",
        "What is to be decided",
    ),
    Prompt(
        "review",
        "Review a branch",
        "See what was changed on a branch before merging it.",
        "Review the branch {}: compare it with the current one (strata_branch, action diff), name"
        " each change and whether it looks right, preview the merge (action merge with preview) and"
        " tell me about conflicts. Merge only when I say so.",
        "branch",
        "Branch to review",
    ),
)


# How clients recognise such a page.
MEDIA_TYPE = "text/html;profile=mcp-app"
SECTION_VIEW = "ui://strata/section"


class AnswerPage(NamedTuple):
    """A page that shows an answer to a person."""

    title: str
    html: str


_SECTION = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Section</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.55 system-ui, sans-serif; }
  body { margin: 0; padding: 1rem 1.25rem; }
  nav { opacity: .7; font-size: .85em; }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: .75rem 0 0; }
</style>
<nav id="path" dir="auto"></nav>
<pre id="text" dir="auto">…</pre>
<script>
  const host = window.parent;
  const send = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  const told = (result) => {
    if (result.structuredContent) return result.structuredContent;
    try { return JSON.parse(result.content[0].text); } catch { return {}; }
  };
  const show = (result) => {
    const found = told(result);
    put("path", [found.title, ...(found.headingPath || [])].filter(Boolean).join(" › "));
    put("text", found.content ?? found.message ?? "");
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  };
  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== host || !message || message.jsonrpc !== "2.0") return;
    if (message.id === 1 && message.result) send({ method: "ui/notifications/initialized" });
    if (message.method === "ui/notifications/tool-result") show(message.params || {});
    if (message.method === "ui/resource-teardown") send({ id: message.id, result: {} });
  });
  send({ id: 1, method: "ui/initialize", params: {
    protocolVersion: "2026-01-26", appCapabilities: {},
    appInfo: { name: "strata-section", version: "1" },
  } });
</script>
</html>
"""

PAGES = {SECTION_VIEW: AnswerPage("Section of a document", _SECTION)}
