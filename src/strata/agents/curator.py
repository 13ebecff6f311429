"""The curator: proposes how to tidy up facts and decisions, on a branch that a user reviews.

What belongs to the whole workspace is for callers who may use the tools of facts and decisions. In
documents it leaves comments on [[links]] that lead nowhere: often the document is still to be
written, so no other text is suggested. A comment that is resolved is not left again.
"""

import re
from collections.abc import Collection
from itertools import groupby, islice

from strata.agents.curating import Curation, curate_memory
from strata.agents.documents import AgentDocument, AgentDocuments
from strata.agents.findings import Findings
from strata.agents.prose import TextSpan
from strata.agents.running import TaskRun
from strata.base import limits
from strata.base.counts import plural
from strata.base.errors import NotAllowed
from strata.base.groups import includes
from strata.documents import references

_GROUPS = ("memory", "decisions")
_DOCUMENTS = "core"
_MOST = re.compile(r"at most (\d{1,6})|(\d{1,6})개", re.IGNORECASE)
_SHOWN = 50


def curate(run: TaskRun) -> str:
    """Look at the memory, propose changes, and say which."""
    missing = [one for one in _GROUPS if not includes(run.task.caller.groups, one)]
    if missing or not run.may_write:
        raise NotAllowed(
            "The curator proposes changes to facts and decisions, which are not for this caller.",
            hint="The owner of the workspace can ask it, or a token for these groups.",
        )

    def check(_label: str, _done: int, _total: int) -> None:
        run.check()

    most = _limit(run.task.instruction)
    found = curate_memory(run.db, limit=most, progress=check)
    lines = _lines(found)
    if _DOCUMENTS in run.permissions.groups:
        lines += _broken_links(run, most=most - len(found.findings))
    return "\n".join(lines)


def _broken_links(run: TaskRun, *, most: int) -> list[str]:
    """Comment on links that lead nowhere, at most so many, and return what to tell.

    Of the documents with such links, it reads those that changed last.
    """
    documents = AgentDocuments(run)
    findings = Findings(documents, most=most)
    links = groupby(run.db.documents.broken_links(), lambda link: link.document)
    for document, broken in islice(links, limits.AGENT_DOCUMENTS_MAX):
        if findings.is_full:
            break
        note = documents.read(document)
        # Links of a template are often filled in by the documents made from it.
        if note is not None and note.status != "template":
            _comment(note, [link.title for link in broken], findings)
    return _report(findings)


def _comment(note: AgentDocument, titles: Collection[str], findings: Findings) -> None:
    """Comment on the first link of a text to each of some titles."""
    first: dict[str, TextSpan] = {}
    for link in references(note.text):
        if link.kind == "wiki" and link.target in titles:
            first.setdefault(link.target, TextSpan(link.start, link.end))
    for title, place in first.items():
        if not findings.is_full:
            body = note.words.leads_nowhere(title)
            findings.comment(note, place, body, line=f"{note.title}: [[{title}]]")


def _report(findings: Findings) -> list[str]:
    lines: list[str] = []
    if findings.left:
        lines.append(f"Commented on {_counted(findings.left)} in documents:")
        lines += _listed(findings.left)
    if findings.told:
        lines.append(f"Found {_counted(findings.told)} in documents, and left no comment:")
        lines += _listed(findings.told)
    return lines


def _counted(lines: list[str]) -> str:
    links = "1 link that leads" if len(lines) == 1 else f"{len(lines):,} links that lead"
    return f"{links} nowhere"


def _listed(lines: list[str]) -> list[str]:
    more = [f"- and {len(lines) - _SHOWN:,} more"] if len(lines) > _SHOWN else []
    return [*(f"- {line}" for line in lines[:_SHOWN]), *more]


def _limit(instruction: str) -> int:
    wanted = _MOST.search(instruction)
    most = limits.CURATOR_FINDINGS_MAX
    return most if wanted is None else max(1, min(int(wanted[1] or wanted[2]), most))


def _lines(found: Curation) -> list[str]:
    count = len(found.findings)
    facts, changes = plural(found.looked_at, "fact"), plural(count, "change")
    lines = [f"Looked at {facts} and proposed {changes}."]
    if found.known == 1:
        lines.append("1 finding waits already, or was rejected.")
    elif found.known:
        lines.append(f"{found.known:,} findings wait already, or were rejected.")
    lines += _listed([f"{one.key}: {one.reason}; proposed: {one.change}" for one in found.findings])
    if found.more:
        lines.append("There is more: run it again when these are decided.")
    if found.branch:
        lines.append(f"Review them with `strata review`, or compare {found.branch}.")
    return lines
