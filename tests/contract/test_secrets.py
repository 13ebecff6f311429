"""Secrets never reach the disk: refused by default, masked or allowed when somebody says so."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import strata
from strata import SecretRefused, Workspace
from tests.unit.secrets.samples import SAMPLES, token

TOKEN = token("github", "ghp" + "_", 36).secret
OTHER = token("other", "ghp" + "_", 36).secret
MARK = "[masked: github_token]"
Write = Callable[[Any, Any], Any]


def held(found: Any) -> Any:
    """Return the value of what was got, which must be there."""
    return found.value


def with_collection(db: Workspace) -> Workspace:
    if "c" not in [found.name for found in db.vectors.list()]:
        db.vectors.create("c", dimension=2)
    return db


def in_transaction(db: Workspace, value: Any) -> None:
    with db.transaction() as tx:
        tx.kv.put("before", 1)
        tx.kv.put("k", value)


# Every way to write a value, with where it can be read again.
VALUES: dict[str, tuple[Write, Write]] = {
    "kv": (lambda db, v: db.kv.put("k", v), lambda db, _: db.kv.get("k").value),
    "kv if version": (
        lambda db, v: db.kv.put("k", v, if_version=0),
        lambda db, _: db.kv.get("k").value,
    ),
    "kv many": (
        lambda db, v: db.kv.put_many({"a": 1, "k": v}),
        lambda db, _: db.kv.get("k").value,
    ),
    "json": (lambda db, v: db.json.set("k", "$", v), lambda db, _: db.json.get("k").value),
    "json at a path": (
        lambda db, v: db.json.set("k", "$.a.b", v),
        lambda db, _: db.json.get("k", "$.a.b").value,
    ),
    "state": (lambda db, v: db.state.set("k", v), lambda db, _: db.state.get("k").value),
    "state init": (lambda db, v: db.state.init("k", v), lambda db, _: db.state.get("k").value),
    "state cas": (lambda db, v: db.state.cas("k", v), lambda db, _: db.state.get("k").value),
    "event": (lambda db, v: db.events.append("t", v), lambda db, _: db.events.get(1).payload),
    "events": (
        lambda db, v: db.events.append_many([("t", v), ("t", {})]),
        lambda db, _: db.events.get(1).payload,
    ),
    "vector": (
        lambda db, v: with_collection(db).vectors.upsert("c", "k", [1, 0], metadata=v),
        lambda db, _: db.vectors.get("c", "k").metadata,
    ),
    "transaction": (in_transaction, lambda db, _: db.kv.get("k").value),
}
# Every way to write a name or a note.
NOTES: dict[str, Write] = {
    "key": lambda db, text: db.kv.put(f"a/{text}", 1),
    "document's key": lambda db, text: db.json.set(text, "$", 1),
    "cell": lambda db, text: db.state.set(text, 1),
    "member's name": lambda db, text: db.kv.put("k", {text: 1}),
    "tag of a value": lambda db, text: db.kv.put("k", 1, tags=["x", text]),
    "event's type": lambda db, text: db.events.append(text, {}),
    "collection": lambda db, text: db.vectors.create(text, dimension=1),
    "vector's key": lambda db, text: with_collection(db).vectors.upsert("c", text, [1, 0]),
    "space": lambda db, text: db.space(text).kv.put("k", 1),
    "empty space": lambda db, text: db.spaces.create(text),
    "branch": lambda db, text: db.branches.create_empty(text),
    "fork": lambda db, text: db.branches.fork(text),
    "fork's metadata": lambda db, text: db.branches.fork("f", metadata={"why": text}),
    "actor": lambda db, text: db.as_actor(text).kv.put("k", 1),
    "tag": lambda db, text: db.tags.create(text),
    "tag's message": lambda db, text: db.tags.create("t", message=f"see {text}"),
}


@pytest.mark.parametrize("way", VALUES)
def test_a_value_with_a_secret_is_refused_and_nothing_is_written(db: Workspace, way: str) -> None:
    with_collection(db)
    before = db.info().versions
    with pytest.raises(SecretRefused) as caught:
        VALUES[way][0](db, {"팀": [1, {"키": f"use {TOKEN} here"}]})
    assert caught.value.code == "secret_refused"
    assert "github_token at $" in str(caught.value)
    details: Any = caught.value.details
    assert details["found"][0]["path"].endswith(".팀[1].키")
    assert TOKEN not in str(caught.value) + repr(caught.value.details)
    assert db.info().versions == before


@pytest.mark.parametrize("way", NOTES)
def test_a_name_or_a_note_with_a_secret_is_refused(db: Workspace, way: str) -> None:
    with_collection(db)
    before = db.info()
    with pytest.raises(SecretRefused) as caught:
        NOTES[way](db, TOKEN)
    assert TOKEN not in str(caught.value) + repr(caught.value.details)
    after = db.info()
    assert (after.versions, after.branches) == (before.versions, before.branches)
    assert db.tags.list() == []


@pytest.mark.parametrize("way", VALUES)
def test_a_value_is_masked_where_the_setting_says_so(db: Workspace, way: str) -> None:
    db.settings.set("secrets", "mask")
    write, read = VALUES[way]
    answer = write(db, {"팀": ["소연", f"use {TOKEN} here"], "n": 1})
    kept = {"팀": ["소연", f"use {MARK} here"], "n": 1}
    assert read(db, None) == kept
    shown: Any = answer[0] if isinstance(answer, list) and way != "kv many" else answer
    if way not in ("transaction", "kv many"):
        assert (shown.payload if "event" in way else shown.value) == kept, "the caller can see it"
    assert db.verify().ok
    assert db.find_secrets() == []


def test_messages_and_metadata_are_masked_and_names_are_refused(db: Workspace) -> None:
    db.settings.set("secrets", "mask")
    with db.transaction(message=f"because of {TOKEN}") as tx:
        tx.kv.put("k", 1)
    assert db.log(limit=1)[0].message == f"because of {MARK}"
    assert db.branches.fork("f", metadata={"why": TOKEN}).metadata == {"why": MARK}
    assert db.tags.create("t", message=TOKEN).message == MARK
    for way in ("key", "space", "branch", "actor", "tag", "collection", "event's type"):
        with pytest.raises(SecretRefused):
            NOTES[way](db, TOKEN)


@pytest.mark.parametrize("way", VALUES)
def test_a_view_that_allows_secrets_keeps_them(db: Workspace, way: str) -> None:
    value = {"팀": TOKEN}
    write, read = VALUES[way]
    write(db.allowing_secrets(), value)
    assert read(db, None) == value
    assert {found.secret for found in db.find_secrets()} == {"github_token"}


def test_the_view_that_allows_keeps_its_place_and_passes_it_on(db: Workspace) -> None:
    db.branches.fork("try")
    there = db.on("try").space("메모").as_actor("소연").allowing_secrets()
    assert (there.branch, there.space_name, there.actor) == ("try", "메모", "소연")
    there.space("other").kv.put("k", TOKEN)
    with pytest.raises(SecretRefused):
        db.on("try").kv.put("k", TOKEN)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.kind)
def test_every_kind_is_refused(db: Workspace, sample: Any) -> None:
    with pytest.raises(SecretRefused) as caught:
        db.kv.put("note", {"text": sample.text})
    assert sample.kind in str(caught.value)
    assert sample.secret not in str(caught.value)


def test_the_key_says_what_its_value_is(db: Workspace) -> None:
    password = "tr0ub" + "4dor&3"
    with pytest.raises(SecretRefused):
        db.kv.put("db/password", password)
    db.kv.put("db/title", password)


def test_ordinary_things_are_kept(db: Workspace) -> None:
    ordinary: list[Any] = [
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        {"image": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
        "비밀번호는 금고에 있다",
        {"password": "see the vault", "token": "${TOKEN}", "n": [1, None, True]},
    ]
    for value in ordinary:
        assert db.kv.put("k", value).value == value


def test_a_refused_change_undoes_its_whole_transaction(db: Workspace) -> None:
    with pytest.raises(SecretRefused):
        in_transaction(db, TOKEN)
    assert db.kv.get("before") is None
    with db.transaction() as tx:
        tx.kv.put("a", 1)
        with pytest.raises(SecretRefused):
            tx.kv.put("b", TOKEN)
        tx.kv.put("b", "caught, and gone on")
    assert held(db.kv.get("b")) == "caught, and gone on"


def test_one_call_of_a_transaction_may_allow_what_the_others_may_not(db: Workspace) -> None:
    tx = db.begin()
    tx.allowing_secrets().kv.put("a", TOKEN)
    tx.allowing_secrets().space("메모").kv.put("a", TOKEN)
    with pytest.raises(SecretRefused):
        tx.kv.put("b", TOKEN)
    with pytest.raises(SecretRefused):
        tx.space("메모").kv.put("b", TOKEN)
    tx.commit()
    assert held(db.kv.get("a")) == held(db.space("메모").kv.get("a")) == TOKEN
    with db.transaction() as inner:
        inner.allowing_secrets().events.append("t", {"key": TOKEN})
        with pytest.raises(SecretRefused):
            inner.events.append("t", {"key": TOKEN})
    assert len(db.events) == 1


def test_a_message_is_screened_wherever_one_is_given(db: Workspace) -> None:
    db.kv.put("k", 1)
    version = db.kv.put("k", 2).version
    db.branches.fork("try")
    db.on("try").kv.put("other", 1)
    for write in (
        lambda: db.begin(message=TOKEN),
        lambda: db.transact(lambda tx: tx.kv.put("k", 1), message=TOKEN),
        lambda: db.undo(message=TOKEN),
        lambda: db.revert(version, message=TOKEN),
        lambda: db.cherry_pick(version, message=TOKEN),
        lambda: db.branches.merge("try", message=TOKEN),
        lambda: db.branches.rename("try", TOKEN),
    ):
        with pytest.raises(SecretRefused):
            write()


def test_what_is_in_the_store_already_is_not_asked_about_again(db: Workspace) -> None:
    db.allowing_secrets().json.set("doc", "$", {"key": TOKEN, "n": 1})
    db.branches.fork("try")
    db.on("try").json.set("doc", "$.n", 2)
    db.branches.merge("try")
    db.undo()
    assert held(db.json.get("doc")) == {"key": TOKEN, "n": 1}
    with pytest.raises(SecretRefused) as caught:
        db.json.set("doc", "$.other", OTHER)
    details: Any = caught.value.details
    assert [found["path"] for found in details["found"]] == ["$.other"]
    db.settings.set("secrets", "mask")
    db.json.set("doc", "$.other", OTHER)
    assert held(db.json.get("doc")) == {"key": TOKEN, "n": 1, "other": MARK}


def test_a_restored_or_imported_branch_keeps_what_it_had(db: Workspace, tmp_path: Path) -> None:
    db.allowing_secrets().kv.put("k", TOKEN)
    db.bundles.export(tmp_path / "b")
    assert db.bundles.load(tmp_path / "b", branch="copy").branch == "copy"
    assert held(db.on("copy").kv.get("k")) == TOKEN


def test_what_a_call_says_wins_over_the_environment_and_that_over_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.db"
    with strata.open(path) as db:
        db.settings.set("secrets", "mask")
        assert db.kv.put("k", TOKEN).value == MARK
        db.settings.unset("secrets")
        with pytest.raises(SecretRefused):
            db.kv.put("k", TOKEN)
        db.settings.set("secrets", "mask")
    monkeypatch.setenv("STRATA_SECRETS", "allow")
    with strata.open(path) as db:
        assert db.kv.put("k", TOKEN).value == TOKEN
    with strata.open(path, secrets="refuse") as db:
        with pytest.raises(SecretRefused):
            db.kv.put("other", TOKEN)
        db.settings.set("secrets", "allow")
        with pytest.raises(SecretRefused):
            db.kv.put("other", TOKEN)


def test_an_unknown_way_to_treat_secrets_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(strata.InvalidArgument, match="refuse, mask, allow"):
        strata.open(tmp_path / "s.db", secrets="hide")  # pyright: ignore[reportArgumentType]
    with strata.open(tmp_path / "s.db") as db:
        with pytest.raises(strata.InvalidArgument):
            db.settings.set("secrets", "hide")
        monkeypatch.setenv("STRATA_SECRETS", "hide")
    with strata.open(tmp_path / "s.db") as db, pytest.raises(strata.InvalidArgument):
        db.kv.put("k", 1)


def test_nothing_of_a_refused_secret_is_in_any_file(tmp_path: Path) -> None:
    parts = [TOKEN.encode(), TOKEN[4:].encode(), TOKEN[4:].lower().encode()]
    with strata.open(tmp_path / "s.db", durability="standard") as db:
        db.kv.put("other", "값")
        for way, (write, _read) in VALUES.items():
            with pytest.raises(SecretRefused):
                write(db, {"x": f"the token {TOKEN}"})
            assert holding(tmp_path, parts) == [], way
        for way, note in NOTES.items():
            with pytest.raises(SecretRefused):
                note(db, TOKEN)
            assert holding(tmp_path, parts) == [], way
        db.settings.set("secrets", "mask")
        db.kv.put("k", f"the token {TOKEN}")
        assert holding(tmp_path, parts) == []
        assert list(db.search(TOKEN[4:], mode="keyword")) == []
    assert holding(tmp_path, parts) == []


def test_the_search_for_files_would_notice_one(tmp_path: Path) -> None:
    with strata.open(tmp_path / "s.db") as db:
        db.allowing_secrets().kv.put("k", TOKEN)
        assert holding(tmp_path, [TOKEN.encode()]) != []


def holding(folder: Path, parts: list[bytes]) -> list[str]:
    """Return the names of the files, the log among them, in which one of the parts stands."""
    return [
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(part in path.read_bytes() for part in parts)
    ]


def test_the_error_crosses_processes_and_carries_no_secret(db: Workspace) -> None:
    with pytest.raises(SecretRefused) as caught:
        db.kv.put("k", TOKEN)
    packed = pickle.dumps(caught.value)
    assert TOKEN.encode() not in packed
    assert pickle.loads(packed).details == caught.value.details


def test_old_secrets_are_found_on_all_branches_and_in_all_history(db: Workspace) -> None:
    careless = db.allowing_secrets()
    first = careless.kv.put("k", {"key": TOKEN}, tags=["x", OTHER]).version
    db.kv.put("k", "replaced")
    db.branches.fork("try", metadata={"n": 1})
    careless.on("try").space("메모").events.append("t", {"n": [TOKEN]})
    careless.on("try").json.set("gone", "$", TOKEN)
    db.on("try").json.delete("gone")
    with_collection(db)
    careless.vectors.upsert("c", "v", [1, 0], metadata={"m": TOKEN})
    with careless.transaction(message=f"about {TOKEN}") as tx:
        tx.kv.put("plain", 1)
    last = db.resolve("now").version
    careless.branches.fork("noted", metadata={"why": TOKEN})
    careless.tags.create("v1", message=TOKEN)
    seen: list[tuple[str, int, int]] = []
    found = db.find_secrets(progress=lambda *figures: seen.append(figures))
    places = [(one.kind, one.key, one.space, one.branch, one.place) for one in found]
    assert places == [
        ("kv", "k", "default", "default", "$.key"),
        ("kv", "k", "default", "default", "the tags"),
        ("event", "0000000000000001", "메모", "try", "$.n[0]"),
        ("json", "gone", "default", "try", "$"),
        ("vector", "c/v", "default", "default", "$.m"),
        ("commit", f"version {last}", "", "default", "$.message"),
        ("branch", "noted", "", "", "$.why"),
        ("tag", "v1", "", "", "$.message"),
    ]
    assert found[0].version == first
    assert seen[-1][1] == seen[-1][2]
    assert TOKEN not in repr(found)
    for kind, key, space, branch in {place[:4]: None for place in places[:5]}:
        db.on(branch).purge(key, kind=kind, space=space)
    assert [one.kind for one in db.find_secrets()] == ["commit", "branch", "tag"]
