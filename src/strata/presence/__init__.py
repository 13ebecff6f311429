"""Floor 5: who has a document open now, in whichever process, and where in it they are."""

from strata.presence.colours import COLOURS, colour_of
from strata.presence.room import STATUSES, Presences, Present, Status

__all__ = ["COLOURS", "STATUSES", "Presences", "Present", "Status", "colour_of"]
