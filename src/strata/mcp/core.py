"""One connection without its transport: messages in, messages out by a callback.

Written by hand because the official SDK takes most of a second to import, and clients drop a
server whose first reply is slow. The tests put the same requests to both and compare.
"""

import logging
import threading
from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeGuard, cast

from strata.base import limits
from strata.base.version import __version__
from strata.mcp import encode, protocol
from strata.mcp.answers import Answers, Message
from strata.mcp.protocol import ProtocolError
from strata.tools import Cancel, Progress, Session, call_tool, instructions_for

_log = logging.getLogger(__name__)

Send: TypeAlias = Callable[[Message], None]
Id: TypeAlias = str | int

SERVER = {"name": "strata", "title": "Strata", "version": __version__}


class Pool(Protocol):
    """Runs work beside the reader of messages."""

    def submit(self, work: Callable[[], None], /) -> object:
        """Run a piece of work soon."""
        ...


class Core:
    """One connection: its era, its running calls, its subscriptions."""

    def __init__(self, session: Session, send: Send, pool: Pool) -> None:
        self._session = session
        self._send = send
        self._pool = pool
        self.answers = Answers(session)
        # The first request decides: True for requests without a session, False for a handshake.
        self._is_modern: bool | None = None
        self._is_greeted = False
        self._running: dict[Id, Cancel] = {}
        self._listening: dict[Id, dict[str, bool]] = {}
        self._lock = threading.Lock()
        self._simple: dict[str, Callable[[Message], Message]] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": self._ping,
            **self.answers.methods,
        }
        # Who is there and what it speaks, once it has said so.
        self.client = ("", "")
        self.revision = protocol.MODERN_REVISION
        # Called when the tools were listed: the client is about to think, and then to call.
        self.after_list: Callable[[], None] | None = None

    def receive(self, message: object) -> None:
        """Take one message. Never raises; what is wrong is answered or dropped."""
        if not isinstance(message, dict):
            self._refuse(
                None,
                ProtocolError(protocol.INVALID_REQUEST, "Invalid request: send one object a line."),
            )
            return
        given = cast("Message", message)
        method, request_id = given.get("method"), given.get("id")
        if not isinstance(method, str):
            # An answer to a question that was never asked is dropped; anything else is a mistake.
            if not {"result", "error"} & given.keys():
                self._refuse(
                    request_id,
                    ProtocolError(protocol.INVALID_REQUEST, "Invalid request: there is no method."),
                )
        elif "id" not in given:
            self._notified(method, _object(given.get("params")))
        elif not _is_id(request_id):
            self._refuse(
                None,
                ProtocolError(
                    protocol.INVALID_REQUEST,
                    "Invalid request: the id must be text or a whole number.",
                ),
            )
        else:
            self._request(request_id, method, given.get("params"))

    def close(self) -> None:
        """End subscriptions, stop what runs, and roll back what was left open."""
        for request_id in list(self._listening):
            self._end_listening(request_id)
        with self._lock:
            running = list(self._running.values())
        for cancel in running:
            cancel.cancel()
        self._session.close()

    def tools_changed(self) -> None:
        """Tell the client that another list of tools is to be had."""
        method = "notifications/tools/list_changed"
        if self._is_modern:
            for request_id, wanted in list(self._listening.items()):
                if wanted.get("toolsListChanged"):
                    self._notify(method, {"_meta": {protocol.SUBSCRIPTION_KEY: request_id}})
        elif self._is_greeted:
            self._notify(method, None)

    # Requests.

    def _request(self, request_id: Id, method: str, params: object) -> None:
        try:
            given = _params(params)
            if self._is_modern is None:
                self._is_modern = method != "initialize" and protocol.REVISION_KEY in _meta(given)
                self.answers.is_modern = self._is_modern
            result = self._answered(request_id, method, given)
        except ProtocolError as error:
            self._refuse(request_id, error)
        except Exception:  # noqa: BLE001  (the border: a defect must not end the server)
            _log.exception("%s failed", method)
            self._refuse(request_id, ProtocolError(protocol.INTERNAL_ERROR, "Internal error"))
        else:
            if result is not None:
                self._answer(request_id, method, result)
        if self.after_list is not None and method == "tools/list":
            begin, self.after_list = self.after_list, None
            begin()

    def _answered(self, request_id: Id, method: str, params: Message) -> Message | None:
        """Return the result, or None where it comes later."""
        self._check_era(method, params)
        simple = self._simple.get(method)
        if simple is not None and not (method.startswith("resources/") and not self._has_pages):
            return simple(params)
        if method == "tools/call":
            self._begin_call(request_id, params)
            return None
        if method == "subscriptions/listen" and self._is_modern:
            self._listen(request_id, params)
            return None
        raise ProtocolError(protocol.METHOD_NOT_FOUND, "Method not found", method)

    def _check_era(self, method: str, params: Message) -> None:
        if self._is_modern:
            _check_envelope(method, params)
            self._note_client(_meta(params).get(protocol.CLIENT_KEY))
        elif method != "initialize" and protocol.REVISION_KEY in _meta(params):
            raise ProtocolError(
                protocol.INVALID_REQUEST,
                "This connection began with a handshake; requests of 2026-07-28 need one of their"
                " own.",
            )
        elif method in _MODERN_ONLY:
            raise ProtocolError(protocol.METHOD_NOT_FOUND, "Method not found", method)
        elif not self._is_greeted and (method == "tools/call" or method in self.answers.methods):
            raise ProtocolError(protocol.INVALID_PARAMS, "Send initialize first.", "")

    def _initialize(self, params: Message) -> Message:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str) or not isinstance(params.get("capabilities"), dict):
            raise ProtocolError(protocol.INVALID_PARAMS, "Invalid request parameters", "")
        self._note_client(params.get("clientInfo"))
        self._is_greeted = True
        known = wanted in protocol.HANDSHAKE_REVISIONS
        self.revision = wanted if known else protocol.HANDSHAKE_REVISIONS[0]
        return {
            "protocolVersion": self.revision,
            "capabilities": self._capabilities(),
            "serverInfo": SERVER,
            "instructions": self._instructions(),
        }

    def _instructions(self) -> str:
        exposure = self._session.exposure
        return instructions_for(exposure.groups, exposure.warnings)

    def _discover(self, _params: Message) -> Message:
        return {
            "supportedVersions": [protocol.MODERN_REVISION],
            "capabilities": self._capabilities(),
            "instructions": self._instructions(),
            "ttlMs": 0,
            "cacheScope": "private",
        }

    def _capabilities(self) -> Message:
        known: Message = {"prompts": {"listChanged": False}, "tools": {"listChanged": True}}
        if self._has_pages:
            known["resources"] = {"listChanged": False, "subscribe": False}
        return known

    @property
    def _has_pages(self) -> bool:
        return bool(encode.resource_entries(self._session.exposure))

    def _ping(self, _params: Message) -> Message:
        if self._is_modern:
            raise ProtocolError(protocol.METHOD_NOT_FOUND, "Method not found", "ping")
        return {}

    # Calls of tools.

    def _begin_call(self, request_id: Id, params: Message) -> None:
        given = self.answers.arguments(params.get("arguments"))
        tool = self.answers.tool(params.get("name"))
        cancel, progress = Cancel(), self._progress(_meta(params).get("progressToken"))
        with self._lock:
            if request_id in self._running:
                raise ProtocolError(protocol.INVALID_REQUEST, "A request with this id is running.")
            if len(self._running) >= limits.CALLS_MAX:
                raise ProtocolError(
                    protocol.INTERNAL_ERROR,
                    f"{limits.CALLS_MAX} calls are running; wait for some to end.",
                )
            self._running[request_id] = cancel

        def work() -> None:
            outcome = call_tool(self._session, tool, given, progress=progress, cancel=cancel)
            with self._lock:
                self._running.pop(request_id, None)
            if not cancel.is_cancelled:  # a cancelled request is never answered
                self._answer(request_id, "tools/call", encode.call_result(outcome))

        self._pool.submit(work)

    def _progress(self, token: object) -> Progress | None:
        if not _is_id(token):
            return None

        def report(label: str, done: int, total: int) -> None:
            params = {"progressToken": token, "progress": done, "message": label}
            self._notify("notifications/progress", params | ({"total": total} if total else {}))

        return report

    # Notifications and subscriptions.

    def _notified(self, method: str, params: Message) -> None:
        if method != "notifications/cancelled":
            return  # the others tell a server like this nothing it must know
        request_id = params.get("requestId")
        if not _is_id(request_id):
            return
        with self._lock:
            running = self._running.get(request_id)
        if running is not None:
            running.cancel()
        self._end_listening(request_id, answers=False)

    def _listen(self, request_id: Id, params: Message) -> None:
        asked = params.get("notifications")
        if not _are_wishes(asked):
            raise ProtocolError(protocol.INVALID_PARAMS, "Invalid request parameters", "")
        honored = {name: True for name in _EVENTS if asked.get(name) is True}
        if asked.get("resourceSubscriptions"):
            honored["resourceSubscriptions"] = asked["resourceSubscriptions"]
        with self._lock:
            if len(self._listening) >= limits.SUBSCRIPTIONS_MAX:
                raise ProtocolError(protocol.INTERNAL_ERROR, "Subscription limit reached")
            self._listening[request_id] = honored
        meta = {protocol.SUBSCRIPTION_KEY: request_id}
        self._notify(
            "notifications/subscriptions/acknowledged", {"notifications": honored, "_meta": meta}
        )

    def _end_listening(self, request_id: Id, *, answers: bool = True) -> None:
        with self._lock:
            found = self._listening.pop(request_id, None)
        if found is not None and answers:
            meta = {protocol.SUBSCRIPTION_KEY: request_id}
            self._answer(request_id, "subscriptions/listen", {"_meta": meta})

    # What goes out.

    def _answer(self, request_id: Id, _method: str, result: Message) -> None:
        if self._is_modern:
            meta = {**result.get("_meta", {}), protocol.SERVER_KEY: SERVER}
            result = {**result, "resultType": "complete", "_meta": meta}
        self._send({"jsonrpc": "2.0", "id": request_id, "result": result})

    def _refuse(self, request_id: object, error: ProtocolError) -> None:
        shown = request_id if _is_id(request_id) else None
        self._send({"jsonrpc": "2.0", "id": shown, "error": error.body})

    def _notify(self, method: str, params: Message | None) -> None:
        message: Message = {"jsonrpc": "2.0", "method": method}
        self._send(message if params is None else message | {"params": params})

    def _note_client(self, client: object) -> None:
        name, version = (_object(client).get(part) for part in ("name", "version"))
        if isinstance(name, str) and name.strip():
            self.client = (name, version if isinstance(version, str) else "")
            if self._session.client is None:
                self._session.client = name.strip()[: limits.ACTOR_CHARACTERS_MAX]


_EVENTS = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
_OBJECTS = (protocol.CAPABILITIES_KEY, protocol.CLIENT_KEY)
_MODERN_ONLY = ("server/discover", "subscriptions/listen")


def _check_envelope(method: str, params: Message) -> None:
    """Refuse a request of the newer era that does not say what it must about itself."""
    if method == "initialize":
        raise ProtocolError(
            protocol.UNSUPPORTED_REVISION,
            "This connection speaks 2026-07-28, which has no handshake.",
            _unsupported(params.get("protocolVersion")),
        )
    meta = _meta(params)
    missing = [key for key in (protocol.REVISION_KEY, protocol.CAPABILITIES_KEY) if key not in meta]
    if missing:
        names = ", ".join(missing)
        raise ProtocolError(protocol.INVALID_PARAMS, f"params._meta lacks {names}.")
    revision = meta[protocol.REVISION_KEY]
    if not isinstance(revision, str):
        raise ProtocolError(protocol.INVALID_PARAMS, "The protocol version must be text.")
    if not all(isinstance(meta.get(key, {}), dict) for key in _OBJECTS):
        raise ProtocolError(protocol.INVALID_PARAMS, "Invalid request parameters", "")
    if revision != protocol.MODERN_REVISION:
        raise ProtocolError(
            protocol.UNSUPPORTED_REVISION, "Unsupported protocol version", _unsupported(revision)
        )


def _unsupported(requested: object) -> Message:
    found: Message = {"supported": [protocol.MODERN_REVISION]}
    return found | {"requested": requested} if isinstance(requested, str) else found


def _is_id(value: object) -> TypeGuard[Id]:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _are_wishes(wanted: object) -> TypeGuard[Message]:
    """Tell whether these say which notifications a client wants."""
    if not isinstance(wanted, dict):
        return False
    asked = cast("Message", wanted)
    uris: object = asked.get("resourceSubscriptions") or ()
    return all(asked.get(name) in (True, False, None) for name in _EVENTS) and (
        isinstance(uris, (list, tuple))
        and all(isinstance(uri, str) for uri in cast("list[object]", uris))
    )


def _params(params: object) -> Message:
    if params is None:
        return {}
    if not isinstance(params, dict):
        raise ProtocolError(protocol.INVALID_REQUEST, "Invalid request: params must be an object.")
    return cast("Message", params)


def _meta(params: Message) -> Message:
    return _object(params.get("_meta"))


def _object(value: object) -> Message:
    return cast("Message", value) if isinstance(value, dict) else {}
