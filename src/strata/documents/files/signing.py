"""Signed addresses: who holds one may send one file to it, until it expires."""

import os
from hmac import compare_digest
from hmac import digest as hmac_of

from strata.base import clock
from strata.base.errors import NotAllowed
from strata.documents.files.announcements import PRESIGN
from strata.store import Store

_AGAIN = f"Ask for another address with {PRESIGN}, and use it exactly as it is."

# Until when an address is good, in seconds; what has more digits is no time.
_DIGITS_MAX = 12


class Signer:
    """Signs and checks addresses with the store's own key, which is made at the first need."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: bytes | None = None

    def signed(self, upload: str, expires: int) -> str:
        """Return path and query of an address that is good until a time in seconds."""
        return f"/uploads/{upload}?expires={expires}&signature={self._signature(upload, expires)}"

    def check(self, upload: str, expires: str, signature: str) -> None:
        """Raise NotAllowed for an address that was not signed here, or has expired.

        An unknown upload and a forged signature look the same, and take the same time.
        """
        is_time = expires.isascii() and expires.isdigit() and len(expires) <= _DIGITS_MAX
        moment = int(expires) if is_time else 0
        right = self._signature(upload, moment)
        if not compare_digest(right.encode(), signature.encode("utf-8", "replace")):
            raise NotAllowed("This address was not signed here.", hint=_AGAIN)
        if self._store.clock() >= moment * 1_000_000:
            ended = clock.iso(moment * 1_000_000)
            raise NotAllowed(f"This address expired at {ended}.", hint=_AGAIN)

    def fingerprint(self) -> str:
        """Return what tells this store's servers from others, and nothing about its key."""
        return hmac_of(self._secret(), b"which store is this", "sha256").hex()[:16]

    def _signature(self, upload: str, expires: int) -> str:
        signed = f"PUT /uploads/{upload}?expires={expires}"
        return hmac_of(self._secret(), signed.encode("utf-8", "replace"), "sha256").hex()

    def _secret(self) -> bytes:
        if self._key is None:
            self._key = self._stored() or self._made()
        return self._key

    def _stored(self) -> bytes | None:
        row = self._store.connection().row(self._store.queries.signing_key)
        return None if row is None else bytes(row[0])

    def _made(self) -> bytes:
        with self._store.writing() as connection:
            connection.run(self._store.queries.insert_signing_key, (os.urandom(32),))
        made = self._stored()
        assert made is not None, "a key that was inserted can be read"
        return made
