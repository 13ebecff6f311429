"""Digests of values. A module of their own, because OpenSSL is slow to load for a first reply."""

from hashlib import blake2b

# Sixteen bytes keep the store small; forging a second value for one still takes 2^128 steps.
DIGEST_BYTES = 16


def digest(data: bytes, meta: bytes | None = None) -> bytes:
    """Return the content digest that a version keeps even when its value is erased."""
    plain = blake2b(data, digest_size=DIGEST_BYTES).digest()
    if meta is None:
        return plain
    return blake2b(plain + meta, digest_size=DIGEST_BYTES).digest()
