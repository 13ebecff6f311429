"""`strata serve` as a process, and what it takes of the processor."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path


class Server:
    """A server of one store."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "strata", "serve", "--port", "0", "--json", "--db", str(path)],
            cwd=path.parent,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        text = ""
        for line in self.process.stdout:
            text += line
            if line == "}\n":
                break
        self.url: str = json.loads(text)["url"]
        self.port = int(self.url.rpartition(":")[2].partition("/")[0])

    @property
    def processor_s(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Stop it, and wait until it has."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
