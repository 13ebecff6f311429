"""One POST of JSON to a model on another machine, or on this one in another program."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import urlsplit

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument, NotAllowed, NotFound, StrataError, Unavailable

if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse
    from urllib.parse import SplitResult

T = TypeVar("T")
_MESSAGE_CHARACTERS_MAX = 300


class Endpoint:
    """An OpenAI-compatible server: Ollama, vLLM, LM Studio, llama.cpp or one in the cloud.

    `url` ends where the names of the calls begin, as in http://localhost:11434/v1. The key goes
    into the request's header and nowhere else.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = limits.ENDPOINT_TIMEOUT_S,
        attempts: int = limits.ENDPOINT_ATTEMPTS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self._parts = _checked(self.url)
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._attempts = attempts
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    def post(self, call: str, body: dict[str, object], answer: type[T]) -> T:
        """Send a request and return the answer as the given type.

        Raises `NotAllowed` for a refused key, `NotFound` for an unknown model or call,
        `InvalidArgument` for a request that the server cannot take, and `Unavailable` for the rest,
        after asking again where that may help.
        """
        for attempt in range(1, self._attempts + 1):
            try:
                return self._ask(call, msgspec.json.encode(body), answer)
            except _Busy as busy:
                if attempt == self._attempts:
                    raise busy.error from busy
                self._sleep(busy.pause_s or _pause(attempt))
        raise AssertionError("an endpoint is asked at least once")

    def _ask(self, call: str, body: bytes, answer: type[T]) -> T:
        status, pause_s, content = self._exchange(f"{self._parts.path}/{call}", body)
        if status == 200:
            return self._decode(content, answer)
        error = self._refusal(status, content)
        if status == 429 or status >= 500:
            raise _Busy(error, pause_s)
        raise error

    def _exchange(self, path: str, body: bytes) -> tuple[int, float, bytes]:
        from http.client import HTTPException  # noqa: PLC0415  (15 ms that only endpoints need)

        connection = self._connect()
        try:
            connection.request("POST", path, body, self._headers())
            response = connection.getresponse()
            # One byte more than allowed tells whether there is more.
            content = response.read(limits.ENDPOINT_ANSWER_BYTES_MAX + 1)
            return response.status, _requested_pause(response), content
        except TimeoutError as problem:
            message = f"The endpoint {self.url} did not answer within {self._timeout_s:g} s."
            raise Unavailable(message, url=self.url) from problem
        except (OSError, HTTPException) as problem:
            # An HTTPException repeats what the other side sent.
            is_ours = isinstance(problem, OSError) and bool(str(problem))
            reason = str(problem) if is_ours else type(problem).__name__
            error = Unavailable(f"The endpoint {self.url} cannot be reached: {reason}.")
            raise _Busy(error) from problem
        finally:
            connection.close()

    def _connect(self) -> "HTTPConnection":
        from http.client import HTTPConnection, HTTPSConnection  # noqa: PLC0415  (as above)

        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout_s)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        return headers

    def _decode(self, content: bytes, answer: type[T]) -> T:
        if len(content) > limits.ENDPOINT_ANSWER_BYTES_MAX:
            message = f"The endpoint {self.url} answered with more than can be read."
            raise Unavailable(message, limit=limits.ENDPOINT_ANSWER_BYTES_MAX)
        try:
            return msgspec.json.decode(content, type=answer)
        except msgspec.DecodeError as problem:
            message = f"The endpoint {self.url} gave an answer that cannot be understood: {problem}"
            raise Unavailable(message, url=self.url) from problem

    def _refusal(self, status: int, content: bytes) -> StrataError:
        if status in {401, 403}:
            message = f"The endpoint {self.url} refused the API key, or asks for one ({status})."
            return NotAllowed(message, url=self.url, status=status)
        message = f"The endpoint {self.url} answered {status}."
        if status == 404:
            hint = "Check the URL and the model's name."
            error = NotFound(message, hint=hint, url=self.url, status=status)
        else:
            kind = InvalidArgument if 400 <= status < 500 and status != 429 else Unavailable
            error = kind(message, url=self.url, status=status)
        # Beside the message, for those who run this program: callers from elsewhere must not
        # read through it what a machine beside it answers.
        error.add_note(f"The endpoint said: {self._error_text(content)}")
        return error

    def _error_text(self, content: bytes) -> str:
        """Return what the server says went wrong, shortened, without the key it may repeat."""
        text = _message(content)
        if self._api_key:
            text = text.replace(self._api_key, "…")
        return text[:_MESSAGE_CHARACTERS_MAX] or "no reason given"


class _Busy(Exception):
    """The same request may succeed later."""

    def __init__(self, error: StrataError, pause_s: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.pause_s = pause_s


def _checked(url: str) -> "SplitResult":
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, is_usable = urlsplit(""), False
    if not is_usable or "@" in url:
        # The URL is shown in messages, so it must not carry a password; nor does this one show it.
        raise InvalidArgument(
            "An endpoint is a URL without a user's name, such as http://localhost:11434/v1.",
            parameter="url",
        )
    return parts


def _requested_pause(response: "HTTPResponse") -> float:
    """Return the pause that the server asks for, within bounds; 0 when it does not."""
    asked = response.headers.get("Retry-After", "")
    # The header may also be a date, which is rare enough to be ignored.
    return min(float(asked), limits.ENDPOINT_PAUSE_MAX_S) if asked.isdecimal() else 0.0


def _pause(attempt: int) -> float:
    doubled = limits.ENDPOINT_PAUSE_MIN_S * 2 ** (attempt - 1)
    return min(doubled, limits.ENDPOINT_PAUSE_MAX_S)


def _message(content: bytes) -> str:
    """Find the server's own words; OpenAI nests them, others do not."""
    try:
        said: object = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return content.decode(errors="replace").strip()
    while isinstance(said, dict):
        fields = cast("dict[str, object]", said)
        said = fields.get("error") or fields.get("message") or fields.get("detail") or ""
    return str(said)
