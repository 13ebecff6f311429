"""The product's int8 files as one archive of named weights.

python start.py MINILM_FOLDER OUT.npz
"""

import sys
from pathlib import Path

import numpy as np, onnx, torch
from onnx import numpy_helper
from network import pack

folder = Path(sys.argv[1])
model = onnx.load(folder / "model.onnx")
c = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
# The table of the pieces is in the file of the weights, but not in the graph.
places = {entry.key: int(entry.value) for entry in model.metadata_props}
weights = (folder / "model.weights").read_bytes()
pieces = (folder / "vocabulary.txt").read_bytes().count(b"\n")
scale = np.frombuffer(weights, np.float32, pieces, places["words.scale"])[:, None]
words = np.frombuffer(weights, np.int8, pieces * 384, places["words"]).reshape(pieces, 384)
state = {
    "w.weight": words.astype(np.float32) * scale,
    "p.weight": c["places"],
    "n.weight": c["embeddings.LayerNorm.weight"],
    "n.bias": c["embeddings.LayerNorm.bias"],
}
for i in range(6):
    b = f"encoder.layer.{i}."
    get = lambda n: (c[n + ".weight"].astype(np.float32) * (c[n + ".scale"] * 127)).T
    qkv, bias = get(b + "attention.self"), c[b + "attention.self.bias"]
    for n, part in enumerate("qkv"):
        f = 32**0.5 if part == "q" else 1.0
        state[f"l.{i}.{part}.weight"], state[f"l.{i}.{part}.bias"] = (
            qkv[n * 384 : n * 384 + 384] * f,
            bias[n * 384 : n * 384 + 384] * f,
        )
    for ours, theirs in (
        ("o", "attention.output.dense"),
        ("f1", "intermediate.dense"),
        ("f2", "output.dense"),
    ):
        state[f"l.{i}.{ours}.weight"], state[f"l.{i}.{ours}.bias"] = (
            get(b + theirs),
            c[b + theirs + ".bias"],
        )
    for ours, theirs in (("n1", "attention.output.LayerNorm"), ("n2", "output.LayerNorm")):
        for part in ("weight", "bias"):
            state[f"l.{i}.{ours}.{part}"] = c[b + theirs + "." + part]
state["proj.weight"] = np.load(folder / "projection.npy")[:, :128].astype(np.float32).T
pack({k: torch.tensor(np.ascontiguousarray(v)) for k, v in state.items()}, sys.argv[2])
