"""Headers of what pages are made of: no foreign script runs in them, and no other page frames
them."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def policy(styles: str = "'self'") -> str:
    """Return a content security policy: all from here, no script within the page.

    >>> "script-src 'self';" in policy()
    True
    """
    return (
        "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self';"
        f" img-src 'self' blob: data:; manifest-src 'self'; style-src {styles};"
        " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


_STRICT = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": policy(),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Not no-referrer: then a browser would not say which page a form is sent from.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Strict:
    """Adds the headers to answers that do not set them otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _STRICT.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, strictly if scope["type"] == "http" else send)
