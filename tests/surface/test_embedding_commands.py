"""embeddings and models: how far the vectors are, making them, and the files they need."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import strata_embed
from strata.base import limits
from strata.models import Encoding, MiniLM
from tests.surface.conftest import Run

# A package of that name which cannot be imported, as if none were installed.
ABSENT = "raise ImportError('not installed')\n"


@pytest.fixture
def notes(ok: Run) -> None:
    ok("put", "cache", "Prices are cached for sixty seconds")
    ok("put", "배포", "배포는 금요일에 하지 않는다")


@pytest.fixture
def without_models(tmp_path: Path) -> str:
    """A path that hides the shipped models from a new process."""
    folder = tmp_path / "hidden"
    folder.mkdir()
    (folder / "strata_embed.py").write_text(ABSENT)
    return str(folder)


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let one file of a model be another one of the same size; return its name."""
    folder = tmp_path / "models"
    for file in strata_embed.FOLDER.rglob("*"):
        link = folder / file.relative_to(strata_embed.FOLDER)
        if file.is_file():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
    hurt = min((folder / "minilm").iterdir(), key=lambda file: file.stat().st_size)
    data = bytearray(hurt.read_bytes())
    data[len(data) // 2] ^= 1
    hurt.unlink()
    hurt.write_bytes(data)
    monkeypatch.setattr(strata_embed, "FOLDER", folder)
    return hurt.name


def models(ok: Run) -> dict[str, dict[str, Any]]:
    return {one["role"]: one for one in ok("embeddings", "status", "--json").json["models"]}


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a command no time to make pending vectors before it searches."""
    monkeypatch.setattr(limits, "EMBED_CATCH_UP_S", 0.0)


def test_a_put_and_a_search_by_words_load_no_model_and_make_no_vectors(
    ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        started.append(thread.name)
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    ok("put", "k", "배포는 금요일에 하지 않는다")
    ok("search", "금요일", "--mode", "keyword")
    assert "strata-follow" not in started
    assert ok("embeddings", "status", "--json").json["pending"] >= 1


def test_what_is_pending_is_told_and_then_made(ok: Run, notes: None, no_time: None) -> None:
    assert "2 vectors to be made: `strata embeddings wait`" in ok("embeddings").err
    assert "vectors to be made yet: `strata embeddings wait`" in ok("search", "cached").err
    assert "by words so far; 2 pending" in ok("status").out
    assert ok("embeddings", "wait").out == "3 vectors by minilm, multilingual, none pending\n"
    shown = ok("embeddings", "status").out.splitlines()
    assert shown[0].split() == [
        "MODEL",
        "ROLE",
        "STATE",
        "EMBEDDED",
        "PENDING",
        "FAILED",
        "RATE",
        "LEFT",
    ]
    assert shown[1].split()[:6] == ["minilm", "main", "active", "2", "0", "0"]
    assert ok("embeddings").out.splitlines()[0] == shown[0]
    assert "by words and meaning; 3 vectors\n" in ok("status").out
    assert ok("status", "--json").json["search"] == {
        "works": True,
        "embedded": 3,
        "pending": 0,
        "failed": 0,
        "reasons": [],
    }


def test_a_search_finds_by_meaning_what_was_put_just_before(ok: Run, run: Run, notes: None) -> None:
    question = ("search", "expiry", "of", "stored", "costs")
    found = ok(*question, "--json").json
    assert (found["mode"], found["hits"][0]["key"]) == ("hybrid", "cache")
    assert "by words and meaning" in ok(*question).err
    assert run(*question, "--mode", "keyword").code == 1
    # Another language than the text's.
    assert ok("search", "주말 전에 릴리스", "--json").json["hits"][0]["key"] == "배포"


def test_a_search_that_has_no_time_for_vectors_says_what_is_pending(
    run: Run, notes: None, no_time: None
) -> None:
    answer = run("search", "expiry", "of", "stored", "costs")
    assert answer.code == 1
    assert "(2 pending) it finds by meaning, too" in answer.err


def test_a_search_by_meaning_without_vectors_says_so(ok: Run, notes: None, no_time: None) -> None:
    answer = ok("search", "cached", "--mode", "semantic")
    assert "1 hit by words" in answer.err
    assert "Searched by words only" in answer.err


def test_nothing_to_embed_is_no_failure(ok: Run) -> None:
    ok("init")
    assert "nothing here can be embedded yet" in ok("embeddings").err
    assert ok("embeddings", "wait").out == "there is nothing to embed\n"
    assert "nothing to embed yet" in ok("status").out
    assert ok("embeddings", "retry").out == "nothing has failed\n"


def test_without_vectors_there_is_nothing_to_rebuild(run: Run, notes: None) -> None:
    answer = run("embeddings", "rebuild")
    assert answer.code == 1
    assert "nothing to rebuild" in answer.err


def test_a_rebuild_says_who_goes_on_and_how_to_wait(ok: Run, notes: None) -> None:
    ok("embeddings", "wait")
    answer = ok("embeddings", "rebuild")
    assert answer.out == "the vectors are to be made anew\n"
    assert "programs that have the store open make them" in answer.err
    assert "`strata embeddings wait`" in answer.err
    assert ok("embeddings", "rebuild", "--wait").out.startswith("3 vectors by ")
    assert {one["state"] for one in models(ok).values()} == {"active"}
    assert ok("search", "stored costs", "--json").json["mode"] == "hybrid"


def test_another_model_takes_over_when_it_has_caught_up(
    ok: Run, run: Run, process: Run, notes: None
) -> None:
    ok("embeddings", "wait")
    assert models(ok)["main"]["name"] == "minilm"
    ok("embeddings", "use", "multilingual", "--wait")
    assert models(ok)["main"] | {"rate": 0} == {
        "role": "main",
        "name": "multilingual",
        "state": "active",
        "embedded": 2,
        "pending": 0,
        "failed": 0,
        "rate": 0,
        "seconds_left": 0,
        "reason": None,
    }
    # The store remembers: a new process searches with it.
    found = process("search", "expiry of stored costs", "--json").json
    assert (found["mode"], found["hits"][0]["key"]) == ("hybrid", "cache")
    unknown = run("embeddings", "use", "없는모델")
    assert unknown.code == 1
    assert "minilm, multilingual" in unknown.err


def test_what_failed_is_told_and_tried_again(
    ok: Run, run: Run, notes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode = MiniLM.encode

    def refuse(model: MiniLM, text: str, before: str = "") -> Encoding:
        if "금요일" in text:
            raise ValueError("이 글은 싫다")
        return encode(model, text, before)

    with monkeypatch.context() as patch:
        patch.setattr(MiniLM, "encode", refuse)
        answer = run("embeddings", "wait")
    assert answer.code == 1
    assert "1 text could not be embedded: `strata embeddings retry`" in answer.err
    assert (models(ok)["main"]["embedded"], models(ok)["main"]["failed"]) == (1, 1)
    assert "1 failed (`strata embeddings retry`)" in ok("status").out
    checks = {one["name"]: one for one in ok("doctor", "--json").json["checks"]}
    assert checks["embeddings"]["state"] == "warn"
    assert ok("search", "금요일", "--json").json["hits"][0]["key"] == "배포"
    assert ok("embeddings", "retry").out == "1 text to be tried again\n"
    assert models(ok)["main"]["pending"] == 1
    assert ok("embeddings", "wait").out.startswith("4 vectors by ")


def test_the_lists_of_models_say_what_is_installed(ok: Run) -> None:
    lines = ok("models", "list").out.splitlines()
    assert lines[1].split()[0] == "minilm"
    assert lines[1].split()[2:] == ["33.4", "MiB", "en,", "ko"]
    assert ok("models").out == ok("models", "list").out
    found = {one["name"]: one for one in ok("models", "--json").json["models"]}
    assert found["multilingual"]["dimension"] == 512
    assert "ko" in found["multilingual"]["languages"]
    assert found["fastembed"]["origin"] == "library"


def test_the_files_of_the_models_are_checked(ok: Run) -> None:
    found = ok("models", "local", "--json").json
    assert found["ok"]
    assert {one["name"]: one["ok"] for one in found["models"]} == {
        "minilm": True,
        "multilingual": True,
        "judge": True,
    }
    assert "as shipped" in ok("models", "local").out
    assert ok("models", "pull", "minilm").out.endswith("is as shipped\n")


def test_a_damaged_file_is_named(run: Run, ok: Run, damaged: str) -> None:
    answer = run("models", "local")
    assert answer.code == 1
    assert f"The file {damaged} of the model minilm is not what was shipped." in answer.out
    assert not run("models", "local", "--json").json["ok"]
    checks = {one["name"]: one for one in run("doctor", "--json").json["checks"]}
    assert checks["model minilm"]["state"] == "fail"
    assert checks["model multilingual"]["state"] == "ok"
    assert "Reinstall" in checks["model minilm"]["advice"]
    assert run("models", "pull", "minilm").code == 1


def test_a_model_that_cannot_be_pulled_is_explained(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    answer = run("models", "pull", "fastembed:BAAI/bge-small-en-v1.5")
    assert answer.code == 1
    assert "fastembed is not installed." in answer.err
    assert "pip install" in answer.err
    unknown = run("models", "pull", "모델")
    assert unknown.code == 1
    assert "fastembed:MODEL" in unknown.err


@pytest.mark.slow
def test_without_models_search_goes_by_words_and_says_why(
    process: Run, notes: None, without_models: str
) -> None:
    answer = process("search", "금요일", PYTHONPATH=without_models)
    assert (answer.code, "금요일에 하지" in answer.out) == (0, True)
    assert "minilm cannot be used: The model minilm is not installed." in answer.err
    status = process("status", PYTHONPATH=without_models).out
    assert "by words only; minilm: The model minilm is not installed." in status
    assert "not installed" in process("models", PYTHONPATH=without_models).out
    assert process("models", "local", PYTHONPATH=without_models).code == 1
    doctor = process("doctor", PYTHONPATH=without_models)
    assert doctor.code == 0
    assert "Search goes by words." in doctor.out


def test_waiting_for_a_model_that_is_not_there_ends(
    process: Run, notes: None, without_models: str
) -> None:
    answer = process("embeddings", "wait", PYTHONPATH=without_models)
    assert answer.code == 1
    assert "2 vectors cannot be made by minilm: The model minilm is not installed." in answer.err
    assert "strata models local" in answer.err


def test_waiting_is_for_another_process_too(ok: Run, notes: None) -> None:
    ok("embeddings", "wait")
    program = (
        "import strata, sys\n"
        "with strata.open('.strata/store.db') as db:\n"
        "    db.kv.put('셋째', '세 번째 글')\n"
        "    print('open', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    other.stdout.readline()
    try:
        assert ok("embeddings", "wait").out == "5 vectors by minilm, multilingual, none pending\n"
    finally:
        other.communicate(b"", timeout=30)
