"""The audit log, read."""

from collections.abc import Mapping

import msgspec

from strata.access.part import AccessPart
from strata.access.records import AuditEntry
from strata.base import limits
from strata.base.checks import check_number
from strata.base.page import ResultPage, cut_page
from strata.base.values import Json, decode
from strata.sql import Row
from strata.store import unreadable

_NEWEST = 2**63 - 1


class Audit(AccessPart):
    """Every change to users, teams, folders and shares. Reached as `db.audit`."""

    def list(
        self,
        limit: int = 100,
        *,
        before: int | None = None,
        user: str | None = None,
        subject: str | None = None,
        action: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> "ResultPage[AuditEntry, int]":
        """Return the newest changes first, at most `limit`; `before` is the number to go on from.

        `user` is the id of who made them, `subject` the id of what was changed. `action` is the
        name of an action, or its first part: "token" finds "token.create" and "token.revoke".
        `since` and `until` are times in microseconds. It takes an admin of the workspace: the log
        names what not everybody may see.

        >>> _ = db.users.add("ann@example.com")
        >>> [(entry.action, entry.details["email"]) for entry in db.audit.list()]
        [('user.add', 'ann@example.com')]
        >>> list(db.audit.list(action="token"))
        []
        """
        self._require_admin("read the audit log of")
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        bound = _NEWEST if before is None else before
        values = (bound, user, subject, limit + 1, action, since, until)
        rows = self._store.connection().rows(self._store.queries.audit_entries, values)
        return cut_page(
            [_entry(row) for row in rows],
            limit,
            lambda entry: entry.number,
            onward=lambda before: self.list(
                limit,
                before=before,
                user=user,
                subject=subject,
                action=action,
                since=since,
                until=until,
            ),
        )

    def note_verification(self, started: int, result: Mapping[str, Json]) -> None:
        """Write down what a verification of the whole store found, and when it began.

        It takes an admin of the workspace.

        >>> db.audit.note_verification(0, {"ok": True})
        >>> [(entry.action, entry.details) for entry in db.audit.list(action="store.verify")]
        [('store.verify', {'started': 0, 'ok': True})]
        """
        with self._changing():
            self._require_admin("verify")
            self._note("store.verify", "store", started=started, **result)


def _entry(row: Row) -> AuditEntry:
    try:
        details = decode(row[5])
    except msgspec.DecodeError as error:
        raise unreadable("an entry of the audit log") from error
    return AuditEntry(*row[:5], details=details)
