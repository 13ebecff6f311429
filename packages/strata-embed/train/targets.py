"""Multilingual vectors of texts, by the product's own encoder, shortened to 128 axes.

python targets.py TEXTS.json OUT.npz   (with the product on the path)
"""

import json, sys, time
import numpy as np
from strata.models.multilingual import Multilingual

texts = json.load(open(sys.argv[1]))
model = Multilingual()
begin, rows = time.time(), np.empty((len(texts), 512), np.float16)
order = np.argsort([len(t) for t in texts], kind="stable")
for at in range(0, len(texts), 512):
    rows[order[at : at + 512]] = model.embed([texts[i] for i in order[at : at + 512]])
    if at % 8192 == 0:
        print(at, round(time.time() - begin), flush=True)
rows = rows.astype(np.float32)
values, axes = np.linalg.eigh(rows[::3].T @ rows[::3])
axes = axes[:, ::-1][:, :128]
short = rows @ axes
print(
    "kept",
    values[::-1][:128].sum() / values.sum(),
    "texts a second",
    len(texts) / (time.time() - begin),
)
short /= np.linalg.norm(short, axis=1, keepdims=True)
np.savez(sys.argv[2], v=np.rint(short * 127 / np.abs(short).max(1, keepdims=True)).astype(np.int8))
