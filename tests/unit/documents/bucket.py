"""An S3 on loopback that answers as Amazon's does, and checks every signature by itself."""

import hmac
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, quote

import boto3
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

KEY, SECRET, REGION, BUCKET = "test-key", "test-only-not-a-secret", "eu-north-1", "pictures"


class Bucket:
    """A running server with one bucket."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.refused: list[str] = []
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=url,
            region_name=REGION,
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
        )

    def names(self) -> list[str]:
        listed = self.client.list_objects_v2(Bucket=BUCKET)
        return [entry["Key"] for entry in listed.get("Contents", [])]


class Silent(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def bucket() -> Iterator[Bucket]:
    """Serve until the block ends."""
    found: list[Bucket] = []
    inner = DomainDispatcherApplication(create_backend_app)

    def checked(environ: dict[str, Any], start: Any) -> Any:
        fault = fault_of(environ)
        if fault is None:
            return inner(environ, start)
        found[0].refused.append(fault)
        start("403 Forbidden", [("Content-Type", "application/xml")])
        return [f"<Error><Code>{fault}</Code><Message>{fault}</Message></Error>".encode()]

    server = make_server("127.0.0.1", 0, checked, threaded=True, request_handler=Silent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        found.append(Bucket(f"http://127.0.0.1:{server.server_port}"))
        found[0].client.create_bucket(
            Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION}
        )
        yield found[0]
        for key in found[0].names():  # the library keeps its buckets as long as the process lives
            found[0].client.delete_object(Bucket=BUCKET, Key=key)
        found[0].client.delete_bucket(Bucket=BUCKET)
        found[0].client.close()
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


# Signature version 4, as Amazon describes it.


def fault_of(environ: dict[str, Any]) -> str | None:
    """Return why a request would be refused, or None."""
    raw, _mark, query = environ["REQUEST_URI"].partition("?")
    asked = dict(parse_qsl(query, keep_blank_values=True))
    if "X-Amz-Signature" in asked:
        made = datetime.strptime(asked["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        if datetime.now(UTC) > made + timedelta(seconds=int(asked["X-Amz-Expires"])):
            return "AccessDenied"
        given = asked.pop("X-Amz-Signature")
        signed, scope, date = (
            asked["X-Amz-SignedHeaders"],
            asked["X-Amz-Credential"],
            asked["X-Amz-Date"],
        )
        payload = "UNSIGNED-PAYLOAD"
    else:
        parts = dict(
            part.strip().split("=", 1)
            for part in environ.get("HTTP_AUTHORIZATION", "x x=").partition(" ")[2].split(",")
        )
        given, signed, scope = (
            parts.get(name, "") for name in ("Signature", "SignedHeaders", "Credential")
        )
        date, payload = (
            environ.get("HTTP_X_AMZ_DATE", ""),
            environ.get("HTTP_X_AMZ_CONTENT_SHA256", ""),
        )
    if scope.split("/")[0] != KEY:
        return "InvalidAccessKeyId"
    lines = [
        environ["REQUEST_METHOD"],
        raw,
        canonical(asked),
        *(f"{name}:{header(environ, name)}" for name in signed.split(";")),
        "",
        signed,
        payload,
    ]
    right = signature("\n".join(lines), date, scope.partition("/")[2])
    return None if hmac.compare_digest(given, right) else "SignatureDoesNotMatch"


def canonical(asked: dict[str, str]) -> str:
    pairs = sorted(
        (quote(name, safe="-_.~"), quote(text, safe="-_.~")) for name, text in asked.items()
    )
    return "&".join(f"{name}={text}" for name, text in pairs)


def header(environ: dict[str, Any], name: str) -> str:
    plain = name.upper().replace("-", "_")
    return " ".join(str(environ.get(f"HTTP_{plain}", environ.get(plain, ""))).split())


def signature(request: str, date: str, scope: str) -> str:
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, sha256(request.encode()).hexdigest()])
    key = f"AWS4{SECRET}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, text.encode(), "sha256").hex()
