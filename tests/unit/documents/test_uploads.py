"""Uploads: signed addresses, files that arrive whole or not at all, and what becomes of them."""

import io
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image as Pillow

from strata import Workspace
from strata.base import limits
from strata.base.errors import (
    Conflict,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
    ReadOnly,
    SecretRefused,
    StrataError,
    Unavailable,
)
from strata.documents import (
    FinishedUpload,
    ReceivedUpload,
    Upload,
    Uploads,
    image_id,
    image_markdown,
    images_in,
)
from strata.documents.files import InStore
from tests.unit.conftest import Bench

TEXT = "# 계획\n\n봄에 시작한다.\n".encode()
HOUR = 3_600_000_000


class Desk:
    """Uploads of one store, and somebody who makes them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.db: Workspace = bench.db
        self.me = bench.db.documents.rights.user.id
        self.uploads = Uploads(
            bench.store,
            InStore,
            is_trusted=lambda: True,
            base_url=lambda: "http://127.0.0.1:7433/",
        )

    def presign(self, data: bytes = TEXT, **told: Any) -> Upload:
        if "document" not in told:
            told.setdefault("title", "계획")
        return self.uploads.presign(self.me, length=len(data), **told)

    def put(self, upload: Upload, chunks: Iterable[bytes] = (TEXT,), **more: Any) -> ReceivedUpload:
        return self.uploads.receive(*signed(upload), chunks=chunks, **more)

    def finalize(self, upload: Upload, user: str | None = None) -> FinishedUpload:
        return self.uploads.finalize(user or self.me, upload.id, self.db.documents)

    def sent(self, data: bytes = TEXT, **told: Any) -> Upload:
        upload = self.presign(data, **told)
        self.put(upload, [data])
        return upload


def signed(upload: Upload) -> tuple[str, str, str]:
    parts = urlsplit(upload.url)
    query = parse_qs(parts.query)
    return parts.path.removeprefix("/uploads/"), query["expires"][0], query["signature"][0]


def picture(colour: str = "navy") -> bytes:
    out = io.BytesIO()
    Pillow.new("RGB", (30, 20), colour).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def editing(bench: Bench) -> Desk:
    return Desk(bench)


# The address.


def test_an_address_says_where_how_and_until_when(editing: Desk) -> None:
    upload = editing.presign()
    assert upload.url.startswith(f"http://127.0.0.1:7433/uploads/{upload.id}?expires=")
    assert upload.required_headers == {
        "Content-Type": "text/markdown",
        "Content-Length": str(len(TEXT)),
    }
    assert upload.expires_at - editing.bench.clock.us == pytest.approx(900_000_000, abs=1_000_000)
    assert upload.iso_time.startswith("2023-11-14T22:28")


def test_the_key_belongs_to_the_store_and_is_made_once(editing: Desk, db: Workspace) -> None:
    again = Uploads(editing.bench.store, InStore, is_trusted=lambda: True)
    other = db.serving.uploads()
    assert again.signer.fingerprint() == editing.uploads.signer.fingerprint()
    assert other.signer.fingerprint() != editing.uploads.signer.fingerprint()


@pytest.mark.parametrize("part", [0, 1, 2])
def test_an_address_that_was_changed_anywhere_is_refused(editing: Desk, part: int) -> None:
    given = list(signed(editing.presign()))
    for other in (
        given[part] + "0",
        given[part][:-1],
        "",
        "0",
        "한글",
        "-1",
        given[part].swapcase(),
    ):
        forged = [*given[:part], other, *given[part + 1 :]]
        if forged == given:
            continue
        with pytest.raises(NotAllowed, match="not signed here"):
            editing.uploads.receive(*forged, chunks=[TEXT])


def test_an_unknown_upload_looks_like_a_forged_signature(editing: Desk) -> None:
    _id, expires, signature = signed(editing.presign())
    with pytest.raises(NotAllowed, match="not signed here"):
        editing.uploads.receive("upload_unknown", expires, signature, chunks=[TEXT])


def test_an_expired_address_takes_nothing(editing: Desk) -> None:
    upload = editing.presign()
    editing.bench.clock.us = upload.expires_at - 1
    assert not editing.put(upload).repeated
    editing.bench.clock.us = upload.expires_at
    with pytest.raises(NotAllowed, match="expired at 2023-11-14"):
        editing.put(upload)


def test_without_anybody_who_listens_there_is_no_address(bench: Bench) -> None:
    with pytest.raises(Unavailable, match="strata serve"):
        bench.db.serving.uploads().presign("user_ann", length=4, title="x")


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"document": "doc_1", "title": "x"},
        {"document": "doc_1", "folder": "folder_1"},
        {"content_type": "image/png", "title": "x"},
        {"content_type": "image/png", "document": "doc_1", "folder": "folder_1"},
        {"title": ""},
        {"title": "두\n줄"},
        {"document": "doc_1", "folder": "folder_1", "content_type": "application/pdf"},
        {"title": "x", "content_type": "text/html"},
    ],
)
def test_what_is_not_clear_is_asked_before_anything_is_sent(
    editing: Desk, told: dict[str, Any]
) -> None:
    with pytest.raises(InvalidArgument):
        editing.uploads.presign(editing.me, length=4, **told)


@pytest.mark.parametrize("length", [-1, True, 1.5, "12", None])
def test_a_length_is_a_number_of_bytes(editing: Desk, length: Any) -> None:
    with pytest.raises(InvalidArgument):
        editing.uploads.presign(editing.me, length=length, title="x")


def test_what_would_be_too_large_is_refused_before_it_is_sent(editing: Desk) -> None:
    for told in (
        {"length": limits.DOCUMENT_BYTES_MAX + 1, "title": "x"},
        {"length": limits.IMAGE_BYTES_MAX + 1, "document": "doc", "content_type": "image/png"},
        {"length": 4, "title": "가" * (limits.TITLE_CHARACTERS_MAX + 1)},
    ):
        with pytest.raises(LimitExceeded):
            editing.uploads.presign(editing.me, **told)


def test_one_person_cannot_fill_the_store_with_what_is_never_finalized(editing: Desk) -> None:
    large = limits.DOCUMENT_BYTES_MAX
    fits = limits.UPLOADS_OPEN_BYTES_MAX // large
    for _ in range(fits):
        editing.uploads.presign(editing.me, length=large, title="x")
    with pytest.raises(LimitExceeded, match="Finalize those"):
        editing.uploads.presign(editing.me, length=large, title="x")
    editing.uploads.presign("user_ann", length=large, title="x")
    editing.bench.clock.us += int(limits.UPLOAD_S * 1_000_000) + 1_000_000
    editing.uploads.presign(editing.me, length=large, title="x")


def test_a_store_for_reading_gives_no_addresses(tmp_path: Any) -> None:
    import strata

    path = tmp_path / "store.db"
    strata.open(path).close()
    with strata.open(path, read_only=True) as db, pytest.raises(ReadOnly):
        db.serving.uploads(lambda: "http://127.0.0.1:1").presign("user_ann", length=4, title="x")


# What arrives.


def test_a_file_may_come_in_any_pieces(editing: Desk) -> None:
    for pieces in ([TEXT], [TEXT[:7], TEXT[7:]], [bytes([one]) for one in TEXT], [b"", TEXT, b""]):
        received = editing.put(editing.presign(), pieces)
        assert (received.bytes, received.sha256) == (len(TEXT), sha256(TEXT).hexdigest())


def test_too_much_is_cut_off_at_once(editing: Desk) -> None:
    upload = editing.presign()
    asked: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            asked.append(1)
            yield bytes(1024)

    with pytest.raises(LimitExceeded, match="more arrived"):
        editing.put(upload, endless())
    assert len(asked) == 1
    with pytest.raises(Unavailable, match="Nothing has arrived"):
        editing.finalize(upload)


def test_too_little_is_refused_and_may_be_sent_again(editing: Desk) -> None:
    upload = editing.presign()
    with pytest.raises(InvalidArgument, match="31 bytes were announced, and 5 arrive"):
        editing.put(upload, [TEXT[:5]])
    with pytest.raises(Unavailable):
        editing.finalize(upload)
    assert not editing.put(upload).repeated
    assert editing.finalize(upload).bytes == len(TEXT)


def test_a_sender_that_breaks_off_leaves_nothing(editing: Desk) -> None:
    upload = editing.presign()

    def broken() -> Iterator[bytes]:
        yield TEXT[:10]
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        editing.put(upload, broken())
    row = editing.bench.store.connection().row(
        editing.bench.store.queries.upload_data, (upload.id,)
    )
    assert row == (None,)


def test_a_declared_length_or_type_that_does_not_fit_is_refused_before_the_body(
    editing: Desk,
) -> None:
    upload = editing.presign()

    def nobody() -> Iterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    with pytest.raises(InvalidArgument, match="31 bytes were announced, and 32 arrive"):
        editing.put(upload, nobody(), declared_length=32)
    with pytest.raises(InvalidArgument, match="Content-Type: text/markdown"):
        editing.put(upload, nobody(), declared_type="application/x-www-form-urlencoded")
    assert editing.put(
        upload, declared_length=31, declared_type="Text/Markdown; charset=utf-8"
    ).bytes


def test_the_same_file_may_arrive_again_and_another_one_not(editing: Desk) -> None:
    upload = editing.presign()
    first, again = editing.put(upload), editing.put(upload)
    assert (first.repeated, again.repeated) == (False, True)
    assert first.sha256 == again.sha256
    with pytest.raises(Conflict, match="Another file"):
        editing.put(upload, [bytes(len(TEXT))])
    done = editing.finalize(upload)
    assert editing.put(upload).repeated
    with pytest.raises(Conflict):
        editing.put(upload, [bytes(len(TEXT))])
    assert editing.db.documents.text(done.document).encode() == TEXT


def test_of_many_senders_at_once_one_file_is_kept(editing: Desk) -> None:
    upload = editing.presign()
    files = [TEXT.replace("봄".encode(), name.encode()) for name in ("봄", "밤", "맘", "몸")] * 4
    start = threading.Barrier(len(files))

    def send(data: bytes) -> str:
        start.wait()
        try:
            return editing.put(upload, [data]).sha256
        except Conflict:
            return ""

    with ThreadPoolExecutor(len(files)) as pool:
        kept = set(pool.map(send, files)) - {""}
    assert len(kept) == 1
    done = editing.finalize(upload)
    text = editing.db.documents.text(done.document).encode()
    assert {sha256(text).hexdigest()} == kept


def test_a_secret_does_not_reach_the_disk(db: Workspace) -> None:
    password = "tr0ub4dor" + "&3x"
    text = f"# 접속\n\npostgres://app:{password}@db/app\n".encode()
    uploads = db.serving.uploads(lambda: "http://127.0.0.1:1")
    me = db.documents.rights.user.id
    upload = uploads.presign(me, length=len(text), title="접속")
    with pytest.raises(SecretRefused):
        uploads.receive(*signed(upload), chunks=[text])
    with pytest.raises(Unavailable, match="Nothing has arrived"):
        uploads.finalize(me, upload.id, db.documents)
    db.settings.set("secrets", "mask")
    assert uploads.receive(*signed(upload), chunks=[text]).sha256 == sha256(text).hexdigest()
    kept = db.documents.text(uploads.finalize(me, upload.id, db.documents).document)
    assert "접속" in kept
    assert password not in kept
    with pytest.raises(SecretRefused):
        uploads.presign(me, length=4, title=f"postgres://app:{password}@db/app")


# What becomes of it.


def test_a_text_becomes_a_document_once(editing: Desk) -> None:
    upload = editing.sent(title="봄 계획")
    done = editing.finalize(upload)
    assert (done.bytes, done.created, done.status) == (len(TEXT), True, "applied")
    assert editing.db.documents.get(done.document).title == "봄 계획"
    assert editing.db.documents.text(done.document).encode() == TEXT
    assert editing.finalize(upload) == done
    assert len(editing.db.documents.rights.visible()) == 1


def test_a_text_replaces_that_of_a_document_by_its_differences(editing: Desk) -> None:
    made = editing.db.documents.create("계획", "# 계획\n\n하나\n\n둘\n")
    text = "# 계획\n\n하나\n\n둘과 셋\n".encode()
    done = editing.finalize(editing.sent(text, document=made.document))
    assert (done.document, done.created, done.status) == (made.document, False, "applied")
    assert (done.version or 0) > made.version
    assert editing.db.documents.text(made.document).encode() == text
    assert "+둘과 셋" in editing.db.documents.diff(made.document, made.version)


def test_a_finalize_that_was_killed_half_way_is_finished_by_the_next(
    editing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = editing.sent()
    with monkeypatch.context() as patched:
        # The document is committed, and the process dies before the upload is marked.
        patched.setattr(editing.bench.store.queries, "finish_upload", "no statement at all")
        with pytest.raises(StrataError):
            editing.finalize(upload)
    assert len(editing.db.documents.rights.visible()) == 1
    done = editing.finalize(upload)
    assert len(editing.db.documents.rights.visible()) == 1
    assert editing.db.documents.text(done.document).encode() == TEXT


def test_many_who_finalize_at_once_make_one_document(tmp_path: Any) -> None:
    import strata

    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        uploads = db.serving.uploads(lambda: "http://127.0.0.1:1")
        me = db.documents.rights.user.id
        upload = uploads.presign(me, length=len(TEXT), title="계획")
        uploads.receive(*signed(upload), chunks=[TEXT])
        with ThreadPoolExecutor(8) as pool:
            done = set(pool.map(lambda _n: uploads.finalize(me, upload.id, db.documents), range(8)))
        assert len({one.document for one in done}) == 1
        assert len(db.documents.rights.visible()) == 1


def test_an_upload_is_its_makers_alone(editing: Desk) -> None:
    upload = editing.sent()
    with pytest.raises(NotFound) as others:
        editing.finalize(upload, user="user_ann")
    with pytest.raises(NotFound) as unknown:
        editing.uploads.finalize(editing.me, "upload_unknown", editing.db.documents)
    assert str(others.value).replace(upload.id, "upload_unknown") == str(unknown.value)


def test_a_byte_order_mark_is_no_part_of_a_text(editing: Desk) -> None:
    data = b"\xef\xbb\xbf---\ntitle: x\n---\n"
    done = editing.finalize(editing.sent(data))
    assert editing.db.documents.text(done.document).startswith("---")
    assert done.bytes == len(data)


@pytest.mark.parametrize(
    ("data", "offset"), [(b"caf\xe9", 3), ("가".encode()[:2], 0), (b"\xff\xfeh\0i\0", 0)]
)
def test_what_is_no_utf_8_is_refused_with_its_place(
    editing: Desk, data: bytes, offset: int
) -> None:
    upload = editing.sent(data)
    with pytest.raises(InvalidArgument, match=f"byte {offset} is 0x{data[offset]:02x}"):
        editing.finalize(upload)
    assert not editing.db.documents.rights.visible()


def test_an_empty_file_is_a_text_too(editing: Desk) -> None:
    made = editing.db.documents.create("계획", "voll")
    editing.finalize(editing.sent(b"", document=made.document))
    assert editing.db.documents.text(made.document) == ""


@pytest.mark.slow
def test_a_text_of_the_largest_size_arrives(editing: Desk) -> None:
    line = "가나다라마바사아자차카타파하 " * 20 + "\n\n"
    text = (line * (limits.DOCUMENT_BYTES_MAX // len(line.encode()))).encode()
    done = editing.finalize(editing.sent(text))
    assert editing.db.documents.text(done.document).encode() == text


def test_a_document_that_one_may_not_write_is_not_written(editing: Desk) -> None:
    editing.db.users.add("ann@example.com")
    ann = editing.db.as_user("ann@example.com").documents
    mine = editing.db.documents.create("내 것", "비밀")
    user = ann.rights.user.id
    upload = editing.uploads.presign(user, length=len(TEXT), document=mine.document)
    editing.put(upload)
    with pytest.raises(NotFound):
        editing.uploads.finalize(user, upload.id, ann)
    assert editing.db.documents.text(mine.document) == "비밀"


# Images.


def test_an_image_answers_with_what_belongs_into_the_text(editing: Desk) -> None:
    made = editing.db.documents.create("앨범")
    data = picture()
    upload = editing.sent(
        data, document=made.document, content_type="image/png", title="한강 [봄].png"
    )
    done = editing.finalize(upload)
    assert done.image_id == image_id(data)
    assert done.markdown == f"![한강 \\[봄\\].png](image:{done.image_id})"
    assert (done.document, done.bytes, done.created) == (made.document, len(data), False)
    assert editing.db.documents.image_file(made.document, image_id(data)) == data
    kept = editing.db.documents.images(made.document)
    assert [(image.name, image.width, image.height) for image in kept] == [
        ("한강 [봄].png", 30, 20)
    ]
    version = editing.bench.store.last_version()
    assert editing.finalize(upload) == done
    assert editing.bench.store.last_version() == version


def test_two_documents_share_the_bytes_of_an_image_and_not_the_right_to_it(editing: Desk) -> None:
    one, two = (editing.db.documents.create(title).document for title in ("하나", "둘"))
    first = editing.finalize(editing.sent(picture(), document=one, content_type="image/png"))
    assert first.markdown == f"![image](image:{first.image_id})"
    with pytest.raises(NotFound):
        editing.db.documents.image(two, first.image_id or "")
    editing.finalize(editing.sent(picture(), document=two, content_type="image/png"))
    assert editing.db.documents.image(two, first.image_id or "").png.startswith(b"\x89PNG")
    history = editing.db._view.snapshot.history("documents", "blob", first.image_id or "")
    assert len(history) == 1


def test_what_was_announced_as_an_image_must_be_one(editing: Desk) -> None:
    made = editing.db.documents.create("앨범")
    upload = editing.sent(TEXT, document=made.document, content_type="image/png")
    with pytest.raises(InvalidArgument, match="no image"):
        editing.finalize(upload)
    assert editing.db.documents.images(made.document) == []


def test_an_image_is_as_old_as_its_branch_and_travels_with_it(editing: Desk) -> None:
    made = editing.db.documents.create("앨범")
    editing.db.branches.fork("try")
    uploads = editing.uploads
    upload = editing.sent(picture(), document=made.document, content_type="image/png")
    done = uploads.finalize(editing.me, upload.id, editing.db.on("try").documents)
    assert editing.db.documents.images(made.document) == []
    editing.db.branches.merge("try", into="default")
    assert editing.db.documents.image_file(made.document, done.image_id or "") == picture()
    assert editing.db.verify().ok


def test_images_in_a_text_are_listed_once_in_their_order() -> None:
    one, two = image_id(b"1"), image_id(b"2")
    text = (
        f'앞 {image_markdown("한강 [봄]", one)} 사이 ![](image:{two} "title") 뒤 ![x](image:short)'
    )
    assert images_in(text + image_markdown("again", one)) == [one, two]


# What is swept.


def test_what_nobody_finalized_is_removed_with_the_next_address(editing: Desk) -> None:
    arrived, expected = editing.sent(), editing.presign()
    editing.bench.clock.us = arrived.expires_at
    with pytest.raises(NotAllowed, match="has expired"):
        editing.finalize(expected)
    editing.presign()
    finalized = editing.finalize(arrived)  # late, but it had arrived
    editing.bench.clock.us += HOUR
    editing.presign()
    with pytest.raises(NotFound):
        editing.finalize(expected)
    assert editing.finalize(arrived) == finalized
    editing.bench.clock.us += 24 * HOUR
    editing.presign()
    with pytest.raises(NotFound):
        editing.finalize(arrived)
    rows = editing.bench.store.connection().rows("SELECT count(*) FROM uploads")
    assert rows == [(1,)]


def test_a_finished_upload_keeps_no_bytes(editing: Desk) -> None:
    upload = editing.sent()
    editing.finalize(upload)
    row = editing.bench.store.connection().row(
        editing.bench.store.queries.upload_data, (upload.id,)
    )
    assert row == (None,)
