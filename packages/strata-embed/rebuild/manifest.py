"""Writing data files, and the list of them that the program checks them by."""

import argparse
import hashlib
import io
import json
from pathlib import Path

import numpy as np

MANIFEST = Path(__file__).parents[1] / "src/strata_embed/manifest.json"


def options(source: str) -> argparse.Namespace:
    """Return what a program was called with: what its files are made of, and whether to compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument(source, type=Path)
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def write(folder: Path, files: dict[str, bytes], *, check_only: bool) -> None:
    """Write the files of one model and their entries; or say which differ from what is there."""
    if check_only:
        for name, content in files.items():
            same = (folder / name).read_bytes() == content
            print(f"{'same' if same else 'DIFFERS'}  {folder.name}/{name}")
        return
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
        print(f"{len(content):>12,}  {folder.name}/{name}")
    listed = json.loads(MANIFEST.read_text()) if MANIFEST.exists() else {}
    listed[folder.name] = {name: entry(content) for name, content in sorted(files.items())}
    MANIFEST.write_text(json.dumps(listed, indent=2, sort_keys=True) + "\n")


def entry(content: bytes) -> dict[str, object]:
    """Say what a file has to be."""
    return {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}


def npy(array: np.ndarray) -> bytes:
    """Return an array in numpy's file format."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz(arrays: dict[str, np.ndarray]) -> bytes:
    """Return arrays in numpy's archive format, uncompressed; numpy dates every member 1980."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    return file.getvalue()
