"""The TypeScript types of the tools are TypeScript, and say what the tools take."""

import subprocess
from pathlib import Path

import pytest

from tests.node.packages import npm_bin

ROOT = Path(__file__).parents[2]
TYPES = ROOT / "docs" / "reference" / "tools.ts"
RIGHT = """
import type { StrataStoreArguments, Tools } from "./tools";
const stored: StrataStoreArguments = { key: "배포/대상", value: { region: "서울" }, tags: ["ops"] };
const found: Tools["strata_recall"]["answer"] = { found: true, key: "k", value: [1, null] };
export { found, stored };
"""
WRONG = RIGHT.replace('key: "배포/대상"', "kee: 1")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "passes"), [(RIGHT, True), (WRONG, False)])
def test_a_client_in_typescript_is_checked_by_them(
    tmp_path: Path, text: str, *, passes: bool
) -> None:
    (tmp_path / "tools.ts").write_bytes(TYPES.read_bytes())
    (tmp_path / "client.ts").write_text(text, encoding="utf-8")
    command = [*npm_bin("typescript", "tsc"), "--noEmit", "--strict", "client.ts"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=110, check=False
    )
    assert (done.returncode == 0) is passes, done.stdout
