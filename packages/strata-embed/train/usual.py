"""Count what is usual in texts in general: how common words are, and where vectors lie.

python usual.py --train TEXTS --strata CHECKOUT

Writes src/strata/search/everyday.txt and the files centre.npy of both models, and prints their
sha256. Run it with the Strata of the checkout installed, and then write the sums into
manifest.json. Only text of tier 1 is read: permissive licences, CC BY, our own. Seed 1.

everyday.txt has a line for each power of two: the number, and the terms that about one text of so
many holds, stop words left out. English is counted over five kinds of text that count alike, within
a kind each source alike; Korean over its sources alike. centre.npy is the mean of the vectors of
texts of all sources, for the multilingual model of Korean ones, as float16: the product with a
question's vector is how near that question is to texts that have nothing to do with it.
"""

import argparse
import hashlib
import json
import lzma
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from strata.models import loader
from strata.search import tokens
from strata.search.stem import STOP_WORDS

KINDS = {
    "talk": ("Yale-LILY/QMSum", "HIT-SCIR/Molweni", "jkkummerfeld/irc-disentanglement"),
    "facts": ("eladsegal/strategyqa",),
    "rules": ("haitian-sun/ConditionalQA",),
}
KOREAN_TALK = "songys/Chatbot_data (ko)"
SHARE_ALIKE = {"mdn", "KorSTS+STSb train", "NTREX-128", "Park news dev+test"}
COUNTED = 4_000  # texts of a source that are counted
CHARACTERS = 2_000  # of a text
LEAST = 1e-3  # terms in fewer texts are left out
COMPARED = 40  # texts of a source whose vectors are taken


def read(folder: Path) -> tuple[dict[str, dict[str, list[str]]], dict[str, list[str]]]:
    """Return English texts by kind and source, and Korean ones by source."""
    english, korean = defaultdict(lambda: defaultdict(list)), defaultdict(list)
    kinds = {source: kind for kind, sources in KINDS.items() for source in sources}
    for line in lzma.open(folder / "qa.jsonl.xz", "rt", encoding="utf-8"):
        row = json.loads(line)
        source, asked = row["source"], [question[0] for question in row["qs"]]
        if source in kinds:
            english[kinds[source]][source] += row["docs"]
            english["questions"][source] += asked
        elif source == KOREAN_TALK:
            korean[source] += row["docs"]
            korean["questions"] += asked
    for line in lzma.open(folder / "parallel.jsonl.xz", "rt", encoding="utf-8"):
        ko, en, source = json.loads(line)
        if source not in SHARE_ALIKE:
            english["technical"][source].append(en)
            korean[source].append(ko)
    return english, korean


def shares(sources: dict[str, list[str]]) -> Counter:
    """Return in which share of texts each term is, every source counting alike."""
    found = Counter()
    for source, texts in sorted(sources.items()):
        taken = random.Random(f"1 {source}").sample(texts, min(COUNTED, len(texts)))
        for text in taken:
            for term in set(tokens.analyse(text[:CHARACTERS]).terms):
                found[term] += 1 / len(taken) / len(sources)
    return found


def table(english: dict[str, dict[str, list[str]]], korean: dict[str, list[str]]) -> str:
    found = Counter()
    for sources in english.values():
        for term, share in shares(sources).items():
            found[term] += share / len(english) if term.isascii() else 0
    found.update({t: share for t, share in shares(korean).items() if not t.isascii()})
    lines = defaultdict(list)
    for term, share in found.items():
        if share >= LEAST and term not in STOP_WORDS:
            lines[-round(math.log2(share))].append(term)
    return "".join(f"{2**power} {' '.join(sorted(lines[power]))}\n" for power in sorted(lines))


def centre(model: str, sources: Iterable[tuple[str, list[str]]]) -> np.ndarray:
    texts = []
    for source, found in sources:
        brief = [text for text in found if 20 < len(text) < 600]
        texts += random.Random(f"1 {source}").sample(brief, min(COMPARED, len(brief)))
    return loader(model).wait(600).embed(texts).mean(axis=0).astype("<f2")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--strata", type=Path, required=True)
    options = parser.parse_args()
    english, korean = read(options.train)
    everyday = options.strata / "src/strata/search/everyday.txt"
    everyday.write_text(table(english, korean), encoding="utf-8")
    written = [everyday]
    both = [*(one for kind in english.values() for one in kind.items()), *korean.items()]
    for model, sources in (("minilm", both), ("multilingual", korean.items())):
        folder = options.strata / "packages/strata-embed/src/strata_embed" / model
        np.save(folder / "centre.npy", centre(model, sources))
        written.append(folder / "centre.npy")
    for path in written:
        content = path.read_bytes()
        print(hashlib.sha256(content).hexdigest(), len(content), path.name)


main()
