"""The page, its files, and what is not there: headers, addresses, and tricks with paths."""

import gzip
import os
import socket
from pathlib import Path

import pytest

from tests.surface.web.conftest import Serve, Served

PAGE = (
    '<!doctype html><html><head><meta property="csp-nonce" nonce="STRATA_NONCE">'
    '<script type="module" src="/assets/main-a1b2.js" nonce="STRATA_NONCE"></script></head></html>'
)
SCRIPT = "export const 이름 = 1;\n" * 50


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page as it is built, and files around it that nobody may get."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    (folder / "favicon.svg").write_text("<svg/>", encoding="utf-8")
    (folder / "assets" / "main-a1b2.js").write_text(SCRIPT, encoding="utf-8")
    (folder / "assets" / "font-c3.woff2").write_bytes(b"\x00font")
    (folder / "assets" / "secret.py").write_text("secret = 1", encoding="utf-8")
    (folder / "assets" / ".hidden.js").write_text("secret", encoding="utf-8")
    (tmp_path / "outside.js").write_text("secret", encoding="utf-8")
    (folder / "assets" / "link.js").symlink_to(tmp_path / "outside.js")
    monkeypatch.setattr("strata.web.assets.BUILT", folder)
    return folder


def raw(served: Served, target: str) -> bytes:
    """Ask for a path exactly as it is spelled."""
    host, _, port = served.base.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := line.recv(65_536):
            answer += part
    return answer


def test_the_page_is_for_those_who_are_signed_in(serve: Serve, built: Path) -> None:
    served = serve()
    stranger = served.browser()
    for path in ("/", "/d/doc_1"):
        answer = stranger.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in")
    page = served.signed_in().get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "/assets/main-a1b2.js" in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/find?q=봄",
        "/docs",
        "/docs/폴더/안",
        "/space/space_1",
        "/trash",
        "/memory",
        "/memory/default/api/limit",
        "/decisions",
        "/decisions/인증/방식",
        "/events/배포",
        "/activity",
        "/branches",
        "/compare/default...초안/하나",
        "/agents",
        "/tasks/task_1",
        "/published",
        "/settings",
        "/settings/tokens",
    ],
)
def test_every_screen_is_the_same_page(serve: Serve, built: Path, path: str) -> None:
    served = serve()
    answer = served.signed_in().get(path)
    assert answer.status_code == 200
    assert "/assets/main-a1b2.js" in answer.text
    stranger = served.browser().get(path)
    assert (stranger.status_code, stranger.text) == (303, "")


def test_a_document_is_found_where_and_when_it_was(serve: Serve, built: Path) -> None:
    served = serve()
    before = served.db.kv.put("k", 1).version
    made = served.db.documents.create("계획", "봄").document
    browser = served.signed_in()
    for path in ("", "/history", "/links"):
        assert browser.get(f"/d/{made}{path}").status_code == 200
        assert browser.get(f"/d/{made}{path}?at=now").status_code == 200
        for query in (f"at={before}", "at=never", "branch=nowhere"):
            assert browser.get(f"/d/{made}{path}?{query}").status_code == 404


def test_each_page_has_its_own_number_for_styles(serve: Serve, built: Path) -> None:
    browser = serve().signed_in()
    pages = [browser.get("/") for _ in range(2)]
    numbers = [page.text.partition('nonce="')[2].partition('"')[0] for page in pages]
    assert len(set(numbers)) == 2
    for page, number in zip(pages, numbers, strict=True):
        policy = page.headers["content-security-policy"]
        assert f"style-src 'self' 'nonce-{number}';" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "STRATA_NONCE" not in page.text


@pytest.mark.parametrize(
    "path", ["/", "/d/doc_x", "/sign-in", "/api/me", "/nowhere", "/sign-in/plain.css", "/assets/x"]
)
def test_every_answer_is_strict(serve: Serve, built: Path, path: str) -> None:
    served = serve()
    for browser in (served.browser(), served.signed_in()):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "base-uri 'none'" in policy
        assert "form-action 'self'" in policy
        assert "script-src 'self';" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-opener-policy"] == "same-origin"


def test_what_is_about_somebody_is_kept_by_nobody(serve: Serve, built: Path) -> None:
    browser = serve().signed_in()
    for path in ("/", "/api/me", "/d/doc_x", "/sign-in"):
        assert browser.get(path).headers["cache-control"] == "no-store"


def test_a_document_that_may_not_be_read_looks_like_none(serve: Serve, built: Path) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "소연")
    hidden = served.db.documents.create("비밀", "secret").document
    own = served.db.as_user(ann.id).documents.create("일기", "x").document
    served.db.branches.fork("초안")
    later = served.db.as_user(ann.id).documents.create("나중에").document
    browser = served.signed_in(ann.id)
    assert browser.get(f"/d/{own}").status_code == 200
    assert browser.get(f"/d/{own}?branch=초안").status_code == 200
    missing = browser.get("/d/doc_01JABCDEFGHJKMNPQRSTVWXYZ0")
    assert missing.status_code == 404
    for path in (
        f"/d/{hidden}",
        f"/d/{hidden}?branch=초안",
        f"/d/{later}?branch=초안",
        f"/d/{own}?branch=nowhere",
        "/d/%00",
        "/d/가",
        "/nowhere/at/all",
    ):
        answer = browser.get(path)
        assert (answer.status_code, answer.text) == (404, missing.text), path
        mine = {name: value for name, value in answer.headers.items() if name != "date"}
        assert mine == {n: v for n, v in missing.headers.items() if n != "date"}


def test_built_files_are_for_everybody_and_for_ever(serve: Serve, built: Path) -> None:
    browser = serve().browser()
    answer = browser.get("/assets/main-a1b2.js")
    assert answer.text == SCRIPT
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    plain = browser.get("/assets/main-a1b2.js", headers={"Accept-Encoding": "identity"})
    assert plain.content == SCRIPT.encode()
    assert "content-encoding" not in plain.headers
    tag = {"If-None-Match": answer.headers["etag"]}
    again = browser.get("/assets/main-a1b2.js", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    font = browser.get("/assets/font-c3.woff2")
    assert (font.content, font.headers["content-type"]) == (b"\x00font", "font/woff2")
    assert browser.get("/favicon.svg").text == "<svg/>"


def test_a_page_that_was_built_again_is_shown_again(serve: Serve, built: Path) -> None:
    browser = serve().signed_in()
    assert "a1b2" in browser.get("/").text
    (built / "index.html").write_text("<!doctype html><p>새로", encoding="utf-8")
    os.utime(built / "index.html", ns=(1, 1))
    page = browser.get("/")
    assert page.text == "<!doctype html><p>새로"


@pytest.mark.parametrize(
    "name",
    [
        "../index.html",
        "..%2findex.html",
        "%2e%2e/index.html",
        "%2e%2e%2findex.html",
        "..\\index.html",
        "..%5cindex.html",
        "./main-a1b2.js",
        "/main-a1b2.js",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "assets/../../outside.js",
        "....//outside.js",
        "link.js",
        "secret.py",
        ".hidden.js",
        "main-a1b2.js/",
        "main-a1b2.js%00.js",
        "main-a1b2.js%00",
        "MAIN-A1B2.JS.",
        "C:/x.js",
        "",
        ".",
        "..",
        "main-a1b2.js%20",
        "%ff.js",
        "가.js",
        "a" * 5_000 + ".js",
    ],
)
def test_no_path_leads_to_another_file(serve: Serve, built: Path, name: str) -> None:
    answer = raw(serve(), f"/assets/{name}".encode("utf-8", "surrogateescape").decode("latin-1"))
    status = int(answer.split(b" ", 2)[1])
    assert status in (400, 404), answer[:200]
    assert b"secret" not in answer
    assert b"root:" not in answer
    assert gzip.compress(b"secret") not in answer


def test_without_a_built_page_it_says_how_to_build_it(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strata.web.assets.BUILT", tmp_path / "nothing")
    answer = serve().signed_in().get("/")
    assert answer.status_code == 503
    assert "./dev frontend" in answer.text
