"""How many tokens does an agent read in the commonest answers of the tools?

One scripted session of everyday work, the same at every run: facts, decisions, a branch and its
merge, a document. Nothing is embedded, so the answers do not depend on a model. Prints a table of
tokens (by the estimate that cuts answers, `strata.tools.budget.tokens`) and bytes. An answer of a
save, a search or a read should have 300 tokens at most: `figure NAME VALUE BOUND ok|short`.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
from measure.figures import Report

import strata
from strata.tools import Session, StoreHost, call_tool, expose, registry
from strata.tools.budget import tokens

TOKENS_MAX = 300

Answer = dict[str, Any]


class Agent:
    """An agent that calls tools of every group on one store."""

    def __init__(self, db: strata.Workspace) -> None:
        host = StoreHost(lambda: db, auto_embed=False)
        self.session = Session(
            host, caller="owner", exposure=expose("memory,decisions,core,comments")
        )

    def call(self, name: str, /, **arguments: Any) -> Answer:
        """Call a tool that must succeed and return its answer as a client reads it."""
        tool = registry().find(name)
        assert tool is not None, name
        outcome = call_tool(self.session, tool, arguments)
        assert not outcome.is_error, outcome.value
        return msgspec.json.decode(msgspec.json.encode(outcome.value))

    def decide(self, topic: str, decision: str, reasoning: str, **more: Any) -> Answer:
        """Save a decision."""
        return self.call(
            "save_decision", topic=topic, decision=decision, reasoning=reasoning, **more
        )


def work(agent: Agent) -> Iterator[tuple[str, Answer]]:
    """Do a day's work; yield the answers that are measured under their names."""
    yield from _facts(agent)
    yield from _decisions(agent)
    yield from _branch(agent)
    yield from _document(agent)


def _facts(agent: Agent) -> Iterator[tuple[str, Answer]]:
    facts = {
        "deploy/target": "Production runs on the blue cluster in Frankfurt",
        "deploy/window": "Deploys on weekdays before 16:00, never on a Friday",
        "배포/담당": "배포는 민지가 맡고, 휴가 때는 준호가 맡는다",
        "cache/prices": {"seconds": 60, "reason": "The supplier limits us to 100 calls a minute"},
        "cache/images": {"seconds": 86_400, "where": "CDN"},
    }
    stored = [agent.call("strata_store", key=key, value=facts[key], tags=["ops"]) for key in facts]
    yield "strata_store", stored[-1]
    yield "strata_recall", agent.call("strata_recall", key="cache/prices")
    yield "strata_search", agent.call("strata_search", query="when may we deploy?", k=5)
    for build in (8841, 8842):
        agent.call("strata_log", event="deploy", data={"build": build, "to": "production"})
    yield "strata_history of a key", agent.call("strata_history", key="deploy/target")


def _decisions(agent: Agent) -> Iterator[tuple[str, Answer]]:
    sessions = agent.decide("auth", "Use sessions", "Simple to revoke, and we have one server")
    agent.decide("배포_전략", "카나리 배포를 한다", "장애가 나도 일부 사용자만 겪는다")
    agent.decide("rate_limit", "Allow 100 calls a minute for each key", "The supplier's own limit")
    yield (
        "save_decision",
        agent.decide(
            "cache",
            "Cache prices for an hour in Redis",
            "The supplier limits our calls",
            links=[{"to_id": sessions["id"], "relationship": "motivated_by"}],
        ),
    )
    yield (
        "save_insight",
        agent.call(
            "save_insight", insight="Stale prices cost us more than slow pages", category="cache"
        ),
    )
    yield (
        "evolve_outcome",
        agent.call(
            "evolve_outcome", topic="cache", outcome="FAILED", reason="Customers saw old prices"
        ),
    )
    yield (
        "evolve_supersede",
        agent.call(
            "evolve_supersede",
            topic="cache",
            decision="Cache prices for sixty seconds",
            reasoning="An hour was too long for prices that move",
        ),
    )
    agent.decide("auth", "Use tokens in the cookie", "The mobile app has no session")
    yield (
        "save_checkpoint",
        agent.call(
            "save_checkpoint",
            summary="가격 캐시를 고쳤다; the dashboard still shows old prices",
            open_files=["src/prices.py", "src/dashboard.ts"],
            next_steps="Invalidate the dashboard",
        ),
    )
    agent.call("strata_store", key="dashboard/refresh", value="Every ten seconds")
    agent.decide("dashboard", "Push prices over a socket", "Polling shows old prices")
    yield "load_checkpoint", agent.call("load_checkpoint")
    yield "load_context", agent.call("load_context", topic="cache")
    yield "search_by_topic", agent.call("search_by_topic", topic="cache")
    yield (
        "search_by_context",
        agent.call("search_by_context", query="how long are prices cached?", limit=5),
    )
    yield "search_recent", agent.call("search_recent", limit=5)
    yield (
        "strata_search that finds decisions",
        agent.call("strata_search", query="how long are prices cached?", k=5),
    )


def _branch(agent: Agent) -> Iterator[tuple[str, Answer]]:
    before = agent.call("strata_store", key="mark", value=1)["version"]
    agent.call("strata_branch", action="fork", name="try/green")
    agent.call("strata_store", key="deploy/target", value="The green cluster", branch="try/green")
    agent.call("strata_log", event="test", data="The green cluster answers", branch="try/green")
    agent.decide("cluster", "Move to the green cluster", "It has more memory", branch="try/green")
    yield "strata_branch diff", agent.call("strata_branch", action="diff", compare="try/green")
    yield "strata_branch merge", agent.call("strata_branch", action="merge", source="try/green")
    yield "strata_history of changes", agent.call("strata_history", after=before)
    yield "strata_status", agent.call("strata_status")


def _document(agent: Agent) -> Iterator[tuple[str, Answer]]:
    text = "# 배포 안내\n\nDeploy before 16:00.\n\n## Cache\n\nPrices are cached for a minute.\n"
    made = agent.call("edit_document", action="create", title="Runbook", content=text)
    agent.call(
        "edit_document", action="create", title="Prices", content="Prices come from [[Runbook]].\n"
    )
    read = agent.call("read_document", documentId=made["documentId"])
    yield "read_document", read
    yield (
        "edit_document",
        agent.call(
            "edit_document",
            action="edit",
            documentId=made["documentId"],
            oldString="a minute",
            newString="sixty seconds",
            baseVersion=read["version"],
        ),
    )
    yield "find", agent.call("find", intent="search", query="how long are prices cached?")


def main() -> int:
    """Measure each answer, print the table, and return the exit code."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    report = Report("answers")
    report.machine(f"strata {strata.__version__}")
    with strata.open(durability="cache", auto_embed=False) as db:
        answers = list(work(Agent(db)))
    print("\n| answer | tokens | bytes |\n|---|---|---|")
    for name, answer in answers:
        print(f"| `{name}` | {tokens(answer)} | {len(msgspec.json.encode(answer))} |")
    total = sum(tokens(answer) for _name, answer in answers)
    print(f"| all {len(answers)} | {total} | |\n")
    for name, answer in answers:
        report.at_most(name.replace(" ", "_"), tokens(answer), TOKENS_MAX)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
