"""Make the table for reading a question without the model: minilm/reading.bin.

python reading.py --train TEXTS --strata CHECKOUT --work FOLDER

Run it with the Strata of the checkout and torch 2.13 installed; an hour on one core, most of it for
vectors of the encoder, which stay in FOLDER. It prints the sha256 of what it wrote; write that into
manifest.json. Only text of tier 1 is read: permissive licences, CC BY, our own. Seed 1.

The table has a row for each piece of the vocabulary in Latin or Hangul. A text's quick vector is
the sum of the rows of its pieces, made one long. Rows begin as the encoder's vectors of single
pieces, rare ones larger, and are trained to give the encoder's vector of short texts: its
direction, and its products with the vectors of other texts. They are written in six steps a number,
three numbers a byte.

The file: a line of JSON, filled up with spaces to 128 bytes; crc32 of each piece, rising (uint32);
the size of a step of each row, in units that the line tells (uint16); the rows, 128 bytes each.
"""

import argparse
import hashlib
import json
import lzma
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

import numpy as np
import torch
from tier_one import SOURCES
from torch.nn import functional

from strata.models.minilm import DIMENSION, MiniLM

SHARE_ALIKE = {"mdn", "KorSTS+STSb train", "NTREX-128", "Park news dev+test"}
QUESTIONS, SENTENCES, ENGLISH, KOREAN = 20_000, 20_000, 8_000, 6_000  # of a source, at most
PASSAGES, KEYWORDS, KOREAN_KEYWORDS = 3_000, 20_000, 10_000
SENTENCE = re.compile(r"(?<=[.!?。])\s+|\n+")
WORD, KOREAN_WORD = r"[A-Za-z_][\w.]{2,}", r"[가-힣]{2,}|[A-Za-z_][\w.]{2,}"
CHECKED = 2_000  # texts that are not trained on
EPOCHS, BATCH, RATE = 4, 512, 2e-3
LEVELS, CLIP = 6, 2.2  # steps of a number, and how many deviations they reach
HEAD_BYTES = 128
# Latin, punctuation with signs of currencies, Hangul in syllables.
READ = (range(0x250), range(0x2000, 0x20D0), range(0xAC00, 0xD7A4))


def texts(folder: Path) -> list[str]:
    """Return questions, sentences, passages and keywords, each once, in a fixed order."""
    rng = random.Random(1)
    asked, told, korean = defaultdict(list), defaultdict(list), defaultdict(list)
    for line in lzma.open(folder / "qa.jsonl.xz", "rt", encoding="utf-8"):
        row = json.loads(line)
        if row["source"] in SOURCES:
            asked[row["source"]] += [question[0] for question in row["qs"]]
            told[row["source"]] += row["docs"]
    own = json.load(lzma.open(folder / "templates.json.xz", "rt", encoding="utf-8"))
    for group in own["groups"]:
        asked["templates"] += [question[0] for question in group["qs"]]
        told["templates"] += group["docs"]
    told["pairs"] = [text for pair in own["par"] for text in pair]
    english = defaultdict(list)
    for line in lzma.open(folder / "parallel.jsonl.xz", "rt", encoding="utf-8"):
        ko, en, source = json.loads(line)
        if source not in SHARE_ALIKE:
            english[source].append(en)
            korean[source].append(ko)
    found = []
    for _source, some in sorted(asked.items()):
        some = list(dict.fromkeys(some))
        found += rng.sample(some, min(QUESTIONS, len(some)))
    for kind, most in ((told, SENTENCES), (english, ENGLISH), (korean, KOREAN)):
        for _source, some in sorted(kind.items()):
            found += cut(rng, some, most, lambda parts: 1)
            found += cut(rng, some, PASSAGES, lambda parts: rng.choice((2, 3, 4, 6)))
    every = [text for kind in (told, english) for _, some in sorted(kind.items()) for text in some]
    found += keywords(rng, every, KEYWORDS, WORD)
    every = [text for _, some in sorted(korean.items()) for text in some]
    found += keywords(rng, every, KOREAN_KEYWORDS, KOREAN_WORD)
    found = list(dict.fromkeys(found))
    rng.shuffle(found)
    return found


def cut(rng: random.Random, some: list[str], most: int, count) -> Iterable[str]:
    """Yield so many sentences that follow each other, of each of some texts."""
    some = list(dict.fromkeys(some))
    for text in rng.sample(some, min(most, len(some))):
        parts = [part.strip() for part in SENTENCE.split(text) if 12 <= len(part.strip()) <= 220]
        wanted = count(parts)
        if len(parts) >= wanted:
            at = rng.randrange(len(parts) - wanted + 1)
            yield " ".join(parts[at : at + wanted])


def keywords(rng: random.Random, every: list[str], most: int, pattern: str) -> Iterable[str]:
    """Yield some rather rare words of texts, as users type them."""
    common = Counter(w.lower() for text in every for w in set(re.findall(pattern, text)))
    for text in rng.sample(every, min(most, len(every))):
        words = list(dict.fromkeys(re.findall(pattern, text)))
        if len(words) > 4:
            rarity = {w: math.log(common[w.lower()] + 1) + rng.random() * 2.5 for w in words}
            best = sorted(words, key=rarity.__getitem__)[: rng.choice((2, 3, 3, 4, 5, 6))]
            rng.shuffle(best)
            yield " ".join(best)


def vectors(model: MiniLM, some: list[str], folder: Path) -> np.ndarray:
    """Return the encoder's vector of each text; those in FOLDER are not made again."""
    known: dict[bytes, np.ndarray] = {}
    for path in sorted(folder.glob("vectors-*.npz")):
        kept = np.load(path)
        known |= zip(map(bytes, kept["keys"]), kept["vectors"], strict=True)
    keys = [hashlib.sha256(text.encode()).digest() for text in some]
    missing = [at for at, key in enumerate(keys) if key not in known]
    for first in range(0, len(missing), 10_000):
        part = missing[first : first + 10_000]
        made = model.embed([some[at] for at in part]).astype("f2")
        named = np.array([list(keys[at]) for at in part], "u1")
        np.savez(folder / f"vectors-{len(known):08}.npz", keys=named, vectors=made)
        known |= zip((keys[at] for at in part), made, strict=True)
        print(len(known), "vectors", flush=True)
    return np.array([known[key] for key in keys], "f4")


def single(model: MiniLM) -> np.ndarray:
    """Return the encoder's vector of each piece alone."""
    tokenizer = model._tokenizer
    ids = (np.array([tokenizer.first, at, tokenizer.last], "i8") for at in range(len(tokenizer)))
    found = np.array([model._session.run(None, {"ids": one})[0][1] for one in ids])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def steps(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows as whole steps around 0, of which none is 0 itself, and the size of a step."""
    size = CLIP * rows.pow(2).mean(1, keepdim=True).sqrt() / (LEVELS / 2) + 1e-12
    half = LEVELS // 2
    return (rows / size).floor().clamp(-half, half - 1), size


def rounded(rows: torch.Tensor) -> torch.Tensor:
    """Return rows as they are read back."""
    whole, size = steps(rows)
    return (whole + 0.5) * size


def train(start: np.ndarray, ids: list[np.ndarray], wanted: np.ndarray) -> np.ndarray:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    order = rng.permutation(len(ids))
    checked, trained = order[:CHECKED], order[CHECKED:]
    share = np.bincount(np.concatenate([ids[at] for at in trained]), minlength=len(start))
    weight = 1e-3 / (1e-3 + share / len(trained))
    table = torch.nn.Embedding.from_pretrained(
        torch.tensor(start * weight[:, None], dtype=torch.float32), freeze=False, sparse=True
    )
    optimiser = torch.optim.SparseAdam(table.parameters(), lr=RATE)
    target = torch.tensor(wanted)

    def read(rows: np.ndarray, *, is_rounded: bool = False) -> torch.Tensor:
        pieces = torch.tensor(np.concatenate([ids[at] for at in rows]), dtype=torch.long)
        owner = torch.tensor(np.repeat(np.arange(len(rows)), [len(ids[at]) for at in rows]))
        values = table(pieces)
        values = rounded(values) if is_rounded else values
        return functional.normalize(
            torch.zeros(len(rows), DIMENSION).index_add(0, owner, values), dim=1
        )

    total, done = EPOCHS * (len(trained) // BATCH), 0
    for epoch in range(EPOCHS):
        mixed = rng.permutation(trained)
        for first in range(0, len(mixed) - BATCH + 1, BATCH):
            rows = mixed[first : first + BATCH]
            found, right = read(rows), target[torch.tensor(rows)]
            wrong = (found - right) @ right.T
            wrong = wrong - torch.diag(torch.diag(wrong))
            loss = (1 - (found * right).sum(1)).mean() + 50 * wrong.pow(2).mean()
            optimiser.param_groups[0]["lr"] = RATE * max(0.02, 1 - done / total)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            done += 1
        with torch.no_grad():
            right = target[torch.tensor(checked)]
            near = [
                (read(checked, is_rounded=how) * right).sum(1).mean().item()
                for how in (False, True)
            ]
        print(epoch, "cosine {:.4f}, rounded {:.4f}".format(*near), flush=True)
    return table.weight.detach().numpy()


def is_kept(piece: str) -> bool:
    """Whether a piece can come up in text in Latin or Hangul, as the tokenizer leaves it."""
    is_mark = piece.startswith("[") and piece.endswith("]") and len(piece) > 2
    return not is_mark and all(any(ord(c) in block for block in READ) for c in piece)


def packed(model: MiniLM, rows: np.ndarray) -> bytes:
    pieces = list(model._tokenizer._numbers)
    kept = sorted((crc32(p.encode()), at) for at, p in enumerate(pieces) if is_kept(p))
    hashes = [number for number, _at in kept]
    assert len(set(hashes)) == len(hashes), "two pieces have one hash"
    whole, size = steps(torch.tensor(rows[[at for _number, at in kept]]))
    codes = (whole.numpy() + LEVELS // 2).astype("u1")
    third = DIMENSION // 3
    first, second, last = (codes[:, at : at + third] for at in range(0, DIMENSION, third))
    unit = size.max().item() / 0xFFFF
    head = {
        "embedder": model.id,
        "longest": max(map(len, pieces)),
        "pieces": len(kept),
        "dimension": DIMENSION,
        "unit": float(f"{unit:.6g}"),
    }
    sizes = np.maximum(np.rint(size.numpy()[:, 0] / head["unit"]), 1)
    return b"".join(
        (
            json.dumps(head).encode().ljust(HEAD_BYTES - 1) + b"\n",
            np.array(hashes, "<u4").tobytes(),
            np.minimum(sizes, 0xFFFF).astype("<u2").tobytes(),
            (first + LEVELS * second + LEVELS**2 * last).astype("u1").tobytes(),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--train", "--strata", "--work"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(exist_ok=True)
    model = MiniLM()
    found = texts(options.train)
    found = [text for text in found if model._tokenizer.ids(text)]
    print(len(found), "texts", hashlib.sha256("\0".join(found).encode()).hexdigest(), flush=True)
    wanted = vectors(model, found, options.work)
    ids = [np.array(model._tokenizer.ids(text, limit=254)) for text in found]
    rows = train(single(model), ids, wanted)
    np.save(options.work / "rows.npy", rows)
    content = packed(model, rows)
    path = options.strata / "packages/strata-embed/src/strata_embed/minilm/reading.bin"
    path.write_bytes(content)
    print(hashlib.sha256(content).hexdigest(), len(content), path.name)


if __name__ == "__main__":
    main()
