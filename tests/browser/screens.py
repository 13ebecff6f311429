"""Every screen by name, and the ways in which it is looked at."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Page

from tests.browser.people import READY
from tests.browser.sample import Sample

THEMES = ("light", "dark")
WIDTHS = {1440: 900, 390: 844}
LANGUAGES = {"en": "en-GB", "ko": "ko-KR"}
# The menu of a document.
MORE = ".bar >> role=button[name=/^(More|더 보기)$/]"
# A button with one of two names.
BUTTON = "role=button[name=/^({})$/]"
# The screens that the documentation shows, in the order of its page.
SHOWN_IN_DOCS = (
    "inbox",
    "document",
    "history",
    "compare",
    "memory-fact",
    "decisions-graph",
    "activity",
)


class Look(NamedTuple):
    """One way to look at a screen."""

    theme: str
    width: int
    language: str

    def __str__(self) -> str:
        return f"{self.theme}-{self.width}-{self.language}"

    def options(self) -> dict[str, Any]:
        """Return the options of a browser that looks so."""
        return {
            "viewport": {"width": self.width, "height": WIDTHS[self.width]},
            "color_scheme": self.theme,
            "locale": LANGUAGES[self.language],
            "has_touch": self.width == min(WIDTHS),
        }


def looks() -> Iterator[Look]:
    """Yield every way to look at a screen."""
    for theme in THEMES:
        for width in WIDTHS:
            for language in LANGUAGES:
                yield Look(theme, width, language)


class Screen(NamedTuple):
    """A screen: its address, and what is there when all of it is."""

    path: str
    ready: str
    # Whether it is for visitors who are not signed in.
    is_outside: bool = False
    # What is clicked at the address before all of it is there, one after the other.
    clicks: tuple[str, ...] = ()
    # What is pressed then, once the text of a document is complete.
    keys: tuple[str, ...] = ()

    def show(self, page: Page, url: str, *, timeout_ms: int) -> None:
        """Go to the screen of a server, and wait until all of it is there."""
        page.goto(f"{url}{self.path}")
        for one in self.clicks:
            page.locator(one).click(timeout=timeout_ms)
        if self.keys:
            page.wait_for_function(READY, timeout=timeout_ms)
        for one in self.keys:
            page.keyboard.press(one)
        page.wait_for_selector(self.ready, timeout=timeout_ms)


def screens(sample: Sample) -> dict[str, Screen]:
    """Return every screen of a populated store."""
    return _of_the_store(sample) | _of_documents(sample) | _of_settings() | _of_dialogs()


def _of_the_store(sample: Sample) -> dict[str, Screen]:
    """Return what is remembered, decided, done and published."""
    return {
        "inbox": Screen("/", ".frame:has(.waiting) .hits"),
        "activity": Screen("/activity", ".run"),
        "find": Screen("/find?q=rate+limit", ".hits, .empty"),
        "find-nothing": Screen("/find?q=zzzxqqq", ".empty"),
        "branches": Screen("/branches", ".branch-row"),
        "branches-switch": Screen("/branches", ".choices time", clicks=(".switch >> nth=0",)),
        "compare-editing": Screen(
            f"/compare/default...{sample.branch}",
            ".conflict textarea",
            clicks=(".conflict >> " + BUTTON.format("Edit|편집"),),
        ),
        "compare": Screen(f"/compare/default...{sample.branch}", ".conflict"),
        "memory": Screen("/memory", ".frame:has(.waiting) .fact-key"),
        "memory-fact": Screen("/memory/default/api/limit", ".fact-past li"),
        "memory-json": Screen("/memory/default/api/retries", ".value.json"),
        "memory-missing": Screen(
            "/memory/default/%EC%97%86%EB%8A%94/%22%ED%82%A4%22", ".fact .empty"
        ),
        "memory-past": Screen("/memory?at=2+days+ago", ".fact-row .fact-key"),
        "decisions": Screen("/decisions", ".decision"),
        "decisions-topic": Screen("/decisions/retry-policy", ".decision"),
        "decisions-graph": Screen("/decisions?view=graph", ".node"),
        "events": Screen("/events", ".event-row"),
        "agents": Screen("/agents", ".task-row"),
        "agents-none": Screen("/agents?status=timedOut", ".queue-empty"),
        "task": Screen(f"/tasks/{sample.task}", ".step"),
        "task-running": Screen(f"/tasks/{sample.running}", ".step"),
        "task-failed": Screen(f"/tasks/{sample.failed}", ".task-error"),
        "published": Screen("/published", ".published-row"),
        "public-profile": Screen("/@owner", ".cards"),
        "public-page": Screen("/@owner/payments-spec", "article"),
        "event": Screen("/events/deploy?id=34", ".event .value"),
        "sign-in": Screen("/sign-in?out=1", "main form", is_outside=True),
        "missing": Screen("/nowhere", "main h1"),
    }


def _of_dialogs() -> dict[str, Screen]:
    """Return what is asked in a dialog, over the screen that it belongs to."""
    new = {
        "memory": ("/memory", "New fact|새 사실"),
        "decisions": ("/decisions", "New decision|새 결정"),
        "documents": ("/docs", "New document|새 문서"),
        "agents": ("/agents", "New agent|새 에이전트"),
        "branches": ("/branches", "New branch|새 브랜치"),
        "tokens": ("/settings/tokens", "New token|새 토큰"),
        "people": ("/settings/people", "Add a person|사용자 추가"),
    }
    return {
        f"{name}-new": Screen(path, "dialog form, form", clicks=(BUTTON.format(button),))
        for name, (path, button) in new.items()
    } | {
        "palette": Screen("/", "dialog [role=option]", clicks=(".find-button",)),
        "activity-undo": Screen("/activity", "dialog .actions", clicks=(".run button >> nth=0",)),
    }


def _of_documents(sample: Sample) -> dict[str, Screen]:
    """Return documents, and where they lie."""
    return {
        "documents": Screen("/docs", ".documents a"),
        "documents-found": Screen("/docs?q=rate+limits", ".doc-snippet"),
        "folder": Screen(f"/docs/{sample.places.folder}", ".documents a"),
        "folder-empty": Screen(f"/docs/{sample.places.empty}", ".docs .empty"),
        "folder-deep": Screen(f"/docs/{sample.places.deep}", ".docs .empty"),
        "folder-gone": Screen("/docs/folder_gone", ".docs .empty"),
        "documents-shared": Screen("/docs/shared", ".docs .empty"),
        "documents-past": Screen("/docs?at=2+days+ago", ".docs .empty"),
        "space": Screen(f"/space/{sample.places.space}", ".documents a"),
        "trash": Screen("/trash", ".trash-row"),
        "trash-past": Screen("/trash?at=2+days+ago", ".empty"),
        "document": Screen(f"/d/{sample.spec}", ".cm-content"),
        "join": Screen(sample.invitation, ".empty button"),
        "join-unknown": Screen("/join#x", ".empty a"),
        "history": Screen(f"/d/{sample.spec}/history", ".history-words"),
        "links": Screen(f"/d/{sample.spec}/links", ".link-lists, .empty"),
        "document-suggesting": Screen(
            f"/d/{sample.spec}",
            ".suggesting-text .cm-content",
            clicks=(MORE, "role=menuitem[name=/^(Suggest changes|변경 제안하기)$/]"),
        ),
        "document-share": Screen(
            f"/d/{sample.spec}",
            "dialog .access, dialog li",
            clicks=(".bar >> " + BUTTON.format("Share|공유"),),
        ),
        "document-publish": Screen(
            f"/d/{sample.spec}",
            "dialog form, dialog .actions",
            clicks=(MORE, "role=menuitem[name=/^(Publish|게시)/]"),
        ),
        "document-menu": Screen(f"/d/{sample.spec}", "[role=menuitem]", clicks=(MORE,)),
        "document-finding": Screen(
            f"/d/{sample.spec}", ".cm-searchMatch", keys=("Control+f", "i", "n", "Enter")
        ),
        "document-selected": Screen(
            f"/d/{sample.plan}",
            ".selection-bar .bare",
            clicks=(".cm-content .cm-line >> nth=0",),
            keys=("Home", "Shift+End"),
        ),
        "document-korean": Screen(f"/d/{sample.plan}", ".cm-content"),
    }


def _of_settings() -> dict[str, Screen]:
    """Return the parts of the settings."""
    return {
        "settings": Screen("/settings", ".settings-list a"),
        "settings-me": Screen("/settings/me", ".card-list .line"),
        "settings-people": Screen("/settings/people", ".card-list .line"),
        "settings-teams": Screen("/settings/teams", ".team"),
        "settings-tokens": Screen("/settings/tokens", ".card-list .line"),
        "settings-clients": Screen("/settings/clients?client=codex", ".settings-page .panel"),
        "settings-secrets": Screen("/settings/secrets", ".settings-page .panel"),
        "settings-models": Screen("/settings/models", ".settings-page .panel"),
        "settings-backups": Screen("/settings/backups", ".settings-page .empty"),
        "settings-health": Screen("/settings/health", ".about"),
        "settings-statistics": Screen("/settings/statistics", ".u-wrap canvas"),
        "settings-audit": Screen("/settings/audit", ".card-list .line"),
        "settings-unknown": Screen("/settings/nothing", ".empty"),
    }
