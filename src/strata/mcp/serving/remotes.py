"""What other stores ask a server for: what it has, packs, and to take in what they push.

Only the owner's tokens may ask, for commits of a whole store travel as they are; a read-only one
may fetch. A pack that was sent stays until the push that names it, so that a push that was cut off
goes on where it ended.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from strata.access import OWNER, Grant
from strata.base import ids, limits
from strata.base.errors import InvalidArgument, LimitExceeded, NotAllowed, StrataError
from strata.mcp.serving.auth import Identity, Refusal
from strata.mcp.upload_requests import status_of
from strata.remotes import (
    FETCH_PATH,
    LAST_HEADER,
    MANIFEST_PATH,
    PACKS_PATH,
    PUSH_PATH,
    FetchRequest,
    decode_manifest,
    encode_manifest,
)
from strata.tools import StoreHost

if TYPE_CHECKING:
    from strata.workspace import Workspace

T = TypeVar("T")
REMOTE_PATH = "/remote/"
_THREADS = 2
# No remote has a name that begins with a dot, so no pull uses this folder.
_ARRIVING = ".arriving"


class RemoteServer:
    """Answers other stores, a bounded number at once."""

    def __init__(
        self, host: StoreHost, identity: Identity, *, checking: Executor, read_only: bool
    ) -> None:
        self._host = host
        self._identity = identity
        self._checking = checking
        self._read_only = read_only
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="strata-remote")

    def routes(self) -> list[Route]:
        """Return what is answered, and where."""
        return [
            Route(MANIFEST_PATH, self._answering(self._manifest), methods=["GET"]),
            Route(FETCH_PATH, self._answering(self._fetch), methods=["POST"]),
            Route(PACKS_PATH + "{name}", self._answering(self._pack), methods=["HEAD", "PUT"]),
            Route(PUSH_PATH, self._answering(self._push), methods=["POST"]),
        ]

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _answering(
        self, answer: "Callable[[Request, Workspace], Awaitable[Response]]"
    ) -> "Callable[[Request], Awaitable[Response]]":
        async def respond(request: Request) -> Response:
            try:
                grant = await self._identity.admit(
                    request.headers.get("authorization"), self._checking
                )
                if isinstance(grant, Refusal):
                    body = {"error": grant.error, "error_description": grant.description}
                    return JSONResponse(body, grant.status)
                return await answer(request, self._view(grant, request))
            except StrataError as error:
                body = {
                    "error": error.code,
                    "error_description": error.message,
                    "hint": error.hint,
                }
                return JSONResponse(body, status_of(error), {"Connection": "close"})
            except ClientDisconnect:
                return Response(status_code=400)  # the client is gone

        return respond

    def _view(self, grant: Grant, request: Request) -> "Workspace":
        if grant.user != OWNER or grant.groups is not None or grant.cap.suggest_only:
            raise NotAllowed(
                "This token may not take everything out or in.",
                hint="Use a token of the workspace's owner for all tools: `strata token create`.",
            )
        changes = request.method == "PUT" or request.url.path == PUSH_PATH
        if changes and self._read_only:
            raise NotAllowed(
                "This server was started for reading only.",
                hint="Pull from it, or push to another one.",
            )
        if changes and grant.read_only:
            raise NotAllowed(
                "This token may only read.", hint="Pull with it, or push with another one."
            )
        return self._host.db.as_actor(grant.who)

    async def _manifest(self, _request: Request, db: "Workspace") -> Response:
        data = await self._in_thread(lambda: encode_manifest(db.remotes.offer()))
        return Response(data, media_type="application/json", headers={"Cache-Control": "no-store"})

    async def _fetch(self, request: Request, db: "Workspace") -> Response:
        body = await _body(request)
        try:
            asked = msgspec.json.decode(body, type=FetchRequest)
            for commit in (*asked.wanted, *asked.known):
                bytes.fromhex(commit.hash)
        except (msgspec.MsgspecError, ValueError) as error:
            raise InvalidArgument(f"The request cannot be read: {error}.") from error
        found = await self._in_thread(lambda: _packed(db, asked))
        if found is None:
            return Response(status_code=204)
        data, last = found
        headers = {LAST_HEADER: str(last), "Cache-Control": "no-store"}
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def _pack(self, request: Request, db: "Workspace") -> Response:
        name = request.path_params["name"]
        if len(name) != 64 or not set(name) <= set("0123456789abcdef"):
            raise InvalidArgument("A pack is named by its digest.", parameter="name")
        arriving = await self._in_thread(lambda: _ArrivingPack(db, name))
        if request.method == "HEAD":
            is_here = await self._in_thread(arriving.is_here)
            return Response(status_code=200 if is_here else 404)
        try:
            async for chunk in request.stream():
                await self._in_thread(partial(arriving.add, chunk))
            await self._in_thread(arriving.finish)
        finally:
            await self._in_thread(arriving.close)
        return Response(status_code=204)

    async def _push(self, request: Request, db: "Workspace") -> Response:
        body = await _body(request)
        manifest = decode_manifest(body, source="The push")
        folder = db.remotes.spool_folder(_ARRIVING)
        done = await self._in_thread(lambda: db.remotes.accept(manifest, folder))
        return Response(msgspec.json.encode(done), media_type="application/json")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class _ArrivingPack:
    """A pack that another store sends: it gets its name when it is whole."""

    def __init__(self, db: "Workspace", name: str) -> None:
        self._name = name
        self._folder = db.remotes.spool_folder(_ARRIVING)
        self._part = self._folder / f"{name}.{ids.token()}.part"
        self._checksum, self._size = sha256(), 0
        self._file: IO[bytes] | None = None

    def is_here(self) -> bool:
        """Tell whether an earlier push has sent it, and no crash of this machine has cut it off."""
        try:
            with (self._folder / self._name).open("rb") as file:
                return file_digest(file, "sha256").hexdigest() == self._name
        except FileNotFoundError:
            return False

    def add(self, chunk: bytes) -> None:
        """Keep the next bytes."""
        if self._file is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = self._part.open("wb")
        self._size += len(chunk)
        if self._size > limits.REMOTE_PACK_BYTES_MAX:
            raise LimitExceeded(
                "The pack is too large.", limit=limits.REMOTE_PACK_BYTES_MAX, size=self._size
            )
        self._checksum.update(chunk)
        self._file.write(chunk)

    def finish(self) -> None:
        """Give the pack its name, if it is what that says."""
        if self._file is None or self._checksum.hexdigest() != self._name:
            raise InvalidArgument("The pack is not what its name says.", parameter="name")
        self._file.close()
        self._part.replace(self._folder / self._name)

    def close(self) -> None:
        """Remove what is not whole."""
        if self._file is not None:
            self._file.close()
        self._part.unlink(missing_ok=True)


def _packed(db: "Workspace", asked: FetchRequest) -> tuple[bytes, int] | None:
    """Return the next pack that is asked for and the version it ends with."""
    with tempfile.TemporaryDirectory(prefix="strata-pack-") as folder:
        path = Path(folder) / "pack"
        last = db.remotes.pack(asked, path)
        return None if last is None else (path.read_bytes(), last)


async def _body(request: Request) -> bytes:
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > limits.REMOTE_MANIFEST_BYTES_MAX:
            raise LimitExceeded(
                "The request is too large.",
                limit=limits.REMOTE_MANIFEST_BYTES_MAX,
                size=len(found),
            )
    return bytes(found)
