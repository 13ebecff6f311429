"""A document about which several people have something to say."""

from typing import NamedTuple

import pytest

from strata import Workspace
from strata.access import Cap

TEXT = (
    "# 목표 🎯\n\nShip in May. cafe\u0301 שלום\n\n## 일정\n\nShip in May. 다섯째 달.\n\n"
    "## 日程\n\n五月に出荷する。👩‍👩‍👧\n"
)


class Team(NamedTuple):
    """Several people's views of one store, and a document that they share."""

    document: str
    owner: Workspace
    editor: Workspace
    commenter: Workspace
    viewer: Workspace
    stranger: Workspace
    suggester: Workspace

    def on(self, branch: str) -> "Team":
        """Return the same people on a branch."""
        return Team(self.document, *(one.on(branch) for one in self[1:]))

    @property
    def text(self) -> str:
        return self.owner.documents.text(self.document)


@pytest.fixture
def team(db: Workspace) -> Team:
    made = db.documents.create("계획", TEXT)
    views: dict[str, Workspace] = {}
    for role in ("editor", "commenter", "viewer"):
        user = db.users.add(f"{role}@example.com", role)
        db.documents.share(made.document, user.email, role)
        views[role] = db.as_user(user.id)
    stranger = db.as_user(db.users.add("stranger@example.com").id)
    capped = db.as_user("editor@example.com", cap=Cap(suggest_only=True)).as_actor("codex")
    return Team(made.document, db, **views, stranger=stranger, suggester=capped)
