"""Which remotes a store knows, and how each of them is reached."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from strata.base.errors import InvalidArgument, NotFound
from strata.remotes.http import HttpRemote
from strata.remotes.shelves import FolderShelf, Shelf
from strata.remotes.tokens import check_token
from strata.store import Store, change_setting, check_name, read_setting, unreadable

# The name under which a store keeps its remotes, beside its settings.
_KEPT_AS = "remotes"
_KINDS = "a URL of `strata serve`, a folder, s3://BUCKET/PREFIX or git:REMOTE"


class Remote(msgspec.Struct, frozen=True):
    """A remote as a store keeps it. It holds no secret.

    `folder` is where git runs. `taken` is the last pack that was taken from each store there.
    """

    name: str
    address: str
    folder: str | None = None
    endpoint: str | None = None
    region: str | None = None
    taken: dict[str, str] = {}
    pulled: int | None = None
    pushed: int | None = None


def remotes_of(store: Store) -> dict[str, Remote]:
    """Return the remotes of a store by name."""
    store.look()
    return _decode(read_setting(store, _KEPT_AS))


def _decode(text: str | None) -> dict[str, Remote]:
    if text is None:
        return {}
    try:
        found = msgspec.json.decode(text, type=list[Remote])
    except msgspec.MsgspecError as error:
        raise unreadable("the list of remotes") from error
    return {remote.name: remote for remote in found}


def keep_remote(store: Store, remote: Remote) -> None:
    """Keep a remote, in place of the one with its name."""
    _change(store, lambda known: {**known, remote.name: remote})


def note_on_remote(store: Store, name: str, **noted: object) -> None:
    """Change what a store keeps with a remote; one that was removed meanwhile stays removed."""

    def change(known: dict[str, Remote]) -> dict[str, Remote]:
        if name in known:
            known[name] = msgspec.structs.replace(known[name], **noted)
        return known

    _change(store, change)


def drop_remote(store: Store, name: str) -> Remote:
    """Forget a remote, and return what it was."""
    dropped = require_remote(store, name)
    _change(store, lambda known: {key: one for key, one in known.items() if key != name})
    return dropped


def _change(store: Store, change: Callable[[dict[str, Remote]], dict[str, Remote]]) -> None:
    def write(text: str | None) -> str:
        known = change(_decode(text))
        return msgspec.json.encode([known[name] for name in sorted(known)]).decode()

    change_setting(store, _KEPT_AS, write)


def require_remote(store: Store, name: str | None) -> Remote:
    """Return the remote of a name; without a name `origin`, or the only one."""
    known = remotes_of(store)
    if name is None:
        name = "origin" if "origin" in known or len(known) != 1 else next(iter(known))
    if name not in known:
        others = f"The store knows {', '.join(sorted(known))}. " if known else ""
        raise NotFound(
            f"There is no remote {name!r}." if known else "The store has no remote yet.",
            hint=f"{others}`db.remotes.add(NAME, ADDRESS)` adds one.",
            remote=name,
        )
    return known[name]


def check_remote_name(name: str) -> str:
    """Return the name of a remote.

    Branches that follow it begin with it and a slash; packs from it lie in a folder of its name.
    """
    check_name(name, what="remote")
    if "/" in name or name.startswith(".") or len(name) > 40:
        raise InvalidArgument(
            f"{name!r} cannot be the name of a remote.",
            hint="Use up to 40 characters, no slash, and no dot at the beginning.",
            parameter="name",
        )
    return name


def check_address(address: str) -> str:
    """Return an address as it is kept; a folder becomes a whole path."""
    scheme, mark, _rest = address.partition("://")
    if mark and scheme in ("http", "https"):
        _check_url(address)
        return address.rstrip("/").removesuffix("/mcp")
    if mark and scheme == "s3":
        from strata.documents import bucket_of  # noqa: PLC0415  (only this needs them)

        bucket_of(address)
        return address
    if address.startswith("git:"):
        _check_git(address.removeprefix("git:"))
        return address
    if mark or not address or not address.isprintable():
        raise InvalidArgument(
            f"{address!r} is no place for a remote.", hint=f"Use {_KINDS}.", parameter="address"
        )
    folder = Path(address).expanduser().resolve()
    if folder.is_file() or (folder / ".strata").is_dir():
        raise InvalidArgument(
            f"{folder} is {'a file' if folder.is_file() else 'a project with a store'}, no remote.",
            hint="Name a folder between the stores, such as an empty one: the store there pushes "
            "to it first. `strata copy FROM TO` copies a store.",
            parameter="address",
        )
    return str(folder)


def _check_url(address: str) -> None:
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna")
        is_usable = bool(host) and b" " not in host and parts.port != 0 and address.isprintable()
    except ValueError:
        parts, is_usable = urlsplit(""), False
    if not is_usable or "@" in parts.netloc or parts.query or parts.fragment:
        raise InvalidArgument(
            "A server is named by its address alone, such as https://memory.example.com.",
            hint="A token is given beside it: `--token`, or STRATA_REMOTE_TOKEN.",
            parameter="address",
        )


def _check_git(remote: str) -> None:
    """Refuse what git would take for an option or a program, and passwords: the store keeps it."""
    if not remote or remote.startswith("-") or "::" in remote or not remote.isprintable():
        raise InvalidArgument(
            f"{remote!r} is no git remote.",
            hint="Write git:origin, or git: and the URL of a repository.",
            parameter="address",
        )
    scheme, mark, rest = remote.partition("://")
    user, at, _host = rest.partition("/")[0].rpartition("@")
    if mark and at and (":" in user or scheme in ("http", "https")):
        raise InvalidArgument(
            "The address of a git remote may hold no password and no token.",
            hint="Leave out what is before the @. Git asks its credential helper for them.",
            parameter="address",
        )


def check_options(
    address: str, *, token: str | None, endpoint: str | None, region: str | None
) -> str | None:
    """Refuse options that a remote of this kind has no use for; return the token as it is sent."""
    kind = kind_of(address)
    if token is not None and kind != "server":
        raise InvalidArgument(
            f"A {kind} takes no token.",
            hint="A token is for a server; other remotes use your own access to them.",
            parameter="token",
        )
    if kind == "bucket":
        from strata.documents import check_endpoint  # noqa: PLC0415  (only this needs them)

        check_endpoint(endpoint, region)
    elif endpoint is not None or region is not None:
        given = "endpoint" if endpoint is not None else "region"
        raise InvalidArgument(
            f"A {kind} has no {given}.", hint="It is for a bucket alone.", parameter=given
        )
    return None if token is None else check_token(token)


def kind_of(address: str) -> str:
    """Name what a remote is: server, bucket, git or folder."""
    if address.startswith(("http://", "https://")):
        return "server"
    if address.startswith("s3://"):
        return "bucket"
    return "git" if address.startswith("git:") else "folder"


def open_remote(remote: Remote, *, token: str | None) -> HttpRemote | Shelf:
    """Return the way to a remote; it is not asked anything yet."""
    match kind_of(remote.address):
        case "server":
            return HttpRemote(remote.address, token=token)
        case "bucket":
            from strata.remotes.bucket import BucketShelf  # noqa: PLC0415  (loads an extra)

            return BucketShelf(remote.address, endpoint=remote.endpoint, region=remote.region)
        case "git":
            from strata.remotes.git import GitShelf  # noqa: PLC0415  (seldom needed)

            # The project may have moved since; then it is the one that the user is in.
            known = Path(remote.folder or ".")
            folder = known if known.is_dir() else Path.cwd()
            return GitShelf(remote.address.removeprefix("git:"), folder=folder)
        case _:
            return FolderShelf(Path(remote.address))
