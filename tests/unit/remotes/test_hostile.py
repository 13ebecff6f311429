"""Remotes that lie, are cut off or come from elsewhere: a clear error, and nothing changed."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

import strata
from strata.base import clock, limits
from strata.remotes import StoreManifest, decode_manifest, encode_manifest
from strata.remotes.manifest import RemoteTag
from strata.upkeep import PackedCommit, PackInfo
from tests.unit.remotes.conftest import Stores

MAGIC = b"strata-pack-1\n"


@pytest.fixture
def a(stores: Stores) -> strata.Workspace:
    """A store that has pushed three commits."""
    db = stores.open("a")
    for number in range(3):
        db.kv.put(f"열쇠 {number}", "값" * 20)
    db.remotes.push()
    return db


@pytest.fixture
def b(stores: Stores, a: strata.Workspace) -> strata.Workspace:
    """A store with a commit of its own, about to pull."""
    db = stores.open("b")
    db.kv.put("own", 1)
    return db


def refuses(b: strata.Workspace, match: str, error: type[Exception] = strata.DamagedBundle) -> None:
    before = (b.log(), b.kv.list(), [one.name for one in b.branches.list(deleted=True)])
    for options in ({}, {"preview": True}):
        with pytest.raises(error, match=match) as caught:
            b.remotes.pull(**options)  # type: ignore[arg-type]
        if error is strata.DamagedBundle:
            assert "push(full=True)" in str(caught.value.hint)  # type: ignore[attr-defined]
    assert (b.log(), b.kv.list(), [one.name for one in b.branches.list(deleted=True)]) == before
    assert [one.name for one in b.branches.list()] == ["default"]
    assert b.verify().ok


def commits_of(pack: Path) -> list[PackedCommit]:
    plain = (
        zstandard.ZstdDecompressor()
        .decompressobj()
        .decompress(pack.read_bytes().removeprefix(MAGIC))
    )
    found, at = list[PackedCommit](), 0
    while length := int.from_bytes(plain[at : at + 4], "big"):
        found.append(msgspec.msgpack.decode(plain[at + 4 : at + 4 + length], type=PackedCommit))
        at += 4 + length
    return found


def forge(
    stores: Stores,
    a: strata.Workspace,
    change: Callable[[list[PackedCommit]], list[PackedCommit]],
    *,
    ends: Callable[[StoreManifest], StoreManifest] = lambda manifest: manifest,
) -> None:
    """Write the pack of a store anew, with a manifest that fits it."""
    commits = change(commits_of(stores.pack(a)))
    frames = [msgspec.msgpack.encode(commit) for commit in commits]
    plain = b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames) + bytes(4)
    replace_pack(stores, a, MAGIC + zstandard.ZstdCompressor().compress(plain), ends=ends)


def replace_pack(
    stores: Stores,
    a: strata.Workspace,
    data: bytes,
    *,
    ends: Callable[[StoreManifest], StoreManifest] = lambda manifest: manifest,
) -> None:
    part, old = stores.part(a), stores.pack(a)
    old.unlink()
    name = sha256(data).hexdigest()
    (part / name).write_bytes(data)
    rewrite(
        stores,
        a,
        lambda m: ends(msgspec.structs.replace(m, packs=(PackInfo(name, 3, 3, len(data)),))),
    )


def rewrite(
    stores: Stores, a: strata.Workspace, change: Callable[[StoreManifest], StoreManifest]
) -> None:
    file = stores.part(a) / "manifest"
    file.write_bytes(encode_manifest(change(decode_manifest(file.read_bytes(), source="test"))))


def altered(commit: PackedCommit, **fields: Any) -> PackedCommit:
    return msgspec.structs.replace(commit, commit=msgspec.structs.replace(commit.commit, **fields))


def test_a_value_that_was_changed_on_the_way(
    stores: Stores, a: strata.Workspace, b: strata.Workspace
) -> None:
    def change(commits: list[PackedCommit]) -> list[PackedCommit]:
        version = msgspec.structs.replace(commits[1].commit.versions[0], data='"가짜"'.encode())
        return [commits[0], altered(commits[1], versions=(version,)), commits[2]]

    forge(stores, a, change)
    refuses(b, "is not what was exported")


def test_a_remote_that_lies_about_a_hash(
    stores: Stores, a: strata.Workspace, b: strata.Workspace
) -> None:
    forge(stores, a, lambda c: [c[0], altered(c[1], message="anders"), c[2]])
    refuses(b, "does not have the hash it states")


def test_a_commit_is_missing(stores: Stores, a: strata.Workspace, b: strata.Workspace) -> None:
    forge(stores, a, lambda commits: [commits[0], commits[2]])
    refuses(b, "lacks commits that others build on")


def test_the_end_is_missing(stores: Stores, a: strata.Workspace, b: strata.Workspace) -> None:
    forge(stores, a, lambda commits: commits[:2])
    refuses(b, "lacks the end of the branch 'default'")


def test_a_branch_that_ends_with_an_unknown_commit(
    stores: Stores, a: strata.Workspace, b: strata.Workspace
) -> None:
    def ends(manifest: StoreManifest) -> StoreManifest:
        tip = msgspec.structs.replace(manifest.branches["default"], line=99, hash="0" * 64)
        return msgspec.structs.replace(manifest, branches={**manifest.branches, "가지": tip})

    rewrite(stores, a, ends)
    refuses(b, "lacks the end of the branch '가지'")


def test_a_commit_from_the_future(stores: Stores, a: strata.Workspace, b: strata.Workspace) -> None:
    late = clock.now_us() + 2 * 86_400_000_000
    forge(stores, a, lambda commits: [*commits[:2], altered(commits[2], timestamp=late)])
    refuses(b, "after this machine's clock")


def test_a_clock_that_goes_back(stores: Stores, a: strata.Workspace, b: strata.Workspace) -> None:
    forge(stores, a, lambda c: [*c[:2], altered(c[2], timestamp=c[0].commit.timestamp)])
    refuses(b, "out of order")


def test_a_pack_that_is_cut_off(stores: Stores, a: strata.Workspace, b: strata.Workspace) -> None:
    whole = stores.pack(a).read_bytes()
    stores.pack(a).write_bytes(whole[:-20])
    refuses(b, "cut off or was changed")
    replace_pack(stores, a, whole[:-20])
    refuses(b, "cut off")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 foreign", MAGIC + b"nothing compressed"])
def test_a_pack_of_another_program(
    stores: Stores, a: strata.Workspace, b: strata.Workspace, data: bytes
) -> None:
    replace_pack(stores, a, data)
    refuses(b, "cannot be used")


def test_a_pack_that_expands_without_end(
    stores: Stores, a: strata.Workspace, b: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BUNDLE_HARMLESS_BYTES", 1 << 20)
    monkeypatch.setattr(limits, "BUNDLE_COMMIT_HARMLESS_BYTES", 1 << 20)
    huge = (1 << 28).to_bytes(4, "big") + bytes(1 << 28)
    replace_pack(stores, a, MAGIC + zstandard.ZstdCompressor().compress(huge))
    refuses(b, "too large|expands")


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe", b'{"format": 1}\n' + b"0" * 64])
def test_a_manifest_that_is_none(
    stores: Stores, a: strata.Workspace, b: strata.Workspace, data: bytes
) -> None:
    (stores.part(a) / "manifest").write_bytes(data)
    refuses(b, "manifest is cut off or was changed")


def test_a_manifest_of_another_store_or_format(
    stores: Stores, a: strata.Workspace, b: strata.Workspace
) -> None:
    rewrite(stores, a, lambda manifest: msgspec.structs.replace(manifest, store="feedfeed"))
    refuses(b, "belongs to another store")
    body = b'{"format": 99, "store": "x"}'
    data = body + b"\n" + sha256(body).hexdigest().encode() + b"\n"
    (stores.part(a) / "manifest").write_bytes(data)
    refuses(b, "newer version")


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "x" * 64])
def test_a_pack_with_a_name_that_leads_out(
    stores: Stores, a: strata.Workspace, b: strata.Workspace, name: str
) -> None:
    rewrite(
        stores,
        a,
        lambda manifest: msgspec.structs.replace(manifest, packs=(PackInfo(name, 1, 1, 10),)),
    )
    refuses(b, "no hash")


def test_names_of_branches_are_checked(
    stores: Stores, a: strata.Workspace, b: strata.Workspace
) -> None:
    def name(manifest: StoreManifest) -> StoreManifest:
        return msgspec.structs.replace(
            manifest, branches={"\x1b[31m": manifest.branches["default"]}
        )

    rewrite(stores, a, name)
    refuses(b, "cannot be the name of a branch", strata.StrataError)


@pytest.mark.parametrize("time", [-1, 2**53 * 1_000_000, 2**70])
def test_times_of_tags_are_checked(
    stores: Stores, a: strata.Workspace, b: strata.Workspace, time: int
) -> None:
    def tag(manifest: StoreManifest) -> StoreManifest:
        tip = manifest.branches["default"]
        return msgspec.structs.replace(manifest, tags=(RemoteTag("v1", tip.hash, time),))

    rewrite(stores, a, tag)
    refuses(b, "a time that is none")


def test_secrets_are_checked_again_on_arrival(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.allowing_secrets().kv.put("dsn", "postgres://app:" + "tr0ub4dor" + "@db/app")
    a.remotes.push()
    refuses(b, "must stay secret", strata.SecretRefused)
    assert b.allowing_secrets().remotes.pull().commits == 1


def test_a_damaged_pack_is_fetched_again_once_it_is_whole(
    stores: Stores, a: strata.Workspace, b: strata.Workspace
) -> None:
    pack = stores.pack(a)
    whole = pack.read_bytes()
    pack.write_bytes(whole[:-1] + b"x")
    refuses(b, "cut off or was changed")
    pack.write_bytes(whole)
    assert b.remotes.pull().commits == 3
    assert b.kv.list() == ["own", "열쇠 0", "열쇠 1", "열쇠 2"]


def test_two_pulls_at_once_do_not_disturb_each_other(
    stores: Stores, a: strata.Workspace, b: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strata.remotes import FolderShelf

    real = FolderShelf.stores

    def stores_meanwhile(self: FolderShelf) -> list[str]:
        monkeypatch.setattr(FolderShelf, "stores", real)
        with pytest.raises(strata.Locked, match="Another process"):
            b.remotes.pull()
        return real(self)

    monkeypatch.setattr(limits, "REMOTE_TURN_S", 0.0)
    monkeypatch.setattr(FolderShelf, "stores", stores_meanwhile)
    assert b.remotes.pull().commits == 3


def test_two_processes_push_one_after_the_other(
    a: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strata.remotes import FolderShelf

    a.kv.put("new", 1)
    real = FolderShelf.stores

    def stores_meanwhile(self: FolderShelf) -> list[str]:
        monkeypatch.setattr(FolderShelf, "stores", real)
        for call in (a.remotes.push, a.remotes.pull):
            with pytest.raises(strata.Locked, match="syncing with 'hub'"):
                call()
        return real(self)

    monkeypatch.setattr(limits, "REMOTE_TURN_S", 0.0)
    monkeypatch.setattr(FolderShelf, "stores", stores_meanwhile)
    assert a.remotes.push().commits == 1
