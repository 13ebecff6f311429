"""Runs what Strata can do in a network of its own, where every packet is seen.

Started as a process of its own, because only one without threads can leave the network of the
machine. Native libraries are seen as Python is: it is the kernel that shows the packets. Every
address is routed to the loopback device, so that a name that is looked up and a connection that is
tried leave a packet, though nothing answers.
"""

import ctypes
import fcntl
import json
import os
import shlex
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _ADD_ROUTE, _GET_INDEX = 0x8914, 0x890B, 0x8933
_UP = 1
_ALL_PROTOCOLS = 3
_TCP, _UDP = 6, 17


def enter_network() -> None:
    """Move this process into an empty network and route every address to itself."""
    library = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if library.unshare(_NEW_USER | _NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "no network of its own for this process")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    name = ctypes.create_string_buffer(b"lo")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, _SET_FLAGS, struct.pack("16sH22x", b"lo", _UP))
        nowhere = struct.pack("@H14x", socket.AF_INET) * 3
        route = struct.pack(
            "@HhxxxxQQhxxxxxxPQQHxxxxxx", _UP, 0, 0, 0, 0, ctypes.addressof(name), 0, 0, 0
        )
        fcntl.ioctl(handle, _ADD_ROUTE, struct.pack("@Q", 0) + nowhere + route)
        index = struct.unpack(
            "16si20x", fcntl.ioctl(handle, _GET_INDEX, struct.pack("16s24x", b"lo"))
        )[1]
    if not Path("/proc/net/if_inet6").exists():
        return
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, _ADD_ROUTE, struct.pack("@48xIHHIQIi", 1, 0, 0, 1, 0, _UP, index))


# What the watcher sends itself: every packet before it was seen.
_MARK = ("udp", "127.0.0.1", 9)


class Watcher(threading.Thread):
    """Notes where connections are begun, and where datagrams are sent."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: set[tuple[str, str, int]] = set()
        self._is_marked = threading.Event()
        self._socket = socket.socket(
            socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL_PROTOCOLS)
        )
        self._socket.bind(("lo", 0))

    def run(self) -> None:
        while True:
            found = _destination(self._socket.recv(65_535))
            if found == _MARK:
                self._is_marked.set()
            elif found is not None:
                self.seen.add(found)

    def wait(self) -> None:
        """Wait until all packets sent so far were noted: until one of our own was."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
            self._is_marked.clear()
            handle.sendto(b".", _MARK[1:])
            assert self._is_marked.wait(60)


def _destination(packet: bytes) -> tuple[str, str, int] | None:
    version = packet[0] >> 4
    if version == 4:
        protocol, address = packet[9], socket.inet_ntoa(packet[16:20])
        rest = packet[(packet[0] & 15) * 4 :]
    elif version == 6:
        protocol, address = packet[6], socket.inet_ntop(socket.AF_INET6, packet[24:40])
        rest = packet[40:]
    else:
        return None
    if protocol == _UDP:
        return "udp", address, struct.unpack("!H", rest[2:4])[0]
    # The first packet of a connection, and no answer to one.
    if protocol == _TCP and rest[13] & 0x12 == 0x02:
        return "tcp", address, struct.unpack("!H", rest[2:4])[0]
    return None


# What is done.


def run_examples(part: str, parts: str) -> None:
    """Run a part of the commands' examples, in this process, each in a project of its own."""
    from tests.surface.test_help_examples import ALL

    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    failed: list[str] = []
    for number, (name, command) in enumerate(ALL.items()):
        if number % int(parts) != int(part):
            continue
        folder = Path(f"project-{number}").absolute()
        folder.mkdir()
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        home = os.environ["HOME"]
        if name.startswith("strata setup"):  # it writes to the home of the user: that is its use
            os.environ["HOME"] = f"{folder}-home"
        before = Path.cwd()
        os.chdir(folder)
        # tests/surface/test_postgres_commands.py runs those that need a server.
        lines = [line for line in command.examples if "postgresql://" not in line]
        failed += [problem for line in lines if (problem := run_example(line))]
        os.chdir(before)
        os.environ["HOME"] = home
    assert not failed, "\n".join(failed)


def run_example(line: str) -> str:
    """Run a line as a user would who pasted it; return why it failed, or nothing."""
    from click.testing import CliRunner

    from strata.cli.main import cli

    is_of_shell = any(mark in line for mark in ("|", "&&", ">", "<"))
    if is_of_shell or not line.startswith("strata "):
        words = ["bash", "-o", "pipefail", "-c", line]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=240)
        code, said = done.returncode, done.stderr
    else:
        result = CliRunner().invoke(cli, shlex.split(line)[1:])
        code, said = result.exit_code, result.output
    return f"{line}: {code} {said}" if code else ""


def run_program() -> None:
    """Let a program store, embed and search."""
    code = """
import strata
with strata.open("sdk.db") as db:
    db.kv.put("가격", "Prices are cached for sixty seconds")
    assert db.embeddings.wait(120)
    assert db.search("how long is a price kept?", mode="semantic")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=240)


def run_stdio() -> None:
    """Let a client store and search over `strata mcp`, until the vectors are there."""
    about = {"name": "t", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    calls = [
        ("strata_store", {"key": "배포", "value": "we never deploy on Fridays"}),
        ("strata_search", {"query": "when do we release?"}),
        ("strata_status", {}),
    ]
    server = subprocess.Popen(
        [sys.executable, "-m", "strata", "mcp", "--db", "mcp.db"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    messages: list[dict[str, Any]] = [{"method": "initialize", "params": hello}]
    messages += [{"method": "tools/call", "params": {"name": n, "arguments": a}} for n, a in calls]
    for number, message in enumerate(messages):
        line = json.dumps({"jsonrpc": "2.0", "id": number, **message})
        server.stdin.write(line.encode() + b"\n")
        server.stdin.flush()
        while json.loads(server.stdout.readline()).get("id") != number:
            pass
    server.communicate(timeout=120)


def run_server() -> int:
    """Serve over HTTP, ask for the health; return the port."""
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "strata",
            "serve",
            "--db",
            "http.db",
            "--port",
            "0",
            "--no-auth",
            "--json",
        ],
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    text = ""
    while True:
        text += server.stdout.readline().decode()
        try:
            announced = json.loads(text)
            break
        except ValueError:
            assert server.poll() is None, text
    with urllib.request.urlopen(announced["health"], timeout=60) as answer:
        assert answer.status == 200
    server.send_signal(signal.SIGTERM)
    server.wait(timeout=120)
    return int(announced["health"].split(":")[2].partition("/")[0])


def run_native() -> None:
    """Let a program be heard, to show that it would be: by name, and by both kinds of address."""
    code = """
import socket
def attempt(work):
    try: work()
    except OSError: pass
attempt(lambda: socket.getaddrinfo("example.com", 443))
attempt(lambda: socket.create_connection(("192.0.2.1", 443), timeout=0.2))
if socket.has_ipv6: attempt(lambda: socket.create_connection(("2001:db8::1", 443), timeout=0.2))
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def main() -> None:
    """Do one thing in the watched network, and print where it led."""
    enter_network()
    watcher = Watcher()
    watcher.start()
    port = globals()[sys.argv[1]](*sys.argv[2:])
    watcher.wait()
    print(json.dumps({"seen": sorted(watcher.seen), "port": port}))


if __name__ == "__main__":
    main()
