"""A store to copy, and what is compared of it."""

from pathlib import Path

import strata
from strata.sql import RowSum, copied_tables, reading_rows


def make_store(path: Path) -> Path:
    """A store with every kind of thing, a past, branches, and things that went."""
    with strata.open(path, auto_embed=False, actor="소연") as db:
        db.kv.put("가", {"n": 1}, tags=["초안"])
        db.kv.put("가", {"n": 2})
        db.kv.put("비밀", "지운 값")
        db.kv.put("갔다", 1)
        db.kv.delete("갔다")
        db.purge("비밀")
        db.json.set("문서", "$.제목", "하나")
        db.state.set("셀", "b")
        db.events.append_many([("시작", {"n": 1}), ("끝", {"n": 2})])
        db.vectors.create("벡터", 3, "euclidean")
        db.vectors.upsert("벡터", "점", [1, 2, 3], metadata={"lang": "ko"})
        db.space("방").kv.put("k", "다른 방")
        db.branches.fork("곁")
        db.on("곁").kv.put("나", "곁에서")
        db.branches.merge("곁", message="합침")
        db.branches.fork("버린 가지")
        db.branches.delete("버린 가지")
        db.tags.create("v1", message="첫 판")
        db.documents.create("회의록", "# 회의록\n\n오늘은 서울에서 모였다.")
        db.decisions.save("database", "PostgreSQL을 쓴다", reasoning="한 대로 모자라다")
        db.settings.set("timezone", "Asia/Seoul")
        db.users.add("하나@example.com", name="하나")
        db.tokens.create("에이전트")
    return path


def sums(place: Path | str) -> dict[str, RowSum]:
    """Return a sum of the rows of every table that makes a store."""
    found: dict[str, RowSum] = {}
    with reading_rows(place) as rows:
        for table, columns in copied_tables().items():
            found[table] = RowSum()
            found[table].add_rows(rows.read(table, columns))
    return found
