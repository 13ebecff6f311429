"""`db.git`: how branches here follow those of a git checkout, and what may be merged."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from strata.base.checkout import Checkout
from strata.base.errors import NotAllowed, NotFound
from strata.base.git_branches import (
    branch_names,
    current_branch,
    default_branch,
    has_own_commits,
    is_busy,
)
from strata.base.git_command import run_git
from strata.base.results import Result
from strata.store import DEFAULT_BRANCH, Branch, Merge, Store
from strata.workspace.branches import Branches
from strata.workspace.git_branch import GIT, checkout_of, followed_branch, git_name_of
from strata.workspace.settings import Settings


class MergeOffer(Result, frozen=True):
    """A branch that followed a git branch which is merged into the default branch, or gone.

    `commits` counts what no other branch has, up to a limit; 0 means that only the branch is left.
    """

    branch: str
    git_branch: str
    reason: Literal["merged", "gone"]
    commits: int


class GitState(Result, frozen=True):
    """How the branch here belongs to the git checkout.

    `branch` is where sessions in the folder work. `is_made` is False as long as nothing was
    written there; then `parent` is the branch that it shows.
    """

    follows: bool
    checkout: str | None
    git_branch: str | None
    git_default: str | None
    is_busy: bool
    branch: str
    is_made: bool
    parent: str | None
    offers: tuple[MergeOffer, ...] = ()


class GitFollowing:
    """The branches that follow git branches. Reached as `db.git`."""

    def __init__(self, store: Store, settings: Settings, branches: Callable[[], Branches]) -> None:
        self._store, self._settings, self._branches = store, settings, branches

    def follow(self) -> None:
        """Let sessions of this store work on the branch of the git checkout they are in.

        >>> db.git.follow()
        >>> db.settings.get("branch")
        'git'
        """
        if self._branches().exists(GIT):
            raise NotAllowed(
                'The store has a branch called "git", which the setting would mean.',
                hint="Give it another name first.",
            )
        self._settings.set("branch", GIT)

    def state(self, folder: Path | None = None) -> GitState:
        """Return which git branch is checked out, which branch here belongs to it, and offers.

        >>> db.git.state(folder).branch
        'default'
        """
        checkout = checkout_of(self._store, folder)
        follows = self._settings.follows_git()
        branch = followed_branch(self._store, folder) if follows else self._settings.branch()
        is_made = self._branches().exists(branch)
        unborn = None if is_made else self._store.catalog.unborn.get(branch)
        return GitState(
            follows=follows,
            checkout=None if checkout is None else str(checkout.folder),
            git_branch=None if checkout is None else current_branch(checkout),
            git_default=None if checkout is None else default_branch(checkout),
            is_busy=checkout is not None and is_busy(checkout),
            branch=branch,
            is_made=is_made,
            parent=None if unborn is None else unborn.parent,
            offers=self.offers(folder),
        )

    def offers(self, folder: Path | None = None) -> tuple[MergeOffer, ...]:
        """Return the branches whose git branch was merged into the default one, or is gone.

        `git` is run only if there are branches that follow one.

        >>> db.git.offers(folder)
        ()
        """
        checkout = checkout_of(self._store, folder)
        if checkout is None:
            return ()
        return tuple(self._offers(checkout, self._following()))

    def _following(self) -> list[tuple[Branch, str]]:
        """Return the branches that follow a git branch, with its name."""
        found = ((one, git_name_of(one.name, one.metadata)) for one in self._branches().list())
        return [(one, name) for one, name in found if name is not None]

    def _offers(
        self, checkout: Checkout, following: Sequence[tuple[Branch, str]]
    ) -> Iterator[MergeOffer]:
        current = current_branch(checkout) if following else None
        candidates = [(one, name) for one, name in following if name != current]
        if not candidates:
            return
        present = set(branch_names(checkout))
        is_any_left = any(name in present for _branch, name in candidates)
        merged = _merged_branches(checkout) if is_any_left else set[str]()
        for branch, name in candidates:
            is_gone = name not in present
            if is_gone or (name in merged and has_own_commits(checkout, name)):
                own = self._branches().distance(branch.name, DEFAULT_BRANCH).ahead
                yield MergeOffer(branch.name, name, "gone" if is_gone else "merged", own)

    def merge(
        self, names: Sequence[str] = (), *, folder: Path | None = None, preview: bool = False
    ) -> list[Merge]:
        """Merge branches into `default` whose git branches were merged, and delete them.

        Without names it takes all that git merged; those whose git branch is gone only if they
        are named, or have nothing left to merge. The first conflict raises MergeConflict: that
        branch and those behind it stay as they are. A deleted branch can be restored for 30 days,
        and a write on its git branch makes it anew.

        >>> db.git.merge(folder=folder)
        []
        """
        offers = self.offers(folder)
        chosen = [self._chosen(offers, name) for name in names] or [
            one for one in offers if one.reason == "merged" or not one.commits
        ]
        done: list[Merge] = []
        for one in chosen:
            message = f"git branch {one.git_branch} is {one.reason}"[:200]
            if one.commits:
                merged = self._branches().merge(
                    one.branch, into=DEFAULT_BRANCH, preview=preview, message=message
                )
                done.append(merged)
            if not preview:
                self._branches().delete(one.branch)
        return done

    def _chosen(self, offers: Sequence[MergeOffer], name: str) -> MergeOffer:
        found = next((one for one in offers if name in (one.branch, one.git_branch)), None)
        if found is None:
            raise NotFound(
                f"{name!r} follows no git branch that was merged or is gone.",
                hint="`db.branches.merge(NAME)` merges any branch.",
            )
        return found


def _merged_branches(checkout: Checkout) -> set[str]:
    """Return the git branches that the default branch contains, here or as last fetched."""
    default = default_branch(checkout)
    if default is None:
        return set()
    found: set[str] = set()
    known = run_git(
        checkout.folder,
        "for-each-ref",
        "--format=%(refname)",
        f"refs/heads/{default}",
        f"refs/remotes/origin/{default}",
    )
    for target in known.decode("utf-8", "replace").split():
        names = run_git(
            checkout.folder,
            "for-each-ref",
            f"--merged={target}",
            "--format=%(refname:lstrip=2)",
            "refs/heads/",
        )
        found |= set(names.decode("utf-8", "replace").split())
    return found - {default}
