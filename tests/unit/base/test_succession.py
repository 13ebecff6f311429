"""Things in their order, each behind what replaces it."""

from strata.base.succession import after_successors


def ordered(things: str, newer: dict[str, str]) -> str:
    return "".join(after_successors(things, lambda thing: newer.get(thing, "")))


def test_what_nothing_replaces_keeps_its_place() -> None:
    assert ordered("cab", {}) == "cab"
    assert ordered("cab", {"a": "c"}) == "cab"


def test_what_replaces_a_thing_comes_directly_before_it() -> None:
    assert ordered("abc", {"a": "c"}) == "cab"
    assert ordered("xaybz", {"a": "b", "b": "z"}) == "xzbay"
    assert ordered("a", {"a": "bc"}) == "bca"


def test_a_circle_and_a_long_chain_come_to_an_end() -> None:
    assert ordered("ab", {"a": "b", "b": "a"}) == "ba"
    chain = list(after_successors([0], lambda n: [n + 1] if n < 5_000 else []))
    assert chain == list(range(5_000, -1, -1))
