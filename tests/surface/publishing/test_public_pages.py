"""Public pages over HTTP: what they say, how caches treat them, and what they never show."""

from collections.abc import Callable
from io import BytesIO
from urllib.parse import quote
from xml.etree import ElementTree

import httpx2
import pytest
from PIL import Image

import strata
from tests.security.conftest import Publish

Get = Callable[..., httpx2.Response]
ATOM = "{http://www.w3.org/2005/Atom}"


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (3, 2), (1, 2, 3)).save(out, "PNG")
    return out.getvalue()


def test_a_page_is_whole_and_says_what_it_is(publish: Publish, get: Get) -> None:
    path = publish(
        "강과 돌",
        "---\ndescription: 강에 대하여\nsecret: x1\n---\n강은 흐른다.\n\n## 가\n\n## 나\n\n### 다",
    )
    answer = get(path)
    html = answer.text
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert html.startswith('<!doctype html>\n<html lang="ko">')
    assert "<title>강과 돌 · owner</title>" in html
    assert '<meta name="description" content="강에 대하여">' in html
    assert f'<link rel="canonical" href="http://127.0.0.1:7433{path}">' in html
    assert '<meta property="og:title" content="강과 돌">' in html
    assert '<a class="skip" href="#text">' in html
    assert '<main id="text">' in html
    assert '<ol><li><a href="#가">가</a></li><li><a href="#나">나</a><ol><li>' in html
    assert "secret" not in html
    assert "<script" not in html


def test_a_profile_lists_its_pages_and_says_who_it_is(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    publish("One", "first words")
    publish("둘", "두 번째")
    db.publishing.pin(db.documents.called("One"))
    db.publishing.set_profile(title="소연", about="Writes\nbread")
    html = get("/@owner").text
    assert html.index(">One</a>") < html.index(">둘</a>")
    assert "<h1>소연</h1>" in html
    assert "Writes\nbread" in html
    assert "first words" in html


def test_the_markdown_of_a_page_is_its_text_without_the_fields_in_front(
    db: strata.Workspace, get: Get
) -> None:
    made = db.documents.create("그림", "")
    image = db.documents.attach_image(made.document, png(), name="a.png")
    db.documents.write(made.document, f"---\nowner: ann\n---\n# 글\n\n{image.markdown}\n")
    path = db.publishing.publish(made.document).path
    answer = get(f"{path}.md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.text == f"# 글\n\n![a.png]({path}/images/{image.id})\n"
    picture = get(f"{path}/images/{image.id}")
    assert picture.content == png()
    assert picture.headers["content-type"] == "image/png"
    # Not for ever, though it never changes: an image that is not shown any more is gone at once.
    assert picture.headers["cache-control"] == "public, no-cache"
    tag = picture.headers["etag"]
    assert get(f"{path}/images/{image.id}", if_none_match=tag).status_code == 304
    assert f'<img src="{path}/images/{image.id}"' in get(str(path)).text
    db.publishing.unpublish(made.document)
    assert get(f"{path}/images/{image.id}", if_none_match=tag).status_code == 404


def test_a_feed_tells_the_newest_pages(publish: Publish, get: Get) -> None:
    publish("One & <two>", "words")
    answer = get("/@owner/feed.xml")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.text)
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "One & <two>"
    assert entry.findtext(f"{ATOM}id") == "http://127.0.0.1:7433/@owner/one-two"


# Caches.


def test_what_a_cache_holds_is_confirmed_and_not_sent_again(publish: Publish, get: Get) -> None:
    path = publish("Plan", "words")
    for address in (path, "/@owner", f"{path}.md", "/@owner/feed.xml"):
        first = get(address)
        etag = first.headers["etag"]
        assert etag.startswith('"')
        assert first.headers["cache-control"] == "public, no-cache"
        again = get(address, if_none_match=etag)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        assert get(address, if_none_match=f'"x", W/{etag}').status_code == 304
        assert get(address, if_none_match='"x"').status_code == 200
        dated = first.headers["last-modified"]
        assert get(address, if_modified_since=dated).status_code == 304
        assert get(address, if_modified_since="Thu, 01 Jan 2015 00:00:00 GMT").status_code == 200
        assert get(address, if_modified_since="nonsense").status_code == 200


def test_a_page_is_packed_for_those_who_take_it(publish: Publish, get: Get) -> None:
    path = publish("Plan", "words " * 2_000)
    plain, packed = get(path, accept_encoding="identity"), get(path, accept_encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    assert packed.text == plain.text
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    for answer in (plain, packed):
        etag = answer.headers["etag"]
        assert get(path, if_none_match=etag, accept_encoding="gzip").status_code == 304
    assert "content-encoding" not in get(path, accept_encoding="gzip;q=0, br").headers


def test_the_tag_changes_with_whatever_the_page_shows(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    path = publish("Plan", "see [[Other]]")
    tags = [get(path).headers["etag"]]
    db.documents.edit(db.documents.called("Plan"), "see", "read")
    tags.append(get(path).headers["etag"])
    assert tags[0] == tags[1]
    db.publishing.publish(db.documents.called("Plan"))
    tags.append(get(path).headers["etag"])
    publish("Other", "x")
    tags.append(get(path).headers["etag"])
    db.publishing.set_profile(title="소연")
    tags.append(get(path).headers["etag"])
    assert len(set(tags)) == 4


def test_asking_for_the_head_alone_tells_the_same_without_the_page(
    publish: Publish, get: Get
) -> None:
    path = publish("Plan", "words")
    whole, head = get(path), get(path, "HEAD")
    assert head.content == b""
    assert head.status_code == 200
    assert head.headers == whole.headers
    assert get(path, "POST").status_code == 405


# What is not there.


def test_everything_that_is_not_shown_gives_one_and_the_same_answer(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    path = publish("Plan", "words")
    draft = db.documents.create("Draft", "hidden words").document
    db.users.add("ann@example.com", "Ann")
    trashed = publish("Trashed", "x")
    db.documents.trash(db.documents.called("Trashed"))
    taken = publish("Taken", "x")
    db.publishing.unpublish(db.documents.called("Taken"))
    missing = get("/@owner/never-was")
    assert missing.status_code == 404
    addresses = [
        "/@nobody",
        "/@ann",
        "/@",
        "/@owner/draft",
        f"/@owner/{draft}",
        trashed,
        taken,
        f"{trashed}.md",
        f"{taken}.md",
        f"{taken}/images/{'0' * 64}",
        f"{path}?version=1",
        f"{path}/",
        f"{path}/images/",
        f"{path}/images/{'0' * 64}",
        f"{path}.html",
        f"{path}.txt",
        f"{path}/versions",
        "/@owner/feed.xml/",
        "/@ann/feed.xml",
        "/@owner/" + "x" * 5_000,
    ]
    for address in addresses:
        answer = get(address)
        assert (answer.status_code, answer.content) == (404, missing.content), address
        assert answer.headers == missing.headers, address


@pytest.mark.parametrize(
    "trick",
    [
        "%2e%2e",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "plan%00",
        "plan%00.md",
        "plan%2f",
        "%ff",
        "plan%2fimages%2f..",
        "plan.md.md",
        ".md",
        "plan%0d%0aX-Bad:%201",
        "plan;x",
        "%F0%9F%92%A9",
        "pla%C5%86",
        "plan%E2%80%AE",
        "*",
        "'%20or%201=1--",
        "plan%3fversion=1",
        "//evil.test",
    ],
)
def test_no_spelling_of_an_address_leads_astray(trick: str, publish: Publish, get: Get) -> None:
    publish("Plan", "the words")
    for address in (f"/@owner/{trick}", f"/@{trick}", f"/@owner/plan/images/{trick}"):
        answer = get(address)
        assert answer.status_code in (301, 404), address
        assert answer.headers.get("location", "/@owner").startswith("/@owner"), address
        assert "x-bad" not in answer.headers


def test_an_image_of_another_page_or_version_is_not_given(db: strata.Workspace, get: Get) -> None:
    one, two = (db.documents.create(name, "").document for name in ("One", "Two"))
    image = db.documents.attach_image(one, png(), name="a.png")
    db.documents.attach_image(two, png(), name="a.png")
    db.documents.write(one, image.markdown)
    db.documents.write(two, "no image")
    paths = [db.publishing.publish(document).path for document in (one, two)]
    assert get(f"{paths[0]}/images/{image.id}").status_code == 200
    assert get(f"{paths[1]}/images/{image.id}").status_code == 404
    assert get(f"{paths[0]}/images/{image.id.upper()}").status_code == 404
    assert get(f"{paths[0]}/images/{image.id[:20]}").status_code == 404
    db.documents.write(one, "no image any more")
    db.publishing.publish(one)
    assert get(f"{paths[0]}/images/{image.id}").status_code == 404


def test_words_of_what_is_not_published_are_on_no_page(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    secret = db.documents.create("Hidden title", "canary words").document
    path = publish("Plan", f"see [[Hidden title]] and [this]({secret}) and [[{secret}]]")
    for address in (path, "/@owner", "/@owner/feed.xml"):
        text = get(address).text
        assert "canary" not in text
        assert "/d/" not in text
        assert f'href="{secret}' not in text
    assert ">this<" not in get(path).text


def test_a_link_comes_and_goes_with_the_page_that_it_leads_to(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    path = publish("Plan", "see [[다른 글]]")
    assert "<a class" not in get(path).text.partition("<main")[2]
    other = publish("다른 글", "x")
    assert f'<a class="wiki" href="{other}"' in get(path).text
    db.publishing.unpublish(db.documents.called("다른 글"))
    assert "wiki" not in get(path).text.partition("<main")[2]


def test_pages_of_others_are_not_linked_by_their_titles(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    ann = db.as_user(db.users.add("ann@example.com", "Ann").id)
    ann.publishing.publish(ann.documents.create("Recipe", "x").document)
    path = publish("Plan", "see [[Recipe]]")
    assert "wiki" not in get(path).text.partition("<main")[2]


# Other spellings.


def test_old_names_and_other_spellings_lead_to_the_page(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    publish("한글 글", "x")
    db.publishing.set_profile(name="소연")
    present = f"/@{quote('소연')}"
    for given, expected in (
        ("/@owner", present),
        ("/@OWNER/", present),
        (f"/@{quote('소연')}/", present),
        (f"/@owner/{quote('한글-글')}", f"{present}/{quote('한글-글')}"),
        (f"/@owner/{quote('한글-글')}.md", f"{present}/{quote('한글-글')}.md"),
        ("/@owner/feed.xml", f"{present}/feed.xml"),
    ):
        answer = get(given)
        assert (answer.status_code, answer.headers["location"]) == (301, expected), given
    assert get("/@owner/none").status_code == 404
