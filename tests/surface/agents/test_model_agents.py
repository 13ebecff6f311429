"""Agents that think with a model: both wires, tools, limits, errors, keys and cancelling."""

import threading
import time
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.tasks import Definition, Thinking, read_definition
from tests.surface.agents.conftest import MakeModel, Stage
from tests.surface.agents.scripted import Failure

KINDS = pytest.mark.parametrize("kind", ["openai", "anthropic"])


@pytest.mark.slow
@KINDS
def test_a_model_reads_and_proposes_through_the_tools(
    stage: Stage, model: MakeModel, kind: str
) -> None:
    made = stage.db.documents.create("계획", "We shipp in May.")
    asked = {"documentId": made.document}
    fake = model(
        [("read_document", asked)],
        [
            (
                "edit_document",
                {"action": "edit", "oldString": "shipp", "newString": "ship", **asked},
            ),
            (
                "manage_comments",
                {"action": "create", "body": "Which year?", "quotedText": "May", **asked},
            ),
        ],
        "Proposed one correction and asked a question.",
    )
    agent = stage.define(fake, kind=kind)
    done = stage.ask(agent, document=made.document, instruction="맞춤법을 봐 줘")
    assert (done.status, done.tool_calls, done.error) == ("completed", 3, None)
    assert done.output == "Proposed one correction and asked a question."
    (one,) = stage.db.documents.suggestions(made.document)
    assert (one.original, one.replacement, one.via) == ("shipp", "ship", "도우미")
    assert len(stage.db.review.comments(made.document)) == 1
    assert stage.db.documents.text(made.document) == "We shipp in May."
    first = fake.asked[0]
    told = str(first.body)
    assert "맞춤법을 봐 줘" in told
    assert made.document in told
    assert "Help with documents." in told
    assert fake.asked[1].results[0]["result"]["content"] == "We shipp in May."


@KINDS
def test_only_what_an_agent_may_do_is_offered(stage: Stage, model: MakeModel, kind: str) -> None:
    fake = model("done")
    stage.ask(stage.define(fake, kind=kind))
    tools = fake.asked[0].tools
    assert set(tools) == {
        "find",
        "read_document",
        "edit_document",
        "get_document_graph",
        "get_image",
        "app_get_section_content",
        "manage_comments",
        "manage_suggestions",
    }
    assert tools["edit_document"]["properties"]["action"]["enum"] == ["edit", "write"]
    actions = tools["manage_suggestions"]["properties"]["action"]["enum"]
    assert set(actions) == {"propose", "withdraw", "list"}
    assert all("branch" not in one["properties"] for one in tools.values())


def test_an_agent_that_may_edit_edits_for_whoever_may(stage: Stage, model: MakeModel) -> None:
    made = stage.db.documents.create("계획", "one")
    edit = {"action": "edit", "documentId": made.document, "oldString": "one", "newString": "하나"}
    fake = model([("edit_document", edit)], "done")
    stage.ask(stage.define(fake, may_edit=True))
    assert stage.db.documents.text(made.document) == "하나"


@KINDS
def test_the_key_is_sent_to_the_endpoint_and_kept_nowhere(
    stage: Stage, model: MakeModel, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_MODEL_KEY", "k-123-only-here")
    fake = model("done")
    agent = stage.define(fake, kind=kind, key_variable="TEST_MODEL_KEY")
    assert stage.ask(agent).status == "completed"
    sent = [name for name, value in fake.asked[0].headers.items() if "k-123-only-here" in value]
    assert sent in (["authorization"], ["x-api-key"])
    rows = stage.db._store.connection().rows("SELECT * FROM agents") + (
        stage.db._store.connection().rows("SELECT * FROM tasks")
    )
    assert "k-123-only-here" not in str(rows)
    monkeypatch.delenv("TEST_MODEL_KEY")
    missing = stage.ask(agent)
    assert missing.status == "failed"
    assert "TEST_MODEL_KEY is not set" in str(missing.error)


@KINDS
def test_nothing_else_of_the_environment_is_sent(
    stage: Stage, model: MakeModel, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "STRATA_API_KEY",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
    ):
        monkeypatch.setenv(name, "sk-of-somebody-else")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Secret: sk-of-somebody-else")
    fake = model("done")
    assert stage.ask(stage.define(fake, kind=kind)).status == "completed"
    assert "sk-of-somebody-else" not in str(fake.asked[0])
    assert "authorization" not in fake.asked[0].headers
    assert "x-api-key" not in fake.asked[0].headers


@KINDS
def test_a_redirect_is_not_followed_with_the_key(
    stage: Stage, model: MakeModel, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_MODEL_KEY", "k-123-only-here")
    thief = model("thanks")
    place = "/chat/completions" if kind == "openai" else "/messages"
    fake = model(*[Failure(307, {"location": thief.url + place})] * 10)
    done = stage.ask(stage.define(fake, kind=kind, key_variable="TEST_MODEL_KEY"))
    assert done.status == "failed"
    assert "wants to be asked elsewhere (307)" in str(done.error)
    assert thief.asked == []


@KINDS
def test_a_busy_model_is_asked_again(stage: Stage, model: MakeModel, kind: str) -> None:
    fake = model(Failure(503), Failure(429, {"retry-after": "0"}), "finally")
    done = stage.ask(stage.define(fake, kind=kind))
    assert (done.status, done.output) == ("completed", "finally")
    assert len(fake.asked) == 3


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            Failure(401, body='{"error": {"message": "bad key k-123-only-here"}}'),
            "refused the API key",
        ),
        (Failure(404), "Check the URL and the model's name."),
        (Failure(400, body='{"error": {"message": "too long k-123-only-here"}}'), "answered 400"),
    ],
)
def test_errors_say_what_to_do_and_never_the_key(
    stage: Stage, model: MakeModel, step: Failure, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_MODEL_KEY", "k-123-only-here")
    fake = model(step, step, step, step)
    done = stage.ask(stage.define(fake, key_variable="TEST_MODEL_KEY"))
    assert done.status == "failed"
    assert said in str(done.error)
    assert "k-123-only-here" not in str(done.error)


def test_an_endpoint_that_is_not_there_is_told(stage: Stage, model: MakeModel) -> None:
    fake = model()
    agent = stage.define(fake)
    fake.close()
    done = stage.ask(agent)
    assert done.status == "failed"
    assert "could not be reached" in str(done.error)


def test_a_failure_is_told_in_the_language_of_the_instruction(
    stage: Stage, model: MakeModel
) -> None:
    fake = model()
    agent = stage.define(fake)
    fake.close()
    url = fake.url
    korean = str(stage.ask(agent, instruction="맞춤법을 봐 줘").error)
    assert f"{url}의 모델에" in korean
    assert "연결하지 못했습니다." in korean
    assert "could not be reached" in str(stage.ask(agent, instruction="Mind the spelling").error)
    # Without an instruction it is that of what the agent was told to be.
    agent = stage.define(fake, instructions="맞춤법을 고친다.")
    assert "연결하지 못했습니다." in str(stage.ask(agent).error)


def test_an_agent_without_a_model_says_how_to_name_one(stage: Stage) -> None:
    agent = stage.db.agents.define("도우미", Definition(instructions="Help.")).id
    for instruction, said in (
        ("높임말을 하나로 맞춰 줘", "에이전트가 쓸 모델이 없습니다."),
        ("Use one form of address", "The agent has no model to think with."),
    ):
        done = stage.ask(agent, instruction=instruction)
        assert done.status == "failed"
        assert str(done.error).startswith(said)
        assert "`strata config model_name MODEL`" in str(done.error)


def test_requests_and_calls_are_limited(stage: Stage, model: MakeModel) -> None:
    listing = [("find", {"intent": "list"})]
    fake = model(*[listing] * 20)
    done = stage.ask(stage.define(fake, requests_max=3))
    assert done.status == "failed"
    assert "used as much as it may" in str(done.error)
    assert len(fake.asked) == 3
    again = model(*[listing] * 20)
    done = stage.ask(stage.define(again, calls_max=2))
    assert done.status == "failed"
    assert done.tool_calls <= 2


def test_a_call_that_makes_no_sense_is_told_to_the_model_and_it_goes_on(
    stage: Stage, model: MakeModel
) -> None:
    fake = model(
        [("read_document", {"documentId": "doc_none", "pages": 3})],
        [("no_such_tool", {})],
        [("find", {"intent": "guess"})],
        "never mind",
    )
    done = stage.ask(stage.define(fake))
    assert (done.status, done.output) == ("completed", "never mind")
    assert "error" in fake.asked[1].results[0]


def test_a_task_is_cancelled_while_the_model_thinks(stage: Stage, model: MakeModel) -> None:
    fake = model("late")
    fake.release.clear()
    task = stage.db.agents.invoke(stage.define(fake))
    stage.worker._look_s = 0.05
    thread = threading.Thread(target=stage.worker.run_one, args=(task.id,))
    thread.start()
    end = time.monotonic() + 60
    while not fake.asked:
        assert time.monotonic() < end
        time.sleep(0.01)
    stage.db.agents.cancel(task.id)
    thread.join(10)
    assert not thread.is_alive()
    assert stage.db.agents.task(task.id).status == "cancelled"


def test_a_model_that_takes_too_long_times_out(stage: Stage, model: MakeModel) -> None:
    fake = model("late")
    fake.release.clear()
    stage.worker._look_s = 0.05
    done = stage.ask(stage.define(fake, timeout_s=0.5))
    assert (done.status, done.error) == ("timedOut", "It took longer than it may.")


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://models.example/v1",
        "ftp://localhost/v1",
        "https://me:pw@models.example/v1",
        "https://models.example/v1?key=1",
        "file:///etc/passwd",
        "http://169.254.169.254/v1",
        "x",
    ],
)
def test_an_endpoint_is_https_or_on_this_machine(stage: Stage, endpoint: str) -> None:
    definition = Definition(instructions="x", thinking=Thinking(endpoint=endpoint, model="m"))
    with pytest.raises(strata.InvalidArgument) as caught:
        stage.db.agents.define("x", definition)
    assert "pw" not in str(caught.value)


def test_a_definition_holds_no_key(stage: Stage, tmp_path: Path) -> None:
    for variable in ("sk-abcdef0123456789", "PATH", "HOME", "my key"):
        with pytest.raises(strata.InvalidArgument):
            stage.db.agents.define(
                "x", Definition(instructions="x", thinking=Thinking(key_variable=variable))
            )
    file = tmp_path / "helper.toml"
    file.write_text('instructions = "x"\napi_key = "sk-abcdef"\n')
    with pytest.raises(strata.InvalidArgument) as caught:
        read_definition(file)
    assert "sk-abcdef" not in str(caught.value)


def test_files_define_agents(stage: Stage, tmp_path: Path) -> None:
    page = tmp_path / "교정.md"
    page.write_text(
        "---\ndescription: Finds mistakes\nmodel: qwen3\nendpoint: http://localhost:11434/v1\n"
        "groups: [core]\nmay_edit: true\ntimeout_s: 60\n---\n\nFind mistakes.\n\nPropose.\n"
    )
    name, definition, shared = read_definition(page)
    assert (name, shared, definition.may_edit, definition.groups) == (
        "교정",
        False,
        True,
        ("core",),
    )
    assert definition.instructions == "Find mistakes.\n\nPropose."
    assert definition.thinking.model == "qwen3"
    table = tmp_path / "x.toml"
    table.write_text(
        'name = "reviewer"\ninstructions = "Look."\nkind = "anthropic"\nshared = true\n'
        'allow = ["edit_document.create"]\nkey_variable = "REVIEW_API_KEY"\n'
    )
    name, definition, shared = read_definition(table)
    assert (name, shared, definition.thinking.kind) == ("reviewer", True, "anthropic")
    stage.db.agents.define(name, definition, shared=shared)
    for text in ("instructions = 1", "colour = 'red'", "may_edit = 'perhaps'", "[["):
        table.write_text(text)
        with pytest.raises(strata.InvalidArgument):
            read_definition(table)


def test_agents_of_others_are_not_there_unless_they_are_for_everybody(stage: Stage) -> None:
    db = stage.db
    ann, bob = (db.as_user(db.users.add(f"{who}@example.com").id) for who in ("ann", "bob"))
    mine = ann.agents.define("helper", Definition(instructions="x"))
    with pytest.raises(strata.NotFound):
        bob.agents.get(mine.id)
    with pytest.raises(strata.NotFound):
        bob.agents.invoke(mine.id)
    with pytest.raises(strata.NotAllowed):
        ann.agents.define("for all", Definition(instructions="x"), shared=True)
    shared = db.agents.define("for all", Definition(instructions="x"), shared=True)
    assert bob.agents.get("for all").id == shared.id
    with pytest.raises(strata.NotAllowed):
        bob.agents.remove("for all")
    with pytest.raises(strata.NotAllowed):
        db.agents.remove("linker")
    with pytest.raises(strata.AlreadyExists):
        ann.agents.define("linker", Definition(instructions="x"))
    again = ann.agents.define("helper", Definition(instructions="y"))
    assert (again.id, ann.agents.get("helper").definition.instructions) == (mine.id, "y")
    assert limits.AGENTS_MAX > 1


def test_an_answer_that_is_no_json_is_told_as_such(stage: Stage, model: MakeModel) -> None:
    page = Failure(200, headers={"Content-Type": "application/json"}, body="<html>안녕</html>")
    done = stage.ask(stage.define(model(*[page] * 8)))
    assert done.status == "failed"
    assert "could not be reached" not in str(done.error)
    assert "no JSON" in str(done.error)


def test_a_bound_that_was_reached_is_told_in_our_words(stage: Stage, model: MakeModel) -> None:
    fake = model(*[[("find", {"intent": "list"})]] * 20)
    done = stage.ask(stage.define(fake, requests_max=3))
    assert "used as much as it may: 3 requests to its model" in str(done.error)
    assert "http" not in str(done.error)
