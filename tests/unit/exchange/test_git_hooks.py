"""Git's hooks that a user has already: what is no shell script stays as it is."""

import subprocess
from pathlib import Path

import pytest

from strata.base.checkout import find_checkout
from strata.exchange.gitfiles.git_hooks import install_hooks, remove_hooks


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\x00" + bytes(64) + b"\n" + bytes(64),
        b"#!/bin/sh\n" + b"# a line of a long script\n" * 50_000,
        b"#!/usr/bin/env python3\n",
    ],
    ids=["a program", "a script of more than a megabyte", "another language"],
)
def test_a_hook_that_cannot_take_lines_keeps_every_byte(tmp_path: Path, data: bytes) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    hook = tmp_path / ".git/hooks/post-merge"
    hook.write_bytes(data)
    checkout = find_checkout(tmp_path)
    assert checkout is not None
    states = {one.name: one.state for one in install_hooks(checkout)}
    assert (states["post-merge"], states["pre-commit"]) == ("foreign", "on")
    assert hook.read_bytes() == data
    remove_hooks(checkout)
    assert hook.read_bytes() == data
