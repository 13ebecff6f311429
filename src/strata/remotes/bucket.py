"""A bucket of S3-compatible storage as a shelf. Needs the extra `s3`."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from strata.base.errors import StrataError
from strata.documents import InBucket, bucket_failure, bucket_of
from strata.remotes.manifest import check_store_id
from strata.remotes.shelves import MANIFEST


class BucketShelf:
    """Files in a bucket. Keys come from the environment, as for other programs: AWS_ACCESS_KEY_ID.

    Every object is written whole or not at all, and read as it was written last.
    """

    def __init__(self, address: str, *, endpoint: str | None, region: str | None) -> None:
        bucket_of(address)
        self.display = address
        opened = InBucket(address, endpoint=endpoint, region=region)
        self._library: Any = opened.library
        self._store: Any = opened.client

    def stores(self) -> list[str]:
        """Return the ids of the stores that have files here."""
        with self._asking("listed"):
            listed = self._library.list_with_delimiter(self._store)
            names = [str(one).rstrip("/").rpartition("/")[2] for one in listed["common_prefixes"]]
        found: list[str] = []
        for name in sorted(names):
            try:
                found.append(check_store_id(name))
            except ValueError:
                continue
        return [name for name in found if self.has(name, MANIFEST)]

    def read(self, store: str, name: str, most: int) -> bytes | None:
        """Return a small file; None where there is none."""
        with self._asking("read"):
            try:
                found = self._library.get(self._store, f"{store}/{name}")
            except FileNotFoundError:
                return None
            return b"" if found.meta["size"] > most else bytes(found.bytes())

    def fetch(self, store: str, name: str, target: Path) -> None:
        """Copy a file from here to a new file."""
        with self._asking("read"), target.open("wb") as file:
            for chunk in self._library.get(self._store, f"{store}/{name}").stream():
                file.write(bytes(chunk))

    def has(self, store: str, name: str) -> bool:
        """Tell whether there is a file."""
        with self._asking("read"):
            try:
                self._library.head(self._store, f"{store}/{name}")
            except FileNotFoundError:
                return False
            return True

    def put(self, store: str, name: str, source: Path) -> None:
        """Copy a file to here; it appears when it is complete."""
        with self._asking("kept"):
            self._library.put(self._store, f"{store}/{name}", source)

    def names(self, store: str) -> list[str]:
        """Return the names of all files of a store, those of pushes that were cut off too."""
        with self._asking("listed"):
            pages = self._library.list(self._store, prefix=f"{store}/")
            return sorted(str(one["path"]).rpartition("/")[2] for page in pages for one in page)

    def remove(self, store: str, name: str) -> None:
        """Remove a file; one that is not there is as good as removed."""
        with self._asking("removed"):
            try:
                self._library.delete(self._store, f"{store}/{name}")
            except FileNotFoundError:
                return

    def finish(self) -> None:
        """Do nothing: every object counts as soon as it is there."""

    @contextmanager
    def _asking(self, what: str) -> Generator[None]:
        try:
            yield
        except StrataError:
            raise
        except Exception as error:
            where = "the address, --endpoint and --region of `strata remote add`"
            raise bucket_failure(self.display, what, error, settings=where) from error
