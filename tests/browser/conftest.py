"""One browser and one server for all journeys; each test has a document of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import strata
from tests.browser.chromium import OPTIONS, NoBrowser, find_or_install
from tests.browser.people import ANN, IS_CI, SOYEON, VIC, Agent, Person, Server, new_context

TEXT = "# 배포 계획\n\nShip in May 🚀 with care.\n\n## 위험\n\nNothing is known yet.\n"

MakePerson = Callable[..., Person]


# Of each module: as long as it is open, no other test can run a loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        path = find_or_install()
    except NoBrowser as problem:
        # A machine that must show that everything holds has to have one.
        (pytest.fail if IS_CI else pytest.skip)(str(problem))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("browser") / "store.db"
    populate(path)
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def populate(path: Path) -> None:
    """Make a store with three people."""
    with strata.open(path) as db:
        for email, name in ((ANN, "Ann Lee"), (SOYEON, "김소연"), (VIC, "Vic Viewer")):
            db.users.add(email, name)


@pytest.fixture
def document(server: Server) -> str:
    return make_document(server.path)


def make_document(path: Path, text: str = TEXT, title: str = "배포 계획") -> str:
    """Make a document of Ann's that Soyeon may edit and Vic may read."""
    with strata.open(path) as db:
        ann = db.as_user(ANN)
        made = ann.documents.create(title, text).document
        ann.shares.share(made, SOYEON, "editor")
        ann.shares.share(made, VIC, "viewer")
        return made


@pytest.fixture
def person(browser: Browser, server: Server) -> Iterator[MakePerson]:
    """Make people with a browser each, whose pages complain about nothing."""
    contexts: list[Any] = []

    def make(email: str, at: Server | None = None, **options: Any) -> Person:
        context = new_context(browser, **options)
        contexts.append(context)
        return Person(at or server, context, email)

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def ann(person: MakePerson) -> Person:
    return person(ANN)


@pytest.fixture
def soyeon(person: MakePerson) -> Person:
    return person(SOYEON)


@pytest.fixture
def vic(person: MakePerson) -> Person:
    return person(VIC)


@pytest.fixture(scope="session")
def agent(server: Server) -> Agent:
    with strata.open(server.path) as db:
        return Agent(server, db.tokens.create("reviewer", user=ANN).secret)


@pytest.fixture
def page(person: MakePerson, store: Server) -> Iterator[Page]:
    """Give a page of the owner of a module's store, which complains of nothing."""
    page = person("", store).context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []
