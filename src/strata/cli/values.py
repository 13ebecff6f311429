"""Reading a value from the command line: JSON if it is JSON, text if not."""

from pathlib import Path

import click
import msgspec

from strata.base.values import Json, decode
from strata.cli.session import Invocation


def read_value(
    value: str | None, file: Path | None, *, as_text: bool = False, raw_json: bool = False
) -> Json:
    """Return the value that was typed, piped in (`-`) or named by a file."""
    if (value is None) == (file is None):
        raise click.UsageError("Give either a value (- for standard input) or --file.")
    if as_text and raw_json:
        raise click.UsageError("--text and --raw-json exclude each other.")
    text = _read_text(value, file)
    if as_text:
        return text
    try:
        return decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        if raw_json:
            raise click.UsageError(f"The value is not JSON: {error}.") from None
        return text


def _read_text(value: str | None, file: Path | None) -> str:
    if value is not None and value != "-":
        return value
    data = file.read_bytes() if file is not None else Invocation.current().piped
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise click.UsageError(
            f"{file or 'Standard input'} is not UTF-8 text; keep a reference to the file instead."
        ) from None
