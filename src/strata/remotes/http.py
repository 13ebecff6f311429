"""Another `strata serve` as a remote: it is asked with a token, and checks its rights itself."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from strata.base import limits
from strata.base.errors import (
    Conflict,
    DamagedBundle,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
    SecretRefused,
    StrataError,
    Unavailable,
)
from strata.base.results import Result
from strata.remotes.manifest import CommitName, StoreManifest, decode_manifest, encode_manifest
from strata.remotes.offering import all_ends, known_points, manifest_of, packs_for
from strata.remotes.pulling import PullSettings, contains
from strata.remotes.pushing import Push
from strata.store import NOW, Store
from strata.upkeep import BranchTip, PackInfo, Progress, damaged_bundle

if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse

T = TypeVar("T")
MANIFEST_PATH = "/remote/manifest"
FETCH_PATH = "/remote/fetch"
PACKS_PATH = "/remote/packs/"
PUSH_PATH = "/remote/push"
LAST_HEADER = "X-Strata-Last"
_CHUNK = 1 << 20
_IS_IT_SERVE = "Is it the address of `strata serve`, without /mcp behind it?"
# The errors that a server names by their code; others are Unavailable.
_ERRORS: tuple[type[StrataError], ...] = (
    NotAllowed,
    Conflict,
    SecretRefused,
    DamagedBundle,
    LimitExceeded,
    InvalidArgument,
    NotFound,
)


class FetchRequest(msgspec.Struct, frozen=True):
    """What a store asks a server for: the ends it wants, what it has, and where to go on."""

    wanted: tuple[CommitName, ...]
    known: tuple[CommitName, ...]
    after: Annotated[int, msgspec.Meta(ge=0, le=NOW)] = 0


class Accepted(Result, frozen=True):
    """What a server did with a push."""

    commits: int
    versions: int
    branches: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    erased: int = 0


class _Refused(msgspec.Struct, frozen=True):
    error: str = ""
    error_description: str = ""
    hint: str | None = None


class HttpRemote:
    """A server. A request that is cut off is sent again: each of them may be repeated."""

    def __init__(self, url: str, *, token: str | None) -> None:
        self.display = url.rstrip("/")
        self._parts = urlsplit(self.display)
        self._path = quote(self._parts.path, safe="/%")
        self._token = token

    def offer(self, store: Store) -> "HttpOffer":
        """Ask the server what it has."""
        data = self._ask("GET", MANIFEST_PATH, read=_read_all)
        if not data.startswith(b"{"):
            raise NotFound(f"{self.display} does not answer as Strata does.", hint=_IS_IT_SERVE)
        return HttpOffer(self, decode_manifest(data, source=self.display), store)

    def fetch(self, request: FetchRequest, target: Path) -> int | None:
        """Fetch the next pack to a file; return the version it ends with, None for the end."""

        def save(response: "HTTPResponse") -> int | None:
            if response.status == 204:
                return None
            last = response.headers.get(LAST_HEADER, "")
            if not last.isdecimal():
                raise damaged_bundle(self.display, "it does not answer as Strata does")
            size = 0
            with target.open("wb") as file:
                while chunk := response.read(_CHUNK):
                    size += len(chunk)
                    if size > limits.BUNDLE_BYTES_MAX:
                        raise damaged_bundle(self.display, "it sends more than a pack can hold")
                    file.write(chunk)
            _check_whole(response)
            return int(last)

        body = msgspec.json.encode(request)
        return self._ask("POST", FETCH_PATH, read=save, body=body)

    def push(
        self,
        store: Store,
        *,
        remote: str,
        only: Iterable[str] = (),
        progress: Progress | None = None,
    ) -> Push:
        """Send what the server lacks, and let it move its branches."""
        there = self.offer(store).manifest
        offered = manifest_of(store, only=only)
        if _has_all(store, offered, there):
            return Push(remote, 0, 0, 0)
        with tempfile.TemporaryDirectory(prefix="strata-push-") as folder:
            sent = list(
                self._send(store, offered, there, path=Path(folder) / "pack", progress=progress)
            )
        finished = msgspec.structs.replace(offered, packs=tuple(sent))
        body = encode_manifest(finished)
        data = self._ask("POST", PUSH_PATH, read=_read_all, body=body)
        try:
            done = msgspec.json.decode(data, type=Accepted)
        except msgspec.MsgspecError as error:
            raise damaged_bundle(self.display, "it does not answer as Strata does") from error
        size = sum(pack.size_bytes for pack in sent)
        return Push(
            remote, done.commits, done.versions, size, done.branches, done.merged, done.erased
        )

    def _send(
        self,
        store: Store,
        offered: StoreManifest,
        there: StoreManifest,
        *,
        path: Path,
        progress: Progress | None,
    ) -> Iterator[PackInfo]:
        ends = [CommitName(tip.hash, tip.time) for tip in there.branches.values()]
        wanted, known = offered.branches.values(), (*ends, *there.known)
        for count, (info, _last) in enumerate(
            packs_for(store, path, wanted=wanted, known=known), 1
        ):
            self._put(info, path)
            if progress is not None:
                progress("packs", count, count)
            yield info

    def _put(self, info: PackInfo, path: Path) -> None:
        """Send a pack, unless the server has it from a push that was cut off."""
        place = f"{PACKS_PATH}{info.name}"
        try:
            self._ask("HEAD", place, read=_read_all)
        except NotFound:
            self._ask("PUT", place, read=_read_all, file=path)

    def _ask(
        self,
        method: str,
        path: str,
        *,
        read: "Callable[[HTTPResponse], T]",
        body: bytes | None = None,
        file: Path | None = None,
    ) -> T:
        """Send a request; a connection that breaks is tried again, an answer is final."""
        from http.client import HTTPException  # noqa: PLC0415  (15 ms that only this needs)

        for attempt in range(1, limits.REMOTE_TRIES + 1):
            connection = self._connect(is_push=path == PUSH_PATH)
            try:
                return self._exchange(connection, (method, path), read=read, body=body, file=file)
            except (OSError, HTTPException) as error:
                if attempt == limits.REMOTE_TRIES:
                    raise Unavailable(
                        f"{self.display} does not answer: {_reason_of(error)}.",
                        hint="Nothing was lost. Check the address and that `strata serve` runs "
                        "there; then try again.",
                    ) from error
                time.sleep(limits.REMOTE_PAUSE_S * 2**attempt)
            finally:
                connection.close()
        raise AssertionError("a server is asked at least once")

    def _exchange(
        self,
        connection: "HTTPConnection",
        call: tuple[str, str],
        *,
        read: "Callable[[HTTPResponse], T]",
        body: bytes | None,
        file: Path | None,
    ) -> T:
        method, path = call
        headers = {"Accept": "*/*"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if file is None:
            connection.request(method, self._path + path, body, headers)
        else:
            headers["Content-Length"] = str(file.stat().st_size)
            with file.open("rb") as source:
                connection.request(method, self._path + path, source, headers)
        response = connection.getresponse()
        if response.status in (200, 204):
            return read(response)
        if 300 <= response.status < 400:
            raise self._sends_on(response.headers.get("Location", ""))
        raise self._refusal(response.status, response.read(1 << 16))

    def _sends_on(self, place: str) -> Unavailable:
        """Return the error for a server that names another address: no token is sent there."""
        parts = urlsplit(place if place.isprintable() else "")
        where = f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else "elsewhere"
        return Unavailable(
            f"{self.display} sends callers on to {where[:200]}.",
            hint="Name the address that it leads to, if you trust it: "
            "`db.remotes.add(NAME, ADDRESS)`. A token is not sent on.",
        )

    def _connect(self, *, is_push: bool) -> "HTTPConnection":
        from http.client import HTTPConnection, HTTPSConnection  # noqa: PLC0415  (as above)

        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        seconds = limits.REMOTE_PUSH_TIMEOUT_S if is_push else limits.REMOTE_TIMEOUT_S
        return kind(self._parts.hostname or "", self._parts.port, timeout=seconds)

    def _refusal(self, status: int, content: bytes) -> StrataError:
        try:
            told = msgspec.json.decode(content, type=_Refused)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            told = _Refused()
        text = "".join(c if c.isprintable() else " " for c in told.error_description)[:500]
        message = (
            f"{self.display} refused: {text}" if text else f"{self.display} answered {status}."
        )
        if status == 401:
            return NotAllowed(
                message,
                hint="Give a token of the server's owner: `db.remotes.add(NAME, URL, token=TOKEN)`,"
                " or STRATA_REMOTE_TOKEN.",
            )
        kinds = {kind.code: kind for kind in _ERRORS}
        if told.error in kinds:
            return kinds[told.error](message, hint=told.hint and told.hint[:500])
        if status == 404:
            return NotFound(message, hint=_IS_IT_SERVE)
        if status == 403:
            return NotAllowed(message, hint="A proxy before the server may say so, too.")
        return Unavailable(
            message, hint="Nothing was lost. Try again later; the server's log may tell why."
        )


class HttpOffer:
    """What a server has to give."""

    def __init__(self, remote: HttpRemote, manifest: StoreManifest, store: Store) -> None:
        self._remote = remote
        self._store = store
        self.manifest = manifest
        self.source = remote.display

    def packs(self, settings: PullSettings) -> Iterable[Path]:
        """Fetch what this store lacks, except for packs that an earlier try has fetched."""
        store = self._store
        wanted = tuple(CommitName(tip.hash, tip.time) for tip in self.manifest.branches.values())
        store.look()
        known = tuple(all_ends(store))
        after = count = 0
        while True:
            request = FetchRequest(wanted, known, after)
            name = sha256(msgspec.json.encode((self.manifest.store, request))).hexdigest()
            path, noted = settings.spool / name, settings.spool / f"{name}.last"
            last = _read_note(noted)
            if last is None:
                part = settings.spool / f"{name}.part"
                last = self._remote.fetch(request, part)
                if last is None:
                    return
                if last <= after:
                    raise damaged_bundle(self.source, "it sends the same commits again")
                part.replace(path)
                noted.write_text(str(last))
            after, count = last, count + 1
            if settings.progress is not None:
                settings.progress("packs", count, count)
            yield path


def _read_note(file: Path) -> int | None:
    """Return the version that a fetched pack ends with; None for a note that was cut off."""
    text = file.read_text() if file.exists() else ""
    return int(text) if text.isdecimal() else None


def _has_all(store: Store, offered: StoreManifest, there: StoreManifest) -> bool:
    """Whether a server contains all that is offered, and has erased the same."""
    tags = {tag.name for tag in there.tags}
    erased = set(there.erased)
    return (
        all(tag.name in tags for tag in offered.tags)
        and all(one in erased for one in offered.erased)
        and all(
            _contains(store, there, name=name, tip=tip) for name, tip in offered.branches.items()
        )
    )


def _contains(store: Store, there: StoreManifest, *, name: str, tip: BranchTip) -> bool:
    """Whether a branch of a server contains ours, as far as this store can tell."""
    theirs = there.branches.get(name)
    if theirs is None or theirs.hash == tip.hash:
        return theirs is not None
    points = known_points(store, [theirs])
    return bool(points) and contains(store, points[0], tip.line)


def _reason_of(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "what it says is no HTTP"


def _read_all(response: "HTTPResponse") -> bytes:
    data = response.read(limits.REMOTE_MANIFEST_BYTES_MAX + 1)
    if len(data) <= limits.REMOTE_MANIFEST_BYTES_MAX:
        _check_whole(response)
    return data


def _check_whole(response: "HTTPResponse") -> None:
    """Raise where the line was cut before all was read that the server has announced."""
    if response.length:
        raise ConnectionResetError("the connection was cut")
