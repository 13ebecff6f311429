"""Pieces of hostile texts, put together at random: no mixture gets through either."""

from hypothesis import given, settings
from hypothesis import strategies as st

from strata.web.public.rendering import RenderContext, render
from tests.property.examples import examples
from tests.security.reading import check_harmless
from tests.security.test_published_pages import page_of
from tests.security.xss import PAYLOADS

PIECES = (
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mtext>",
    "<img ",
    "<a href=",
    "javascript:",
    "java\tscript:",
    "data:text/html,",
    "onerror=",
    " onload=pwned(1) ",
    '"',
    "'",
    "`",
    ">",
    "<",
    "</",
    "/>",
    "<!--",
    "-->",
    "--!>",
    "<![CDATA[",
    "]]>",
    "<template>",
    "<noscript>",
    "</noscript>",
    "<title>",
    "</title>",
    "<textarea>",
    "<table>",
    "<td>",
    "<form>",
    "<details>",
    "<p title=",
    "<div>\n\n",
    "</div>",
    "\n\n",
    "\n",
    "    ",
    "> ",
    "- [ ] ",
    "# ",
    "```",
    "~~",
    "**",
    "[",
    "](",
    ")",
    "![",
    "[[",
    "]]",
    "|",
    "|---|\n",
    "[^1]",
    "\n\n[^1]: ",
    "\n\n[r]: ",
    "[x][r]",
    "&lt;",
    "&#x3c;",
    "&colon;",
    "\\",
    "\0",
    "\u2028",
    "한글",
    "pwned(1)",
    "https://evil.test/",
    "image:",
    "doc_00000000000000000000000000",
    "<input ",
    "style=",
    "id=text",
)

texts = st.lists(st.sampled_from(PIECES + tuple(PAYLOADS)), max_size=14).map("".join)


@settings(max_examples=examples(600))
@given(texts)
def test_no_mixture_of_pieces_becomes_anything_that_runs(text: str) -> None:
    place = RenderContext(home="/@a/b", pages={"한글": "/@a/c", "doc_" + "0" * 26: "/@a/d"})
    done = render(text, place)
    check_harmless(page_of(done.html))
    # What was cleaned once is clean: a browser that reads and writes it again finds the same.
    assert done.html.count("<") == render_again(done.html).count("<")


def render_again(html: str) -> str:
    from strata.web.public.rendering.cleaning import clean

    ids = {part.partition('"')[0] for part in html.split(' id="')[1:]}
    return clean(html, ids=ids, images="/@a/b/images/", box="Task")
