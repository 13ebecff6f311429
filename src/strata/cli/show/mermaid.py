"""Pictures of evolution as Mermaid text, which many web sites and editors draw."""

from collections.abc import Iterator, Sequence

from strata.cli.show.evolution import DecisionNode, EvolutionPicture
from strata.cli.show.text import cut, one_line

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
    return "\n".join(_lines(pictures)) + "\n"


def _lines(pictures: Sequence[EvolutionPicture]) -> Iterator[str]:
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
