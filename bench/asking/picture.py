"""How often a question belongs to a store, by the best relevance there, as a picture."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from asking.run import Judged

_SIDE, _EDGE = 320, 48
_STEPS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0001)


class Bin(NamedTuple):
    """Questions of about the same best relevance: its mean, which part belongs, how many."""

    relevance: float
    belonging: float
    questions: int


def bins(judged: Sequence[Judged]) -> list[Bin]:
    """Group questions by their best relevance."""
    found: list[Bin] = []
    for low, high in pairwise(_STEPS):
        inside = [one for one in judged if low <= one.relevance < high]
        if inside:
            relevance = mean(one.relevance for one in inside)
            found.append(Bin(relevance, mean(one.belongs for one in inside), len(inside)))
    return found


def draw(path: Path, found: Sequence[Bin], floor: float) -> None:
    """Write the picture: relevance from left to right, the questions that belong upwards."""
    points = [_point(one.relevance, one.belonging) for one in found]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in points)
    (x0, y0), (x1, y1) = _point(0, 0), _point(1, 1)
    at = _point(floor, 0)[0]
    size = _SIDE + 2 * _EDGE
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img"'
        ' font-family="system-ui, sans-serif" font-size="12">'
        "<title>Best relevance, and how many such questions belong to the store</title>"
        f'<rect width="{size}" height="{size}" fill="#fff"/>'
        f'<path d="M{x0} {y1}V{y0}H{x1}" fill="none" stroke="#555"/>'
        f'<path d="M{x0} {y0}L{x1} {y1}" stroke="#bbb" stroke-dasharray="4 4"/>'
        f'<path d="M{at:.1f} {y0}V{y1}" stroke="#c60" stroke-dasharray="2 3"/>'
        f'<text x="{at + 4:.1f}" y="{y1 + 12}" fill="#c60">floor</text>'
        f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/>'
        f'<g fill="#06c">{dots}</g>'
        f'<text x="{size / 2}" y="{size - 12}" text-anchor="middle">best relevance</text>'
        f'<text transform="translate(16 {size / 2}) rotate(-90)" text-anchor="middle">'
        "questions that belong to the store</text>"
        + "".join(_tick(value / 4) for value in range(5))
        + "</svg>\n",
        encoding="utf-8",
    )


def _point(x: float, y: float) -> tuple[float, float]:
    return _EDGE + _SIDE * x, _EDGE + _SIDE * (1 - y)


def _tick(value: float) -> str:
    x, bottom = _point(value, 0)
    left, y = _point(0, value)
    return (
        f'<text x="{x:.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{value:g}</text>'
        f'<text x="{left - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    )
