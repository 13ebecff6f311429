"""Public pages, which need no sign-in."""

from strata.web.public.routes import public_routes

__all__ = ["public_routes"]
