"""A machine on which the models are missing: everything works, by words."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, time
sys.modules["strata_embed"] = None  # as if it had never been installed
import strata
with strata.open(sys.argv[1]) as db:
    db.kv.put("가격", "Prices are cached for sixty seconds")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    for mode in ("auto", "keyword", "semantic", "hybrid"):
        assert [hit.key for hit in db.search("cached price", mode=mode)] == ["가격"], mode
        assert [hit.key for hit in db.search("금요일", mode=mode)] == ["배포"], mode
    assert db.search("cached price", mode="semantic").notes
    status = db.embeddings.status()
    for _ in range(200):  # until it is found out that there is no model
        if status.reason is not None:
            break
        time.sleep(0.05)
        status = db.embeddings.status()
    assert status.pending >= 2, status
    assert "not installed" in status.reason, status
    try:
        db.embeddings.embed("text")
    except strata.Unavailable as error:
        print(error)
"""


def test_search_goes_by_words_and_the_status_says_why(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "store.strata")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "asking for a vector must say why there is none"
    assert not done.stderr
