"""Proving that published versions are what was frozen: no commit covers them."""

from collections.abc import Iterator
from hashlib import sha256

from strata.base.errors import StrataError
from strata.publishing.public import Public
from strata.publishing.records import PublishedVersion, content_hash, versions_of
from strata.store import Store
from strata.upkeep import Problem


def publishing_problems(store: Store) -> Iterator[Problem]:
    """Yield what is wrong with published versions and their images."""
    public = Public(store)
    for (document,) in store.connection().rows(store.queries.documents_ever_published):
        for reason in _reasons(store, public, document):
            yield Problem("published", f"Document {document}, as it was published: {reason}")


def _reasons(store: Store, public: Public, document: str) -> Iterator[str]:
    try:
        for version in versions_of(store, document, None):
            yield from _flaws(public, version)
    except StrataError as error:
        yield error.message


def _flaws(public: Public, version: PublishedVersion) -> Iterator[str]:
    document, number = version.document, version.number
    text = public.text(document, number) or ""
    ids = [image.id for image in version.images]
    if content_hash(version.title, text, ids) != version.hash:
        yield f"version {number} is not what was published."
    for image in ids:
        found = public.image(document, number, image)
        if found is None or sha256(found[1]).hexdigest() != image:
            yield f"an image of version {number} is damaged or missing."
