"""Secrets as a user reads of them: kinds and places, never what is secret."""

from collections import Counter
from collections.abc import Iterator, Sequence

import strata
from strata.base.values import Json
from strata.cli.output import plural
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.secrets import SecretInValue, masks_in


def masked_in(given: Json, kept: Json) -> list[SecretInValue]:
    """Return what was masked on the way from a value that was given to the one that is kept."""
    return masks_in(kept) if kept != given else []


def masked_lines(masked: Sequence[SecretInValue]) -> list[str]:
    """Return a line for each secret that was masked."""
    return [f"masked {found.kind} at {one_line(found.path)}" for found in masked]


def survey_lines(found: Sequence[strata.StoredSecret]) -> Iterator[str]:
    """Yield a table of what was found, one line a place, and how to erase it."""
    versions = Counter((one.kind, one.space, one.key, one.secret, one.place) for one in found)
    headers = ("KEY", "KIND", "SPACE", "SECRET", "PLACE", "VERSIONS")
    rows = [
        (one_line(key), kind, one_line(space), secret, one_line(place), f"{count:,}")
        for (kind, space, key, secret, place), count in versions.items()
    ]
    yield from table(headers, rows, right=["VERSIONS"])
    yield f"{plural(len(found), 'secret')} in the store; `strata purge KEY` erases one for good:"
    # Not one_line: what is shown here is to be pasted.
    commands = (f"strata purge {_quoted(one.key)}{_where(one)}" for one in found if one.is_value)
    yield from (f"  {command}" for command in dict.fromkeys(commands))
    if any(not one.is_value for one in found):
        yield "A message, a name or a setting cannot be purged; change the secret where it is used."


def _where(found: strata.StoredSecret) -> str:
    space = "" if found.space == "default" else f" --space {_quoted(found.space)}"
    # The number of an event is its own on each branch.
    branch = f" --branch {_quoted(found.branch)}" if found.kind == "event" else ""
    return f"{space}{branch} --kind {found.kind}"


def _quoted(text: str) -> str:
    is_plain = text.isascii() and text.replace("/", "").replace("-", "").replace("_", "").isalnum()
    return text if is_plain else "'" + text.replace("'", "'\\''") + "'"
