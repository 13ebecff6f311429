"""Which users and agents have a document open, in any process, and in which section."""

from strata.presence.colours import COLOURS, colour_of
from strata.presence.presences import STATUSES, PresenceEntry, Presences, Status

__all__ = ["COLOURS", "STATUSES", "PresenceEntry", "Presences", "Status", "colour_of"]
