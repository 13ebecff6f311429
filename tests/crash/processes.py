"""Starting the programs of this folder as processes of their own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 90


def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
    """Start one function of programs.py; it begins when its standard input is written to."""
    words = [sys.executable, "-m", "tests.crash.programs", program]
    return subprocess.Popen(
        [*words, *(str(argument) for argument in arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: "subprocess.Popen[str]", *, code: int = 0) -> str:
    """Let a process begin if it still waits, wait for it, and return what it printed."""
    output, complaint = process.communicate("go\n", timeout=TIMEOUT_S)
    assert process.returncode == code, complaint[-3000:]
    return output


def run(program: str, *arguments: object, code: int = 0) -> str:
    """Run one program to its end."""
    return finish(start(program, *arguments), code=code)


def run_together(*processes: "subprocess.Popen[str]") -> list[str]:
    """Open the gate for all of them, once each of them stands before it."""
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()[1][-3000:]
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        return [finish(process) for process in processes]
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.communicate()
