"""Whatever is kept can be written out and read back, in either format."""

from io import BytesIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import strata
from strata import Workspace
from strata.exchange import export_jsonl, export_markdown, import_file
from tests.unit.exchange.conftest import exported

# Pieces that a careless format would trip over.
PIECES = [
    "`",
    "```",
    "````json",
    "\n",
    "\r\n",
    "-->",
    "<!-- strata {}",
    "--",
    "- ",
    "# ",
    "\t",
    "한글",
    "ㄱ\u0301",
    "e\u0301",
    "👩‍👩‍👧",
    "\u2028",
    "\x85",
    "\x00",
    "\x1b[31m",
    "\ufeff",
    "\\",
    '"',
    " ",
    "\u202e",
    "{",
    "|",
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=8).map("".join)
names = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=12)
keys = st.one_of(names, texts.map(lambda text: text.replace("\0", "") or "키"))
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63),
        texts,
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
tags = st.lists(names, max_size=2, unique=True)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("kv"), keys, values, tags),
        st.tuples(st.sampled_from(["json", "state", "delete"]), keys, values),
        st.tuples(st.just("event"), names, values),
    ),
    max_size=8,
)


def follow(db: Workspace, plan: list[Any]) -> None:
    for at, (kind, name, value, *rest) in enumerate(plan):
        here = db.space("공간 `2`") if at % 3 == 2 else db
        if kind == "kv":
            here.kv.put(name, value, tags=rest[0])
        elif kind == "json":
            here.json.set(name, "$", value)
        elif kind == "state":
            here.state.set(name, value)
        elif kind == "event":
            here.events.append(name, value)
        else:
            here.kv.put(name, value)
            here.kv.delete(name)


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("write", [export_jsonl, export_markdown])
@given(plan=steps)
@example(plan=[("kv", "```\n-->", "````\n```\n<!-- strata {} -->", ["#`"]), ("event", "`", "``")])
@example(plan=[("kv", "a", "", []), ("kv", "b", "\n", []), ("kv", "c", "끝\n\n", [])])
def test_an_import_of_an_export_exports_the_same(
    write: Any, plan: list[Any], *, history: bool
) -> None:
    with (
        strata.open(durability="cache", auto_embed=False) as db,
        strata.open(durability="cache", auto_embed=False) as other,
    ):
        follow(db, plan)
        file = BytesIO()
        write(db, file, history=history)
        import_file(other, file)
        assert exported(other, history=history) == exported(db, history=history)
        assert import_file(other, file).commits == 0
        assert other.verify().ok


@given(damage=st.binary(min_size=1, max_size=6), at=st.integers(0, 400))
@pytest.mark.parametrize("write", [export_jsonl, export_markdown])
def test_damage_is_refused_or_read_and_never_half_taken(write: Any, damage: bytes, at: int) -> None:
    with (
        strata.open(durability="cache", auto_embed=False) as db,
        strata.open(durability="cache", auto_embed=False) as other,
    ):
        follow(db, [("kv", "a/1", "글", ["t"]), ("event", "e", {"n": 1}), ("json", "d", [1])])
        file = BytesIO()
        write(db, file)
        data = bytearray(file.getvalue())
        data[at : at + len(damage)] = damage
        try:
            import_file(other, BytesIO(bytes(data)))
        except strata.StrataError:
            assert other.log() == []
        assert other.verify().ok
