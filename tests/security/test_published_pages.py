"""Whatever somebody writes, a page that is made of it runs nothing and asks nobody else."""

from collections.abc import Callable
from io import BytesIO

import httpx2
import pytest
from PIL import Image

import strata
from strata.publishing import PublishedImage
from strata.web.public.rendering import RenderContext, render
from tests.security.conftest import Publish
from tests.security.reading import check_harmless, elements
from tests.security.xss import ELEMENTS, LINES, MARKS, PAYLOADS

Get = Callable[..., httpx2.Response]


def page_of(html: str) -> str:
    """Put what a text became where a page has it."""
    return (
        f"<html><head><title></title><style></style></head><body><main>{html}</main></body></html>"
    )


def test_there_are_many_payloads() -> None:
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 80
    assert len(LINES) > 60


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_text_becomes_nothing_that_runs(payload: str) -> None:
    check_harmless(page_of(render(payload, RenderContext(home="/@a/b")).html))


@pytest.mark.parametrize("payload", ELEMENTS)
def test_html_inside_other_marks_is_harmless(payload: str) -> None:
    flat = " ".join(payload.split("\n"))
    text = (
        f"# {flat}\n\n- {flat}\n  - [ ] {flat}\n\n> {flat}\n\n| {flat} |\n|---|\n| {flat} |\n\n"
        f"[{flat}](https://ok.test \"{flat}\") ![{flat}](image:{'0' * 64} '{flat}')\n\n"
        f"**{flat}** ~~{flat}~~ `{flat}` [[{flat}]] [[x|{flat}]] x[^1]\n\n[^1]: {flat}\n\n"
        f"```{flat}\n{flat}\n```\n\n<div title='{flat}'>{flat}</div>\n"
    )
    check_harmless(page_of(render(text, RenderContext(home="/@a/b", pages={"x": "/@a/x"})).html))


def test_all_payloads_on_one_page_do_not_help_each_other() -> None:
    for text in ("\n\n".join(PAYLOADS), "".join(MARKS), " ".join(reversed(ELEMENTS))):
        check_harmless(page_of(render(text, RenderContext(home="/@a/b")).html))


def test_what_is_harmless_stays(publish: Publish, get: Get) -> None:
    path = publish(
        "빵", "# One\n\n<kbd>K</kbd> <details><summary>s</summary>t</details> 물 H<sub>2</sub>O"
    )
    tags = [one.tag for one in check_harmless(get(path).text)]
    assert {"kbd", "details", "summary", "sub"} <= set(tags)


def test_titles_are_only_words_wherever_they_stand(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    for payload in LINES:
        path = publish(payload, f"# {payload}\n\ntext")
        html = get(path).text
        assert not {"evil.test"} & set(html.split('"')), payload
        check_harmless(html)
    check_harmless(get("/@owner").text)
    feed = get("/@owner/feed.xml")
    assert {one.tag for one in elements(feed.text.partition("?>")[2])} <= set(
        "feed title id updated link author name entry published summary".split()
    )


@pytest.mark.parametrize("payload", LINES)
def test_a_profile_is_only_words(
    payload: str, db: strata.Workspace, publish: Publish, get: Get
) -> None:
    path = publish("Plan", "text")
    db.publishing.set_profile(title=payload, about=f"{payload}\n{payload}")
    for address in (path, "/@owner"):
        check_harmless(get(address).text)


def test_the_words_of_a_title_are_read_as_they_were_written(publish: Publish, get: Get) -> None:
    html = get(publish("<b>\"Tom & 'Jerry'\"</b>", "text")).text
    assert "<h1>&lt;b&gt;&quot;Tom &amp; &#x27;Jerry&#x27;&quot;&lt;/b&gt;</h1>" in html


def test_alternative_texts_and_names_of_images_are_only_words(
    db: strata.Workspace, publish: Publish, get: Get
) -> None:
    out = BytesIO()
    Image.new("RGB", (3, 2)).save(out, "PNG")
    made = db.documents.create("그림", "")
    for payload in LINES[:20]:
        image = db.documents.attach_image(made.document, out.getvalue(), name=payload)
        db.documents.write(made.document, f"{image.markdown}\n\n![{payload}](image:{image.id})")
        path = db.publishing.publish(made.document).path
        assert path is not None
        found = check_harmless(get(path).text)
        assert [one for one in found if one.tag == "img"], payload


def test_a_foreign_image_becomes_a_link_that_nobody_follows_by_itself() -> None:
    html = render("![a cat](https://evil.test/cat.png)", RenderContext(home="/@a/b")).html
    assert html.startswith('<p><a href="https://evil.test/cat.png"')
    assert "<img" not in html


def test_only_images_of_the_page_itself_are_shown() -> None:
    known = "a" * 64
    images = {known: PublishedImage(known, "image/png", 3, 2, 10)}
    place = RenderContext(home="/@a/b", images=images)
    other = f'<img src="/@a/c/images/{known}"><img src="/d/doc_1"><img src="image:{known}">'
    assert "src" not in render(other, place).html
    assert f"/@a/b/images/{known}" in render(f"![x](image:{known})", place).html
    assert "src" not in render(f"![x](image:{'b' * 64})", place).html


def test_no_page_may_run_a_script_or_be_framed(publish: Publish, get: Get) -> None:
    path = publish("Plan", "text")
    for address in (path, "/@owner", "/@nobody", f"{path}.md", "/@owner/feed.xml"):
        policy = get(address).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert "'unsafe-eval'" not in policy
        assert get(address).headers["x-content-type-options"] == "nosniff"
    assert "unsafe-inline" not in get(path).headers["content-security-policy"]


def test_a_drawing_is_shut_in_by_itself(db: strata.Workspace, get: Get) -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg"><script>pwned(1)</script></svg>'
    made = db.documents.create("Drawing", "")
    image = db.documents.attach_image(made.document, drawing, name="x.svg")
    db.documents.write(made.document, image.markdown)
    path = db.publishing.publish(made.document).path
    answer = get(f"{path}/images/{image.id}")
    assert answer.content == drawing
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "<svg" not in get(str(path)).text
