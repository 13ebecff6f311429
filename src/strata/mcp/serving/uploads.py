"""Files that are sent to a server, each to an address that was signed for it."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from strata.base import limits
from strata.base.errors import StrataError
from strata.documents import STORE_HEADER
from strata.mcp.server_config import ServerConfig
from strata.mcp.upload_requests import (
    LINGER_BYTES,
    LINGER_S,
    accepted,
    length_of,
    refused,
    status_of,
    target_of,
)
from strata.tools import StoreHost

if TYPE_CHECKING:
    from strata.documents import IncomingFile, ReceivedUpload
    from strata.upkeep import Lease
    from strata.workspace import Workspace

T = TypeVar("T")
_log = logging.getLogger(__name__)
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104  (compared, not listened on)
# Twice within the time that an address counts.
_AGAIN_S = limits.LEASE_S_MAX / 2


class UploadReceiver:
    """Takes files in, a bounded number at once; the signature is all that is asked for."""

    def __init__(self, host: StoreHost, serving: ServerConfig) -> None:
        self._host = host
        self._serving = serving
        self._threads = ThreadPoolExecutor(
            limits.UPLOADS_AT_ONCE, thread_name_prefix="strata-upload"
        )
        self._slots = asyncio.Semaphore(limits.UPLOADS_AT_ONCE)
        self._lease: Lease | None = None
        self._fingerprint: str | None = None
        host.uploads_at = lambda: serving.base_url

    async def receive(self, request: Request) -> Response:
        """Answer a PUT: keep the file, or say why not."""
        try:
            with anyio.fail_after(limits.UPLOAD_BODY_S):
                return JSONResponse(accepted(await self._receive(request)))
        except TimeoutError:
            body = {"error": "request_timeout", "error_description": "The file took too long."}
            return JSONResponse(body, 408, {"Connection": "close"})
        except ClientDisconnect:
            return Response(status_code=400)  # the client is gone
        except StrataError as error:
            await _linger(request)
            return JSONResponse(refused(error), status_of(error), {"Connection": "close"})

    async def _receive(self, request: Request) -> "ReceivedUpload":
        target = target_of(str(request.url))
        begin = partial(
            self._begin,
            *target,
            declared_length=length_of(request.headers.get("content-length")),
            declared_type=request.headers.get("content-type"),
        )
        arriving = await self._in_thread(begin)
        async with self._slots:
            async for chunk in request.stream():
                arriving.add(chunk)
            return await self._in_thread(arriving.finish)

    def _begin(
        self, *target: str, declared_length: int | None, declared_type: str | None
    ) -> "IncomingFile":
        return self._host.db.serving.uploads().begin(
            *target, declared_length=declared_length, declared_type=declared_type
        )

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    # Being found by other processes of this store.

    @property
    def headers(self) -> dict[str, str]:
        """What tells other processes which store this server is for."""
        return {} if self._fingerprint is None else {STORE_HEADER: self._fingerprint}

    async def stay_known(self) -> None:
        """Leave the server's address in the store, and again before it is forgotten."""
        while not self._serving.read_only:
            await self._in_thread(self._announce_soon)
            await asyncio.sleep(_AGAIN_S)

    def _announce_soon(self) -> None:
        """Announce the server now, or as soon as there is a store to do so in."""
        try:
            if self._host.is_made:
                self._host.warm()
            self._host.when_made(self._announce)
        except StrataError as error:
            _log.info("other processes will not know of this server: %s", error)

    def _announce(self, db: "Workspace") -> None:
        try:
            uploads = db.serving.uploads()
            self._fingerprint = uploads.signer.fingerprint()
            self._lease = uploads.servers.announce(self._near, self._serving.base_url)
        except StrataError as error:
            _log.info("other processes will not know of this server: %s", error)

    @property
    def _near(self) -> str:
        """Where the server is asked from the same machine."""
        address = self._serving.address
        host = _ANY_ADDRESS.get(address, f"[{address}]" if ":" in address else address)
        return f"http://{host}:{self._serving.port}"

    async def close(self) -> None:
        """Take the address back, and let go of the threads."""
        if self._lease is not None:
            await self._in_thread(self._withdraw)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _withdraw(self) -> None:
        lease, self._lease = self._lease, None
        try:
            if lease is not None:
                self._host.db.serving.uploads().servers.withdraw(lease)
        except StrataError as error:
            _log.info("the server's address stays until it is asked in vain: %s", error)


async def _linger(request: Request) -> None:
    """Read a little of a refused body: who is still sending would not see the answer."""
    size = 0
    # It may have gone, or all of it may have been read before.
    with anyio.move_on_after(LINGER_S), suppress(ClientDisconnect, RuntimeError):
        async for chunk in request.stream():
            size += len(chunk)
            if size > LINGER_BYTES:
                return
