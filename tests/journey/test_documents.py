"""Real clients work on a document over HTTP, with the tools that a server lists by default."""

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

import strata
from tests.journey.clients import Client, Server
from tests.journey.conftest import followed
from tests.journey.model import Call, Step
from tests.journey.test_http import listening
from tests.journey.wires import Result

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name == "nt", reason="ends what clients start by their process group"),
]
# How every PNG begins, as base64.
PNG = "iVBORw0KGgo"


@pytest.fixture
def image(path: Path) -> str:
    """The id of an image in a document of somebody who uses the workspace."""
    from PIL import Image

    out = BytesIO()
    Image.new("RGB", (24, 24), (200, 30, 60)).save(out, "PNG")
    with strata.open(path) as db:
        soyeon = db.as_user(db.users.add("soyeon@example.com", "소연").id)
        made = soyeon.documents.create("배포 계획", "# 일정\n\nShip in May 🚀\n")
        return soyeon.documents.attach_image(made.document, out.getvalue(), name="점.png").id


@pytest.fixture
def served(path: Path, image: str) -> Iterator[Server]:
    assert image
    with strata.open(path) as db:
        token = db.tokens.create("시험", user="soyeon@example.com").secret
    with listening(path, token) as server:
        yield server


def test_a_client_finds_reads_edits_and_looks(
    client: Client, served: Server, path: Path, image: str, tmp_path: Path
) -> None:
    def read(results: list[Result]) -> Call:
        return Call("read_document", {"documentId": results[0].data["items"][0]["id"]})

    def edit(results: list[Result]) -> Call:
        known = results[1].data
        return Call(
            "edit_document",
            {
                "action": "edit",
                "documentId": known["documentId"],
                "oldString": "May 🚀",
                "newString": "六月 🌸",
                "baseVersion": known["version"],
            },
        )

    def look(results: list[Result]) -> Call:
        document = results[1].data["documentId"]
        return Call("get_image", {"documentId": document, "imageId": image})

    script: list[Step] = [
        Call("find", {"intent": "search", "query": "배포 일정", "scope": {"type": "all"}}),
        read,
        edit,
        look,
    ]
    talk = followed(client, served, script, tmp_path / "home")
    answers = [result.data for result in talk.results[:3]]
    assert answers[1]["content"] == "# 일정\n\nShip in May 🚀\n"
    assert answers[2]["status"] == "applied"
    # Not in the last turn alone: a client may ask for a title of the conversation after it.
    assert any(PNG in turn.prompt for turn in talk.model.turns), "the model was shown the picture"
    with strata.open(path) as db:
        documents = db.as_user("soyeon@example.com").documents
        made = answers[1]["documentId"]
        assert documents.text(made) == "# 일정\n\nShip in 六月 🌸\n"
        assert documents.blame(made)[-1].via == "시험"
