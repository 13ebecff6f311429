"""Mentions behind an @, and the inbox of the user who is named."""

import unicodedata

import pytest

from strata import Workspace
from strata.access import User
from strata.review.inbox import mentions
from tests.unit.review.conftest import Team

SOYEON = User("u1", "so.yeon@example.com", "김소연", 0)
ANN = User("u2", "ann@example.com", "Ann", 0)
LEE = User("u3", "lee@example.com", "Ann Lee", 0)
TANAKA = User("u4", "t@example.jp", "田中", 0)
NAMES = [one.name for one in (SOYEON, ANN, LEE, TANAKA)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("@김소연", [SOYEON]),
        ("@김소연님", [SOYEON]),
        ("이건 @김소연님께서는 아실 듯", [SOYEON]),
        ("@김소연에게 물어봐 주세요", [SOYEON]),
        ("@김소연씨가", [SOYEON]),
        ("@김소연희", []),
        ("@ann: please", [ANN]),
        ("(@Ann)", [ANN]),
        ("@Ann Lee, please", [LEE]),
        ("@ann lee", [LEE]),
        ("@Ann and @Ann Lee", [ANN, LEE]),
        ("@Anna", []),
        ("@Annü", []),
        ("ann@example.com", []),
        ("@ann@example.com", [ANN]),
        ("@ann@elsewhere.com", []),
        ("@so.yeon", [SOYEON]),
        ("@田中さん見てください", [TANAKA]),
        ("Ann", []),
    ],
)
def test_a_text_names_whom_it_means(text: str, named: list[User]) -> None:
    found = [one for one in (SOYEON, ANN, LEE, TANAKA) if mentions(text, one, NAMES)]
    assert found == named
    assert [
        one
        for one in (SOYEON, ANN, LEE, TANAKA)
        if mentions(unicodedata.normalize("NFD", text), one, NAMES)
    ] == named


def inbox_of(db: Workspace) -> list[tuple[str, str]]:
    return [(one.meant, one.comment.body) for one in db.review.inbox().comments]


def test_a_mention_reaches_the_inbox_of_a_user_who_reads_the_document(team: Team) -> None:
    team.owner.users.rename("viewer@example.com", "김소연")
    team.commenter.review.comment(team.document, "@김소연님, @stranger: 왜?")
    viewer = team.owner.as_user("viewer@example.com")
    assert inbox_of(viewer) == [("mention", "@김소연님, @stranger: 왜?")]
    assert inbox_of(team.stranger) == []
    team.owner.documents.unshare(team.document, "viewer@example.com")
    assert inbox_of(viewer) == []


def test_an_edit_may_mention_a_user_and_a_deletion_takes_it_back(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    assert inbox_of(team.viewer) == []
    team.commenter.review.edit(team.document, asked.id, "@viewer 왜?")
    assert inbox_of(team.viewer) == [("mention", "@viewer 왜?")]
    team.commenter.review.delete(team.document, asked.id)
    assert inbox_of(team.viewer) == []
