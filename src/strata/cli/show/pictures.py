"""Pictures of evolution as files: SVG, readable by ear and in the dark, and Mermaid text."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from strata.cli.show.evolution import DecisionNode, EvolutionPicture, LanePlace, Way
from strata.cli.show.text import cut, one_line, width

# Pixels: distances between lanes and lines, margins, and the mean width of a column of text.
_LANE, _LINE, _GAP, _MARGIN = 26, 20, 18, 24
_COLUMN, _SMALL_COLUMN = 8.2, 7.0
_TEXT_COLUMNS = 72
_RADIUS = 7
_HEAD = 40
_STYLE = """
  text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans KR",
         "Noto Sans CJK KR", "Apple SD Gothic Neo", "Malgun Gothic", sans-serif; fill: #1f2328; }
  .page { fill: #ffffff; } .name { font-size: 17px; font-weight: 700; }
  .title { font-size: 14px; } .current .title { font-weight: 600; }
  .replaced .title { fill: #59636e; }
  .small { font-size: 12px; fill: #59636e; }
  .way { fill: none; stroke: #8c959f; stroke-width: 2; }
  .dot { fill: #ffffff; stroke: #59636e; stroke-width: 2; }
  .current .dot { fill: #1f6feb; stroke: #1f6feb; }
  .failed .dot { stroke: #b42318; } .failed.current .dot { fill: #b42318; }
  .worked .dot { stroke: #067647; } .worked.current .dot { fill: #067647; }
  .partial .dot { stroke: #b54708; } .partial.current .dot { fill: #b54708; }
  .failed .mark { fill: #b42318; } .worked .mark { fill: #067647; }
  .partial .mark { fill: #b54708; }
  .conflict { fill: #b42318; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .page { fill: #0d1117; } .small, .replaced .title { fill: #9198a1; }
    .way { stroke: #656c76; } .dot { fill: #0d1117; stroke: #9198a1; }
    .failed .mark, .conflict { fill: #ff8a80; } .worked .mark { fill: #56d364; }
    .partial .mark { fill: #e3b341; }
  }
""".strip("\n")
_KINDS = {"worked": "worked", "failed": "failed", "worked in part": "partial"}


def svg(pictures: Sequence[EvolutionPicture], *, title: str) -> str:
    """Return pictures below each other as one SVG file."""
    blocks = [_Block(picture) for picture in pictures]
    wide = round(max((block.wide for block in blocks), default=200)) + 2 * _MARGIN
    high = sum(block.high for block in blocks) + _GAP * max(len(blocks) - 1, 0) + 2 * _MARGIN
    return "\n".join(_file(blocks, title=title, size=(wide, high))) + "\n"


def _file(blocks: Sequence["_Block"], *, title: str, size: tuple[int, int]) -> Iterator[str]:
    told = " ".join(f"{_text(one.picture.name)}: {one.picture.summary}." for one in blocks)
    wide, high = size
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" role="img" aria-labelledby="title desc">'
    )
    yield f'<title id="title">{_text(title)}</title>'
    yield f'<desc id="desc">{told}</desc>'
    yield f"<style>\n{_STYLE}\n</style>"
    yield f'<rect class="page" width="{wide}" height="{high}"/>'
    top = _MARGIN
    for block in blocks:
        yield f'<g transform="translate({_MARGIN} {top})">'
        yield from (f"  {line}" for line in block.lines())
        yield "</g>"
        top += block.high + _GAP
    yield "</svg>"


class _Block:
    """One picture: a name, the lanes on the left, and texts on the right of them."""

    def __init__(self, picture: EvolutionPicture) -> None:
        self.picture = picture
        self._layout = picture.layout
        self._texts = {node.id: list(_texts(node)) for node in picture.nodes}
        self._left = self._layout.lanes * _LANE + 6
        self._tops: list[int] = []
        top = _HEAD
        for node in picture.nodes:
            self._tops.append(top)
            top += _LINE * len(self._texts[node.id]) + _GAP
        self.high = top - _GAP if picture.nodes else top

    @property
    def wide(self) -> float:
        """Return how many pixels the texts will take, more or less."""
        lines = [line for texts in self._texts.values() for line in texts]
        texts = (self._left + width(text) * columns for text, _kind, columns in lines)
        name = width(f"{self.picture.name}  {self.picture.summary}") * (_COLUMN + 1)
        return max(name, *texts)

    def lines(self) -> Iterator[str]:
        """Yield the picture: ways first, so that the dots lie above them."""
        yield from self._head()
        yield from (self._way(way) for way in self._layout.ways)
        nodes = {node.id: node for node in self.picture.nodes}
        for place in self._layout.places:
            yield from self._node(place, nodes[place.id])

    def _head(self) -> Iterator[str]:
        kind = "small conflict" if self.picture.heads > 1 else "small"
        yield (
            f'<text y="14"><tspan class="name">{_text(self.picture.name)}</tspan>'
            f'<tspan class="{kind}" dx="12">{_text(self.picture.summary)}</tspan></text>'
        )

    def _point(self, lane: int, row: int) -> tuple[int, int]:
        return lane * _LANE + _RADIUS + 1, self._tops[row] + 5

    def _way(self, way: Way) -> str:
        """Draw a way: a curve to its lane, straight down, a curve to where it ends."""
        (x1, y1), (x2, y2) = (self._point(end.lane, end.row) for end in (way.older, way.newer))
        x = way.lane * _LANE + _RADIUS + 1
        bend = min(24, (y2 - y1) // 2)
        path = f"M {x1} {y1} C {x1} {y1 + bend} {x} {y1} {x} {y1 + bend}"
        path += f" L {x} {y2 - bend} C {x} {y2} {x2} {y2 - bend} {x2} {y2}"
        return f'<path class="way" d="{path}"/>'

    def _node(self, place: LanePlace, node: DecisionNode) -> Iterator[str]:
        x, y = self._point(place.lane, place.row)
        kinds = " ".join(part for part in (node.state, _KINDS.get(node.outcome)) if part)
        yield f"<g class={quoteattr(kinds)}>"
        yield f"  <title>{_text(f'{node.title} ({node.outcome_words})')}</title>"
        yield f'  <circle class="dot" cx="{x}" cy="{y}" r="{_RADIUS}"/>'
        for at, (text, kind, _columns) in enumerate(self._texts[node.id]):
            down = self._tops[place.row] + 10 + at * _LINE
            yield f'  <text class="{kind}" x="{self._left}" y="{down}">{_text(text)}</text>'
        yield "</g>"


def _texts(node: DecisionNode) -> Iterator[tuple[str, str, float]]:
    """Yield what is said of a decision: a text, its class, and how wide a column of it is."""
    yield cut(one_line(node.title), _TEXT_COLUMNS), "title", _COLUMN
    marks = ", ".join(part for part in (node.state, node.outcome) if part)
    yield f"{node.day} · {marks}" if node.day else marks, "small", _SMALL_COLUMN
    if node.why:
        yield _small(f"because {node.why}"), "small", _SMALL_COLUMN
    if node.lesson:
        yield _small(f"{node.outcome}: {node.lesson}"), "small mark", _SMALL_COLUMN
    for note in node.notes:
        yield _small(note), "small", _SMALL_COLUMN


def _small(text: str) -> str:
    return cut(one_line(text), _TEXT_COLUMNS + 12)


def _text(text: str) -> str:
    return escape(one_line(text))


_TITLE_COLUMNS = 48
# In a quoted text only these could end it or be taken for markup.
_ESCAPES = {
    ord('"'): "#quot;",
    ord("#"): "#35;",
    ord("<"): "#lt;",
    ord(">"): "#gt;",
    ord("`"): "#96;",
    ord("\\"): "#92;",
}
_CLASSES = {
    "current": "stroke-width:3px",
    "replaced": "stroke-dasharray:4 3",
    "failed": "stroke:#b42318",
    "worked": "stroke:#067647",
    "partial": "stroke:#b54708",
}
_OUTCOMES = {"worked": "worked", "failed": "failed", "worked in part": "partial"}


def mermaid(pictures: Sequence[EvolutionPicture]) -> str:
    """Return pictures as one flow chart, a box for each."""
    return "\n".join(_chart_lines(pictures)) + "\n"


def _chart_lines(pictures: Sequence[EvolutionPicture]) -> Iterator[str]:
    names = {
        node.id: f"d{number}"
        for number, node in enumerate(node for picture in pictures for node in picture.nodes)
    }
    yield "flowchart TB"
    yield f"  accTitle: {_plain(', '.join(picture.name for picture in pictures))}"
    told = "; ".join(f"{picture.name}: {picture.summary}" for picture in pictures)
    yield f"  accDescr: {_plain(told)}"
    for number, picture in enumerate(pictures):
        yield f"  subgraph t{number}[{_quoted(picture.name)}]"
        yield from (f"    {line}" for line in _boxes(picture, names))
        yield "  end"
    for picture in pictures:
        for tie in picture.ties:
            if tie.source in names and tie.target in names:
                ends = names[tie.source], names[tie.target]
                yield f"  {ends[0]} -. {_quoted(tie.word)} .-> {ends[1]}"
    yield from (f"  {line}" for line in _styles(pictures, names))


def _boxes(picture: EvolutionPicture, names: dict[str, str]) -> Iterator[str]:
    for node in picture.nodes:
        yield f"{names[node.id]}[{_label(node)}]"
    yield from (f"{names[older]} --> {names[newer]}" for older, newer in picture.grown)


def _styles(pictures: Sequence[EvolutionPicture], names: dict[str, str]) -> Iterator[str]:
    """Yield each class that is used, and who is of it."""
    members: dict[str, list[str]] = {}
    for node in (node for picture in pictures for node in picture.nodes):
        for kind in (node.state, _OUTCOMES.get(node.outcome)):
            if kind is not None:
                members.setdefault(kind, []).append(names[node.id])
    for kind, nodes in members.items():
        yield f"classDef {kind} {_CLASSES[kind]}"
        yield f"class {','.join(nodes)} {kind}"


def _label(node: DecisionNode) -> str:
    outcome = f", {node.outcome}" if node.outcome else ""
    day = f"{node.day} · " if node.day else ""
    title = _escaped(cut(one_line(node.title), _TITLE_COLUMNS))
    return f'"{title}<br/>{_escaped(day + node.state + outcome)}"'


def _quoted(text: str) -> str:
    return f'"{_escaped(cut(one_line(text), _TITLE_COLUMNS))}"'


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _plain(text: str) -> str:
    """Return a text for a line of its own, which has no quotes to end it."""
    return "".join(" " if letter in '"#;<>`\\{}' else letter for letter in one_line(text))
