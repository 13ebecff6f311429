"""What callers send beside texts is kept as a hash, or looked at like a text."""

from pathlib import Path

import pytest

import strata
from tests.unit.secrets.samples import token

SECRET = token("github", "ghp" + "_", 36).secret


def test_an_idempotency_key_is_not_kept_and_still_recognised(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db") as db:
        documents = db.documents.with_request(f"키 {SECRET}")
        made, again = documents.create("Plan", "글"), documents.create("Plan", "글")
        assert (again.document, again.repeated) == (made.document, True)
        task = db.agents.invoke("linker", request=SECRET)
        assert db.agents.invoke("linker", request=SECRET).id == task.id
        with pytest.raises(strata.Conflict):
            db.agents.invoke("linker", instruction="other", request=SECRET)
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert SECRET.encode() not in kept


def test_an_email_that_holds_a_secret_is_refused(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db") as db:
        made = db.documents.create("Plan", "글").document
        with pytest.raises(strata.SecretRefused):
            db.documents.share(made, f"{SECRET}@example.com", "viewer")
        with pytest.raises(strata.SecretRefused):
            db.users.add(f"{SECRET}@example.com", "Ann")
        assert db.documents.audience(made).pending == ()
