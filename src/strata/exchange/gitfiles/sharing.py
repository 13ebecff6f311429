"""What a repository shares as files, as this user has agreed to it.

It is kept in git's own folder, never read from a file that arrives with a pull: an author who
could change which keys are shared could have a user publish what is not meant to be. The file
beside the Markdown files only proposes it to users who turn sharing on.
"""

from pathlib import Path, PurePosixPath

import msgspec

from strata.base import limits
from strata.base.checkout import Checkout
from strata.base.errors import InvalidArgument, Unusable
from strata.exchange.vault.places import is_safe
from strata.store import DEFAULT_SPACE, check_key, check_name

FOLDER = "memory"
PROPOSAL = "strata.json"
_NOTE = "strata/sharing.json"


class SharedPrefix(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """The beginning of keys whose facts are shared."""

    prefix: str
    space: str = DEFAULT_SPACE

    def covers(self, space: str, key: str) -> bool:
        """Whether a fact is shared by it."""
        return space == self.space and key.startswith(self.prefix)


class GitSharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is shared, where, and which file lists the decisions in force within which size."""

    folder: str = FOLDER
    prefixes: tuple[SharedPrefix, ...] = ()
    decisions: bool = True
    agents_file: str | None = None
    agents_bytes: int = limits.AGENTS_BLOCK_BYTES

    def covers(self, space: str, key: str) -> bool:
        """Whether a fact is shared."""
        return any(one.covers(space, key) for one in self.prefixes)


def check_sharing(sharing: GitSharing) -> GitSharing:
    """Return what may be shared in its normal form, or raise InvalidArgument."""
    for path in (sharing.folder, sharing.agents_file or FOLDER):
        plain = PurePosixPath(path)
        if not is_safe(path) or plain.parts[0].lower() in (".git", ".strata") or "\\" in path:
            raise InvalidArgument(
                f"{path!r} is no path inside the checkout.",
                hint="Name a folder or a file relative to the checkout's root.",
                parameter="folder",
            )
    for one in sharing.prefixes:
        check_name(one.space, what="space")
        check_key(one.prefix, what="prefix")
    if not sharing.prefixes and not sharing.decisions:
        raise InvalidArgument(
            "Nothing would be shared.",
            hint="Name prefixes of keys with --prefix, or share decisions.",
            parameter="prefixes",
        )
    if not limits.AGENTS_BLOCK_BYTES_MIN <= sharing.agents_bytes <= limits.AGENTS_BLOCK_BYTES_MAX:
        raise InvalidArgument(
            f"The list of decisions takes {limits.AGENTS_BLOCK_BYTES_MIN:,} to "
            f"{limits.AGENTS_BLOCK_BYTES_MAX:,} bytes.",
            parameter="agents_bytes",
        )
    return msgspec.structs.replace(sharing, prefixes=tuple(sorted(set(sharing.prefixes))))


def read_sharing(checkout: Checkout) -> GitSharing | None:
    """Return what this clone shares, or None where sharing is off."""
    path = checkout.repository / _NOTE
    try:
        return msgspec.json.decode(path.read_bytes(), type=GitSharing)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise Unusable(
            f"{path} cannot be read: {error}.", hint="`strata git on` writes it anew."
        ) from error


def write_sharing(checkout: Checkout, sharing: GitSharing) -> None:
    """Note what this clone shares, and propose it to others."""
    path = checkout.repository / _NOTE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_encoded(sharing))


def forget_sharing(checkout: Checkout) -> None:
    """Note that this clone shares nothing any more."""
    (checkout.repository / _NOTE).unlink(missing_ok=True)


def proposal_text(sharing: GitSharing) -> str:
    """Return the file that tells other clones what is shared."""
    return _encoded(sharing).decode()


def read_proposal(folder: Path) -> GitSharing | None:
    """Return what a repository proposes to share, or None; raise Unusable for what is none."""
    path = folder / PROPOSAL
    if path.is_symlink() or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            data = file.read(limits.GIT_FRONT_MATTER_BYTES)
        return check_sharing(msgspec.json.decode(data, type=GitSharing))
    except (OSError, msgspec.DecodeError, InvalidArgument) as error:
        raise Unusable(
            f"{path} does not say what is shared: {error}.",
            hint="Say it yourself: `strata git on --prefix PREFIX`.",
            path=str(path),
        ) from error


def _encoded(sharing: GitSharing) -> bytes:
    return msgspec.json.format(msgspec.json.encode(sharing, order="sorted"), indent=2) + b"\n"
