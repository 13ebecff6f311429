"""kill -9 of workers in the middle of tasks: each task's result is there exactly once."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.documents import FoundItem, Request
from strata.tasks import Definition
from tests.crash.processes import ROOT

pytestmark = [pytest.mark.crash, pytest.mark.slow]
TASKS = 40
WORKERS = 3
LEASE_S = 0.6


def started(path: Path, agent: str) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-m", "tests.crash.test_agent_workers", str(path), agent]
    return subprocess.Popen(words, cwd=ROOT)


def test_killed_workers_lose_no_task_and_double_no_result(path: Path) -> None:
    dice = random.Random()
    with strata.open(path, auto_embed=False) as db:
        definition = Definition(instructions="x", may_edit=True, calls_max=1000)
        agent = db.agents.define("결과", definition).id
        page = db.documents.create("Page", "\n\n".join(f"Word{n:03} here." for n in range(TASKS)))
        tasks = [
            db.agents.invoke(agent, document=page.document, instruction=str(number)).id
            for number in range(TASKS)
        ]
        kills = _kill_until_done(path, agent, db, dice, tasks)
        found = [db.agents.task(one) for one in tasks]
        completed = [task for task in found if task.status == "completed"]
        given_up = [task for task in found if task.status == "failed"]
        assert len(completed) + len(given_up) == TASKS, Counter(task.status for task in found)
        # Only what was killed as often as it may be was given up.
        assert all(task.attempts == limits.AGENT_ATTEMPTS for task in given_up)
        assert len(completed) > TASKS / 2
        again = sum(task.attempts > 1 for task in completed)
        print(f"\n{kills} kills, {len(completed)} done, {again} of them by a second worker")
        assert kills >= 5
        assert again + len(given_up) >= 3
        titles = Counter(item.title for item in _all(db))
        threads = Counter(one.comment.body for one in db.review.comments(page.document))
        proposals = Counter(one.replacement for one in db.documents.suggestions(page.document))
        for task in completed:
            name = f"Result {task.instruction}"
            assert titles[name] == threads[name] == proposals[name] == 1, name
            assert task.output == f"done {task.instruction}"
        for task in given_up:
            name = f"Result {task.instruction}"
            assert max(titles[name], threads[name], proposals[name]) <= 1
        assert db.verify().problems == ()


def _kill_until_done(
    path: Path, agent: str, db: strata.Workspace, dice: random.Random, tasks: list[str]
) -> int:
    """Let workers work, kill one now and then, and put another in its place."""
    workers = [started(path, agent) for _ in range(WORKERS)]
    kills, end = 0, time.monotonic() + 120
    try:
        while not all(db.agents.task(one).has_ended for one in tasks):
            assert time.monotonic() < end, "not done in time"
            time.sleep(dice.uniform(0.1, 0.4))
            # A worker's name begins with its process: those in the middle of a task are killed.
            held = {str(db.agents.task(one).worker).partition(":")[0] for one in tasks}
            busy = [at for at, worker in enumerate(workers) if str(worker.pid) in held]
            if busy and kills < 15 and dice.random() < 0.4:
                at = dice.choice(busy)
                workers[at].kill()
                workers[at].wait()
                workers[at] = started(path, agent)
                kills += 1
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return kills


def _all(db: strata.Workspace) -> list[FoundItem]:
    items: list[FoundItem] = []
    token = None
    while True:
        page = db.documents.find(Request(intent="list", limit=50, next_token=token))
        items += page.items
        token = page.next_token
        if token is None:
            return items


def main(path: str, agent: str) -> None:
    """Work until killed: each task makes a document, a comment and a suggestion, slowly."""
    from strata.agents.running import TaskRun
    from strata.agents.worker import Worker
    from strata.tools import StoreHost

    def behave(run: TaskRun) -> str:
        number, page = run.task.instruction, run.task.document
        name = f"Result {number}"
        time.sleep(0.05)
        run.call("edit_document", action="create", title=name, content="once")
        time.sleep(0.05)
        run.call("manage_comments", action="create", documentId=page, body=name)
        time.sleep(0.05)
        run.call(
            "manage_suggestions",
            action="propose",
            documentId=page,
            originalText=f"Word{int(number):03}",
            replacementText=name,
        )
        time.sleep(0.05)
        return f"done {number}"

    db = strata.open(path, auto_embed=False)
    worker = Worker(
        StoreHost(lambda: db), running=1, look_s=0.05, lease_s=LEASE_S, behaviours={agent: behave}
    )
    worker.start()
    time.sleep(600)


if __name__ == "__main__":
    main(*sys.argv[1:])
