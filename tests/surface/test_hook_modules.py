"""What a hook loads to look at a store: what it needs, because a prompt waits for it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import strata

# Run as `python -m strata` runs it, and list what is loaded at the end.
PROGRAM = """
import sys
import strata.__main__ as program
program.main()
sys.stderr.write(" ".join(sys.modules))
"""
# Of others, none of these; nor of ours what makes vectors, searches with arrays, changes or merges.
HEAVY = """
    apsw.ext asyncio click dataclasses inspect json logging numpy onnxruntime random secrets
    subprocess tempfile tomllib typing_extensions zstandard
    strata.cli strata.documents strata.exchange strata.mcp strata.publishing strata.review
    strata.tasks strata.models. strata.upkeep. strata.secrets.rules strata.search.search
    strata.search.index.scope strata.search.vectors strata.decisions.decisions
    strata.store.merge strata.tools.call strata.workspace.followers
""".split()


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is loaded when a hook has found something in a store with facts."""
    path = tmp_path_factory.mktemp("hook") / "store.db"
    names = loaded_by_a_hook(path, makes_vectors=False)
    assert "strata.models.reading" not in names
    return names


def loaded_by_a_hook(path: Path, *, makes_vectors: bool) -> set[str]:
    with strata.open(path, auto_embed=makes_vectors) as db:
        db.kv.put("cache/prices", "Prices are cached for sixty seconds")
        db.kv.put("배포", "배포는 금요일에 하지 않는다")
        assert not makes_vectors or db.embeddings.wait(60)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "hook", "prompt", "--db", str(path)],
        input=json.dumps({"prompt": "are the prices cached?", "session_id": "a"}),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "sixty seconds" in done.stdout
    names = set(done.stderr.split())
    assert "strata.search.quick.scan" in names
    return names


@pytest.mark.parametrize("heavy", HEAVY)
def test_a_hook_does_not_load(loaded: set[str], heavy: str) -> None:
    inside = f"{heavy.rstrip('.')}."
    found = {name for name in loaded if name.startswith(inside) or name == heavy}
    assert found == set()


def test_a_hook_needs_few_modules(loaded: set[str]) -> None:
    assert len(loaded) <= 240


def test_where_there_are_vectors_a_hook_loads_what_reads_a_prompt_and_no_model(
    loaded: set[str], tmp_path: Path
) -> None:
    more = loaded_by_a_hook(tmp_path / "store.db", makes_vectors=True) - loaded
    assert "strata.models.reading" in more
    ours = {name for name in more if name.startswith("strata.")}
    read = {f"strata.models.{name}" for name in ("files", "reading", "wordpiece")}
    assert ours == {"strata.base.normal", *read}
    assert not {"numpy", "onnxruntime", "zstandard"} & more
