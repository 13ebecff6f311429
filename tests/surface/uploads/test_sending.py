"""Files are sent over loopback, to a server and to a process, and arrive whole or not at all."""

import io
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from PIL import Image

from strata.base import limits
from strata.base.errors import StrataError, Unavailable
from tests.surface.uploads.conftest import Post, connect, put

TEXT = "# 계획\n\n봄에 시작한다 🌱\n".encode()


def is_empty(post: Post, upload: object) -> bool:
    try:
        post.finalize(upload)  # pyright: ignore[reportArgumentType]
    except Unavailable as error:
        return "Nothing has arrived" in str(error)
    return False


def test_a_file_that_is_put_becomes_a_document(post: Post) -> None:
    upload = post.presign(len(TEXT), title="봄.md")
    answer = put(upload, TEXT)
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "uploadId": upload.id,
            "bytes": len(TEXT),
            "sha256": sha256(TEXT).hexdigest(),
            "next": "finalizeUpload",
        },
    )
    assert post.text(upload).encode() == TEXT


def test_it_may_come_in_chunks(post: Post) -> None:
    def pieces() -> Iterator[bytes]:
        for at in range(0, len(TEXT), 5):
            yield TEXT[at : at + 5]

    upload = post.presign(len(TEXT))
    assert put(upload, pieces()).status_code == 200
    assert post.text(upload).encode() == TEXT


@pytest.mark.slow
def test_curl_sends_a_file_as_the_page_says(post: Post, tmp_path: Path) -> None:
    file = tmp_path / "회의록 초안.md"
    data = TEXT + "가나다라 마바사\n".encode() * 100_000  # so much that it asks before it sends
    file.write_bytes(data)
    upload = post.presign(file.stat().st_size)
    for way in (["-T", str(file)], ["-X", "PUT", "--data-binary", f"@{file}"]):
        done = subprocess.run(
            ["curl", "-sS", "-f", *way, "-H", "Content-Type: text/markdown", upload.url],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, upload.id in done.stdout) == (0, True), done.stderr
    assert post.text(upload).encode() == data


def test_a_forged_address_is_refused(post: Post) -> None:
    upload, other = post.presign(len(TEXT)), post.presign(len(TEXT))
    for url in (
        upload.url[:-1] + ("0" if upload.url[-1] != "0" else "1"),
        upload.url.partition("&")[0],
        upload.url.partition("?")[0],
        upload.url.replace(upload.id, other.id),
        re.sub(r"expires=\d+", "expires=99999999999", upload.url),
    ):
        answer = put(upload, TEXT, url)
        assert (answer.status_code, answer.json()["error"]) == (403, "not_allowed")
        assert "not signed here" in answer.json()["error_description"]
    assert is_empty(post, upload)
    assert is_empty(post, other)


def test_an_expired_address_is_refused(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOAD_S", 1.0)
    upload = post.presign(len(TEXT))
    time.sleep(upload.expires_at / 1_000_000 - time.time() + 0.1)
    answer = put(upload, TEXT)
    assert answer.status_code == 403
    assert "expired at" in answer.json()["error_description"]


@pytest.mark.parametrize("size", [0, 1, len(TEXT) - 1, len(TEXT) + 1, len(TEXT) * 1_000])
def test_another_length_is_refused_whether_declared_or_not(post: Post, size: int) -> None:
    data = (TEXT * 1_000)[:size]
    upload = post.presign(len(TEXT))
    declared = httpx2.put(upload.url, content=data, timeout=20)
    chunked = put(upload, iter([data[: size // 2], data[size // 2 :]]))
    assert declared.status_code == 400
    assert chunked.status_code == (413 if size > len(TEXT) else 400)
    for answer in (declared, chunked):
        assert f"{len(TEXT)} bytes were announced" in answer.json()["error_description"]
    assert is_empty(post, upload)
    assert put(upload, TEXT).status_code == 200


def test_an_endless_body_is_cut_off(post: Post) -> None:
    upload = post.presign(len(TEXT))
    sent = 0
    began = time.monotonic()
    with connect(upload) as line:
        line.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
        try:
            while time.monotonic() - began < 20:
                sent += line.send(b"8000\r\n" + bytes(0x8000) + b"\r\n")
        except OSError:
            pass
    assert sent < 64 * 1024 * 1024
    assert is_empty(post, upload)


def test_a_sender_that_dies_leaves_nothing_behind(post: Post) -> None:
    upload = post.presign(len(TEXT))
    for _ in range(3):
        with connect(upload) as line:
            line.sendall(f"Content-Length: {len(TEXT)}\r\n\r\n".encode() + TEXT[:10])
    time.sleep(0.2)
    assert is_empty(post, upload)
    assert put(upload, TEXT).status_code == 200
    assert post.text(upload).encode() == TEXT


def test_a_slow_sender_is_waited_for_and_keeps_nobody_else_waiting(post: Post) -> None:
    slow, quick = post.presign(len(TEXT)), post.presign(len(TEXT))
    with connect(slow) as line:
        line.sendall(f"Content-Length: {len(TEXT)}\r\n\r\n".encode())
        for at in range(0, len(TEXT), 12):
            line.sendall(TEXT[at : at + 12])
            time.sleep(0.1)
            if at == 12:
                assert put(quick, TEXT).status_code == 200
        assert b"200" in line.recv(4096).partition(b"\r\n")[0]
    assert post.text(slow) == post.text(quick)


def test_a_sender_that_falls_silent_is_left(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOAD_BODY_S", 0.5)
    monkeypatch.setattr("strata.mcp.loopback._Handler.timeout", 0.5)
    upload = post.presign(len(TEXT))
    with connect(upload) as line:
        line.sendall(f"Content-Length: {len(TEXT)}\r\n\r\n".encode() + TEXT[:10])
        while line.recv(4096):
            pass
    assert is_empty(post, upload)


@pytest.mark.slow
def test_many_send_at_once_and_each_gets_its_own(post: Post) -> None:
    files = [f"# {number}\n\n{'가' * number * 997}\n".encode() for number in range(24)]
    uploads = [post.presign(len(data)) for data in files]

    def send(number: int) -> int:
        # The listener of a process hangs up where too many come at once; so do senders again.
        for _ in range(50):
            try:
                return put(uploads[number], files[number]).status_code
            except httpx2.TransportError:
                time.sleep(0.05)
        return 0

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(send, range(24))) == [200] * 24
    texts = [post.text(upload).encode() for upload in uploads]
    assert texts == files


def test_the_same_file_may_come_twice_and_another_not(post: Post) -> None:
    upload = post.presign(len(TEXT))
    assert [put(upload, TEXT).status_code for _ in range(2)] == [200, 200]
    answer = put(upload, bytes(len(TEXT)))
    assert (answer.status_code, answer.json()["error"]) == (409, "conflict")
    assert post.text(upload).encode() == TEXT


@pytest.mark.slow
def test_a_large_image_arrives_within_seconds(post: Post) -> None:
    noise = Image.frombytes("RGB", (3000, 3000), os.urandom(27_000_000))
    out = io.BytesIO()
    noise.save(out, "PNG", compress_level=1)
    data = out.getvalue()
    assert 25_000_000 < len(data) < limits.IMAGE_BYTES_MAX
    made = post.db.documents.create("앨범")
    upload = post.presign(
        len(data), document=made.document, content_type="image/png", title="소음.png"
    )
    began = time.process_time()
    answer = put(upload, data)
    assert (answer.status_code, answer.json()["bytes"]) == (200, len(data))
    assert time.process_time() - began < 20


def test_a_wrong_type_is_told_what_to_send(post: Post) -> None:
    upload = post.presign(len(TEXT))
    answer = put(upload, TEXT, **{"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 400
    assert "Content-Type: text/markdown" in answer.json()["error_description"]


def test_a_secret_is_refused_at_the_door(post: Post) -> None:
    text = ("postgres://app:" + "tr0ub4dor" + "@db/app").encode()
    upload = post.presign(len(text))
    answer = put(upload, text)
    assert (answer.status_code, answer.json()["error"]) == (422, "secret_refused")
    assert is_empty(post, upload)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "PATCH"])
def test_only_put_does_anything(post: Post, method: str) -> None:
    upload = post.presign(len(TEXT))
    put(upload, TEXT)
    answer = httpx2.request(method, upload.url, timeout=20)
    assert answer.status_code in (405, 501)
    assert TEXT[:10] not in answer.content


@pytest.mark.parametrize(
    ("header", "statuses"),
    [({"Host": "evil.example"}, (403, 421)), ({"Origin": "https://evil.example"}, (403,))],
)
def test_pages_and_names_of_others_are_refused(
    post: Post, header: dict[str, str], statuses: tuple[int, ...]
) -> None:
    upload = post.presign(len(TEXT))
    assert put(upload, TEXT, **header).status_code in statuses
    assert is_empty(post, upload)
    assert put(upload, TEXT, Origin="http://localhost:3000").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n0\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"\r\n",
    ],
)
def test_a_body_that_makes_no_sense_is_refused(post: Post, body: bytes) -> None:
    upload = post.presign(len(TEXT))
    with connect(upload) as line:
        line.sendall(body)
        assert re.match(rb"HTTP/1.1 4\d\d", line.recv(4096))
    assert is_empty(post, upload)
    assert put(upload, TEXT).status_code == 200


def test_nothing_listens_but_on_loopback(post: Post) -> None:
    parts = urlsplit(post.presign(len(TEXT)).url)
    assert parts.hostname == "127.0.0.1"
    others = {
        str(found[4][0])
        for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        if not str(found[4][0]).startswith("127.")
    }
    for address in others:
        with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
            socket.create_connection((address, parts.port or 0), timeout=2)


def test_a_document_that_cannot_be_read_is_no_reason_to_keep_an_upload(post: Post) -> None:
    upload = post.presign(len(TEXT), document="doc_unknown")
    assert put(upload, TEXT).status_code == 200
    with pytest.raises(StrataError):
        post.finalize(upload)
