"""What can be done with a secret in what is written."""

from typing import Literal, TypeAlias, get_args

from strata.base.errors import InvalidArgument

SecretMode: TypeAlias = Literal["refuse", "mask", "allow"]
MODES: tuple[str, ...] = get_args(SecretMode)


def check_mode(mode: object) -> str:
    """Return what is to be done with secrets, or raise InvalidArgument."""
    if isinstance(mode, str) and mode in MODES:
        return mode
    raise InvalidArgument(
        f"Secrets cannot be treated as {mode!r}.",
        hint=f"Use {', '.join(MODES)}.",
        parameter="secrets",
    )
