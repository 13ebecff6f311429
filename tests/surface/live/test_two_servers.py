"""Two servers of one workspace in PostgreSQL: pages of both see each other, and one may die."""

import io
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from PIL import Image

import strata
from tests.surface.live.pages import Page
from tests.surface.live.test_endings import Served
from tests.unit.documents.bucket import BUCKET, KEY, REGION, SECRET, bucket

_FILE = io.BytesIO()
Image.new("RGB", (8, 8), "red").save(_FILE, "PNG")
PICTURE = _FILE.getvalue()
TEXT = "# 계획\n\n안녕 세계\n"


class TwoServers:
    """A document, a token for it, and two processes that serve it."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        with strata.open(address, auto_embed=False) as db:
            self.document = db.documents.create("계획", TEXT).document
            self.token = db.tokens.create("owner").secret
        self.servers = [Served(folder / name, place=address) for name in ("하나", "둘")]
        self.pages: list[Page] = []

    def open(self, number: int) -> Page:
        page = Page(
            f"{self.servers[number].address}/live/{self.document}",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        self.pages.append(page)
        page.sync()
        return page


@pytest.fixture
def servers(postgres_address: str, tmp_path: Path) -> Iterator[TwoServers]:
    made = TwoServers(postgres_address, tmp_path)
    yield made
    for page in made.pages:
        page.close()
    for server in made.servers:
        if server.process.poll() is None:
            server.end(signal.SIGTERM)


@pytest.mark.slow
def test_what_is_typed_at_one_server_appears_at_the_other(servers: TwoServers) -> None:
    one, other = servers.open(0), servers.open(1)
    for number in range(10):
        one.type(f"가{number} ")
        other.type(f"나{number} ", len(other.replica.text))
    one.until_saved()
    other.until_saved()
    marks = [f"{letter}{number} " for letter in "가나" for number in range(10)]
    for page in (one, other):
        page.until(lambda page=page: all(mark in page.replica.text for mark in marks))
    one.until_text(other.replica.text)
    with strata.open(servers.address, auto_embed=False) as db:
        assert db.documents.text(servers.document) == one.replica.text
        assert db.verify().ok


@pytest.mark.slow
def test_a_server_that_is_killed_takes_nothing_with_it(servers: TwoServers) -> None:
    one, other = servers.open(0), servers.open(1)
    one.type("앞 ")
    one.until_saved()
    servers.servers[0].end(signal.SIGKILL)
    other.until(lambda: "앞 " in other.replica.text)
    other.type("뒤 ")
    other.until_saved()
    with strata.open(servers.address, auto_embed=False) as db:
        assert {"앞", "뒤"} <= set(db.documents.text(servers.document).split())
        assert db.verify().ok


@pytest.mark.slow
@pytest.mark.parametrize("place", ["database", "bucket"])
def test_an_image_that_one_server_takes_is_shown_by_the_other(
    place: str, postgres_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with bucket() as s3, strata.open(postgres_address, auto_embed=False) as db:
        if place == "bucket":
            db.settings.set("storage_endpoint", s3.url)
            db.settings.set("storage_region", REGION)
            db.settings.set("storage", f"s3://{BUCKET}/팀")
        made = TwoServers(postgres_address, tmp_path)
        bases = [server.address.replace("ws:", "http:") for server in made.servers]
        me = db.documents.rights.user.id
        upload = db.serving.uploads(lambda: bases[0]).presign(
            me,
            length=len(PICTURE),
            document=made.document,
            content_type="image/png",
            title="그림.png",
        )
        sent = httpx2.put(upload.url, content=PICTURE, headers=upload.required_headers)
        assert sent.status_code == 200, sent.text
        finished = db.serving.uploads().finalize(me, upload.id, db.documents)
        text = db.documents.text(made.document)
        db.documents.write(made.document, f"{text}\n![그림](image:{finished.image_id})\n")
        shown = db.publishing.publish(made.document)
        address = f"{bases[1]}{shown.path}/images/{finished.image_id}"
        answer = httpx2.get(address)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
        assert bool(s3.names()) == (place == "bucket")
        for server in made.servers:
            server.end(signal.SIGTERM)
