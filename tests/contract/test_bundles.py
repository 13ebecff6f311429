"""A bundle carries a branch whole, or is refused without a trace."""

import io
import random
import tarfile
import tracemalloc
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

import strata
from strata import Workspace
from strata.base import limits
from strata.base.digests import digest
from strata.store import (
    NO_HASH,
    Header,
    commit_body,
    commit_hash,
    event_hash,
    event_key,
    hash_entry,
)

FLAGS, DIGEST, META, DATA = 3, 4, 5, 6  # places in a bundled version
TIME, HASH, VERSIONS = 0, 5, 6  # places in a bundled commit
Commits = list[list[Any]]


@pytest.fixture
def rich(open_store: Callable[..., Workspace]) -> Workspace:
    """A branch with every kind of thing, things that went, and a past on other branches."""
    db = open_store("source", actor="소연")
    db.kv.put("가", {"n": 1}, tags=["초안", "draft"])
    db.kv.put("가", {"n": 2}, tags=["초안"])
    db.kv.put("가", {"n": 3})
    db.kv.put("큰 것", "한글 " * 5000)
    db.kv.put("비밀", "hunter2")
    db.kv.put("갔다", 1)
    db.kv.delete("갔다")
    db.json.set("문서", "$.제목", "하나")
    db.state.set("셀", "a")
    db.state.set("셀", "b")
    db.events.append_many([("시작", {"n": 1}), ("끝", {"n": 2})])
    db.vectors.create("벡터", 3, "euclidean")
    db.vectors.upsert("벡터", "점", [1, 2, 3], metadata={"lang": "ko"})
    db.space("방").kv.put("k", "다른 방")
    db.branches.fork("곁")
    db.on("곁").events.append("곁에서", {"n": 3})
    db.branches.merge("곁", message="합침")
    db.purge("비밀")
    db.retention.set(kind="kv", max_versions=1)
    assert db.retention.apply().versions == 3
    return db


@pytest.fixture
def bundle(rich: Workspace, folder: Path) -> Path:
    """The file of a good bundle."""
    path = folder / "가지.strata-bundle"
    rich.bundles.export(path)
    return path


def expanded(data: bytes | bytearray) -> bytes:
    return zstandard.ZstdDecompressor().stream_reader(bytes(data)).read()


def unpacked(path: Path) -> tuple[dict[str, Any], Commits]:
    """Return manifest and commits of a bundle as plain lists."""
    with tarfile.open(fileobj=io.BytesIO(expanded(path.read_bytes()))) as archive:
        manifest, history = (archive.extractfile(member) for member in archive.getmembers())
        assert manifest is not None
        assert history is not None
        head, body = msgspec.json.decode(manifest.read()), history.read()
    commits: Commits = []
    while body:
        size = 4 + int.from_bytes(body[:4], "big")
        commits.append(msgspec.msgpack.decode(body[4:size]))
        body = body[size:]
    return head, commits


def history_of(commits: Commits) -> bytes:
    frames = [msgspec.msgpack.encode(commit) for commit in commits]
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)


def stated(manifest: dict[str, Any], commits: Commits) -> dict[str, Any]:
    """Return a manifest that fits the commits, as an enemy would write it."""
    history = history_of(commits)
    return manifest | {
        "commits": len(commits),
        "versions": sum(len(commit[VERSIONS]) for commit in commits),
        "head": commits[-1][HASH].hex(),
        "history_bytes": len(history),
        "history_sha256": sha256(history).hexdigest(),
    }


def sealed(commits: Commits) -> Commits:
    """Give every value its digest and every commit its hash anew, as an enemy would."""
    previous = NO_HASH
    for commit in commits:
        for version in commit[VERSIONS]:
            if not version[FLAGS] & 6:
                version[DIGEST] = digest(version[DATA] or b"", version[META])
        entries = [hash_entry(tuple(v[:3]), v[FLAGS], v[DIGEST]) for v in commit[VERSIONS]]
        time, actor, operation, message, second = commit[:5]
        header = Header(operation, actor, message, second_hash=second)
        body = commit_body(header, second or NO_HASH, entries)
        commit[HASH] = previous = commit_hash(previous, time, body)
    return commits


def member(name: str, data: bytes, **fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def pack(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    path.write_bytes(zstandard.ZstdCompressor().compress(buffer.getvalue()))
    return path


def packed(path: Path, manifest: dict[str, Any], commits: Commits) -> Path:
    head = member("manifest.json", msgspec.json.encode(manifest))
    return pack(path, head, member("history", history_of(commits)))


def assert_refused(db: Workspace, path: Path, unchanged: Any) -> strata.DamagedBundle:
    files = sorted(entry.name for entry in path.parent.iterdir())
    with pytest.raises(strata.DamagedBundle):
        db.bundles.validate(path)
    with unchanged(db), pytest.raises(strata.DamagedBundle) as caught:
        db.bundles.load(path, branch="손님")
    assert caught.value.code == "damaged_bundle"
    assert str(path) in caught.value.message
    assert "Nothing was taken" in str(caught.value.hint)
    assert "Export it again" in str(caught.value.hint)
    assert "zstd" not in caught.value.message
    assert sorted(entry.name for entry in path.parent.iterdir()) == files
    db.kv.put("still", "writable")
    return caught.value


def is_taken(db: Workspace, path: Path) -> bool:
    """Whether a bundle passes validation; loading must agree."""
    try:
        db.bundles.validate(path)
    except strata.DamagedBundle:
        with pytest.raises(strata.DamagedBundle):
            db.bundles.load(path, branch="손님")
        return False
    return True


def test_a_round_trip_keeps_everything(rich: Workspace, db: Workspace, bundle: Path) -> None:
    db.kv.put_many({f"기존 {n}": n for n in range(20)})
    info = db.bundles.load(bundle, branch="손님")
    guest, clean = db.on("손님"), ("version", "first_version", "branch", "second_parent")

    def commits(workspace: Workspace) -> list[dict[str, Any]]:
        found = [msgspec.to_builtins(commit) for commit in workspace.log(limit=1000)]
        return [{k: v for k, v in commit.items() if k not in clean} for commit in found]

    def versions(found: list[Any]) -> list[tuple[object, ...]]:
        return [(one.value, one.timestamp, one.state) for one in found]

    assert info.branch == "손님"
    assert info.commits == len(rich.log(limit=1000))
    assert commits(guest) == commits(rich)
    for key in ("가", "큰 것", "비밀", "갔다"):
        assert versions(guest.kv.history(key)) == versions(rich.kv.history(key))
    assert [one.state for one in guest.kv.history("가")] == ["live", "trimmed", "trimmed"]
    assert [one.state for one in guest.kv.history("비밀")] == ["erased"]
    assert [one.counter for one in guest.state.history("셀")] == [2, 1]
    assert versions(guest.json.history("문서")) == versions(rich.json.history("문서"))
    assert [(e.sequence, e.type, e.payload, e.timestamp, e.hash) for e in guest.events.list()] == [
        (e.sequence, e.type, e.payload, e.timestamp, e.hash) for e in rich.events.list()
    ]
    assert [event.sequence for event in guest.events.list("끝")] == [2]
    origin = guest.events.list()[2].origin
    assert origin is not None
    assert (origin.branch, origin.sequence) == ("곁", 3)
    # A version is a number of its store, and this is another one.
    collections = [
        [msgspec.structs.replace(one, version=0) for one in side.vectors.list()]
        for side in (guest, rich)
    ]
    assert collections[0] == collections[1]
    assert guest.vectors.search("벡터", [1, 2, 3]) == rich.vectors.search("벡터", [1, 2, 3])
    assert guest.space("방").kv.list() == ["k"]


def test_a_round_trip_keeps_the_proof(rich: Workspace, db: Workspace, bundle: Path) -> None:
    info = db.bundles.load(bundle, branch="손님")
    verified = db.verify()
    assert verified.ok
    assert (verified.erased, verified.trimmed) == (1, 3)
    again = db.bundles.export(bundle.with_name("again"), branch="손님")
    assert (again.head, again.commits, again.versions) == (info.head, info.commits, info.versions)
    assert again.head == rich.log(limit=1)[0].hash


def test_tags_of_items_are_found_after_a_round_trip(db: Workspace, folder: Path) -> None:
    db.kv.put("a", 1, tags=["빨강", "x"])
    db.kv.put("b", 1, tags=["빨강"])
    db.bundles.export(folder / "b")
    db.bundles.load(folder / "b", branch="손님")
    assert db.on("손님").kv.list(tags=["빨강"]) == ["a", "b"]
    assert db.on("손님").kv.list(tags=["빨강", "x"]) == ["a"]


def test_a_loaded_branch_lives_on(db: Workspace, bundle: Path) -> None:
    db.bundles.load(bundle, branch="손님")
    guest = db.on("손님")
    guest.kv.put("가", {"n": 4})
    assert guest.events.append("더", {}).sequence == 4
    db.branches.fork("손자", source="손님")
    db.on("손자").json.set("문서", "$.제목", "둘")
    assert db.branches.merge("손자", into="손님").applied == 1
    assert db.verify().ok


def test_merging_a_loaded_branch_loses_no_event(db: Workspace, bundle: Path) -> None:
    db.kv.put_many({f"기존 {n}": n for n in range(100)})
    db.bundles.load(bundle, branch="손님")
    db.branches.merge("손님")
    assert [event.type for event in db.events.list()] == ["시작", "끝", "곁에서"]


def test_undo_on_a_loaded_branch_goes_on_where_it_was(
    db: Workspace, open_store: Callable[..., Workspace], folder: Path
) -> None:
    source = open_store("source")
    for value in ("하나", "둘", "셋"):
        source.kv.put("k", value)
    source.undo()
    source.bundles.export(folder / "b")
    db.kv.put_many({f"기존 {n}": n for n in range(100)})
    db.bundles.load(folder / "b", branch="손님")
    guest = db.on("손님")
    guest.undo()
    found = guest.kv.get("k")
    assert found is not None
    assert found.value == "하나"


def test_an_empty_branch_makes_a_round_trip(db: Workspace, folder: Path) -> None:
    info = db.bundles.export(folder / "empty")
    assert (info.commits, info.versions) == (0, 0)
    db.bundles.load(folder / "empty", branch="빈")
    assert db.on("빈").log() == []
    assert db.verify().ok


def test_names_that_are_taken_or_missing_are_refused(
    db: Workspace, unchanged: Any, bundle: Path, folder: Path
) -> None:
    db.kv.put("여기", 1)
    db.branches.fork("손님")
    with unchanged(db):
        with pytest.raises(strata.AlreadyExists, match="already"):
            db.bundles.load(bundle, branch="손님")
        with pytest.raises(strata.InvalidArgument):
            db.bundles.load(bundle, branch="-나쁜 이름")
        with pytest.raises(strata.StoreNotFound, match="없는"):
            db.bundles.load(folder / "없는")
        with pytest.raises(strata.StoreNotFound, match="folder"):
            db.bundles.export(folder / "없는 폴더" / "b")
        with pytest.raises(strata.AlreadyExists, match="exists"):
            db.bundles.export(bundle)
    files = sorted(entry.name for entry in folder.iterdir() if entry.name.startswith("."))
    assert files == []


def test_a_flipped_bit_anywhere_is_found(db: Workspace, bundle: Path) -> None:
    good, chance = bundle.read_bytes(), random.Random(7)
    edges = {(place, bit) for place in (*range(8), len(good) - 1) for bit in range(8)}
    inner = {(place, chance.randrange(8)) for place in chance.sample(range(8, len(good)), 100)}
    harmless: set[int] = set()
    for place, bit in sorted(edges | inner):
        bad = bytearray(good)
        bad[place] ^= 1 << bit
        bundle.write_bytes(bad)
        if is_taken(db, bundle):
            assert expanded(bad) == expanded(good), f"bit {bit} of byte {place} was flipped"
            harmless.add(place)
    # The size of zstd's window and a bit without meaning: they change nothing that is read.
    assert harmless <= {4, 5}
    assert (db.info().versions, db.info().branches) == (0, 1)
    bundle.write_bytes(good)
    assert db.bundles.load(bundle, branch="손님").branch == "손님"


def test_a_bundle_cut_off_anywhere_is_refused(db: Workspace, unchanged: Any, bundle: Path) -> None:
    good = bundle.read_bytes()
    lengths = {0, 1, 3, 4, 5, 17, *range(0, len(good), len(good) // 40), len(good) - 1}
    with unchanged(db):
        for length in sorted(lengths):
            bundle.write_bytes(good[:length])
            assert not is_taken(db, bundle), f"only {length} of {len(good)} bytes are left"


@pytest.mark.parametrize("rubbish", [b"", b"PK\3\4" + bytes(100), "글".encode() * 999, bytes(9999)])
def test_what_never_was_a_bundle_is_refused(
    db: Workspace, unchanged: Any, folder: Path, rubbish: bytes
) -> None:
    path = folder / "rubbish"
    path.write_bytes(rubbish)
    assert_refused(db, path, unchanged)


MANIFESTS: dict[str, dict[str, Any]] = {
    "a newer format": {"format": 2},
    "a wrong checksum": {"history_sha256": "0" * 64},
    "a wrong size": {"history_bytes": 1},
    "too many commits": {"commits": 99},
    "too few versions": {"versions": 1},
    "another head": {"head": "0" * 64},
    "no head": {"head": ""},
    "an unknown field": {"extra": 1},
    "a number for a name": {"branch": 7},
    "text for a number": {"commits": "7"},
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_that_does_not_fit_is_refused(
    db: Workspace, unchanged: Any, bundle: Path, name: str
) -> None:
    manifest, commits = unpacked(bundle)
    assert_refused(db, packed(bundle, manifest | MANIFESTS[name], commits), unchanged)


def test_a_manifest_without_a_field_is_refused(db: Workspace, unchanged: Any, bundle: Path) -> None:
    manifest, commits = unpacked(bundle)
    for field in manifest:
        rest = {name: value for name, value in manifest.items() if name != field}
        with pytest.raises(strata.DamagedBundle):
            db.bundles.validate(packed(bundle, rest, commits))
    assert_refused(db, packed(bundle, {}, commits), unchanged)


def test_members_other_than_the_two_are_refused(
    db: Workspace, unchanged: Any, bundle: Path, folder: Path
) -> None:
    manifest, commits = unpacked(bundle)
    head = member("manifest.json", msgspec.json.encode(manifest))
    body = member("history", history_of(commits))
    data = body[1]
    link = {"type": tarfile.SYMTYPE, "linkname": "../../etc/passwd"}
    device = {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 5}
    wrong = [
        (),
        (head,),
        (body, head),
        (head, head, body),
        (head, body, member("extra", b"x")),
        (head, body, body),
        (head, member("../history", data)),
        (head, member("/history", data)),
        (head, member("./history", data)),
        (head, member("이력", data)),
        (member("../manifest.json", head[1]), body),
        (head, member("history", b"", **link)),
        (head, member("history", b"", type=tarfile.LNKTYPE, linkname="manifest.json")),
        (head, member("history", b"", **device)),
        (head, member("history", b"", type=tarfile.FIFOTYPE)),
        (head, member("history", b"", type=tarfile.DIRTYPE)),
        (member("manifest.json", b"", **link), body),
    ]
    for members in wrong:
        assert_refused(db, pack(bundle, *members), unchanged)
    assert not (folder.parent / "history").exists()


def test_bytes_behind_the_end_are_refused(db: Workspace, unchanged: Any, bundle: Path) -> None:
    bundle.write_bytes(bundle.read_bytes() + b"more")
    assert_refused(db, bundle, unchanged)


def test_a_tiny_file_that_grows_without_end_is_refused(
    db: Workspace, unchanged: Any, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest, _commits = unpacked(bundle)
    zeros = bytes(40 * 1024 * 1024)
    head = member("manifest.json", msgspec.json.encode(manifest | {"history_bytes": len(zeros)}))
    pack(bundle, head, member("history", (1 << 24).to_bytes(4, "big") + zeros[4:]))
    assert bundle.stat().st_size < 20_000
    monkeypatch.setattr(limits, "BUNDLE_RATIO_MAX", 100)
    monkeypatch.setattr(limits, "BUNDLE_HARMLESS_BYTES", 1024 * 1024)
    assert "expands" in assert_refused(db, bundle, unchanged).message
    monkeypatch.setattr(limits, "BUNDLE_RATIO_MAX", 10**9)
    monkeypatch.setattr(limits, "BUNDLE_BYTES_MAX", 1024 * 1024)
    assert "expands" in assert_refused(db, bundle, unchanged).message


def test_a_commit_that_claims_to_be_huge_is_refused(
    db: Workspace, unchanged: Any, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BUNDLE_COMMIT_BYTES_MAX", 100)
    assert "too large" in assert_refused(db, bundle, unchanged).message


@pytest.mark.parametrize("frame", [b"", (300 * 2**20).to_bytes(4, "big")])
def test_a_small_file_that_expands_to_much_takes_little_memory(
    db: Workspace, unchanged: Any, folder: Path, bundle: Path, *, frame: bytes
) -> None:
    manifest, _commits = unpacked(bundle)
    data = frame + bytes(300 * 2**20)
    manifest |= {"history_bytes": len(data), "history_sha256": sha256(data).hexdigest()}
    bomb = pack(
        folder / "bomb.strata",
        member("manifest.json", msgspec.json.encode(manifest)),
        member("history", data),
    )
    del data
    assert bomb.stat().st_size < 64 * 1024
    tracemalloc.start()
    try:
        assert_refused(db, bomb, unchanged)
        assert tracemalloc.get_traced_memory()[1] < 64 * 2**20
    finally:
        tracemalloc.stop()


def first_of(commits: Commits, kind: str) -> list[Any]:
    found = (version for commit in commits for version in commit[VERSIONS])
    return next(version for version in found if version[1] == kind and not version[FLAGS] & 7)


def set_in(place: int, value: object) -> Callable[[Commits], object]:
    return lambda commits: first_of(commits, "kv").__setitem__(place, value)


def put_event(field: str, value: object) -> Callable[[Commits], object]:
    def change(commits: Commits) -> None:
        event = first_of(commits, "event")
        event[META] = msgspec.json.encode(msgspec.json.decode(event[META]) | {field: value})

    return change


def cut_vector(commits: Commits) -> None:
    vector = first_of(commits, "vector")
    vector[DATA] = vector[DATA][:-1]


def name_event(commits: Commits) -> None:
    first_of(commits, "event")[2] = "not a number"


def event_again(
    number: int, *, hidden: bool = True, payload: object = None
) -> Callable[[Commits], object]:
    """Write an event once more in a commit of its own, perhaps hiding it before."""

    def change(commits: Commits) -> None:
        again = list(first_of(commits, "event"))
        again[2] = event_key(number)
        if payload is not None:
            again[DATA] = msgspec.json.encode(payload)
            notes = msgspec.json.decode(again[META])
            link = event_hash("", again[DATA], type_=notes["type"], id_=notes["id"])
            again[META] = msgspec.json.encode(notes | {"hash": link})
        gone = [*again[:3], 1, b"", again[META], b"", [], [], []]
        last = commits[-1]
        written = [[gone], [again]] if hidden else [[again]]
        for later, versions in enumerate(written, 1):
            commits.append([last[TIME] + later, None, "x", None, None, b"", versions])

    return change


# Each is sealed again behind the change, so that only the content itself can be refused.
ENEMIES: dict[str, Callable[[Commits], object]] = {
    "a broken letter": set_in(DATA, b'"\xff\xfe"'),
    "no JSON": set_in(DATA, b"{"),
    "no bytes": set_in(DATA, b""),
    "a value too large": set_in(DATA, b'"' + b"x" * limits.VALUE_BYTES_MAX + b'"'),
    "a key with NUL": set_in(2, "a\0b"),
    "an empty key": set_in(2, ""),
    "a long key": set_in(2, "가" * 342),
    "an odd space": set_in(0, "-x"),
    "no kind": set_in(1, ""),
    "unknown marks": set_in(FLAGS, 64),
    "a compressed mark": set_in(FLAGS, 8),
    "a vector's mark on a fact": set_in(FLAGS, 16),
    "erased and trimmed at once": set_in(FLAGS, 6),
    "a note that is no object": set_in(META, b"[1]"),
    "a note that is no JSON": set_in(META, b"{"),
    "tags that are no list": set_in(META, b'{"tags": 7}'),
    "tags that are numbers": set_in(META, b'{"tags": [7]}'),
    "no versions": lambda commits: commits[0].__setitem__(VERSIONS, []),
    "time that stands still": lambda commits: commits[1].__setitem__(TIME, commits[0][TIME]),
    "time before time": lambda commits: commits[0].__setitem__(TIME, -1),
    "time behind the calendar": lambda commits: commits[-1].__setitem__(TIME, 10**18),
    "a long message": lambda commits: commits[0].__setitem__(3, "가" * 4001),
    "an event out of its chain": put_event("hash", "0" * 32),
    "an event of another type": put_event("type", "거짓"),
    "an event without a number": name_event,
    "an event that comes back and was not hidden": event_again(1, hidden=False),
    "an event that comes back as another": event_again(1, payload="거짓"),
    "an event that comes back in another's place": event_again(2),
    "an event that was hidden and never there": event_again(99),
    "an event before the first": event_again(0),
    "a vector of odd length": cut_vector,
    "a tag that is only noted": set_in(META, b'{"tags": ["\xec\x97\x86\xeb\x8b\xa4"]}'),
}


@pytest.mark.parametrize("name", ENEMIES)
def test_a_bundle_sealed_by_an_enemy_is_refused(
    db: Workspace, unchanged: Any, bundle: Path, name: str
) -> None:
    manifest, commits = unpacked(bundle)
    ENEMIES[name](commits)
    packed(bundle, stated(manifest, sealed(commits)), commits)
    assert_refused(db, bundle, unchanged)


def test_an_event_that_comes_back_as_it_was_is_taken(db: Workspace, bundle: Path) -> None:
    manifest, commits = unpacked(bundle)
    event_again(1)(commits)
    packed(bundle, stated(manifest, sealed(commits)), commits)
    db.bundles.load(bundle, branch="손님")
    assert [event.sequence for event in db.on("손님").events.list()] == [1, 2, 3]
    assert db.verify().ok


def test_resealing_alone_makes_a_good_bundle(db: Workspace, bundle: Path) -> None:
    manifest, commits = unpacked(bundle)
    packed(bundle, stated(manifest, sealed(commits)), commits)
    assert stated(manifest, commits) == manifest
    assert db.bundles.load(bundle, branch="손님").head == manifest["head"]


def test_a_broken_chain_is_found_behind_right_checksums(
    db: Workspace, unchanged: Any, bundle: Path
) -> None:
    manifest, commits = unpacked(bundle)
    changes: list[Callable[[Commits], object]] = [
        lambda found: found[2].__setitem__(3, "다른 말"),
        lambda found: found[2].__setitem__(1, "다른 이"),
        lambda found: found[2].__setitem__(TIME, found[2][TIME] + 1),
        lambda found: found[2][VERSIONS][0].__setitem__(2, "다른 열쇠"),
        lambda found: found[2][VERSIONS][0].__setitem__(DATA, b"7"),
        lambda found: found[2].__setitem__(HASH, bytes(32)),
        lambda found: found.pop(2),
        lambda found: found.insert(2, found[2]),
        lambda found: found.reverse(),
    ]
    for change in changes:
        copy = msgspec.msgpack.decode(msgspec.msgpack.encode(commits))
        change(copy)
        assert_refused(db, packed(bundle, stated(manifest, copy), copy), unchanged)


Stores = tuple[Workspace, Workspace]


@pytest.fixture
def two(open_store: Callable[..., Workspace]) -> Stores:
    """Two stores: one with two keys, and an empty one."""
    here, there = open_store("here", actor="소연"), open_store("there", actor="민준")
    here.kv.put("x", 1)
    here.kv.put("y", 1)
    return here, there


def carry(source: Workspace, target: Workspace, path: Path, name: str | None = None) -> Any:
    """Send a branch from one store to another by a bundle; return what became of it."""
    source.bundles.export(path, force=True)
    return target.bundles.load(path, branch=name)


def values(db: Workspace) -> dict[str, Any]:
    return {key: found.value for key, found in db.kv.items()}


def test_a_branch_that_went_there_and_back_merges_three_way(two: Stores, folder: Path) -> None:
    here, there = two
    assert carry(here, there, folder / "b").outcome == "forwarded"
    there.kv.put("x", 2)
    here.kv.put("y", 2)
    back = carry(there, here, folder / "b")
    assert (back.branch, back.outcome, back.new_commits) == ("default-2", "created", 1)
    assert "'default'" in back.note
    assert here.branches.merge("default-2").conflicts == ()
    assert values(here) == {"x": 2, "y": 2}
    assert here.verify().ok
    # And the merge goes back again, as often as one likes.
    assert carry(here, there, folder / "b").new_commits == 2
    assert there.branches.merge("default-2").conflicts == ()
    assert values(there) == {"x": 2, "y": 2}
    there.kv.put("x", 3)
    here.kv.put("y", 3)
    again = carry(there, here, folder / "b")
    assert (again.branch, again.outcome) == ("default-2", "forwarded")
    assert here.branches.merge("default-2").conflicts == ()
    assert values(here) == {"x": 3, "y": 3}
    assert here.verify().ok
    assert there.verify().ok


def test_a_branch_is_bundled_again_and_again_and_deletions_arrive(
    two: Stores, folder: Path
) -> None:
    here, there = two
    there.kv.put("own", "저기 것")
    assert carry(here, there, folder / "1", "laptop").outcome == "created"
    there.branches.merge("laptop")
    here.kv.put("x", "둘")
    forward = carry(here, there, folder / "2", "laptop")
    assert (forward.outcome, forward.new_commits) == ("forwarded", 1)
    there.branches.merge("laptop")
    assert values(there) == {"own": "저기 것", "x": "둘", "y": 1}
    here.kv.delete("x")
    carry(here, there, folder / "3", "other name")
    assert there.branches.merge("other name").conflicts == ()
    assert values(there) == {"own": "저기 것", "y": 1}
    same = carry(here, there, folder / "4", "other name")
    assert (same.outcome, same.new_commits) == ("unchanged", 0)
    assert there.verify().ok


def test_a_branch_that_went_its_own_way_is_not_overwritten(
    two: Stores, unchanged: Any, folder: Path
) -> None:
    here, there = two
    carry(here, there, folder / "b", "laptop")
    there.on("laptop").kv.put("x", "저기")
    here.kv.put("y", "여기")
    with unchanged(there), pytest.raises(strata.AlreadyExists, match="does not continue it"):
        carry(here, there, folder / "b", "laptop")
    carry(here, there, folder / "b", "laptop-2")
    assert there.branches.merge("laptop-2", into="laptop").conflicts == ()
    assert values(there.on("laptop")) == {"x": "저기", "y": "여기"}


def test_the_base_of_a_merge_that_came_by_a_bundle_is_found(two: Stores, folder: Path) -> None:
    here, there = two
    there.kv.put("own", "저기 것")
    carry(here, there, folder / "b", "laptop")
    there.branches.merge("laptop")
    there.kv.put("x", 2)
    here.kv.put("y", 2)
    here.events.append("배포", {"n": 1})
    carry(there, here, folder / "b", "desktop")
    done = here.branches.merge("desktop")
    assert done.conflicts == ()
    assert values(here) == {"x": 2, "y": 2, "own": "저기 것"}
    assert done.base == 2
    assert here.verify().ok


def test_commits_that_are_here_are_not_written_again(two: Stores, folder: Path) -> None:
    here, _there = two
    here.branches.fork("try")
    here.on("try").kv.put("z", 1)
    here.bundles.export(folder / "b", branch="try")
    before = here.info().versions
    made = here.bundles.load(folder / "b", branch="copy")
    assert (made.outcome, made.new_commits, here.info().versions) == ("created", 0, before)
    assert values(here.on("copy")) == {"x": 1, "y": 1, "z": 1}
    assert here.branches.diff("try", "copy", two_sided=True).total == 0
    here.branches.delete("try", force=True)
    assert values(here.on("copy")) == {"x": 1, "y": 1, "z": 1}
    assert here.verify().ok


def test_a_past_that_retention_has_trimmed_here_is_not_shared(two: Stores, folder: Path) -> None:
    here, there = two
    carry(here, there, folder / "b")
    there.kv.put("z", 1)
    here.kv.put("x", 2)
    here.kv.put("x", 3)
    here.retention.set(max_versions=1)
    assert here.retention.apply().versions > 0
    with pytest.raises(strata.TooOld, match="removed"):
        carry(there, here, folder / "b", "back")
    assert not here.branches.exists("back")


def test_events_keep_their_time_through_a_bundle_and_a_merge(two: Stores, folder: Path) -> None:
    here, there = two
    there.kv.put("own", 1)
    seen = here.events.append("배포", {"n": 1})
    told = here.events.append("정전", {}, time="2020-01-02T03:04:05Z")
    carry(here, there, folder / "b", "laptop")
    there.branches.merge("laptop")
    found = there.events.list()
    assert [one.timestamp for one in found] == [seen.timestamp, told.timestamp]
    assert all(one.recorded_at > one.timestamp for one in found)
    assert there.branches.diff("default", "laptop").total == 0


def test_two_stores_that_exchange_bundles_again_and_again_end_up_equal(
    two: Stores, folder: Path
) -> None:
    chance = random.Random(11)

    def work(db: Workspace, name: str) -> None:
        for _ in range(chance.randrange(3)):
            key = f"{name}/{chance.randrange(4)}"
            if chance.random() < 0.3 and db.kv.exists(key):
                db.kv.delete(key)
            else:
                db.kv.put(key, {"값": chance.randrange(100)})
        if chance.random() < 0.5:
            db.events.append("배포", {"n": chance.randrange(10**9)})

    def send(source: Workspace, target: Workspace) -> None:
        took = carry(source, target, folder / "b")
        if took.branch != "default":
            target.branches.merge(took.branch)  # strict: nothing may conflict

    for _ in range(25):
        work(two[0], "여기")
        work(two[1], "저기")
        source, target = chance.sample(two, 2)
        send(source, target)
    for source, target in (two, two[::-1], two):
        send(source, target)
    logs = [sorted(repr(one.payload) for one in db.events.list(limit=999)) for db in two]
    assert values(two[0]) == values(two[1])
    assert logs[0] == logs[1]
    for db in two:
        assert db.verify().ok
        assert len(db.branches.list()) <= 2
