"""Pages that anybody may read, without signing in."""

from strata.web.public.routes import public_routes

__all__ = ["public_routes"]
