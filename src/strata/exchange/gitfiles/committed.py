"""Shared files as git has them in a commit, without checking it out."""

from pathlib import PurePosixPath

from strata.base import limits
from strata.base.checkout import Checkout
from strata.base.errors import Unavailable
from strata.base.git_command import run_git
from strata.exchange.gitfiles.item_files import DECISIONS, FACTS


def committed_texts(checkout: Checkout, folder: str, other: str) -> dict[str, str]:
    """Return the shared files where HEAD and another branch parted, by path; none if nowhere."""
    try:
        parted = run_git(checkout.folder, "merge-base", "HEAD", f"refs/heads/{other}").split()[0]
    except (Unavailable, IndexError):
        return {}
    listed = run_git(checkout.folder, "ls-tree", "-r", "-l", "-z", parted.decode(), f"{folder}/")
    blobs: dict[str, str] = {}
    for row in listed.decode("utf-8", "replace").split("\0"):
        about, tab, name = row.partition("\t")
        mode, kind, blob, size = about.split() if tab else ("", "", "", "")
        path = PurePosixPath(name).relative_to(folder) if tab else PurePosixPath()
        is_ours = path.parts[:1] in ((FACTS,), (DECISIONS,)) and path.suffix == ".md"
        is_file = kind == "blob" and mode.startswith("100")
        if is_ours and is_file and int(size) <= limits.GIT_FILE_BYTES_MAX:
            blobs[str(path)] = blob
    return _contents(checkout, blobs)


def _contents(checkout: Checkout, blobs: dict[str, str]) -> dict[str, str]:
    asked = "".join(f"{blob}\n" for blob in blobs.values()).encode()
    data = run_git(checkout.folder, "cat-file", "--batch", stdin=asked) if blobs else b""
    texts: dict[str, str] = {}
    at = 0
    for path in blobs:
        end = data.index(b"\n", at)
        size = int(data[at:end].split()[2])
        texts[path] = data[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + 1 + size + 1
    return {path: text.replace("\r\n", "\n") for path, text in texts.items()}
