"""Documents that several people have open at the same time, kept in step as they type."""

from strata.web.live.serving import live_routes

__all__ = ["live_routes"]
