"""The page that is served is the one that its sources make."""

import json
import shutil
from pathlib import Path

from tests.node.frontend import FRONTEND, SOURCES, STATIC, fingerprint
from tests.node.packages import dependencies, hashes

# Where a change of access is written down: by a part of access, or by the function itself.


def test_the_built_page_follows_from_its_sources() -> None:
    built_from = (STATIC / SOURCES).read_text(encoding="utf-8").strip()
    assert built_from == fingerprint(), "run ./dev frontend"


def test_a_changed_source_would_be_noticed(tmp_path: Path) -> None:
    shutil.copytree(FRONTEND / "src", tmp_path / "src")
    before = fingerprint(tmp_path)
    (tmp_path / "src" / "main.ts").write_text("", encoding="utf-8")
    changed = fingerprint(tmp_path)
    (tmp_path / "src" / "main.test.ts").write_text("", encoding="utf-8")
    assert before != changed == fingerprint(tmp_path)


def test_packages_are_named_exactly_and_locked_by_hash() -> None:
    wanted = json.loads((FRONTEND / "package.json").read_text(encoding="utf-8"))["dependencies"]
    text = (FRONTEND / "package-lock.json").read_text(encoding="utf-8")
    assert json.loads(text)["packages"][""]["dependencies"] == wanted
    assert not [name for name, version in wanted.items() if not version[0].isdigit()]
    locked = hashes(FRONTEND / "package-lock.json")
    assert len(locked) > len(dependencies("frontend"))
    assert [place for place, digest in locked.items() if not digest.startswith("sha512-")] == []
    assert "://" not in text


def test_the_page_holds_no_script_and_no_style_of_its_own() -> None:
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "STRATA_NONCE" in text
    assert "<style" not in text
    assert " style=" not in text
    assert "</script>" not in text.replace("></script>", "")
    assert not [word for word in text.split() if word.lower().startswith("on") and "=" in word]


def test_sources_stay_short_and_narrow() -> None:
    code = {
        path.relative_to(FRONTEND).as_posix(): path.read_text(encoding="utf-8").splitlines()
        for path in (FRONTEND / "src").rglob("*.ts*")
    }
    assert code
    # A catalogue has a sentence a line, whatever its length.
    code = {name: rows for name, rows in code.items() if not name.endswith("words.ts")}
    assert [name for name, rows in code.items() if len(rows) > 300] == []
    assert [name for name, rows in code.items() if any(len(row) > 100 for row in rows)] == []
