"""The first words of a server over stdio, asked for without any client."""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "journey", "version": "1"},
    },
}


def introduction(command: Sequence[str]) -> dict[str, Any]:
    """Return what a server answers to `initialize`."""
    done = subprocess.run(
        command,
        input=json.dumps(HELLO) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return json.loads(done.stdout.splitlines()[0])["result"]
