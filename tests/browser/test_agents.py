"""A live task: begun on the page, watched, cancelled; one that fails, and is run again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import strata
from strata.agents import Definition, Thinking
from tests.browser.conftest import MakePerson
from tests.browser.people import ANN, Server
from tests.surface.agents.scripted import Failure, Scripted

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TEXT = "# Plan\n\nWe shipp in May, see the Budget Review.\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("agents") / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.users.add(ANN, "Ann Lee")
        db.documents.create("Plan", TEXT)
        db.documents.create("Budget Review", "# Budget Review\n\nCosts of the plan.\n")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


@pytest.fixture
def model() -> Iterator[Scripted]:
    made = Scripted([])
    yield made
    made.close()


def define(path: Path, model: Scripted, *steps: Any, shared: bool = False) -> str:
    """Define the owner's agent that thinks with a scripted model; return the Plan's id."""
    model.steps = list(steps)
    thinking = Thinking(endpoint=model.url, model="scripted")
    with strata.open(path, auto_embed=False) as db:
        told = Definition(instructions="Find mistakes.", thinking=thinking)
        db.agents.define("교정자", told, shared=shared)
        return db.documents.called("Plan")


def run_agent(page: Page, store: Server, name: str, instruction: str = "") -> None:
    page.goto(f"{store.url}/agents")
    page.get_by_role("button", name=f"Run {name}", exact=True).click()
    dialog = page.get_by_role("dialog")
    if instruction:
        dialog.get_by_label("Instruction").fill(instruction)
    dialog.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("heading", name=f"Task of {name}")).to_be_visible()


def test_a_task_is_begun_watched_and_read(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/agents")
    page.get_by_role("button", name="Run linker", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("all documents that you can read")
    dialog.get_by_label("Document").fill("Plan")
    dialog.get_by_role("list", name="Documents found").get_by_text("Plan", exact=True).click()
    expect(dialog).to_contain_text("“Plan”")
    expect(dialog).to_contain_text("suggestions and comments, for you to accept")
    dialog.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".status.good")).to_have_text("Done")
    expect(page.get_by_role("region", name="Output")).to_contain_text("Proposed 1 link")
    call = page.locator(".step", has_text="manage_suggestions").first
    call.locator("summary").click()
    expect(call).to_contain_text('"action": "propose"')
    expect(page.get_by_role("region", name="What it changed")).to_contain_text("Plan")
    page.get_by_role("link", name="See and undo it in the activity").click()
    run = page.get_by_role("list", name="Runs").locator(".run")
    expect(run).to_have_count(1)
    expect(run.get_by_role("button", name="Undo")).to_be_visible()


def test_the_calls_of_a_long_task_appear_while_it_runs_and_it_is_cancelled(
    page: Page, store: Server, model: Scripted
) -> None:
    plan = define(store.path, model)
    model.steps = [[("read_document", {"documentId": plan})], "never said"]
    model.hold_after(1)
    run_agent(page, store, "교정자", "천천히")
    expect(page.locator(".status.busy")).to_be_visible()
    expect(page.get_by_text("천천히")).to_be_visible()
    expect(page.locator(".step", has_text="read_document")).to_be_visible()
    expect(page.locator(".status.busy")).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.locator(".status")).to_have_text("Cancelled")
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    page.get_by_role("link", name="All tasks").click()
    page.get_by_label("Status").select_option(label="Cancelled")
    expect(page.get_by_role("list", name="Tasks").locator(".task-row")).to_have_count(1)
    assert "status=cancelled" in page.url


def test_the_error_of_a_task_is_shown_and_the_task_is_run_again(
    page: Page, store: Server, model: Scripted
) -> None:
    define(store.path, model, Failure(401))
    run_agent(page, store, "교정자", "높임말을 맞춰 줘")
    expect(page.get_by_role("alert")).to_contain_text("API 키를 거부했거나")
    failed = page.url
    model.steps = ["고칠 것이 없다"]
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("region", name="Output")).to_contain_text("고칠 것이 없다")
    assert page.url != failed
    expect(page.get_by_text("높임말을 맞춰 줘")).to_be_visible()
    page.goto(f"{store.url}/agents?status=failed")
    expect(page.get_by_role("list", name="Tasks")).to_contain_text("API 키를 거부했거나")


def test_a_task_whose_server_was_killed_is_shown_as_it_is_and_goes_on(
    person: MakePerson, tmp_path: Path, model: Scripted
) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.documents.create("Plan", TEXT)
    plan = define(path, model)
    model.steps = [[("read_document", {"documentId": plan})], "first", "두 번째"]
    model.hold_after(1)
    server = Server(path)
    server.start()
    page = person("", server).context.new_page()
    run_agent(page, server, "교정자")
    expect(page.locator(".step", has_text="read_document")).to_be_visible()
    server.kill()
    server.start()
    expect(page.locator(".status.busy")).to_be_visible()
    expect(page.locator(".step", has_text="read_document")).to_be_visible()
    model.release.set()
    # The lease of the dead worker lasts for half a minute.
    expect(page.locator(".status.good")).to_be_visible(timeout=90_000)
    expect(page.get_by_text("Attempt 2")).to_be_visible()
    assert server.stop() == 0


def test_an_own_agent_is_made_changed_and_deleted(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/agents")
    page.get_by_role("button", name="New agent").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("요약")
    dialog.get_by_label("Instructions").fill("Summarise.")
    dialog.get_by_label("Endpoint").fill("http://example.com/v1")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".notice-error")).to_contain_text("An endpoint is a URL with https")
    dialog.get_by_label("Endpoint").fill("http://localhost:11434/v1")
    dialog.get_by_label("Model", exact=True).fill("qwen3")
    dialog.get_by_role("button", name="Save").click()
    row = page.locator(".agent-row", has_text="요약")
    expect(row).to_contain_text("thinks with qwen3")
    row.get_by_role("button", name="Actions for 요약").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_role("dialog").get_by_label("Its edits count at once").check()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(row).to_contain_text("edits that count at once")
    row.get_by_role("button", name="Actions for 요약").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)


def test_another_user_sees_neither_tasks_nor_private_agents(
    person: MakePerson, store: Server, model: Scripted
) -> None:
    define(store.path, model)
    with strata.open(store.path, auto_embed=False) as db:
        task = db.agents.invoke("linker", instruction="비밀").id
    page = person(ANN, store).context.new_page()
    page.goto(f"{store.url}/agents")
    expect(page.locator(".agent-row")).to_have_count(5)
    expect(page.get_by_text("Nothing was asked yet")).to_be_visible()
    page.goto(f"{store.url}/tasks/{task}")
    expect(page.get_by_role("alert")).to_contain_text("There is no task")
    page.goto(f"{store.url}/agents")
    page.get_by_role("button", name="New agent").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_visible()
    # Where a model answers, and with which key, is for the owner to say.
    expect(page.get_by_role("dialog").get_by_label("Endpoint")).to_have_count(0)
