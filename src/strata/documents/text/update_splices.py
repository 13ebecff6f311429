"""What updates did to a text, told by the replica itself.

Two texts can be compared in many ways; a replica knows which of its characters stayed. Where a
line occurs again and again, only this tells which of them was deleted and which was kept.
"""

from collections.abc import Sequence

from strata.documents.text.diff import splices
from strata.documents.text.replica import Replica, code_points
from strata.documents.text.splice import Splice


def apply_as_splices(replica: Replica, updates: Sequence[bytes]) -> list[Splice]:
    """Take in updates, and return what they changed as splices of the text that was."""
    before = replica.text
    told = replica.follow(updates)
    if told.halves:
        # An edit has cut a character in two: the offsets are those of another text.
        return splices(before, replica.text)
    spans: list[tuple[int, int, str]] = []
    at = 0
    for step in told.steps:
        at += step.keep
        if step.drop or step.put:
            start, text = at, step.put
            if spans and spans[-1][1] == at:
                start, _end, earlier = spans.pop()
                text = earlier + step.put
            at += step.drop
            spans.append((start, at, text))
    places = code_points(before, [place for span in spans for place in span[:2]])
    ends = zip(places[::2], places[1::2], spans, strict=True)
    return [Splice(start, end, span[2]) for start, end, span in ends]
