"""An agent uploads a file by the tools, with nothing but `strata mcp` and a way to send it."""

import base64
import io
from collections.abc import Callable

import httpx2
import pytest
from PIL import Image

from tests.surface.mcp.conftest import path, start
from tests.surface.mcp.wire import Server

__all__ = ["path", "start"]

TEXT = "# 회의록\n\n안건 하나\n".encode()


@pytest.mark.slow
def test_a_text_and_an_image_reach_a_document(start: Callable[..., Server]) -> None:
    server = start("--groups", "core")
    server.greet()
    asked = server.call(
        "edit_document", action="presignUpload", contentLength=len(TEXT), title="회의록"
    )
    assert asked["uploadUrl"].startswith("http://127.0.0.1:")
    sent = httpx2.put(
        asked["uploadUrl"], content=TEXT, headers=asked["requiredHeaders"], timeout=20
    )
    assert sent.status_code == 200
    made = server.call("edit_document", action="finalizeUpload", uploadId=asked["uploadId"])
    assert (made["bytes"], made["created"]) == (len(TEXT), True)

    out = io.BytesIO()
    Image.new("RGB", (1600, 800), "navy").save(out, "JPEG")
    asked = server.call(
        "edit_document",
        action="presignUpload",
        contentLength=len(out.getvalue()),
        documentId=made["documentId"],
        contentType="image/jpeg",
        title="한강.jpg",
    )
    sent = httpx2.put(asked["uploadUrl"], content=out.getvalue(), timeout=20)
    assert sent.status_code == 200
    image = server.call("edit_document", action="finalizeUpload", uploadId=asked["uploadId"])
    assert image["markdown"] == f"![한강.jpg](image:{image['imageId']})"
    again = server.call("edit_document", action="finalizeUpload", uploadId=asked["uploadId"])
    assert again == image
    server.call(
        "edit_document",
        action="edit",
        documentId=made["documentId"],
        oldString="안건 하나",
        newString=image["markdown"],
    )
    arguments = {"documentId": made["documentId"], "imageId": image["imageId"], "maxWidth": 400}
    answer = server.ask("tools/call", {"name": "get_image", "arguments": arguments})
    shown = next(part for part in answer["result"]["content"] if part["type"] == "image")
    assert shown["mimeType"] == "image/png"
    picture = Image.open(io.BytesIO(base64.b64decode(shown["data"])))
    assert picture.size == (400, 200)
    assert server.close() == 0
