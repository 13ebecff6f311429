"""What times mean on a branch: points of its history."""

from strata.base import clock
from strata.store import NOW, BranchRow, Instant, View, resolve, tag_row, visible_tip
from strata.workspace.settings import Settings, zone_of


class Times:
    """Finds the points of history that times mean, as one view of a store sees them."""

    def __init__(self, view: View, timezone: str | None) -> None:
        self._view = view
        self._store = view.store
        self._timezone = timezone

    def microseconds(self, when: clock.When) -> int:
        """Return a time in microseconds, whether or not there is any history of it."""
        moment, _ahead = self._moment(when)
        return self.locate(when)[1].timestamp if moment.timestamp is None else moment.timestamp

    def locate(self, when: clock.When) -> tuple[BranchRow, Instant]:
        """Return branch and point that a time means; a past view's "now" is its own."""
        moment, ahead_us = self._moment(when)
        if moment.version is not None:
            return self._at_version(moment)
        row = self._row_of(moment)
        if self._view.instant is not None and when == "now":
            return row, self._view.instant
        return row, resolve(self._store, row.id, moment, ahead_us=ahead_us)

    def _at_version(self, moment: clock.Moment) -> tuple[BranchRow, Instant]:
        """Return this branch and the point that a version means, by one statement."""
        branch = self._view.snapshot.branch_id
        instant = resolve(self._store, branch, moment)
        if self._view.snapshot.branch_of_read() != branch:
            return self._at_version(moment)
        return self._store.catalog.by_id(branch), instant

    def _row_of(self, moment: clock.Moment) -> BranchRow:
        """Return the branch that a moment is about: this one, or a tag's own."""
        own = self._store.catalog.by_id(self._view.snapshot.current_branch())
        row = None
        if moment.tag is not None:
            row = tag_row(self._store, moment.tag)
        if row is None or any(
            row[1] == at and row[2] <= upto for at, upto in self._store.lineage(own.id)
        ):
            return own
        return self._store.catalog.by_id(row[1])

    def on_branch(self, branch: str, when: clock.When) -> Instant:
        """Return the point of another branch's history that a time means."""
        row = self._store.catalog.readable(branch, self._store.connection())
        moment, ahead_us = self._moment(when)
        return resolve(self._store, row.id, moment, ahead_us=ahead_us)

    def _moment(self, when: clock.When) -> tuple[clock.Moment, int]:
        """Return what a time means, and by how much the newest commit is after the clock."""
        if type(when) is int and 0 <= when < clock.TIMESTAMP_MIN:
            return clock.Moment(version=when), 0
        now = self._store.clock()
        # The clock may be behind the newest commit; then that is what now means.
        newest = visible_tip(self._store, self._view.snapshot.current_branch(), NOW)[1]
        zone = self._timezone or zone_of(Settings(self._store))
        moment = clock.parse_time(when, now=max(now, newest), timezone=zone)
        is_time = moment.timestamp is not None
        return moment, max(newest - now, 0) if is_time else 0
