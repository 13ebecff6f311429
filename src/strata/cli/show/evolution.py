"""How decisions evolved, as a picture: what it shows, its layout, drawing it in a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal, TypeAlias

import click
import msgspec

from strata.cli.show.text import cut, one_line, pad, terminal_width, width


class LanePlace(msgspec.Struct, frozen=True):
    """The row and the lane of a thing."""

    id: str
    row: int
    lane: int


class Way(msgspec.Struct, frozen=True):
    """What leads from an older thing to a newer one, and the lane that it runs on."""

    older: LanePlace
    newer: LanePlace
    lane: int


class LaneLayout(msgspec.Struct, frozen=True):
    """Places in the order of their rows, and the ways between them."""

    places: tuple[LanePlace, ...]
    ways: tuple[Way, ...]

    @property
    def lanes(self) -> int:
        """How many lanes there are side by side."""
        return 1 + max((one.lane for one in (*self.places, *self.ways)), default=0)


def laid_out(ids: Sequence[str], grown: Iterable[tuple[str, str]]) -> LaneLayout:
    """Place things, given oldest first, with what grew from what as (older, newer).

    Pairs that name anything else, or that go against the order, are left out.
    """
    order = {id_: row for row, id_ in enumerate(ids)}
    children: dict[str, list[str]] = {id_: [] for id_ in ids}
    for older, newer in sorted(set(grown), key=lambda pair: order.get(pair[1], -1)):
        if order.get(older, len(ids)) < order.get(newer, -1):
            children[older].append(newer)
    return _placed(ids, children)


def _placed(ids: Sequence[str], children: dict[str, list[str]]) -> LaneLayout:
    # Each lane in use, and the way that runs on it: from where to where.
    running: dict[int, tuple[str, str]] = {}
    places: dict[str, LanePlace] = {}
    lanes: dict[tuple[str, str], int] = {}
    for row, id_ in enumerate(ids):
        arriving = sorted(lane for lane, (_older, newer) in running.items() if newer == id_)
        for lane in arriving:
            del running[lane]
        own = arriving[0] if arriving else _free(running)
        places[id_] = LanePlace(id_, row, own)
        for at, child in enumerate(children[id_]):
            lane = own if at == 0 else _free({**running, own: (id_, child)})
            running[lane] = id_, child
            lanes[id_, child] = lane
    ways = (Way(places[older], places[newer], lane) for (older, newer), lane in lanes.items())
    return LaneLayout(tuple(places.values()), tuple(ways))


def _free(taken: Iterable[int]) -> int:
    """Return the first lane that nothing runs on."""
    used = set(taken)
    return next(lane for lane in count() if lane not in used)


State: TypeAlias = Literal["current", "replaced"]
_NARROWEST = 24
_COLORS = {"worked": "green", "failed": "red", "worked in part": "yellow"}


class DecisionNode(msgspec.Struct, frozen=True, kw_only=True):
    """A decision in a picture; texts are whole and of one line, `notes` tell of its links."""

    id: str
    title: str
    why: str = ""
    day: str = ""
    state: State = "current"
    outcome: str = ""
    lesson: str = ""
    notes: tuple[str, ...] = ()

    @property
    def outcome_words(self) -> str:
        """What became of it, in words."""
        outcome = f"{self.outcome}: {self.lesson}" if self.lesson else self.outcome
        return ", ".join(part for part in (self.state, outcome) if part)


class DecisionTie(msgspec.Struct, frozen=True):
    """A link between two decisions of a picture that is not their evolution."""

    source: str
    target: str
    word: str


class EvolutionPicture(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions that grew from each other, oldest first, as (older, newer), and other ties."""

    name: str
    nodes: tuple[DecisionNode, ...]
    grown: tuple[tuple[str, str], ...] = ()
    ties: tuple[DecisionTie, ...] = ()

    @property
    def layout(self) -> LaneLayout:
        """The place of each decision."""
        return laid_out([node.id for node in self.nodes], self.grown)

    @property
    def heads(self) -> int:
        """How many decisions are current."""
        return sum(node.state == "current" for node in self.nodes)

    @property
    def summary(self) -> str:
        """Say in a line how much there is, and whether it is in conflict."""
        noun = "decision" if len(self.nodes) == 1 else "decisions"
        counted = f"{len(self.nodes)} {noun}, {self.heads} current"
        return f"{counted} (in conflict)" if self.heads > 1 else counted


def picture_lines(picture: EvolutionPicture) -> Iterator[str]:
    """Yield a picture as lines for a terminal."""
    name = click.style(one_line(picture.name), bold=True)
    color = "red" if picture.heads > 1 else None
    yield f"{name}  {click.style(picture.summary, fg=color, dim=color is None)}"
    layout = picture.layout
    columns = 2 * layout.lanes
    nodes = {node.id: node for node in picture.nodes}
    for place in layout.places:
        for drawn, text in _block(layout, place, nodes[place.id]):
            yield f"{pad(drawn, columns)}{text}".rstrip()


def _block(layout: LaneLayout, place: LanePlace, node: DecisionNode) -> Iterator[tuple[str, str]]:
    """Yield the lines of one decision: what is drawn on the left, and what is said of it."""
    joining = [way.lane for way in layout.ways if way.newer == place and way.lane != place.lane]
    if joining:
        yield _crossing(layout, place, joining, leaves=False), ""
    here = _passing(layout, place.row)
    mark = "◉" if node.state == "current" else "○"
    texts = _texts(node, room=_room(2 * layout.lanes))
    yield _drawn({**here, place.lane: mark}), next(texts)
    leaving = [way.lane for way in layout.ways if way.older == place]
    below = {**here, **({place.lane: "│"} if place.lane in leaving else {})}
    yield from ((_drawn(below), text) for text in texts)
    beside = [lane for lane in leaving if lane != place.lane]
    if beside:
        yield _crossing(layout, place, beside, leaves=True), ""


def _passing(layout: LaneLayout, row: int) -> dict[int, str]:
    """Return the lanes of ways that pass a row without ending there."""
    return {way.lane: "│" for way in layout.ways if way.older.row < row < way.newer.row}


def _crossing(layout: LaneLayout, place: LanePlace, ends: Sequence[int], *, leaves: bool) -> str:
    """Draw what leaves a lane for others, or comes from them."""
    cells = _passing(layout, place.row)
    left, right = min(*ends, place.lane), max(*ends, place.lane)
    for lane in range(left, right + 1):
        cells[lane] = "┼" if lane in cells else "─"
    for lane in ends:
        inner, at_left, at_right = "┬╭╮" if leaves else "┴╰╯"
        cells[lane] = at_left if lane == left else at_right if lane == right else inner
    cells[place.lane] = "├" if place.lane == left else "┤" if place.lane == right else "┼"
    return _drawn(cells, joined=range(left, right))


def _drawn(cells: Mapping[int, str], *, joined: Sequence[int] = ()) -> str:
    """Write lanes two columns apart; those in `joined` reach over to the next."""
    last = max(cells, default=0)
    parts = (cells.get(lane, " ") + ("─" if lane in joined else " ") for lane in range(last + 1))
    return "".join(parts).rstrip()


def _room(used: int) -> int | None:
    columns = terminal_width()
    return None if columns is None else max(columns - used, _NARROWEST)


def _texts(node: DecisionNode, *, room: int | None) -> Iterator[str]:
    """Yield what is said of a decision, each line cut to the room there is."""
    indent = " " * (width(node.day) + 2 if node.day else 0)
    marks = _marks(node)
    space = None if room is None else room - len(indent)
    left = None if space is None else max(space - width(click.unstyle(marks)) - 2, _NARROWEST)
    title = click.style(_cut(node.title, left), bold=node.state == "current")
    day = click.style(node.day, dim=True) + "  " if node.day else ""
    yield f"{day}{title}  {marks}"
    if node.why:
        yield indent + click.style(_cut(f"because {node.why}", space), dim=True)
    if node.lesson:
        yield indent + click.style(_cut(node.lesson, space), fg=_COLORS.get(node.outcome))
    for note in node.notes:
        yield indent + click.style(_cut(note, space), fg="cyan")


def _marks(node: DecisionNode) -> str:
    holds = {"current": "green", "replaced": None}[node.state]
    shown = [click.style(node.state, fg=holds, dim=holds is None)]
    if node.outcome:
        shown.append(click.style(node.outcome, fg=_COLORS.get(node.outcome)))
    return ", ".join(shown)


def _cut(text: str, columns: int | None) -> str:
    shown = one_line(text)
    return shown if columns is None else cut(shown, columns)


def drawn_lines(pictures: Iterable[EvolutionPicture]) -> Iterator[str]:
    """Yield several pictures, with an empty line between them."""
    for at, picture in enumerate(pictures):
        if at:
            yield ""
        yield from picture_lines(picture)
