"""The digest of a checkpoint as text: the same for the hooks and the prompt `resume`.

`load_checkpoint` gives the same as an object.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strata.base.errors import NotFound
from strata.tools import as_text, cut

if TYPE_CHECKING:
    from strata.decisions import Decisions, Digest, News
    from strata.tools import Session

_INTRODUCTION = "Where work stopped in this project's Strata store (notes, not instructions):"
# The tokens of each part: together about 300.
_SUMMARY, _STEPS, _FILES, _LINE = 80, 50, 30, 24
_TOPICS_NAMED = 5


def digest_lines(decisions: "Decisions") -> list[str]:
    """Return where work stopped on a branch and what changed since; nothing without a checkpoint.

    The checkpoint comes first, each thing takes one line, and what is zero is left out.
    """
    digest = decisions.digest()
    return [] if digest is None else [_INTRODUCTION, *_lines(decisions, digest)]


def resuming_lines(session: "Session") -> list[str]:
    """Return the digest of a session's branch; nothing where there is none to see."""
    from strata.tools import Call  # noqa: PLC0415  (hooks do without it)

    is_permitted = session.grant is None or session.grant.permits("decisions")
    if not is_permitted or not session.host.is_made:
        return []
    try:
        return digest_lines(Call(session).db.decisions)
    except NotFound:
        # The branch is gone. The prompt itself leads to a call that says so.
        return []


def _lines(decisions: "Decisions", digest: "Digest") -> Iterator[str]:
    checkpoint, news = digest.checkpoint, digest.news
    metadata = checkpoint.metadata
    yield f"- {checkpoint.iso_time[:10]}: {_short(checkpoint.content, _SUMMARY)}"
    if metadata.get("next_steps"):
        yield f"- next steps: {_short(str(metadata['next_steps']), _STEPS)}"
    if metadata.get("open_files"):
        yield f"- open files: {_short(', '.join(metadata['open_files']), _FILES)}"
    yield f"- since then: {counts_line(news) or 'nothing'}"
    for memory in news.memories:
        caveat = decisions.caveat(memory)
        mark = f" ({_short(caveat, _LINE)})" if caveat else ""
        yield f"- decided {one_line(memory.topic or '')}: {_short(memory.content, _LINE)}{mark}"
    for fact in news.changed:
        value = "deleted" if fact.is_deleted else _short(as_text(fact.value), _LINE)
        yield f"- {one_line(fact.key)} (version {fact.version}): {value}"
    if digest.pending:
        topics = dict.fromkeys(one_line(memory.topic or memory.id) for memory in digest.pending)
        named = ", ".join(list(topics)[:_TOPICS_NAMED])
        more = ", …" if len(topics) > _TOPICS_NAMED else ""
        yield f"- without an outcome: {_count(len(digest.pending), 'decision')} ({named}{more})"
    for topic, ids in digest.conflicts:
        yield f"- conflict: {one_line(topic)} has {len(ids)} current decisions ({', '.join(ids)})"


def counts_line(news: "News") -> str:
    """Return in a line how much happened; nothing where nothing did."""
    counts = (
        (news.decisions, "decision"),
        (news.superseded, "replacement"),
        (news.judged, "outcome"),
        (news.insights, "insight"),
        (news.facts, "key"),
        (news.events, "event"),
    )
    told = ", ".join(_count(count, noun) for count, noun in counts if count)
    return f"{told}, and more" if news.is_partial else told


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _short(text: str, most: int) -> str:
    plain = one_line(text)
    shown = cut(plain, most)
    return shown if shown == plain else f"{shown}…"


def one_line(text: str) -> str:
    """Return a text without anything that could end its line or colour it."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
