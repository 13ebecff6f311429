"""What npm brings is locked: every package by its hash, from no named host."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.node.packages import HERE, InstallFailed, dependencies, hashes, node, refuse_unlocked

SETS = sorted(path.parent.name for path in HERE.glob("*/package.json"))


def test_node_is_new_enough_for_every_set() -> None:
    command = [str(node()), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert int(done.stdout.removeprefix("v").partition(".")[0]) >= 22


@pytest.mark.parametrize("name", SETS)
def test_every_locked_package_has_a_hash(name: str) -> None:
    locked = hashes(HERE / name / "package-lock.json")
    assert len(locked) >= len(dependencies(name)) > 0
    assert [place for place, digest in locked.items() if not digest.startswith("sha512-")] == []


@pytest.mark.parametrize("name", SETS)
def test_a_lock_follows_from_its_package_and_names_no_host(name: str) -> None:
    text = (HERE / name / "package-lock.json").read_text(encoding="utf-8")
    wanted = json.loads((HERE / name / "package.json").read_text(encoding="utf-8"))
    assert json.loads(text)["packages"][""]["dependencies"] == wanted["dependencies"]
    assert not [version for version in wanted["dependencies"].values() if not version[0].isdigit()]
    assert "://" not in text


def test_a_package_that_the_lock_does_not_name_is_refused(tmp_path: Path) -> None:
    name = SETS[0]
    packages = {place: {"integrity": digest} for place, digest in locked_packages(name).items()}
    write_installed(tmp_path, packages)
    refuse_unlocked(name, tmp_path)
    write_installed(tmp_path, packages | {"node_modules/stranger": {"integrity": "sha512-x"}})
    with pytest.raises(InstallFailed, match="stranger"):
        refuse_unlocked(name, tmp_path)


def test_a_package_with_another_hash_is_refused(tmp_path: Path) -> None:
    name = SETS[0]
    place = next(iter(locked_packages(name)))
    write_installed(tmp_path, {place: {"integrity": "sha512-changed"}})
    with pytest.raises(InstallFailed, match="sha512-changed"):
        refuse_unlocked(name, tmp_path)


def locked_packages(name: str) -> dict[str, str]:
    return hashes(HERE / name / "package-lock.json")


def write_installed(folder: Path, packages: dict[str, dict[str, str]]) -> None:
    """Write what npm leaves beside the packages that it installed."""
    (folder / "node_modules").mkdir(exist_ok=True)
    lock = folder / "node_modules" / ".package-lock.json"
    lock.write_text(json.dumps({"packages": packages}), encoding="utf-8")
