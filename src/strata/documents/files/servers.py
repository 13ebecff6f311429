"""Servers of a store that take uploads: each leaves its address, and is asked before it counts."""

from collections.abc import Callable
from urllib.parse import urlsplit

from strata.base import limits
from strata.documents.files.signing import Signer
from strata.store import Store
from strata.upkeep import Lease, StoreLeases

# What a server says of itself where it tells its health.
STORE_HEADER = "X-Strata-Store"
_NAME = "server at "


class Servers:
    """Addresses that servers have left in the store."""

    def __init__(self, store: Store, signer: Signer, is_trusted: Callable[[], bool]) -> None:
        self._leases = StoreLeases(store)
        self._signer = signer
        # Who made a store can leave any address in it, and knows how to answer there.
        self._is_trusted = is_trusted

    def announce(self, address: str, base_url: str) -> Lease | None:
        """Leave where a server listens on this machine, and what the world calls it.

        It counts for a day. A server that left the same address before has lost it to this one.
        """
        name = _NAME + address
        for lease in self._leases.list():
            if lease.name == name:
                self._leases.release(lease)
        return self._leases.acquire(name, holder=base_url, seconds=limits.LEASE_S_MAX)

    def withdraw(self, lease: Lease) -> None:
        """Take an address back."""
        self._leases.release(lease)

    def find(self) -> str | None:
        """Return the base address of a server of this store that answers now."""
        for lease in self._leases.list() if self._is_trusted() else ():
            if lease.name.startswith(_NAME) and self._answers(lease.name.removeprefix(_NAME)):
                return lease.holder
        return None

    def _answers(self, address: str) -> bool:
        """Tell whether a server answers there, and for this very store."""
        from http.client import HTTPConnection, HTTPException  # noqa: PLC0415  (15 ms)

        parts = urlsplit(address)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=limits.SERVER_LOOK_S)
        try:
            connection.request("GET", "/health")
            answer = connection.getresponse()
            is_ours = answer.headers.get(STORE_HEADER) == self._signer.fingerprint()
            return answer.status == 200 and is_ours
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
