"""Published documents: frozen versions at public addresses."""

from strata.publishing.names import path_of, slug_of
from strata.publishing.profiles import provide_profile
from strata.publishing.public import ListedPage, Public, PublicPage
from strata.publishing.publishing import Publishing
from strata.publishing.records import (
    Profile,
    Publication,
    PublishedImage,
    PublishedVersion,
    PublishStatus,
    forget_publication,
    hide_from_visitors,
)
from strata.publishing.verification import publishing_problems

__all__ = [
    "ListedPage",
    "Profile",
    "Public",
    "PublicPage",
    "Publication",
    "PublishStatus",
    "PublishedImage",
    "PublishedVersion",
    "Publishing",
    "forget_publication",
    "hide_from_visitors",
    "path_of",
    "provide_profile",
    "publishing_problems",
    "slug_of",
]
