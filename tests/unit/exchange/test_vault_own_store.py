"""An export never writes over the store that it reads, whatever its files are called."""

from pathlib import Path

import pytest

import strata
from strata.base.errors import InvalidArgument
from strata.exchange import export_vault, import_vault


def test_a_file_named_as_the_store_does_not_replace_it(tmp_path: Path) -> None:
    vault, home = tmp_path / "vault", tmp_path / "home"
    vault.mkdir()
    home.mkdir()
    (vault / "store.db").write_bytes(b"no database")
    (vault / "노트.md").write_text("글", encoding="utf-8")
    with strata.open(home / "store.db", auto_embed=False) as db:
        import_vault(db, vault)
        with pytest.raises(InvalidArgument, match="store itself"):
            export_vault(db, home, force=True)
        assert db.verify().ok
        export_vault(db, tmp_path / "out", plain=True)
    assert (tmp_path / "out" / "store.db").read_bytes() == b"no database"
    assert (home / "store.db").read_bytes()[:6] == b"SQLite"
