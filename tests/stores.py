"""Stores that older versions of the program wrote."""

import gzip
from pathlib import Path

# The secret of the token in each store that has one.
SECRETS = {
    4: "strata_1b72ee7f8bd2_nhq9OTng0Q3tWCWNPMWeWO1H-teJETeAN602l41xUTU",
    5: "strata_6d61dde829a3_bP2hfmbZ22ErLogx6EiT1ujn1Voxl3l7hDe5s9ZB8Hw",
    9: "strata_2b09f2b607a1_ekkw0jUcK2s7Uz-9ac83eBJrHb3rv-qoWusRYlmYI6s",
}


def old_store(number: int, path: Path) -> Path:
    """Write the store of a format to a path, and return it."""
    packed = Path(__file__).parent / "fixtures" / f"format-{number}.strata.gz"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    path.chmod(0o600)
    return path
