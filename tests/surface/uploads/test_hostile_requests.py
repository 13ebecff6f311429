"""Requests that no client would send: each gets an answer, and none of them a broken line."""

import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from strata.base.errors import NotAllowed
from strata.documents import Upload
from strata.mcp.upload_requests import is_local_page
from strata.tools import Session, StoreHost, call_tool, registry
from tests.surface.http.conftest import Running
from tests.surface.uploads.conftest import Post, put

TEXT = "# 봄\n".encode()


def answered(upload: Upload, *, path: str = "", host: str | None = None, more: str = "") -> int:
    """Send a request byte for byte; return the status of its answer, 0 where there is none."""
    parts = urlsplit(upload.url)
    where = path or f"{parts.path}?{parts.query}"
    lines = [f"PUT {where} HTTP/1.1", f"Host: {parts.netloc if host is None else host}", more]
    if "Content-Length" not in more:
        lines.append(f"Content-Length: {len(TEXT)}")
    head = "\r\n".join(line for line in lines if line) + "\r\n\r\n"
    address = (parts.hostname or "", parts.port or 0)
    with socket.create_connection(address, timeout=10) as line:
        line.sendall(head.encode("latin-1") + TEXT)
        first = line.makefile("rb").readline()
    return int(first.split()[1]) if first else 0


@pytest.mark.parametrize("digits", ["9" * 5_000, "-1", "", "1e9", "%D9%A1" * 10])
def test_an_end_that_is_no_time_is_refused(post: Post, digits: str) -> None:
    upload = post.presign(len(TEXT))
    path = f"{urlsplit(upload.url).path}?expires={digits}&signature=00"
    assert answered(upload, path=path) == 403


def test_a_length_that_is_no_length_is_refused(post: Post) -> None:
    upload = post.presign(len(TEXT))
    assert answered(upload, more=f"Content-Length: {'9' * 5_000}") == 400
    assert answered(upload) == 200


@pytest.mark.parametrize("host", ["[", "[::1", "evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_not_its_own_or_none_at_all_is_refused(post: Post, host: str) -> None:
    upload = post.presign(len(TEXT))
    assert answered(upload, host=host) in (400, 403, 421)


@pytest.mark.parametrize(
    "origin", ["http://[", "null", "file://localhost", "http://localhost.evil.example", "//[::1]"]
)
def test_a_page_from_elsewhere_is_refused_however_it_spells_that(post: Post, origin: str) -> None:
    upload = post.presign(len(TEXT))
    assert answered(upload, more=f"Origin: {origin}") == 403
    assert answered(upload, more="Origin: http://localhost:3000") == 200


@pytest.mark.parametrize("origin", ["http://127.0.0.1", "https://[::1]:8080", "HTTP://LOCALHOST"])
def test_pages_of_this_machine_are_known(origin: str) -> None:
    assert is_local_page(origin)


@pytest.mark.parametrize("name", ["../{}", "%2e%2e%2f{}", "{}%00", "%00{}", "a" * 50_000])
def test_a_signature_is_for_one_path_and_no_way_to_write_another(post: Post, name: str) -> None:
    upload = post.presign(len(TEXT))
    path = f"/uploads/{name.format(upload.id)}?{urlsplit(upload.url).query}"
    # A path that is longer than a head of a request may be is not even read.
    assert answered(upload, path=path) in ((403, 404) if len(path) < 10_000 else (400, 403, 404))


def test_of_a_parameter_that_is_given_twice_the_signed_one_must_be_the_first(post: Post) -> None:
    upload = post.presign(len(TEXT))
    parts = urlsplit(upload.url)
    assert answered(upload, path=f"{parts.path}?expires=99999999999&{parts.query}") == 403
    assert answered(upload, path=f"{parts.path}?{parts.query}&expires=99999999999") == 200


def test_an_address_of_another_store_is_none_here(at_server: Post, at_process: Post) -> None:
    here, there = at_server.presign(len(TEXT)), at_process.presign(len(TEXT))
    foreign = urlsplit(there.url)
    assert answered(here, path=f"{foreign.path}?{foreign.query}") == 403


def test_a_page_is_refused_by_the_endpoint_too(serve: Callable[..., Running]) -> None:
    running = serve(no_auth=True)
    parts = urlsplit(running.base)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10) as line:
        head = f"GET /mcp HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: http://[\r\n\r\n"
        line.sendall(head.encode())
        assert line.makefile("rb").readline().split()[1] == b"403"


def test_whose_role_was_lowered_after_asking_can_finalize_nothing(at_process: Post) -> None:
    db = at_process.db
    ann, team = db.users.add("ann@example.com"), db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "editor")
    folder = db.folders.add("함께", team=team.id)
    document = db.documents.create("계획", "겨울", folder=folder.id).document
    upload = db.serving.uploads(at_process.base_url).presign(
        ann.id, length=len(TEXT), document=document
    )
    assert put(upload, TEXT).status_code == 200
    db.teams.set_member(team.id, ann.id, "viewer")
    with pytest.raises(NotAllowed):
        db.serving.uploads().finalize(ann.id, upload.id, db.as_user(ann.id).documents)
    assert db.documents.text(document) == "겨울"


@pytest.mark.parametrize("kind", ["image/png", "IMAGE/PNG", " Image/Png; q=1"])
def test_whoever_may_only_suggest_is_told_before_sending_an_image(
    at_process: Post, kind: str
) -> None:
    db = at_process.db
    document = db.documents.create("계획").document
    host = StoreHost(lambda: db)
    host.uploads_at = at_process.base_url
    session = Session(host, caller="owner")
    made = db.tokens.create("제안", suggest_only=True)
    session.caller = made.token.grant
    tool = registry().find("edit_document")
    assert tool is not None
    asked = {"action": "presignUpload", "contentLength": 9, "documentId": document}
    answer = call_tool(session, tool, asked | {"contentType": kind})
    assert answer.is_error
    assert answer.value["code"] == "not_allowed"
    assert not call_tool(session, tool, asked).is_error
