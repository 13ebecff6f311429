"""A store as a small team has it after some weeks: what screens are looked at and tested with."""

from pathlib import Path
from typing import NamedTuple

import strata
from strata.agents import Definition, Thinking, Worker
from strata.base.errors import SecretRefused
from strata.memory import NewFact
from strata.tasks import Queue, TaskStep
from strata.tools import StoreHost
from tests.browser.people import ANN, SOYEON, VIC

TEXT = """# Payments spec

Owner: Ann. Status: **in review**, see [[Roadmap 2027]] and `api/limit`.

## Rate limits

| plan | requests a minute | burst |
|---|---|---|
| free | 60 | 10 |
| team | 600 | 100 |

- [x] keep the old path for one release
- [ ] tell partners in late spring

> Retries must carry the same idempotency key.

```python
def retry(call, attempts=3):
    return call(idempotency_key=new_key())
```

## Risks

We ship in late spring. Nobody has tested refunds across currencies yet.
"""
KOREAN = """# 배포 계획

목요일 오후에 **서울 리전**부터 배포한다. 자세한 내용은 [[Payments spec]]를 본다.

## 위험

되돌리기 연습을 아직 하지 않았다. 담당: 김소연.
"""
LONG_WORDS = (
    "Rechtsschutzversicherungsgesellschaften und Donaudampfschifffahrtsgesellschaftskapitän"
)
FACTS = {
    "api/limit": "600 requests a minute",
    "api/timeout_s": 30,
    "api/retries": {"attempts": 3, "backoff": "exponential"},
    "deploy/region": "ap-northeast-2 (서울)",
    "deploy/day": "Thursday, never on a Friday",
    "team/standup": "10:30 KST, 15 minutes",
    "user/name": "소연 prefers short answers in Korean",
}


class SamplePlaces(NamedTuple):
    """Folders and Spaces of a populated store."""

    folder: str = ""
    empty: str = ""
    deep: str = ""
    space: str = ""


class Sample(NamedTuple):
    """What a populated store holds, as far as addresses need it."""

    spec: str = ""
    plan: str = ""
    branch: str = ""
    decision: str = ""
    task: str = ""
    running: str = ""
    failed: str = ""
    # Where a link leads that invites to the plan.
    invitation: str = "/join"
    places: SamplePlaces = SamplePlaces()


def populate(path: Path) -> Sample:
    """Fill a new store, and return what its screens are called by."""
    with strata.open(path, auto_embed=False) as db:
        _remember_weeks(db)
        for email, name in ((ANN, "Ann Lee"), (SOYEON, "김소연"), (VIC, "Vic Viewer")):
            db.users.add(email, name)
        _organise(db)
        agent = db.as_actor("claude-code")
        for version in ("120 requests a minute", "240 requests a minute"):
            agent.facts.remember("api/limit", version)
        agent.facts.remember_many([NewFact(key, value) for key, value in FACTS.items()])
        _decide(db)
        for step in ("build", "test", "release"):
            agent.events.append("deploy", {"step": step, "환경": "운영"})
        spec, plan = _write(db)
        branch = db.branches.fork("launch-copy").name
        there = db.on(branch)
        there.documents.edit(spec, "in late spring. Nobody", "on 30 May. Nobody")
        there.facts.remember("api/limit", "900 requests a minute")
        db.documents.edit(spec, "in late spring. Nobody", "in early summer. Nobody")
        decision = db.decisions.current("retry-policy")[0]
        db.documents.edit(plan, "목요일 오후에", "목요일 오전에")
        link = db.share_links.invite(plan, "editor", uses=100)
        places = _arrange(db, spec, plan)
        _propose(db)
        _refuse_secrets(db)
        return Sample(
            spec, plan, branch, decision.id, *_ask(db, spec), invitation=link.path, places=places
        )


def _propose(db: strata.Workspace) -> None:
    """Let an agent propose facts and a decision, which wait for the owner in the inbox."""
    draft = db.as_user(ANN).as_actor("claude-code").proposing()
    draft.facts.remember(
        "배포/요일", "We never deploy on Fridays", sources=["docs/deploy.md", "대화 12"]
    )
    draft.kv.put("api/limit", "700 requests a minute")
    draft.decisions.save("auth", "토큰을 쓴다", "모바일 앱이 쿠키를 쓰지 못한다.")


def _refuse_secrets(db: strata.Workspace) -> None:
    """Let two senders write keys, which are refused and counted."""
    for sender, times in (("claude-code", 3), ("Rechtsschutzversicherungsbot", 1)):
        by = db.as_actor(sender)
        for _again in range(times):
            try:
                by.kv.put("ci/key", "ghp_" + "0aB3" * 9)
            except SecretRefused as refused:
                by.serving.count_refusal(refused)
            else:
                raise AssertionError("this key is known as a secret")


def _arrange(db: strata.Workspace, spec: str, plan: str) -> SamplePlaces:
    """Make folders of a team, nested and with long names, a Space, and a filled trash."""
    team = db.teams.add("결제팀")
    for email, role in ((ANN, "editor"), (SOYEON, "admin"), (VIC, "viewer")):
        db.teams.set_member(team.id, email, role)
    folder = db.folders.add("제품 기획", team=team.id)
    for title in ("가격 정책", "Refund rules", "출시 점검표"):
        db.as_user(ANN).documents.create(title, f"# {title}\n", folder=folder.id)
    db.documents.create(LONG_WORDS, "x", folder=folder.id)
    templates = db.folders.add("Templates", team=team.id, templates=True)
    text = "---\nvariables: [project]\n---\n# {{project}}\n"
    db.documents.create("회의록 틀", text, folder=templates.id)
    empty = db.folders.add("Empty drawer")
    here = db.folders.add("아주 긴 폴더 이름 " + "가나다라마바사" * 20, parent=folder.id)
    for depth in range(1, 12):
        here = db.folders.add(f"{depth}단계", parent=here.id)
    space = db.document_spaces.add(
        "Launch 읽을거리",
        team=team.id,
        description="Everything that a new colleague reads before the launch in May.",
    )
    for document in (spec, plan):
        db.document_spaces.put(space.id, document)
    for title in ("Old draft", "지난달 초안"):
        db.documents.trash(db.documents.create(title, f"# {title}\n").document)
    return SamplePlaces(folder.id, empty.id, here.id, space.id)


def _ask(db: strata.Workspace, spec: str) -> tuple[str, str, str]:
    """Ask agents: return a task that is done, one that goes on, and one that failed."""
    thinking = Thinking(endpoint="http://127.0.0.1:9/v1", model="qwen3")
    told = "Propose corrections of misspelled words, and say why. Leave names as they are."
    db.agents.define("proofreader", Definition(instructions=told, thinking=thinking))
    about = "한국어 문장을 다듬어 제안한다."
    korean = Definition(description=about, instructions=about, may_edit=True)
    db.agents.define("문장 다듬기", korean, shared=True)
    worker = Worker(StoreHost(lambda: db, auto_embed=False))
    done = db.agents.invoke("linker", document=spec, instruction="at most 5 links").id
    worker.run_one(done)
    worker.run_one(db.agents.invoke("digest", instruction="last 30 days").id)
    failed = db.agents.invoke("문장 다듬기", instruction="높임말을 하나로 맞춰 줘").id
    worker.run_one(failed)
    db.agents.cancel(db.agents.invoke("duplicates").id)
    running = db.agents.invoke("proofreader", document=spec, instruction="Only the part on risks.")
    # As a worker on another machine would hold it for the whole day.
    queue = Queue(db.agents.store, lease_s=86_400)
    task = queue.claim(running.id)
    assert task is not None
    now = queue.now()
    steps = [
        TaskStep(number=1, created=now, answer="Asks qwen3."),
        TaskStep(
            number=2,
            created=now,
            tool="read_document",
            arguments=f'{{"documentId":"{spec}"}}',
            answer='{"title":"Payments spec","role":"owner","content":"# Payments spec…"}',
            took=12_400,
        ),
        TaskStep(
            number=3,
            created=now,
            tool="edit_document",
            arguments=f'{{"action":"share","documentId":"{spec}","email":"x@example.com"}}',
            answer='{"code":"not_allowed","message":"This agent may not call edit_document with'
            ' action share.","hint":"Say in your answer what should be done."}',
            is_error=True,
        ),
    ]
    queue.renew(task, 2, steps=steps)
    return done, running.id, failed


def _remember_weeks(db: strata.Workspace) -> None:
    """Write what was recorded on the days before, so that there is an age to everything."""
    store, agent = db.serving.store, db.as_actor("claude-code")
    now = store.clock
    for days in (45, 28, 21, 16, 12, 9, 8, 5, 3, 2, 1):
        moment = now() - days * 86_400_000_000
        store.clock = lambda moment=moment: moment
        for number in range(days % 5 + 1):
            agent.events.append("deploy" if number % 2 else "test/run", {"day": days, "n": number})
        agent.facts.remember(f"deploy/last/{days:02}", f"build {8800 + days}", tags=["build"])
        if days == 45:
            db.decisions.save(
                "queue", "Keep jobs in SQLite", "One file, no second server.", confidence=0.6
            )
        if days == 12:
            db.as_actor("codex").decisions.save(
                "cache", "Cache prices for a minute", "The supplier limits us.", confidence=0.7
            )
            db.decisions.outcome("partial", topic="cache", limitation="Not for refunds.")
    store.clock = now


def _organise(db: strata.Workspace) -> None:
    """Make teams, tokens and what else settings show."""
    design = db.teams.add("디자인")
    db.teams.set_member(design.id, ANN, "admin")
    db.teams.set_member(design.id, SOYEON, "editor")
    db.teams.add("Rechtsschutzversicherungsgesellschaften", parent=design.id)
    db.teams.set_member("workspace", VIC, "viewer")
    db.tokens.touch(db.tokens.create("Claude Code", groups=["memory", "decisions"]).token)
    db.tokens.create("계기판", groups=["memory"], read_only=True, expires="90d")
    db.tokens.create("reviewer", user=ANN, suggest_only=True)
    db.tokens.revoke(db.tokens.create("old laptop").token.id)


def _decide(db: strata.Workspace) -> None:
    db.decisions.save("retry-policy", "Retry twice", "Partners asked for it.", confidence=0.5)
    db.decisions.outcome("failed", topic="retry-policy", reason="Charges were made twice.")
    db.decisions.save(
        "retry-policy", "Retry three times with a key", "A key makes it safe.", confidence=0.8
    )
    db.decisions.save(
        "배포-요일", "목요일에만 배포한다", "금요일 배포가 두 번 실패했다.", confidence=0.9
    )
    db.decisions.outcome("success", topic="배포-요일")
    key = db.decisions.current("retry-policy")[0].id
    queue = db.decisions.current("queue")[0].id
    db.decisions.link(key, queue, "depends_on")


def _write(db: strata.Workspace) -> tuple[str, str]:
    ideas = db.folders.add("Specs")
    spec = db.documents.create("Payments spec", TEXT, folder=ideas.id).document
    plan = db.documents.create("배포 계획", KOREAN).document
    db.documents.create("Roadmap 2027", "# Roadmap 2027\n\n## Q1\n\nShip [[Payments spec]].\n")
    db.documents.create(LONG_WORDS, f"# {LONG_WORDS}\n\n{LONG_WORDS * 3}\n")
    for number in range(1, 9):
        db.documents.create(f"Meeting notes {number}", f"# Meeting {number}\n\nWe met.\n")
    asked = db.review.comment(plan, "누가 담당하나요?", quote="되돌리기 연습")
    db.review.reply(plan, asked.comment.id, "제가 할게요.")
    reviewer = db.as_actor("claude-code")
    reviewer.review.comment(spec, "Which partners? Please name them.", quote="tell partners")
    reviewer.review.propose(
        spec, "for one release", "for two releases", rationale="Partners ship every quarter."
    )
    db.publishing.publish(plan)
    db.publishing.publish(spec, pin=True)
    db.documents.edit(spec, "**in review**", "**approved**")
    db.publishing.publish(spec)
    db.publishing.publish(db.documents.called(LONG_WORDS))
    db.publishing.unpublish(db.documents.called(LONG_WORDS))
    db.publishing.set_profile(title="Ann Lee", about="Payments, releases, and bread.\n결제와 배포.")
    db.shares.share(spec, SOYEON, "editor")
    db.shares.share(plan, VIC, "viewer")
    return spec, plan
