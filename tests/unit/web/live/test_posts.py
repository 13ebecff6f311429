"""The queue of updates: how much one author sends decides how long that author waits."""

from typing import Any, cast

import pytest

from strata.access import EVERYTHING, User
from strata.base import limits
from strata.documents import Author
from strata.web.live.posts import Post, Posts
from strata.web.live.sockets import Guest, LiveSocket
from strata.web.shell import Visitor


def socket_of(name: str) -> LiveSocket:
    user = User(name, f"{name}@example.com", name, 0)
    return LiveSocket(
        cast("Any", None), Guest(Visitor(EVERYTHING, user), Author(name), name, "#1"), "editor"
    )


def post(name: str, update: bytes) -> Post:
    return Post(socket_of(name), cast("Any", None), update)


LONG = b"x" * (limits.LIVE_LONG_BYTES + 1)


def authors(batch: list[Post]) -> list[str]:
    return [one.author.user for one in batch]


def test_a_short_update_goes_with_the_next_commit_whatever_others_have_sent() -> None:
    posts = Posts()
    for _ in range(50):
        posts.add(post("악당", LONG))
    posts.add(post("보람", "가".encode()))
    assert sorted(authors(posts.next_batch(with_long=True)[1])) == ["보람", "악당"]


def test_one_commit_takes_one_long_update_and_the_next_one_of_somebody_else() -> None:
    posts = Posts()
    for name in ("악당", "악당", "보람"):
        posts.add(post(name, LONG))
    batches = [authors(posts.next_batch(with_long=True)[1]) for _ in range(4)]
    assert batches == [["악당"], ["보람"], ["악당"], []]


def test_a_commit_without_long_updates_takes_the_short_ones_of_others() -> None:
    posts = Posts()
    for name, update in [("악당", LONG), ("악당", b"1"), ("보람", b"2")]:
        posts.add(post(name, update))
    assert posts.has_next(with_long=False)
    # The short update of the first author is behind a long one, and stays there.
    assert authors(posts.next_batch(with_long=False)[1]) == ["보람"]
    assert not posts.has_next(with_long=False)
    assert authors(posts.next_batch(with_long=True)[1]) == ["악당", "악당"]


def test_updates_of_one_author_stay_in_their_order() -> None:
    posts = Posts()
    sent = [b"1", LONG, b"2", LONG, b"3"]
    for update in sent:
        posts.add(post("보람", update))
    taken = [one.update for _ in range(5) for one in posts.next_batch(with_long=True)[1]]
    assert taken == sent


def test_a_flood_of_short_updates_is_spread_over_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIVE_TURN_BYTES", 10)
    posts = Posts()
    for _ in range(100):
        posts.add(post("악당", b"xxxxx"))
    posts.add(post("보람", b"x"))
    assert sorted(authors(posts.next_batch(with_long=True)[1])) == ["보람", "악당", "악당"]


def test_what_was_taken_counts_as_waiting_until_it_is_done() -> None:
    posts = Posts()
    posts.add(post("보람", b"1"))
    goal = posts.newest
    numbers, _batch = posts.next_batch(with_long=True)
    assert not posts
    assert not posts.is_done(goal)
    posts.add(post("보람", b"2"))
    posts.done(numbers)
    assert posts.is_done(goal)
    assert not posts.is_done(posts.newest)


def test_an_author_is_full_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIVE_GATHERED_MAX", 3)
    posts = Posts()
    for _ in range(3):
        posts.add(post("악당", b"1"))
    assert posts.is_full(Author("악당"))
    assert not posts.is_full(Author("보람"))
