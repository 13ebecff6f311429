"""A bucket of S3-compatible storage, that checks every signature."""

import pytest

import strata
from tests.unit.documents.bucket import BUCKET, REGION, Bucket
from tests.unit.remotes.conftest import Stores


def test_two_stores_sync_through_a_bucket(stores: Stores, s3: Bucket) -> None:
    a, b = stores.open("a"), stores.open("b")
    for db in (a, b):
        db.remotes.add("s3", f"s3://{BUCKET}/기억", endpoint=s3.url, region=REGION)
    a.kv.put("인사", "안녕")
    a.kv.put("지울 것", 1)
    assert a.remotes.push("s3").commits == 2
    assert b.remotes.pull("s3").commits == 2
    b.kv.put("b", 1)
    a.kv.delete("지울 것")
    b.remotes.sync("s3")
    a.remotes.sync("s3")
    b.remotes.sync("s3")
    assert a.kv.list() == b.kv.list() == ["b", "인사"]
    assert b.verify().ok
    # As a push that was cut off leaves it.
    left = f"기억/{a.remotes.offer().store}/{'0' * 64}"
    s3.client.put_object(Bucket=BUCKET, Key=left, Body=b"x")
    a.purge("인사")
    before = s3.names()
    a.remotes.push("s3")
    assert not set(before) <= set(s3.names()), "packs that hold what was purged are gone"
    assert left not in s3.names()
    assert b.remotes.pull("s3").erased == 1


def test_a_bucket_that_refuses_is_told(
    stores: Stores, s3: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = stores.open("a")
    a.kv.put("k", 1)
    a.remotes.add("s3", f"s3://{BUCKET}/x", endpoint=s3.url, region=REGION)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "another")
    for call in (a.remotes.push, a.remotes.pull):
        with pytest.raises(strata.Unavailable, match="answered 403 Forbidden") as caught:
            call("s3")
        assert "AWS_ACCESS_KEY_ID" in str(caught.value.hint)
    a.remotes.add("s3", f"s3://{BUCKET}/x", endpoint="http://127.0.0.1:1", region=REGION)
    with pytest.raises(strata.Unavailable, match=r"s3://.* does not answer"):
        a.remotes.pull("s3")


@pytest.mark.parametrize(
    ("address", "options"),
    [
        ("s3://Two Words/x", {}),
        ("s3://버킷/x", {}),
        ("s3://x", {}),
        ("s3://bucket/x", {"endpoint": "nowhere"}),
        ("s3://bucket/x", {"endpoint": "http://a b"}),
        ("s3://bucket/x", {"region": "eu north"}),
        ("s3://bucket/x", {"token": "strata_1_x"}),
        ("git:origin", {"token": "strata_1_x"}),
        ("git:origin", {"endpoint": "https://s3.example.com"}),
        ("https://memory.example.com", {"region": "eu-north-1"}),
    ],
)
def test_what_cannot_be_a_bucket_or_its_options_is_refused_when_it_is_added(
    stores: Stores, address: str, options: dict[str, str]
) -> None:
    a = stores.open("a")
    with pytest.raises(strata.InvalidArgument):
        a.remotes.add("other", address, **options)
    assert [one.name for one in a.remotes.list()] == ["hub"]
