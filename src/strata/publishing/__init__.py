"""Published documents: frozen versions at public addresses."""

from strata.publishing.names import path_of, slug_of
from strata.publishing.profiles import provide_profile
from strata.publishing.proving import publishing_problems
from strata.publishing.public import ListedPage, Public, ShownPage
from strata.publishing.publishing import Publishing
from strata.publishing.records import (
    Profile,
    Publication,
    PublishedImage,
    PublishedVersion,
    PublishStatus,
)

__all__ = [
    "ListedPage",
    "Profile",
    "Public",
    "Publication",
    "PublishStatus",
    "PublishedImage",
    "PublishedVersion",
    "Publishing",
    "ShownPage",
    "path_of",
    "provide_profile",
    "publishing_problems",
    "slug_of",
]
