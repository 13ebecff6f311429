"""Pages ready to be sent: made when first asked for, and kept as long as they are right."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from strata.base import clock, limits
from strata.base.memo import on_purge
from strata.documents import frontmatter, image_links, normal_title
from strata.publishing import ListedPage, Profile, Public, PublicPage, PublishedVersion, path_of
from strata.web.public import answers
from strata.web.public.answers import HttpAnswer
from strata.web.public.feed import feed
from strata.web.public.pages import PageHead, article, profile_page
from strata.web.public.rendering import RenderContext, RenderedText, render
from strata.web.public.words import language_of, words_in

T = TypeVar("T")
_SVG = "image/svg+xml"


class PageServer:
    """Makes what visitors are sent. `base` is the server's own address."""

    def __init__(self, public: Callable[[], Public], base: Callable[[], str]) -> None:
        self._public = public
        self._base = base
        self._ready = Lately[HttpAnswer](limits.PAGES_CACHE_BYTES, lambda answer: answer.size_bytes)
        self._texts = Lately[RenderedText](limits.PAGES_CACHE_BYTES, lambda done: len(done.html))

    def page(self, profile: str, slug: str) -> HttpAnswer | None:
        """Return the page of an address; None where nothing is shown."""
        shown = self._public().page(profile, slug)
        if shown is None:
            return None
        key = ("page", shown.page.document, shown.page.number, shown.profile.changed, self._base())
        return self._ready.get(key, lambda: self._page(shown))

    def _page(self, shown: PublicPage) -> HttpAnswer | None:
        page = shown.page
        version = self._public().version(page.document, page.number)
        html = None if version is None else self._article(shown.profile, page.slug, version)
        return None if html is None else answers.page(html, _seconds(shown.profile))

    def markdown(self, profile: str, slug: str) -> HttpAnswer | None:
        """Return the text of a page as markdown, its images at their addresses."""
        shown = self._public().page(profile, slug)
        if shown is None:
            return None
        page = shown.page
        key = ("markdown", page.document, page.number, shown.path)
        return self._ready.get(key, lambda: self._markdown(shown))

    def _markdown(self, shown: PublicPage) -> HttpAnswer | None:
        text = self._public().text(shown.page.document, shown.page.number)
        if text is None:
            return None
        body = image_links(text[frontmatter(text).end :], f"{shown.path}/images/")
        return answers.file(body.encode(), answers.MARKDOWN, _seconds(shown.profile))

    def image(self, profile: str, slug: str, image: str) -> HttpAnswer | None:
        """Return an image of a page; None for one that its shown version does not have."""
        shown = self._public().page(profile, slug)
        if shown is None:
            return None
        key = ("image", shown.page.document, shown.page.number, image)
        return self._ready.get(key, lambda: self._image(shown.page, image))

    def _image(self, page: ListedPage, image: str) -> HttpAnswer | None:
        found = self._public().image(page.document, page.number, image)
        return None if found is None else answers.image(found[1], found[0].media_type, image)

    def profile(self, name: str) -> HttpAnswer | None:
        """Return the page of a profile; None for one that shows nothing, as for no profile."""
        return self._of_profile(name, "profile", self._profile)

    def feed(self, name: str) -> HttpAnswer | None:
        """Return the feed of a profile."""
        return self._of_profile(name, "feed", self._feed)

    def _of_profile(
        self, name: str, what: str, make: Callable[[Profile, list[ListedPage]], HttpAnswer]
    ) -> HttpAnswer | None:
        profile = self._public().profile(name)
        pages = [] if profile is None else self._public().pages(profile)
        if profile is None or not pages:
            return None
        key = (
            what,
            profile.user,
            profile.changed,
            self._base(),
            tuple(page.document for page in pages),
        )
        return self._ready.get(key, lambda: make(profile, pages))

    def _profile(self, profile: Profile, pages: list[ListedPage]) -> HttpAnswer:
        words = " ".join([profile.title, profile.about, *(page.title for page in pages[:20])])
        head = PageHead(
            title=profile.title,
            language=language_of(words),
            path=profile.path,
            base=self._base(),
            summary=" ".join(profile.about.split())[:200],
            kind="profile",
            feed=f"{profile.path}/feed.xml",
        )
        return answers.page(profile_page(head, profile, pages), _seconds(profile))

    def _feed(self, profile: Profile, pages: list[ListedPage]) -> HttpAnswer:
        body = feed(profile, pages, self._base())
        return answers.file(body.encode(), answers.ATOM, _seconds(profile))

    def old_page(self, profile: Profile, slug: str, version: PublishedVersion) -> HttpAnswer | None:
        """Return a version that need not be the one shown: for those who manage it alone."""
        html = self._article(profile, slug, version, is_shown=False)
        return None if html is None else answers.private(html.encode(), answers.HTML)

    def old_image(self, version: PublishedVersion, image: str) -> HttpAnswer | None:
        """Return an image of such a version."""
        found = self._public().image(version.document, version.number, image)
        return None if found is None else answers.private(found[1], found[0].media_type)

    # Texts.

    def _article(
        self, profile: Profile, slug: str, version: PublishedVersion, *, is_shown: bool = True
    ) -> str | None:
        text = self._public().text(version.document, version.number)
        if text is None:
            return None
        fields = frontmatter(text)
        body, path = text[fields.end :], path_of(profile.name, slug)
        language = language_of(body, fields.values.get("lang"))
        pages = self._pages(profile, body)
        query = "" if is_shown else f"?version={version.number}"
        key = ("text", version.document, version.number, path + query, tuple(sorted(pages.items())))
        images = {one.id: one for one in version.images}
        place = RenderContext(
            title=version.title,
            box=words_in(language).task,
            home=path,
            pages=pages,
            images=images,
            query=query,
        )
        done = self._texts.get(key, lambda: render(body, place))
        assert done is not None, "every text can be rendered"
        picture = next((one.id for one in version.images if one.media_type != _SVG), None)
        head = PageHead(
            title=version.title,
            language=language,
            path=path,
            base=self._base(),
            summary=version.summary,
            site=profile.title,
            kind="article",
            feed=f"{profile.path}/feed.xml",
            image=f"{path}/images/{picture}" if picture else None,
            published=clock.iso(version.created),
            is_hidden=not is_shown,
        )
        number = None if is_shown else version.number
        return article(head, profile, done, version=number)

    def _pages(self, profile: Profile, text: str) -> dict[str, str]:
        """Return where links of a text may lead: pages of the same profile that it may name."""
        if "[" not in text and "<a" not in text:
            return {}
        found: dict[str, str] = {}
        low = normal_title(text)
        for page in reversed(self._public().pages(profile)):
            title = normal_title(page.title)
            if page.document in text or title in low:
                address = path_of(profile.name, page.slug)
                found |= {title: address, page.document: address}
        return found


def _seconds(profile: Profile) -> int:
    """Return when anything of a profile was changed last: its pages name it and each other."""
    return profile.changed // 1_000_000


class Lately(Generic[T]):
    """What was made lately, as much as fits; each is made by one thread while others wait."""

    def __init__(self, most_bytes: int, size: Callable[[T], int]) -> None:
        self._most = most_bytes
        self._size = size
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()
        self.size_bytes = 0
        on_purge(self.forget)

    def forget(self) -> None:
        """Drop all of it, after something was purged."""
        with self._lock:
            self._kept.clear()
            self.size_bytes = 0

    def get(self, key: Hashable, make: "Callable[[], T | None]") -> T | None:
        """Return what is kept under a key, or make it; None is not kept."""
        found = self._find(key)
        if found is not None:
            return found
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                return self._find(key) or self._made(key, make)
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _made(self, key: Hashable, make: "Callable[[], T | None]") -> T | None:
        made = make()
        if made is not None:
            self._keep(key, made)
        return made

    def _find(self, key: Hashable) -> T | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def _keep(self, key: Hashable, made: T) -> None:
        with self._lock:
            self._kept[key] = made
            self.size_bytes += self._size(made)
            while self.size_bytes > self._most and self._kept:
                self.size_bytes -= self._size(self._kept.popitem(last=False)[1])
