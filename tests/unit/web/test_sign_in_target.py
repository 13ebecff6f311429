"""Where signing in leads: to a path of this server, whatever was asked for."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.web.sign_in_target import local_target, sign_in_path

BASE = "https://strata.example.com"


@pytest.mark.parametrize(
    ("asked", "goal"),
    [
        ("/d/doc_1", "/d/doc_1"),
        ("/d/doc_1?branch=a%20b", "/d/doc_1?branch=a%20b"),
        ("/d/문서", "/d/%EB%AC%B8%EC%84%9C"),
        ("/d/x#목표", "/d/x"),
        ("/@ann/post", "/@ann/post"),
        (None, "/"),
        ("", "/"),
        ("d/doc_1", "/"),
        ("//evil.example/d", "/"),
        ("/\\evil.example", "/"),
        ("https:/evil.example", "/"),
        ("/sign-in?next=/sign-in", "/"),
        ("/api/me", "/"),
    ],
)
def test_only_paths_of_this_server_are_goals(asked: str | None, goal: str) -> None:
    assert local_target(asked) == goal


@given(st.one_of(st.text(), st.from_regex(r"[/\\.:?#@a-z\t\n\r 가%0-9]*", fullmatch=True)))
def test_no_text_leads_elsewhere(text: str) -> None:
    goal = local_target(text)
    assert goal.startswith("/")
    assert goal.isascii()
    assert goal.isprintable()
    assert not goal.startswith(("//", "/\\"))
    # As a browser reads it, which drops tabs and ends of lines, and takes \ for /.
    seen = goal.replace("\t", "").replace("\n", "").replace("\r", "").replace("\\", "/")
    assert urlsplit(urljoin(BASE, seen)).netloc == urlsplit(BASE).netloc
    assert local_target(goal) == goal


def test_a_goal_survives_the_way_through_the_form() -> None:
    goal = local_target("/d/문서?branch=초안&x=1")
    assert sign_in_path(goal).count("?") == 1
    assert sign_in_path("/") == "/sign-in"
