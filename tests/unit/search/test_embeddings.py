"""The tables of vectors: shared by content, replaced without a gap, taken out for good."""

from itertools import pairwise

import msgspec
import pytest

from strata import NotFound, Workspace
from strata.base import limits
from strata.search.vectors.embeddings import Embeddings, Item, Progress
from strata.search.vectors.encode import Passage, encode
from tests.databases import rows_of
from tests.unit.search.embedders import (
    BAD,
    Tokens,
    Words,
    counted,
    embedded,
    follower,
    run,
    store_of,
)


@pytest.fixture
def embeddings(db: Workspace) -> Embeddings:
    return Embeddings(store_of(db))


def test_the_same_text_is_embedded_once_on_every_branch(db: Workspace) -> None:
    model = Words()
    db.kv.put("메모/1", "서버는 파란색이다")
    db.branches.fork("try")
    db.on("try").kv.put("메모/2", "서버는 초록색이다")
    db.on("try").kv.put("메모/1", "서버는 파란색이다")
    db.branches.merge("try", into="default")
    run(follower(db, main=model))
    assert sorted(model.asked) == ["서버는 초록색이다", "서버는 파란색이다"]
    db.kv.put("메모/3", "서버는 파란색이다")
    run(follower(db, main=model))
    assert len(model.asked) == 2
    numbers = embedded(db)
    assert len(numbers) >= 5
    assert len(set(numbers.values())) == 2 == counted(db, "embeddings")


def test_the_same_text_behind_another_one_is_another_content() -> None:
    alone, behind = Passage("네"), Passage("네", "갈까요?")
    assert alone.content == Passage("네").content
    assert alone.content != behind.content
    # Where the text ends and the context begins is part of it.
    assert Passage("ab", "c").content != Passage("a", "bc").content


def test_the_first_model_of_a_role_answers_from_the_start(
    db: Workspace, embeddings: Embeddings
) -> None:
    db.kv.put("k", "text")
    model = embeddings.use("main", Words())
    assert (model.state, model.position) == ("active", 0)
    assert embeddings.use("main", Words()) == model
    assert embeddings.use("multilingual", Words("다국어")).state == "active"
    assert [one.role for one in embeddings.models()] == ["main", "multilingual"]


def test_another_model_takes_over_when_it_has_caught_up(
    db: Workspace, embeddings: Embeddings
) -> None:
    db.kv.put_many({f"k{n}": f"текст {n}" for n in range(5)})
    old, new = Words("old"), Words("new")
    run(follower(db, main=old))
    embeddings.use("main", new)
    follows = follower(db, main=new)
    states = [states_of(embeddings)]
    while follows.step():
        states.append(states_of(embeddings))
        answering = embeddings.live("main")[0]
        assert answering.embedded == 5, "the answering model is always whole"
    assert states[0] == {"old": "active", "new": "building"}
    assert {"old": "retired", "new": "active"} in states
    assert states[-1] == {"new": "active"}
    assert counted(db, "embeddings") == counted(db, "embedded") == 5


def states_of(embeddings: Embeddings) -> dict[str, str]:
    return {model.name: model.state for model in embeddings.models()}


def test_a_change_of_mind_leaves_the_model_that_answers(
    db: Workspace, embeddings: Embeddings
) -> None:
    db.kv.put("k", "text")
    run(follower(db, main=Words("old")))
    embeddings.use("main", Words("new"))
    embeddings.use("main", Words("newer"))
    assert states_of(embeddings) == {"old": "active", "new": "retired", "newer": "building"}
    embeddings.use("main", Words("old"))
    assert states_of(embeddings) == {"old": "active", "new": "retired", "newer": "retired"}
    run(follower(db, main=Words("old")))
    assert states_of(embeddings) == {"old": "active"}


def test_a_model_that_mostly_fails_does_not_take_over(
    db: Workspace, embeddings: Embeddings
) -> None:
    db.kv.put_many({f"k{n}": f"{BAD} {n}" for n in range(3)} | {"good": "좋은 글"})
    broken = Words("broken")
    run(follower(db, main=Words("first")))
    embeddings.use("main", broken)
    run(follower(db, main=broken))
    assert states_of(embeddings) == {"first": "active", "broken": "building"}
    assert not embeddings.switch(embeddings.live("main")[1])


def test_a_model_with_a_text_to_go_does_not_take_over(
    db: Workspace, embeddings: Embeddings
) -> None:
    db.kv.put("a", "글")
    run(follower(db, main=Words("old")))
    new = Words("new")
    embeddings.use("main", new)
    follows = follower(db, main=new)
    assert follows.step()
    caught_up = embeddings.live("main")[1]
    db.kv.put("b", "그 사이에 온 글")
    assert not embeddings.switch(caught_up)
    assert states_of(embeddings) == {"old": "active", "new": "building"}
    run(follows)
    assert states_of(embeddings) == {"new": "active"}
    assert embeddings.models()[0].embedded == 2


def test_rebuilding_makes_all_vectors_anew(db: Workspace, embeddings: Embeddings) -> None:
    db.kv.put_many({"a": "하나", "b": "둘"})
    model = Words()
    run(follower(db, main=model))
    before = embeddings.live("main")[0]
    assert embeddings.rebuild("main").state == "building"
    run(follower(db, main=model))
    (after,) = embeddings.models()
    assert after.id != before.id
    assert (after.state, after.embedded) == ("active", 2)
    assert len(model.asked) == 4
    with pytest.raises(NotFound):
        embeddings.rebuild("multilingual")


def test_old_vectors_go_in_small_steps(
    db: Workspace, embeddings: Embeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_REMOVE_ROWS", 10)
    db.kv.put_many({f"k{n}": f"text {n}" for n in range(45)})
    model = Tokens()
    run(follower(db, main=model))
    embeddings.rebuild("main")
    follows = follower(db, main=model)
    sizes = [counted(db, "embeddings")]
    while follows.step():
        sizes.append(counted(db, "embeddings"))
    assert max(sizes) == 90
    assert sizes[-1] == 45 == counted(db, "embedding_tokens")
    falls = [before - after for before, after in pairwise(sizes)]
    assert max(falls) == 10


def test_pending_is_exact_and_an_estimate_comes_with_it(
    db: Workspace, embeddings: Embeddings
) -> None:
    texts = limits.EMBED_BATCH_ITEMS + 40
    db.kv.put_many({f"k{n}": f"글 {n}" for n in range(texts)})
    db.kv.delete("k0")
    db.vectors.create("v", 2)
    assert embeddings.status(["main", "multilingual"]).pending == 2 * texts
    follows = follower(db, main=Words())
    assert follows.step()
    status = embeddings.status(["main"])
    assert status.pending == texts
    assert follows.step()
    status = embeddings.status(["main"])
    (model,) = status.models
    done = limits.EMBED_BATCH_ITEMS
    assert (model.embedded, model.pending, model.failed) == (done, texts - done, 0)
    assert status.pending == texts - done
    assert model.rate > 0
    assert model.seconds_left == pytest.approx(model.pending / model.rate)
    run(follows)
    assert embeddings.status(["main"]).pending == 0


def test_forgetting_takes_out_what_nobody_else_has(db: Workspace, embeddings: Embeddings) -> None:
    first = db.kv.put("a", "같은 글").version
    second = db.kv.put("b", "같은 글").version
    run(follower(db, main=Tokens()))
    assert counted(db, "embeddings") == counted(db, "embedding_tokens") == 1
    assert embeddings.forget([first], erased=False) == 1
    assert embedded(db).keys() == {second}
    assert counted(db, "embeddings") == 1
    assert embeddings.forget([first, second, 999], erased=False) == 1
    assert counted(db, "embeddings") == counted(db, "embedding_tokens") == 0
    (model,) = embeddings.models()
    assert (model.embedded, model.tokens) == (0, 0)
    assert model.revision == 2


def test_forgetting_joins_the_transaction_of_its_caller(
    db: Workspace, embeddings: Embeddings
) -> None:
    version = db.kv.put("a", "비밀").version
    run(follower(db, main=Words()))

    def forget_and_fail() -> None:
        with store_of(db).writing():
            embeddings.forget([version], erased=True)
            assert counted(db, "embeddings") == 0
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        forget_and_fail()
    assert counted(db, "embeddings") == 1


def test_what_was_read_behind_an_erased_text_is_read_again_without_it(
    db: Workspace, embeddings: Embeddings
) -> None:
    secret = db.kv.put("대화/1", "지운 말은 사과나무").version
    answer = db.kv.put("대화/2", "네").version
    model = Tokens()
    follows = follower(db, main=model)
    follows._texts = msgspec.structs.replace(
        follows._texts, before=lambda version: secret if version == answer else None
    )
    run(follows)
    tainted = db_vector(db, answer)
    db.purge("대화/1")
    embeddings.forget([secret], erased=True)
    assert embeddings.status(["main"]).pending == 1
    assert counted(db, "embeddings") == 0
    run(follows)
    assert embedded(db).keys() == {answer}
    assert db_vector(db, answer) != tainted
    assert embeddings.status(["main"]).pending == 0
    # Retention takes a value out because it is old: what was read behind it may stay.
    kept = db_vector(db, answer)
    embeddings.forget([secret], erased=False)
    assert db_vector(db, answer) == kept


def db_vector(db: Workspace, version: int) -> bytes:
    statement = """SELECT e.vector FROM embeddings AS e JOIN embedded AS d ON d.number = e.number
        WHERE d.ws = :ws AND e.ws = :ws AND d.version = ?"""
    ((vector,),) = rows_of(db._store.database, statement, version)
    return vector


def test_a_value_erased_while_the_model_reads_it_leaves_no_vector(
    db: Workspace, embeddings: Embeddings
) -> None:
    db.kv.put("a", "비밀")
    kept = db.kv.put("b", "공개").version
    model = Words()
    model.meanwhile = lambda: db.purge("a") if db.kv.get("a") else None
    run(follower(db, main=model))
    assert "비밀" in model.asked
    assert embedded(db).keys() == {kept}
    assert counted(db, "embeddings") == 1
    assert embeddings.models()[0].embedded == 1


def test_a_batch_that_another_process_has_written_is_dropped(
    db: Workspace, embeddings: Embeddings
) -> None:
    version = db.kv.put("a", "글").version
    model = Words()
    row = embeddings.use("main", model)
    passage = Passage("글")
    item = Item(version, None, passage.content, encode(model, [passage])[0])
    assert embeddings.write(row, [item], Progress(0, version, 0.1))
    assert not embeddings.write(row, [item], Progress(0, version, 0.1))
    assert counted(db, "embedded") == counted(db, "embeddings") == 1
    assert embeddings.models()[0].embedded == 1


def test_what_failed_can_be_tried_again(db: Workspace, embeddings: Embeddings) -> None:
    version = db.kv.put("bad", f"{BAD} 사과").version
    db.kv.put("good", "사과")
    model = Words()
    run(follower(db, main=model))
    ((failed, reason),) = embeddings.failures("main")
    assert failed == version
    assert "못 읽습니다" in reason
    assert embeddings.status().models[0].failed == 1
    assert embeddings.retry("main") == 1
    assert embeddings.status().pending == 1
    run(follower(db, main=model))
    assert embeddings.status().models[0].failed == 1
    db.kv.put("later", "배")
    run(follower(db, main=model))
    assert embeddings.status().pending == 0
    assert embeddings.models()[0].embedded == 2


def test_only_the_newest_keep_their_tokens(
    db: Workspace, embeddings: Embeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_REMOVE_ROWS", 7)
    versions = [db.kv.put(f"k{n}", f"글 {n}").version for n in range(40)]
    follows = follower(db, main=Tokens())
    follows._tokens_max_items = 15
    run(follows)
    assert counted(db, "embeddings") == 40
    statement = """SELECT d.version FROM embedded AS d
        JOIN embedding_tokens AS t ON t.number = d.number
        WHERE t.ws = :ws AND d.ws = :ws AND d.version > ? ORDER BY d.version"""
    rows = rows_of(db._store.database, statement, 0)
    assert [row[0] for row in rows] == versions[-15:]
    assert embeddings.models()[0].tokens == 15


def test_looking_for_work_does_not_read_what_is_done(db: Workspace) -> None:
    connection, queries = store_of(db).connection(), store_of(db).queries
    for statement, values in (
        (queries.count_to_redo, (1,)),
        (queries.versions_to_redo, (1, 1)),
        (queries.embedding_user, (1,)),
        (queries.embedded_behind, (1,)),
    ):
        plan = connection.rows(f"EXPLAIN QUERY PLAN {statement}", values)
        assert "INDEX embedded_" in plan[0][3], statement
        assert "TEMP B-TREE" not in str(plan), statement
