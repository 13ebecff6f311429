"""What programs need that serve a store to others: none of it is for those who use one."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec.structs import replace

from strata.access import FULL, NOBODY, OWNER, Grant
from strata.base.errors import SecretRefused, StrataError
from strata.base.results import Result
from strata.store import Store, Visibility
from strata.workspace.settings import Settings
from strata.workspace.trust_notes import is_trusted
from strata.workspace.user import ActingUser
from strata.workspace.viewpoint import Viewpoint

if TYPE_CHECKING:
    from strata.access import Users
    from strata.documents import Uploads

W = TypeVar("W")


class Counters(Result, frozen=True):
    """What this process has written since it opened the store."""

    wal_appends: int
    sync_calls: int
    bytes_written: int
    sync_nanos: int


class Serving(Generic[W]):
    """What a server of a store asks of it. Reached as `db.serving`; `W` are the views it gives."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        viewpoint: Viewpoint,
        *,
        users: "Callable[[], Users]",
        seen_from: Callable[[Viewpoint], W],
    ) -> None:
        self._store = store
        self._settings = settings
        self._viewpoint = viewpoint
        self._users = users
        self._seen_from = seen_from

    @property
    def store(self) -> Store:
        """The store itself, for packages that keep rows of their own in it."""
        return self._store

    def as_granted(self, grant: Grant) -> W:
        """Return a view that acts for the user of a token, within the limits of the token.

        >>> from strata.access import OWNER, Grant
        >>> reader = Grant("reader", OWNER, read_only=True)
        >>> db.serving.as_granted(reader).rights.cap.read_only
        True
        """
        return self._seen_from(self._granted(grant))

    def count_refusal(self, error: SecretRefused) -> None:
        """Count a write that was refused here, for `db.refused_secrets`; a failure is only logged.

        >>> from strata.base.errors import SecretRefused
        >>> refused = SecretRefused("…", found=[{"kind": "jwt", "path": "$"}])
        >>> db.as_actor("claude-code").serving.count_refusal(refused)
        >>> [(one.secret, one.sender.agent, one.times) for one in db.refused_secrets()]
        [('jwt', 'claude-code', 1)]
        """
        from strata.secrets import count_refusal  # noqa: PLC0415  (seldom needed)

        try:
            count_refusal(self._store, error, self._viewpoint.view_of(self._store).signature)
        except StrataError:
            import logging  # noqa: PLC0415  (hooks load this module, and seldom get here)

            logging.getLogger(__name__).warning("a refused secret was not counted", exc_info=True)

    def visibility(self, grant: Grant) -> Visibility:
        """Return what the user of a token sees of commits now.

        >>> from strata.access import Grant
        >>> db.serving.visibility(Grant("reader", user=None)).shows(("default", "kv", "k"))
        True
        """
        return self._granted(grant).user_of(self._store).visibility()

    def _granted(self, grant: Grant) -> Viewpoint:
        return replace(
            self._viewpoint,
            user=self.user_of(grant),
            cap=grant.cap,
            is_whole=False,
            only_documents=grant.is_for_documents,
        )

    def user_of(self, caller: Grant | str) -> ActingUser:
        """Return the user that a grant or a name means; raise NotFound for one who was removed.

        A name is an id, an email, or "owner".

        >>> from strata.access import Grant
        >>> db.serving.user_of("owner"), db.serving.user_of(Grant("reader", user=None)).name
        ('owner', 'nobody')
        """
        user = caller if isinstance(caller, str) else caller.user
        if user is None:
            return NOBODY
        return OWNER if user == OWNER else self._users().require(user)

    def bound(self, caller: Grant | str, *, branch: str, space: str) -> W:
        """Return a view for the calls of a session: what its caller may read and write.

        >>> db.serving.bound("owner", branch="default", space="notes").space_name
        'notes'
        """
        grant = None if isinstance(caller, str) else caller
        here = Viewpoint(
            branch=branch,
            space=space,
            user=self.user_of(caller),
            cap=FULL if grant is None else grant.cap,
            is_whole=False,
            only_documents=grant is not None and grant.is_for_documents,
        )
        return self._seen_from(here)

    def confined(self) -> W:
        """Return a view limited to documents that its user may read, on every branch.

        The handle on the file itself shows all of history and of branches, as the file does.

        >>> ann = db.as_user(db.users.add("ann@example.com").id)
        >>> _ = ann.documents.create("일기", "Dear diary")
        >>> len(db.changes(0)), db.serving.confined().changes(0)
        (2, [])
        """
        return self._seen_from(replace(self._viewpoint, is_whole=False))

    def uploads(self, base_url: Callable[[], str] | None = None) -> "Uploads":
        """Return files on their way into documents; `base_url` is where a server takes them.

        >>> uploads = db.serving.uploads(lambda: "http://127.0.0.1:7433")
        >>> made = uploads.presign("user_1", length=5, title="계획")
        >>> made.required_headers["Content-Type"], made.url.split("/")[3]
        ('text/markdown', 'uploads')
        """
        from strata.documents import Uploads, open_storage  # noqa: PLC0415  (seldom needed)

        return Uploads(
            self._store,
            lambda: open_storage(self._settings.get),
            is_trusted=lambda: is_trusted(self._store),
            base_url=base_url,
        )

    @contextmanager
    def stoppable(self) -> Generator[Callable[[], None]]:
        """Give what stops this thread's work from another thread, until the block ends.

        A stop also counts when it comes between two statements.

        >>> with db.serving.stoppable() as stop:
        ...     _ = db.kv.list()
        """
        connection = self._store.connection()

        def stop() -> None:
            connection.limit_time(0)
            connection.interrupt()

        try:
            yield stop
        finally:
            connection.limit_time(None)

    def counters(self) -> Counters:
        """Return what this process has written since it opened the store.

        >>> _ = db.kv.put("k", 1)
        >>> db.serving.counters().wal_appends > 0
        True
        """
        return Counters(*self._store.database.counters())
