"""Pages for users, and their API, on the server that agents use too."""

from strata.web.shell import Shell, Visitor
from strata.web.site import site

__all__ = ["Shell", "Visitor", "site"]
