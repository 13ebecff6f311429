"""`strata decisions import` and `export --v1`: from MAMA, and back."""

from pathlib import Path

import pytest
import zstandard

from tests.surface.conftest import Run

FILES = Path(__file__).parents[1] / "contract" / "mama" / "files"


@pytest.fixture
def mama(tmp_path: Path) -> Path:
    path = tmp_path / "마마.db"
    packed = (FILES / "dirty.zst").read_bytes()
    path.write_bytes(zstandard.ZstdDecompressor().decompress(packed))
    return path


def test_an_import_tells_what_it_took_and_what_was_odd(ok: Run, mama: Path) -> None:
    out = ok("decisions", "import", str(mama)).out
    assert "memories: 95 decision, 15 checkpoint, 1 context, 1 insight" in out
    assert "2 topics with two current decisions" in out
    assert "decision_null_time_1_aaaa: created_at is missing" in out
    assert "… and 3 more; --json lists all of them" in out
    again = ok("decisions", "import", str(mama)).out
    assert again.startswith("wrote 0 of ")


def test_a_preview_makes_no_store_and_no_branch(ok: Run, mama: Path, project: Path) -> None:
    shown = ok("decisions", "import", str(mama), "--preview", "--json").json
    assert shown["preview"] is True
    assert len(shown["warnings"]) == 13
    assert not (project / ".strata").exists()
    ok("put", "k", "v")
    ok("decisions", "import", str(mama), "--preview")
    assert "import/" not in ok("branch").out


def test_without_a_file_it_is_the_one_that_mama_would_open(
    ok: Run, run: Run, mama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAMA_DB_PATH", raising=False)
    refused = run("decisions", "import")
    assert refused.code != 0
    assert "MAMA_DB_PATH" in refused.err
    monkeypatch.setenv("MAMA_DB_PATH", str(mama))
    assert ok("decisions", "import", "--json").json["memories"]["decision"] == 95


def test_the_backfill_of_the_first_design_can_be_asked_for(ok: Run, mama: Path) -> None:
    found = ok("decisions", "import", str(mama), "--backfill", "seed", "--json").json
    counts = {one["link_type"]: one for one in found["links"]}
    assert counts["temporal"]["backfilled"] > 0
    assert counts["association"]["backfilled"] > 0
    assert found["backfill"] == "seed"


def test_an_export_lists_what_mama_does_not_show(ok: Run, run: Run, mama: Path) -> None:
    ok("decisions", "import", str(mama))
    ok("decisions", "insight", "캐시는 느린 질의를 숨긴다")
    out = ok("decisions", "export", "--v1", "back.db").out
    assert out.splitlines()[0] == "wrote back.db"
    assert "1 × MAMA 1.0 has no place for this insight" in out
    assert run("decisions", "export", "--v1", "back.db").code != 0
    found = ok("decisions", "export", "--v1", "back.db", "--force", "--json").json
    assert found["rows"]["decisions"] == 95
    assert "--v1" in run("decisions", "export", "other.db").err


def test_what_is_no_database_is_refused_with_its_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("그림")
    refused = run("decisions", "import", str(tmp_path / "x.db"))
    assert refused.code != 0
    assert "x.db is no database that can be read" in refused.err
