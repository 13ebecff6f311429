"""The workspace: one opened store and everything joined to it."""

# Names in signatures would load their packages: a command that reads one value needs few of them.
from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, TypeVar

from msgspec.structs import replace

from strata import access, memory, models, store, upkeep
from strata.base import clock, limits
from strata.base.checks import check_many, check_number, check_text
from strata.base.errors import CommitNotFound, NotAllowed, TransactionConflict
from strata.base.page import ResultPage, cut_page
from strata.decisions import SYSTEM
from strata.search import Nearness, look, newest
from strata.store import NOW, Header, Transaction, View, check_key
from strata.workspace.kinds import Kinds, OpenTransaction, WorkspaceTransaction
from strata.workspace.serving import Serving
from strata.workspace.settings import Settings
from strata.workspace.standing import Standing
from strata.workspace.times import Times
from strata.workspace.titles import Titles
from strata.workspace.trust import StoreTrust
from strata.workspace.viewpoint import Viewpoint

if TYPE_CHECKING:
    from types import TracebackType

    from strata.conversations import Conversations
    from strata.decisions import Decisions
    from strata.documents import Documents, TransactionDocuments
    from strata.memory import Filter
    from strata.models import QuickReader
    from strata.presence import Presences
    from strata.proposals import Proposals
    from strata.publishing import Publishing
    from strata.review import Review
    from strata.search import Answer, Hit, Mode, TextTwin
    from strata.secrets import RefusedSecrets, StoredSecret
    from strata.store import Commit, Instant, Merge, ShownChange, Strategy
    from strata.tasks import Agents
    from strata.workspace.activity import ActivityRun
    from strata.workspace.branches import Branches
    from strata.workspace.bundles import Bundles
    from strata.workspace.embedding import StoreEmbeddings
    from strata.workspace.followers import Followers
    from strata.workspace.git_following import GitFollowing
    from strata.workspace.info import Info, TimeRange, Totals
    from strata.workspace.late import LateFollowers
    from strata.workspace.models import StoreModels
    from strata.workspace.provenance import Provenance
    from strata.workspace.remotes import Remotes

T = TypeVar("T")


class Workspace(Kinds):
    """An opened store, seen from a branch, a space and perhaps a past moment.

    Made by `strata.open()`; `on`, `at` and `space` give other views of the same store.
    Safe to use from several threads, and from several processes on one file.
    """

    def __init__(
        self,
        view: View,
        followers: LateFollowers,
        viewpoint: Viewpoint,
        *,
        timezone: str | None,
        is_view: bool = False,
    ) -> None:
        super().__init__(view, lambda: self._followers.matrices)
        self._store = view.store
        self._late_followers = followers
        self._viewpoint = viewpoint
        self._user = viewpoint.user_of(view.store)
        self._times = Times(view, timezone)
        self._timezone = timezone
        # A view of another workspace leaves the store open at the end of a `with` block.
        self._is_view = is_view

    @cached_property
    def facts(self) -> memory.Facts:
        """What is known by name, as agents mean it."""
        return memory.Facts(self._view, lambda: self._followers.key_orders)

    def __repr__(self) -> str:
        location = self._store.database.location
        place = "in memory" if location == ":memory:" else repr(location)
        past = "" if self.as_of is None else f", as of {self.as_of.iso_time}"
        return (
            f"<strata.Workspace {place}, branch {self.branch!r}, space {self.space_name!r}{past}>"
        )

    @cached_property
    def _followers(self) -> Followers:
        return self._late_followers.made()

    # Where this workspace reads and writes, and for which user.

    @property
    def path(self) -> Path | None:
        """The store's file; None in memory."""
        return self._store.database.path

    @property
    def branch(self) -> str:
        """The branch this view reads and writes."""
        return self._view.branch

    @property
    def space_name(self) -> str:
        """The space this view reads and writes."""
        return self._view.space

    @property
    def actor(self) -> str | None:
        """Who is named on the commits made here."""
        return self._view.actor

    @property
    def as_of(self) -> Instant | None:
        """The past point this view shows, or None for the present."""
        return self._view.instant

    @property
    def read_only(self) -> bool:
        """Whether the store was opened for reading only."""
        return self._store.database.read_only

    @property
    def durability(self) -> str:
        """How commits reach the disk: always, standard or cache."""
        return self._store.database.durability

    def on(self, branch: str) -> Workspace:
        """Return a view of another branch; "git" is the one for the git branch checked out now.

        >>> _ = db.branches.fork("try")
        >>> db.on("try").branch
        'try'
        """
        branch = self.settings.branch(given=branch)
        return self._at_viewpoint(
            replace(self._viewpoint, branch=branch, instant=None, branch_id=None)
        )

    def at(self, when: clock.When) -> Workspace:
        """Return a view of this branch as it was; it can be read, not written.

        `when` is a time in any form, a `timedelta` ago, a version, or `tag:NAME`. Numbers from
        10^9 on are POSIX seconds, from 10^12 on milliseconds, from 10^15 on microseconds; a
        version that does not exist yet is refused. `as_of` tells the point that was found. A tag
        shows its own branch, unless it lies in this one's history.

        >>> first = db.kv.put("k", "before").version
        >>> _ = db.kv.put("k", "after")
        >>> db.at(first).kv.get("k").value
        'before'
        """
        row, instant = self._times.locate(when)
        branch_id = row.id if row.deleted is not None else None
        return self._at_viewpoint(
            replace(self._viewpoint, branch=row.name, instant=instant, branch_id=branch_id)
        )

    def space(self, name: str) -> Workspace:
        """Return a view of another space.

        >>> _ = db.space("notes").kv.put("k", 1)
        >>> db.kv.get("k") is None
        True
        """
        return self._at_viewpoint(replace(self._viewpoint, space=name))

    def as_actor(self, actor: str | None, *, task: str | None = None) -> Workspace:
        """Return a view whose commits name an actor, and perhaps the task of an agent.

        >>> _ = db.as_actor("소연").kv.put("k", 1)
        >>> db.log(limit=1)[0].actor
        '소연'
        """
        self._view.check_name(actor, "actor")
        return self._at_viewpoint(replace(self._viewpoint, actor=actor, task=task))

    def allowing_secrets(self) -> Workspace:
        """Return a view that keeps keys, tokens and passwords as they are.

        Elsewhere they are refused or masked, as the setting `secrets` says.

        >>> dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
        >>> db.allowing_secrets().kv.put("dsn", dsn).version
        1
        """
        return self._at_viewpoint(replace(self._viewpoint, screened=False))

    def as_user(self, user: str, *, cap: access.Cap = access.FULL) -> Workspace:
        """Return a view that acts for a user, by id or email; a cap lowers what they may do.

        >>> ann = db.users.add("ann@example.com", "Ann")
        >>> db.as_user("ann@example.com").rights.user.name
        'Ann'
        """
        return self._at_viewpoint(
            replace(self._viewpoint, user=self.users.require(user), cap=cap, is_whole=False)
        )

    def _at_viewpoint(self, viewpoint: Viewpoint) -> Workspace:
        return Workspace(
            viewpoint.view_of(self._store),
            self._late_followers,
            viewpoint,
            timezone=self._timezone,
            is_view=True,
        )

    # Parts.

    @cached_property
    def branches(self) -> Branches:
        """Lines of work: fork, diff, merge."""
        from strata.workspace.branches import Branches  # noqa: PLC0415  (seldom needed)

        return Branches(self._view, self._times, visibility=self._user.visibility)

    @cached_property
    def git(self) -> GitFollowing:
        """How branches follow those of the git checkout."""
        from strata.workspace.git_following import GitFollowing  # noqa: PLC0415  (seldom needed)

        return GitFollowing(self._store, self.settings, lambda: self.branches)

    @cached_property
    def serving(self) -> Serving[Workspace]:
        """What only a program needs that serves the store to others."""
        return Serving(
            self._store,
            self.settings,
            self._viewpoint,
            seen_from=self._at_viewpoint,
            users=lambda: self.users,
        )

    @cached_property
    def embeddings(self) -> StoreEmbeddings:
        """The vectors behind search by meaning."""
        from strata.workspace.embedding import StoreEmbeddings  # noqa: PLC0415  (seldom needed)

        return StoreEmbeddings(self._followers, is_whole=self._user.is_whole)

    @cached_property
    def decisions(self) -> Decisions:
        """What was decided, why, and what came of it."""
        from strata.decisions import SPACE, Decisions  # noqa: PLC0415  (seldom needed)
        from strata.search import Query  # noqa: PLC0415

        def find(query: str, k: int, *, waits: bool = True, strict: bool = False) -> Sequence[Hit]:
            text = query[: limits.QUERY_BYTES_MAX // 4]
            mode: Mode = "auto" if waits or self._followers.loaders.are_ready() else "keyword"
            asked = Query(text, k, (SPACE,), ("memory",), mode=mode, strict=strict)
            search = self._followers.search
            with self._store.connection().together(search.reads()):
                return search.find(self._view.snapshot, asked).hits

        return Decisions(self._view, find, self._followers.graphs, linker=self._followers.linker)

    @cached_property
    def conversations(self) -> Conversations:
        """What was said in other programs, taken in from their files."""
        from strata.conversations import Conversations  # noqa: PLC0415  (seldom needed)

        return Conversations(self._view)

    @cached_property
    def tags(self) -> store.Tags:
        """Names for points of history."""
        return store.Tags(self._view, self._times.locate)

    @cached_property
    def retention(self) -> upkeep.Retention:
        """How long replaced values are kept."""
        from strata.documents import TextChains  # noqa: PLC0415  (seldom needed)

        chains = TextChains(self._store)
        return upkeep.Retention(self._store, trim=self._followers.trim, chains=chains)

    @cached_property
    def bundles(self) -> Bundles:
        """Branches as files."""
        from strata.workspace.bundles import Bundles  # noqa: PLC0415  (seldom needed)

        return Bundles(
            self._view, lambda: self._user.require_owner("take a whole branch out or in")
        )

    @cached_property
    def remotes(self) -> Remotes:
        """Other places that hold the same memory: push, pull, sync."""
        from strata.workspace.remotes import Remotes  # noqa: PLC0415  (seldom needed)

        return Remotes(
            self._view,
            lambda: self._user.require_owner("take everything out or in"),
            self._followers.erasing,
        )

    @cached_property
    def leases(self) -> upkeep.StoreLeases:
        """Rights to background work."""
        return upkeep.StoreLeases(self._store)

    @cached_property
    def settings(self) -> Settings:
        """What the store remembers for its users."""
        return Settings(self._store)

    @cached_property
    def models(self) -> StoreModels:
        """Models that embed or write text."""
        from strata.workspace.models import StoreModels  # noqa: PLC0415  (seldom needed)

        return StoreModels(
            self.settings,
            lambda: self._user.require_owner(
                "choose the model",
                why="what everybody asks and finds is sent to it",
                hint="Ask them to name it.",
            ),
        )

    @cached_property
    def trust(self) -> StoreTrust:
        """Whether this user lets the store say where data goes."""
        return StoreTrust(
            self._store,
            lambda: self._user.require_owner(
                "trust the store", why="it decides where data goes", hint="Ask them."
            ),
            sees_all=lambda: self._user.sees_all,
        )

    @cached_property
    def users(self) -> access.Users:
        """Everybody that the workspace knows."""
        return access.Users(self._store, self.rights, welcome=self._welcome)

    def _welcome(self, user: access.User) -> None:
        """Give a new user a public profile, which keeps its name for them."""
        from strata.publishing import provide_profile  # noqa: PLC0415  (seldom needed)

        provide_profile(self._store, user)

    @cached_property
    def teams(self) -> access.Teams:
        """The workspace and the teams in it, with their members."""
        return access.Teams(self._store, self.rights)

    @cached_property
    def folders(self) -> access.Folders:
        """Folders, which decide who may read what is in them."""
        return access.Folders(self._store, self.rights)

    @cached_property
    def document_spaces(self) -> access.DocumentSpaces:
        """Collections of documents across folders."""
        return access.DocumentSpaces(self._store, self.rights)

    @cached_property
    def shares(self) -> access.Shares:
        """What was given to single users."""
        return access.Shares(self._store, self.rights)

    @cached_property
    def share_links(self) -> access.ShareLinks:
        """Links that let users into documents and teams."""
        return access.ShareLinks(self._store, self.rights, welcome=self._welcome)

    @cached_property
    def tokens(self) -> access.Tokens:
        """Keys to a server of this store."""
        return access.Tokens(self._store, self.rights)

    @cached_property
    def sign_ins(self) -> access.SignIns:
        """Codes to sign in with, and the browsers that did."""
        return access.SignIns(self._store, self.rights)

    @cached_property
    def audit(self) -> access.Audit:
        """Every change to users, teams, folders and shares."""
        return access.Audit(self._store, self.rights)

    @property
    def rights(self) -> access.Permissions:
        """What the acting user may do."""
        return self._user.permissions

    @cached_property
    def documents(self) -> Documents:
        """Documents that users and agents write together."""
        from strata.documents import Documents  # noqa: PLC0415  (seldom needed)

        return Documents(self._view, lambda: self.rights, self._followers.documents)

    @cached_property
    def review(self) -> Review:
        """Comments and suggestions on documents."""
        from strata.review import Review  # noqa: PLC0415  (seldom needed)

        return Review(self._view, self.documents)

    @cached_property
    def proposals(self) -> Proposals:
        """Changes that agents propose for this branch."""
        from strata.proposals import REJECTIONS, Proposals  # noqa: PLC0415  (seldom needed)

        return Proposals(
            self._view,
            visibility=self._user.visibility,
            log=self.space(REJECTIONS).events.append_many,
            documents=lambda actor: (self if actor is None else self.as_actor(actor)).documents,
        )

    def proposing(self) -> Workspace:
        """Return a view whose writes are proposals of its actor, for users to decide about.

        It is the branch `proposals/ACTOR`, which shows this branch and what was proposed so far.

        >>> draft = db.as_actor("claude").proposing()
        >>> _ = draft.kv.put("limit", 100)
        >>> db.kv.get("limit") is None, db.proposals.get("limit").after
        (True, 100)
        """
        return self.on(self.proposals.branch())

    def twins(self, key: str, *, limit: int = 2) -> list[TextTwin]:
        """Return facts of this space that say nearly the same as one, the nearest first.

        Only texts are compared. Nothing of the index stays in memory.

        >>> _ = db.facts.remember("ops/deploy", "We deploy to Frankfurt on Fridays")
        >>> _ = db.facts.remember("deploy/when", "On Fridays we deploy to Frankfurt.")
        >>> [(twin.hit.key, twin.likeness) for twin in db.twins("deploy/when")]
        [('ops/deploy', 1.0)]
        """
        check_number(limit, name="limit", most=limits.SEARCH_RESULTS_MAX)
        fact = self.facts.recall(key)
        return [] if fact is None else self.twins_of(fact, limit=limit)

    def twins_of(self, fact: memory.Fact, *, limit: int = 2) -> list[TextTwin]:
        """Return facts that say nearly the same as one that was just stored or read.

        What it replaces is left out, and so are those that `same_as` names.

        >>> _ = db.facts.remember("ops/deploy", "We deploy to Frankfurt on Fridays")
        >>> kept = db.facts.remember("deploy/when", "On Fridays we deploy to Frankfurt.")
        >>> [twin.hit.key for twin in db.twins_of(kept)]
        ['ops/deploy']
        """
        from strata.search import twins_of  # noqa: PLC0415  (seldom needed)

        return twins_of(
            self._view.snapshot,
            (fact.space, fact.kind, fact.key),
            fact.held.value,
            most=limit,
            without=(*fact.same_as, *memory.keys_replaced_by(fact)),
        )

    @cached_property
    def presence(self) -> Presences:
        """Who has a document open now, and where in it they are."""
        from strata.presence import Presences  # noqa: PLC0415  (seldom needed)

        return Presences(self._view, self.rights, lambda: self.documents)

    @cached_property
    def agents(self) -> Agents:
        """Agents that one can ask for something, and what they were asked."""
        from strata.tasks import Agents  # noqa: PLC0415  (seldom needed)

        return Agents(self._view, self.rights)

    @cached_property
    def publishing(self) -> Publishing:
        """Documents that are shown to everybody, as frozen versions."""
        from strata.publishing import Publishing  # noqa: PLC0415  (seldom needed)

        return Publishing(self._view, self.rights, self.documents, public=self._followers.public)

    # Finding.

    def search(
        self,
        query: str,
        limit: int = 10,
        *,
        spaces: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] = (),
        since: clock.When | None = None,
        until: clock.When | None = None,
        branch: str | None = None,
        at: clock.When | None = None,
        mode: Mode = "auto",
        expand: bool = False,
        rerank: bool = False,
        filter: Iterable[Filter] | None = None,
        strict: bool = True,
        expired: bool = False,
    ) -> Answer:
        """Return the things that answer a question best, at most `limit`, in any language.

        Looks through facts, JSON values, cells, events and decisions of all spaces and through the
        documents that the user may read, on this branch or another, now or `at` a time. A document
        is in the answer once, by the part of it that answers best. Turns of conversations rank
        below what was kept and answers as well. The first hits of conversations are read once more
        together with the question, a tenth of a second, unless the setting `judging` is off.

        `tags` must all be carried; `since` and `until` are times of writing, and where `kinds` is
        `["turn"]`, times at which something was said; `filter` tests members of the value, as in
        `db.vectors.search`. `expand` and `rerank` ask the language model that the settings name, if
        they name one.

        Where nothing is relevant, the answer is empty, `known` is false, and `nearest` names
        what comes nearest; beside what answers, weak hits are left out. Without `strict` the
        nearest are the hits. Facts and decisions that said until when they hold are left out after
        that, and named in `notes`, unless `expired` asks for them.

        >>> _ = db.kv.put("deploy", "배포는 금요일에 하지 않는다")
        >>> _ = db.kv.put("cache", "Prices are cached for sixty seconds")
        >>> [hit.key for hit in db.search("how long do we cache a price?")]
        ['cache']
        >>> db.search("금요일 배포")[0].snippet
        '배포는 금요일에 하지 않는다'
        >>> db.search("quantum chromodynamics").known
        False
        """
        from strata.workspace.advice import advisor_of  # noqa: PLC0415  (slow to load)
        from strata.workspace.finding import (  # noqa: PLC0415
            ViewSearch,
            as_query,
            first_moment,
        )

        here = self if branch is None else self.on(branch)
        here = here if at is None else here.at(at)
        asked = as_query(
            query,
            k=limit,
            namespaces=spaces,
            kinds=kinds,
            tags=tags,
            since=None if since is None else here.time_of(first_moment(since)),
            until=None if until is None else here.time_of(until),
            mode=mode,
            filter=filter,
            strict=strict,
        )
        finder = ViewSearch(
            here._view,
            self._followers.search,
            advisor=lambda: advisor_of(self.settings),
            documents=lambda: here.documents,
            standing=here._standing(),
        )
        return finder.find(asked, expand=expand, rerank=rerank, expired=expired)

    def glance(self, text: str | None = None, limit: int = 5) -> tuple[Hit, ...]:
        """Return what the texts say about something, best first; without one, the newest.

        For callers that must answer at once and will not ask again: it loads no model, keeps
        nothing and returns only what is likely meant, often nothing. It knows texts that share a
        word with the question, and compares their vectors where they are made; `search` finds more.

        >>> _ = db.kv.put("cache", "Prices are cached for sixty seconds")
        >>> [hit.key for hit in db.glance("are the prices cached?")]
        ['cache']
        >>> db.glance("rename this variable")
        ()
        """
        check_number(limit, name="limit", most=limits.SEARCH_RESULTS_MAX)
        snapshot = self._view.snapshot
        found = (
            newest(snapshot, limit)
            if text is None
            else look(
                snapshot,
                check_text(text, name="text"),
                limit,
                nearness=Nearness(snapshot.store, _quick_reader),
            )
        )
        return self._standing().settled(found, limit)

    def _standing(self) -> Standing:
        return Standing(self._view, lambda: self.decisions)

    def public_address(self, path: str, *, server: str | None = None) -> str:
        """Return where everybody finds a public page; the path alone where no server is known.

        The setting `public_url` counts first, then `server`, then one that runs now.

        >>> db.settings.set("public_url", "https://notes.example.com/")
        >>> db.public_address("/@ann/plan")
        'https://notes.example.com/@ann/plan'
        """
        told = self.settings.get("public_url") or server or self.serving.uploads().servers.find()
        return str(told or "").rstrip("/") + path

    # History.

    def resolve(self, when: clock.When) -> Instant:
        """Return the point of this branch's history that a time means.

        >>> _ = db.kv.put("k", 1)
        >>> db.resolve("now").version
        1
        """
        return self._times.locate(when)[1]

    def time_of(self, when: clock.When) -> int:
        """Return a time in microseconds, whether or not there is any history of it.

        >>> db.time_of("2026-01-02T00:00:00Z")
        1767312000000000
        """
        return self._times.microseconds(when)

    def log(
        self, *, limit: int = 50, before: int | None = None, touched: bool = False
    ) -> ResultPage[Commit, int]:
        """Return the commits this view can see, newest first, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `before`
        to get them, and `all()` yields them. With `touched` each commit lists what it changed,
        with the titles of documents.

        >>> _ = db.kv.put("k", 1)
        >>> [commit.operation for commit in db.log()]
        ['put']
        """
        check_number(limit, name="limit", most=NOW)
        bound = self._view.snapshot.bound
        if before is not None:
            bound = min(bound, check_number(before, name="before") - 1)
        branch, visibility = self._view.snapshot.current_branch(), self._user.visibility()
        rows = store.log(
            self._store, branch, bound=bound, limit=min(limit + 1, NOW), visibility=visibility
        )
        kept = rows[:limit]
        commits = [store.as_commit(self._store, row, visibility=visibility) for row in kept]
        if touched:
            titles = Titles(self._view.snapshot)
            commits = [
                replace(
                    commit,
                    touched=titles.titled(store.things_of(self._store, row, visibility=visibility)),
                )
                for commit, row in zip(commits, kept, strict=True)
            ]
        return ResultPage(
            commits,
            next=kept[-1].version if len(rows) > limit else None,
            onward=lambda before: self.log(limit=limit, before=before, touched=touched),
        )

    def activity(
        self,
        *,
        limit: int = 20,
        before: int | None = None,
        person: str | None = None,
        agent: str | None = None,
        task: str | None = None,
        kinds: Iterable[str] | None = None,
        since: clock.When | None = None,
    ) -> ResultPage[ActivityRun, int]:
        """Return what users and agents did on this branch, run by run, newest first.

        A run is what one author did without a pause of 15 minutes, or all of an agent's task; what
        was typed is a run for each author and document. Filters are a user's id or email, an agent
        or actor, an agent's task, kinds ("kv", "document", …) and a time. `next` of the result is
        what to pass as `before`. A page looks at a bounded number of commits: with a filter it may
        be short, and have a next one all the same.

        >>> _ = db.as_actor("agent-7").kv.put("a", 1)
        >>> _ = db.as_actor("agent-7").kv.put("b", 2)
        >>> [(run.actor, run.counts, run.commits) for run in db.activity()]
        [('agent-7', {'kv': 2}, (2, 1))]
        """
        from strata.documents import count_words  # noqa: PLC0415  (seldom needed)
        from strata.workspace.activity import (  # noqa: PLC0415  (seldom needed)
            ActivityFilter,
            ActivityReader,
        )

        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        bound = self._view.snapshot.bound
        if before is not None:
            bound = min(bound, check_number(before, name="before") - 1)
        wanted = ActivityFilter(
            person=None if person is None else self.users.require(person).id,
            agent=agent,
            task=task,
            kinds=None if kinds is None else frozenset(check_many(kinds, name="kinds")),
            since=0 if since is None else self.time_of(since),
        )

        def words(document: str, commits: list[store.CommitRow]) -> tuple[int, int] | None:
            texts = self._followers.documents.texts
            found = count_words(self._store, texts, document, commits=commits)
            return None if found is None else (found.added, found.removed)

        reader = ActivityReader(
            self._view.snapshot, wanted, visibility=self._user.visibility(), count_words=words
        )
        with self._store.database.reading():
            runs, following = reader.page(bound, limit)
        return ResultPage(
            runs,
            next=None if following is None else following + 1,
            onward=lambda before: self.activity(
                limit=limit,
                before=before,
                person=person,
                agent=agent,
                task=task,
                kinds=kinds,
                since=since,
            ),
        )

    def authors(self, versions: Iterable[int]) -> dict[int, store.Signature]:
        """Return who signed the commits that wrote these versions: person, agent and task.

        >>> ann = db.users.add("ann@example.com", "소연")
        >>> written = db.as_user(ann.id).as_actor("claude-code").kv.put("k", 1).version
        >>> by = db.authors([written])[written]
        >>> by.name, by.agent
        ('소연', 'claude-code')
        """
        return store.authors_of(self._store, versions)

    def show(self, version: int) -> tuple[Commit, list[ShownChange]]:
        """Return the commit that wrote a version, and what it changed.

        >>> written = db.kv.put("k", {"a": 1}).version
        >>> commit, changes = db.show(written)
        >>> changes[0].key, changes[0].action
        ('k', 'added')
        """
        visibility = self._user.visibility()
        row = store.find_commit(self._store, version, visibility=visibility)
        shown = store.changes_of_commit(self._store, row, visibility=visibility)
        return store.as_commit(self._store, row, visibility=visibility), shown

    def why(self, name: str) -> Provenance:
        """Return where a fact, or a decision by its id or topic, comes from.

        Who wrote it, when, in which commit, task and branch; which turns of conversations,
        documents or other sources it names; what it replaced and what replaced it.

        >>> _ = db.kv.put("port", 8080)
        >>> _ = db.as_actor("소연").facts.remember("port", 8443, sources=["docs/ports.md"])
        >>> found = db.why("port")
        >>> found.commit.actor, [one.source for one in found.sources], found.earlier[0].value
        ('소연', ['docs/ports.md'], 8080)
        """
        from strata.workspace.provenance import ProvenanceReader  # noqa: PLC0415  (seldom needed)

        def title(document: str) -> str:
            is_seen = document in self.rights.visible()
            return Titles(self._view.snapshot).at("document", document) or "" if is_seen else ""

        reader = ProvenanceReader(
            self._view,
            self.facts,
            decisions=lambda: self.decisions,
            conversations=lambda: self.conversations,
            commit=lambda version: self.show(version)[0],
            title=title,
        )
        return reader.read(name)

    def changes(self, after: int, *, limit: int = 1000) -> ResultPage[ShownChange, int]:
        """Return what was written on this branch after a version, oldest first, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `after`
        to get them, and `all()` yields them.

        >>> first = db.kv.put("a", 1).version
        >>> _ = db.kv.put("b", 2)
        >>> [change.key for change in db.changes(first)]
        ['b']
        """
        check_number(after, name="after", least=0, most=NOW)
        check_number(limit, name="limit", most=NOW)
        snapshot = self._view.snapshot
        point = store.Point(snapshot.current_branch(), snapshot.bound)
        found = store.changes_since(
            self._store,
            point,
            after=after,
            limit=min(limit + 1, NOW),
            visibility=self._user.visibility(),
        )
        return cut_page(
            found,
            limit,
            lambda change: change.version,
            onward=lambda after: self.changes(after, limit=limit),
        )

    def revert(
        self,
        version: int | Iterable[int],
        *,
        strategy: Strategy = "strict",
        preview: bool = False,
        message: str | None = None,
    ) -> Merge:
        """Take one commit back by a new one, or several as one; later changes conflict.

        `strict` raises MergeConflict where something was changed since. `target_wins` takes back
        what can be taken back and leaves the rest; `source_wins` goes back to what was there before
        all the same. `preview` only tells: `changes` go back, `conflicts` stay, and `kept` names
        who changed them since.

        >>> _ = db.kv.put("k", 1)
        >>> wrong = [db.kv.put("k", 2).version, db.kv.put("k", 3).version]
        >>> db.revert(wrong, preview=True).applied
        1
        >>> _ = db.revert(wrong)
        >>> db.kv.get("k").value
        1
        """
        versions = [version] if isinstance(version, int) else check_many(version, name="version")
        return self._revert_commits(
            versions, "revert", strategy=strategy, preview=preview, message=message
        )

    def undo(self, *, actor: str | None = None, message: str | None = None) -> Merge:
        """Take back the newest commit here that was not undone yet, or an actor's newest.

        What the store did by itself is taken back when its actor, `system`, is named.

        >>> _ = db.kv.put("k", 1); _ = db.kv.put("k", 2)
        >>> _ = db.undo()
        >>> db.kv.get("k").value
        1
        """
        for version in self._not_undone(actor if actor is not None else self._view.actor):
            merge = self._revert_commits([version], "undo", message=message)
            # A commit that changed nothing, or only appended events, is passed over.
            if merge.commit is not None:
                return merge
        raise CommitNotFound("There is nothing to undo here.", hint="`db.log()` shows why.")

    def _not_undone(self, actor: str | None) -> Iterator[int]:
        """Yield the commits that can still be undone, newest first."""
        undone: set[str] = set()
        visibility = self._user.visibility()
        for row in store.log(self._store, self._view.snapshot.current_branch()):
            operation, *commits = row.operation.split(" ")
            by = store.read_signature(row.actor).actor
            if operation == "undo":
                undone.update(commits)
            elif store.short_hash(row) in undone or not _is_by(by, actor):
                continue
            elif store.is_visible(self._store, row, visibility):
                yield row.version

    def cherry_pick(
        self, version: int, *, strategy: Strategy = "strict", message: str | None = None
    ) -> Merge:
        """Take over what one commit changed, from whatever branch.

        >>> _ = db.branches.fork("try")
        >>> good = db.on("try").kv.put("k", "좋다").version
        >>> _ = db.cherry_pick(good)
        >>> db.kv.get("k").value
        '좋다'
        """
        visibility = self._user.visibility()
        return store.pick_commit(
            self._store,
            store.find_commit(self._store, version, visibility=visibility),
            onto=self._view.branch,
            strategy=strategy,
            actor=self._view.signature,
            message=self._view.message(message),
            visibility=visibility,
        )

    def _revert_commits(
        self,
        versions: Iterable[int],
        operation: Literal["revert", "undo"],
        *,
        strategy: Strategy = "strict",
        preview: bool = False,
        message: str | None,
    ) -> Merge:
        visibility = self._user.visibility()
        found = [
            store.find_commit(self._store, version, visibility=visibility) for version in versions
        ]
        done = store.revert_commits(
            self._store,
            found,
            onto=self._view.branch,
            operation=operation,
            strategy=strategy,
            actor=self._view.signature,
            message=self._view.message(message),
            preview=preview,
            visibility=visibility,
        )
        titles = Titles(self._view.snapshot)
        kept = tuple(replace(one, title=titles.at(one.kind, one.key)) for one in done.kept)
        return replace(done, kept=kept)

    # Care of the store.

    def purge(
        self,
        key: str,
        *,
        kind: str | None = None,
        space: str | None = None,
        version: int | None = None,
    ) -> upkeep.Purge:
        """Erase what a key ever held, on every branch, from the file itself.

        >>> _ = db.kv.put("secret", "hunter2")
        >>> db.purge("secret").versions
        1
        >>> [found.state for found in db.kv.history("secret")]
        ['erased']
        """
        self._user.require_owner("erase values for good", why="they go from every branch")
        with self._followers.erasing() as erase:
            return upkeep.purge(
                self._view.snapshot,
                check_key(key),
                space=space or self._view.space,
                kind=kind,
                version=version,
                forget=erase,
            )

    def purge_document(self, document: str) -> upkeep.Purge:
        """Erase a document on every branch: its texts, images and shares, from the file itself.

        Words cannot be erased from a document's past by themselves: each text builds on those
        before it. Take the text that may stay out, erase the document, and make a new one.

        >>> made = db.documents.create("Secret plan", "hunter2")
        >>> db.purge_document(made.document).versions
        3
        >>> made.document in db.rights.visible()
        False
        """
        self._user.require_owner("erase documents")
        from strata.documents import erase_document, open_storage  # noqa: PLC0415  (seldom needed)
        from strata.publishing import forget_publication  # noqa: PLC0415  (seldom needed)
        from strata.tasks import forget_tasks  # noqa: PLC0415  (seldom needed)

        user = access.owner_of(self._store).id
        with self._followers.erasing() as erase:
            return erase_document(
                self._store,
                document,
                user=user,
                storage=lambda: open_storage(self.settings.get),
                forget=erase,
                others=(forget_publication, forget_tasks),
            )

    def find_secrets(self, *, progress: upkeep.Progress | None = None) -> list[StoredSecret]:
        """Return the secrets that are in the store already: every branch, all history, notes.

        >>> dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
        >>> _ = db.allowing_secrets().kv.put("dsn", dsn)
        >>> [(found.key, found.secret) for found in db.find_secrets()]
        [('dsn', 'url_password')]
        """
        from strata.secrets import find_stored  # noqa: PLC0415  (seldom needed)

        return find_stored(self._store, progress)

    def refused_secrets(self, *, days: int = 30) -> list[RefusedSecrets]:
        """Return how often tools and open documents refused secrets, by kind and sender.

        The latest come first. Nothing is known of the secrets themselves, nor of where they were.
        A program that calls the SDK gets the error itself, and is not counted.

        >>> db.refused_secrets()
        []
        """
        from strata.secrets import list_refusals  # noqa: PLC0415  (seldom needed)

        return list_refusals(self._store, days=days)

    def verify(
        self, *, full: bool = False, progress: upkeep.Progress | None = None
    ) -> upkeep.Verification:
        """Check every byte that can be checked.

        Of documents the newest few hundred are read as well, to see that their logs give the
        texts that were written; with `full` all of them are, from their first words on.

        >>> _ = db.kv.put("k", 1)
        >>> db.verify().ok
        True
        """
        most = None if full else limits.DOCUMENTS_PROVED

        def derived(report: upkeep.Progress) -> Iterator[upkeep.Problem]:
            from strata.documents import document_problems  # noqa: PLC0415  (seldom needed)
            from strata.publishing import publishing_problems  # noqa: PLC0415
            from strata.search import wrong_segments  # noqa: PLC0415

            yield from document_problems(self._store, report, limit=most)
            yield from publishing_problems(self._store)
            for _segment, run in wrong_segments(self._store):
                what = f"The text index of the versions {run.first} to {run.last} is damaged."
                hint = "Nothing is lost: `strata reindex` makes it anew from the values."
                yield upkeep.Problem("index", f"{what} {hint}")
            yield from self._followers.code_problems()

        return upkeep.verify(
            self._store, entry=self._followers.entries(), more=derived, progress=progress
        )

    def reindex(self, *, progress: upkeep.Progress | None = None) -> upkeep.Reindex:
        """Make the text index anew where it does not fit the values, or is missing.

        For a store that was written with `text_index=False`, or whose index `verify` found
        damaged. The tables for SQL are made right too. Others may go on reading and writing.

        >>> _ = db.kv.put("k", "배포는 금요일에 하지 않는다")
        >>> db.reindex().changed
        0
        """
        return self._followers.reindex(progress)

    def backup(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        verify: bool = True,
        progress: upkeep.Progress | None = None,
    ) -> upkeep.Backup:
        """Copy one state of the store to a file while others go on writing.

        The copy is verified before it gets its name, unless `verify` is False.

        >>> _ = db.kv.put("k", 1)
        >>> db.backup(folder / "copy.strata").version
        1
        """
        return upkeep.backup(self._store, Path(path), force=force, verify=verify, progress=progress)

    @property
    def backups_folder(self) -> Path:
        """The folder `backups` beside the store, where pages put backups.

        >>> db.backups_folder.name
        'backups'
        """
        if self.path is None:
            raise NotAllowed(
                f"The store {self._store.database.location} is in no file, so no backups are "
                "beside it.",
                hint="`strata.copy(FROM, TO)` copies a store in PostgreSQL to a file; pg_dump "
                "keeps the whole database.",
            )
        return self.path.parent / "backups"

    def backups(self) -> list[upkeep.BackupFile]:
        """Return the backups in the folder `backups` beside the store, newest first; for the owner.

        >>> db.backups()
        []
        """
        self._user.require_owner("list the backups of the store")
        return upkeep.backups_in(self.backups_folder)

    def compact(self, *, progress: upkeep.Progress | None = None) -> upkeep.Compaction:
        """Give unused space back to the disk.

        >>> _ = db.compact()
        """
        return upkeep.compact(self._store, progress=progress)

    def flush(self) -> None:
        """Make sure that everything written so far is on the disk.

        >>> db.flush()
        """
        database = self._store.database
        if database.path is not None and not database.read_only:
            database.fold_log()
            self._store.sync()

    def info(self) -> Info:
        """Return the store at a glance.

        >>> db.info().branch
        'default'
        """
        from strata.workspace.info import info_of  # noqa: PLC0415  (seldom needed)

        return info_of(self._view, self._user.visibility())

    def totals(self) -> Totals:
        """Return how many facts, events, decisions and documents this view shows.

        >>> _ = db.kv.put("k", 1)
        >>> db.totals().facts, db.at(0).totals().facts
        (1, 0)
        """
        from strata.workspace.info import totals_of  # noqa: PLC0415  (seldom needed)

        return totals_of(self._view, self._user.visibility())

    def time_range(self) -> TimeRange:
        """Return the times between which this branch has a history.

        >>> db.time_range().oldest is None
        True
        """
        from strata.workspace.info import TimeRange  # noqa: PLC0415  (seldom needed)

        self._store.database.check_file()
        branch = self._view.snapshot.current_branch()
        return TimeRange(*store.time_range(self._store, branch, visibility=self._user.visibility()))

    # Transactions.

    @contextmanager
    def transaction(
        self, *, message: str | None = None, actor: str | None = None, read_only: bool = False
    ) -> Generator[WorkspaceTransaction]:
        """Do many things as one commit; an exception undoes all of them.

        Reads see one state and the changes made so far. If anything that was read has
        changed by the end, TransactionConflict is raised and nothing is written.

        >>> with db.transaction(message="move", actor="me") as tx:
        ...     _ = tx.kv.put("a", 1)
        ...     _ = tx.kv.put("b", 2)
        >>> db.log(limit=1)[0].message
        'move'
        """
        transaction = self._begin(message, actor, read_only=read_only)
        staged = WorkspaceTransaction(
            transaction,
            self._matrices,
            self._documents_of(transaction),
            space=self._view.space,
            reads_only=read_only,
        )
        try:
            yield staged
        except BaseException:
            transaction.rollback()
            raise
        if transaction.is_open:
            transaction.commit()

    def begin(
        self, *, message: str | None = None, actor: str | None = None, read_only: bool = False
    ) -> OpenTransaction:
        """Begin a transaction that ends by its own `commit` or `rollback`, in any thread.

        >>> tx = db.begin(message="by hand")
        >>> _ = tx.kv.put("k", 1)
        >>> db.kv.get("k") is None
        True
        >>> _ = tx.commit()
        >>> db.log(limit=1)[0].message
        'by hand'
        """
        transaction = self._begin(message, actor, read_only=read_only)
        return OpenTransaction(
            transaction,
            self._matrices,
            self._documents_of(transaction),
            space=self._view.space,
            reads_only=read_only,
        )

    def _documents_of(self, transaction: Transaction) -> Callable[[View], TransactionDocuments]:
        """Return what gives the documents of a transaction; all its views have the same rights."""

        @cache
        def rights() -> access.StagedPermissions:
            return access.StagedPermissions(self.rights, transaction)

        def documents(view: View) -> TransactionDocuments:
            from strata.documents import TransactionDocuments  # noqa: PLC0415  (seldom needed)

            return TransactionDocuments(view, rights, self._followers.documents)

        return documents

    def _begin(self, message: str | None, actor: str | None, *, read_only: bool) -> Transaction:
        view = self._view
        view.check_name(actor, "actor")
        by = view.signature if actor is None else view.signed(actor)
        header = Header("transaction", by, view.message(message))
        if not read_only:
            view.check_writable()
        return Transaction(view.snapshot, header, locked=False, screen=view.screen)

    def transact(
        self,
        work: Callable[[WorkspaceTransaction], T],
        *,
        message: str | None = None,
        actor: str | None = None,
        attempts: int = limits.COMMIT_ATTEMPTS,
    ) -> T:
        """Run a function in a transaction, again from the start when it lost a race.

        >>> def count(tx):
        ...     seen = tx.kv.get("n")
        ...     tx.kv.put("n", (seen.value if seen else 0) + 1)
        >>> db.transact(count)
        >>> db.kv.get("n").value
        1
        """
        for attempt in range(check_number(attempts, name="attempts")):
            try:
                with self.transaction(message=message, actor=actor) as transaction:
                    return work(transaction)
            except TransactionConflict:
                if attempt == attempts - 1:
                    raise
                time.sleep(min(0.001 * 2**attempt, 0.05) * (0.5 + os.urandom(1)[0] / 256))
        raise AssertionError("the last attempt returns or raises")

    def interrupt(self) -> None:
        """Stop the statements that other threads run now; they raise Interrupted.

        >>> db.interrupt()
        """
        self._store.database.interrupt()

    @contextmanager
    def time_limit(self, seconds: float) -> Generator[None]:
        """Stop this thread's statement when the block takes longer.

        >>> with db.time_limit(5):
        ...     _ = db.kv.list()
        """
        connection = self._store.connection()
        timer = threading.Timer(seconds, connection.interrupt)
        timer.daemon = True
        connection.limit_time(seconds)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            connection.limit_time(None)

    def close(self) -> None:
        """Close the store in this process; every view of it is closed too.

        At the end of a `with` block this is done for what `strata.open` returned, and not for
        views of it such as `db.on("try")`.

        >>> db.close()
        """
        self._late_followers.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._is_view:
            self.close()


def _is_by(author: str | None, actor: str | None) -> bool:
    """Tell whether a commit is an actor's; without one, whether it is not of `system`."""
    return author == actor if actor is not None else author != SYSTEM


def _quick_reader() -> QuickReader | None:
    """Return what reads prompts; its module is loaded where there are vectors to compare with."""
    return models.quick_reader()
