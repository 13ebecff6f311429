"""File descriptors: as many as the system lets a server have, and what to do without any."""

import asyncio
import logging
import time
from typing import Any

from strata.base import limits

try:
    import resource
except ImportError:  # Windows, where they are not counted
    resource = None

_log = logging.getLogger(__name__)
_OUT_OF_DESCRIPTORS = "socket.accept() out of system resource"
_AGAIN_S = 60.0


def raise_descriptor_limit() -> None:
    """Use all the descriptors that the process may have; many shells grant fewer at first."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_open = hard == resource.RLIM_INFINITY or hard > limits.SERVE_DESCRIPTORS_MAX
    wanted = limits.SERVE_DESCRIPTORS_MAX if is_open else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:
            _log.info("the limit of files stays at %d: %s", soft, error)


def connections_max() -> int:
    """Return how many connections a server may have, so that files can be opened besides."""
    if resource is None:
        return limits.SERVE_CONNECTIONS_MAX
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return limits.SERVE_CONNECTIONS_MAX
    left = max(soft - limits.SERVE_DESCRIPTORS_KEPT, soft // 2)
    return min(limits.SERVE_CONNECTIONS_MAX, left)


class AcceptFailures:
    """Logs connections that could not be taken: a line a minute, where asyncio writes thousands."""

    def __init__(self) -> None:
        self._told = float("-inf")
        self._count = 0

    def handle(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle what went wrong in an event loop; all else is logged as ever."""
        if context.get("message") != _OUT_OF_DESCRIPTORS:
            loop.default_exception_handler(context)
            return
        self._count += 1
        now = time.monotonic()
        if now - self._told >= _AGAIN_S:
            reason = context.get("exception")
            _log.error("%d connections could not be taken: %s", self._count, reason)
            self._told, self._count = now, 0
