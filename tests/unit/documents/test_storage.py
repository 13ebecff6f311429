"""Where bytes lie: in the store, and in an S3 that checks every signature."""

import socket
import time
from hashlib import sha256

import httpx2
import msgspec
import pytest

import strata
from strata.base import limits
from strata.base.errors import Damaged, InvalidArgument, NotFound, StrataError, Unavailable
from strata.documents import Storage, Uploads, open_storage, read_blob
from strata.documents.files import InBucket, InStore, bucket_of
from strata.store import BINARY, Header, Store, Transaction
from tests.unit.conftest import Bench
from tests.unit.documents.bucket import BUCKET, REGION, Bucket

DATA = bytes(range(256)) * 40
IMAGE = sha256(DATA).hexdigest()
ANN = "user_ann"


def settled(db: strata.Workspace, s3: Bucket) -> Storage:
    db.settings.set("storage", f"s3://{BUCKET}/우리/팀")
    db.settings.set("storage_endpoint", s3.url)
    db.settings.set("storage_region", REGION)
    return open_storage(db.settings.get)


def commit(bench: Bench, storage: Storage, data: bytes = DATA) -> None:
    snapshot = bench.db._view.snapshot
    with Transaction(snapshot, Header("attach"), locked=True) as transaction:
        transaction.stage(storage.keep(sha256(data).hexdigest(), data))


def read(bench: Bench, storage: Storage, image: str = IMAGE) -> bytes:
    return read_blob(bench.db._view.snapshot, image, storage)


# In the store.


def test_bytes_in_the_store_come_back_as_they_were(bench: Bench) -> None:
    assert isinstance(open_storage(bench.db.settings.get), InStore)
    commit(bench, InStore())
    assert read(bench, InStore()) == DATA


def test_bytes_in_the_store_are_one_binary_record_under_their_hash() -> None:
    change = InStore().keep(IMAGE, DATA)
    assert (change.address, change.flags, change.data) == (
        ("documents", "blob", IMAGE),
        BINARY,
        DATA,
    )


def test_an_image_that_is_not_there_is_a_clear_error(bench: Bench) -> None:
    with pytest.raises(NotFound, match="no image"):
        read(bench, InStore())


def test_bytes_that_are_not_what_was_kept_are_damage(bench: Bench) -> None:
    snapshot = bench.db._view.snapshot
    with Transaction(snapshot, Header("attach"), locked=True) as transaction:
        change = InStore().keep(IMAGE, DATA)
        transaction.stage(msgspec.structs.replace(change, data=DATA + b"!"))
    with pytest.raises(Damaged):
        read(bench, InStore())


# In a bucket.


def test_bytes_in_a_bucket_leave_only_their_place_in_the_store(bench: Bench, s3: Bucket) -> None:
    storage = settled(bench.db, s3)
    assert isinstance(storage, InBucket)
    commit(bench, storage)
    record = bench.db._view.snapshot.get("documents", "blob", IMAGE)
    assert record is not None
    assert msgspec.json.decode(record[3] or b"") == {
        "place": f"s3://{BUCKET}/우리/팀/blobs/{IMAGE}",
        "bytes": len(DATA),
    }
    assert read(bench, storage) == DATA
    assert len(s3.names()) == 1
    assert s3.refused == []


def test_a_bucket_that_lost_an_object_is_named(bench: Bench, s3: Bucket) -> None:
    storage = settled(bench.db, s3)
    commit(bench, storage)
    s3.client.delete_object(Bucket=BUCKET, Key=s3.names()[0])
    with pytest.raises(NotFound, match="s3://pictures/우리/팀/blobs/"):
        read(bench, storage)


def test_an_object_that_somebody_replaced_is_not_handed_out(bench: Bench, s3: Bucket) -> None:
    storage = settled(bench.db, s3)
    commit(bench, storage)
    s3.client.put_object(Bucket=BUCKET, Key=s3.names()[0], Body=b"another picture")
    with pytest.raises(Damaged, match="not what was kept"):
        read(bench, storage)


def test_without_the_setting_the_error_says_where_the_bytes_are(bench: Bench, s3: Bucket) -> None:
    commit(bench, settled(bench.db, s3))
    with pytest.raises(Unavailable, match="s3://pictures"):
        read(bench, InStore())


def test_a_storage_that_is_down_is_an_error_worth_trying_again(
    bench: Bench, s3: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = settled(bench.db, s3)
    commit(bench, storage)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    monkeypatch.setattr(limits, "STORAGE_TIMEOUT_S", 1.0)
    bench.db.settings.set("storage_endpoint", f"http://127.0.0.1:{free}")
    down = open_storage(bench.db.settings.get)
    began = time.monotonic()
    with pytest.raises(Unavailable, match="Nothing was lost"):
        read(bench, down)
    with pytest.raises(Unavailable, match="nothing could be kept"):
        commit(bench, down, b"another")
    assert time.monotonic() - began < 15
    assert read(bench, storage) == DATA  # once it answers again


def test_wrong_credentials_are_refused_by_the_storage(
    bench: Bench, s3: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with pytest.raises(Unavailable, match="AWS_ACCESS_KEY_ID"):
        commit(bench, settled(bench.db, s3))
    assert "SignatureDoesNotMatch" in s3.refused
    assert s3.names() == []


# Apart, so that nobody takes it for a password that was left here.
WORD = "word"


@pytest.mark.parametrize(
    "place",
    [
        "pictures",
        "https://pictures",
        "s3://",
        f"s3://key:{WORD}@pictures",
        "s3://b/p?x=1",
        "s3:///p",
    ],
)
def test_a_place_is_a_bucket_and_a_prefix_and_never_a_secret(
    db: strata.Workspace, place: str
) -> None:
    with pytest.raises((InvalidArgument, StrataError)):
        db.settings.set("storage", place)
    assert db.settings.get("storage") is None


def test_bucket_and_prefix_are_told_apart() -> None:
    assert bucket_of("s3://pictures") == ("pictures", "")
    assert bucket_of("s3://pictures/우리/팀/") == ("pictures", "우리/팀")


# Uploads past the server.


def uploads(bench: Bench, storage: Storage) -> Uploads:
    store: Store = bench.store
    return Uploads(store, lambda: storage, is_trusted=lambda: True)


def put(url: str, data: bytes, **headers: str) -> httpx2.Response:
    return httpx2.put(url, content=data, headers=headers, timeout=20)


@pytest.fixture
def now(bench: Bench) -> int:
    """The bucket goes by the real time, so the store does as well."""
    bench.clock.us = time.time_ns() // 1000
    return bench.clock.us


def test_a_file_sent_to_the_bucket_becomes_a_document(bench: Bench, s3: Bucket, now: int) -> None:
    files = uploads(bench, settled(bench.db, s3))
    me = bench.db.documents.rights.user.id
    text = "# 회의록\n\n안건 하나\n".encode()
    upload = files.presign(me, length=len(text), title="회의록")
    assert upload.url.startswith(f"{s3.url}/{BUCKET}/")
    with pytest.raises(Unavailable, match="Nothing has arrived"):
        files.finalize(me, upload.id, bench.db.documents)
    assert put(upload.url, text, **upload.required_headers).status_code == 200
    done = files.finalize(me, upload.id, bench.db.documents)
    assert bench.db.documents.text(done.document).encode() == text
    assert (done.bytes, done.created) == (len(text), True)
    assert files.finalize(me, upload.id, bench.db.documents) == done
    assert s3.names() == []  # a document lives in the store
    assert s3.refused == []


def test_the_bucket_refuses_an_address_that_was_changed(bench: Bench, s3: Bucket, now: int) -> None:
    files = uploads(bench, settled(bench.db, s3))
    upload = files.presign(ANN, length=4, title="x")
    other = upload.url.replace(upload.id, "upload_other")
    assert put(other, b"text").status_code == 403
    assert s3.refused == ["SignatureDoesNotMatch"]
    assert s3.names() == []


def test_a_file_of_another_length_is_noticed_before_it_is_loaded(
    bench: Bench, s3: Bucket, now: int
) -> None:
    files = uploads(bench, settled(bench.db, s3))
    me = bench.db.documents.rights.user.id
    upload = files.presign(me, length=4, title="x")
    assert put(upload.url, b"longer than that").status_code == 200
    with pytest.raises(InvalidArgument, match="4 bytes were announced, and 16 were put"):
        files.finalize(me, upload.id, bench.db.documents)
    assert put(upload.url, b"text").status_code == 200
    assert files.finalize(me, upload.id, bench.db.documents).bytes == 4


def test_bytes_that_are_no_text_are_refused_with_their_place(
    bench: Bench, s3: Bucket, now: int
) -> None:
    files = uploads(bench, settled(bench.db, s3))
    me = bench.db.documents.rights.user.id
    upload = files.presign(me, length=7, title="x")
    put(upload.url, b"caf\xe9 au")
    with pytest.raises(InvalidArgument, match="byte 3 is 0xe9"):
        files.finalize(me, upload.id, bench.db.documents)


def test_what_was_never_finalized_is_swept_out_of_the_bucket(
    bench: Bench, s3: Bucket, now: int
) -> None:
    files = uploads(bench, settled(bench.db, s3))
    upload = files.presign(ANN, length=4, title="x")
    put(upload.url, b"text")
    assert len(s3.names()) == 1
    bench.clock.us += int((limits.UPLOAD_S + limits.UPLOAD_KEPT_S + 1) * 1_000_000)
    files.presign(ANN, length=4, title="y")
    assert s3.names() == []
    with pytest.raises(NotFound, match="no upload"):
        files.finalize(ANN, upload.id, bench.db.documents)


def test_an_address_of_the_bucket_expires(bench: Bench, s3: Bucket) -> None:
    url = settled(bench.db, s3).upload_url("upload_late", 1.0)
    assert url is not None
    time.sleep(2.1)
    assert put(url, b"text").status_code == 403
    assert s3.refused == ["AccessDenied"]


def test_an_image_sent_to_the_bucket_is_moved_to_its_place(
    bench: Bench, s3: Bucket, now: int
) -> None:
    files = uploads(bench, settled(bench.db, s3))
    me, room = bench.db.documents.rights.user.id, bench.db.documents
    made = room.create("앨범")
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    upload = files.presign(
        me, length=len(drawing), document=made.document, content_type="image/svg+xml"
    )
    assert put(upload.url, drawing, **upload.required_headers).status_code == 200
    done = files.finalize(me, upload.id, room)
    assert s3.names() == [f"우리/팀/blobs/{sha256(drawing).hexdigest()}"]
    assert room.image_file(made.document, done.image_id or "") == drawing
    assert s3.refused == []
