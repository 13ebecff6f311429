"""Make the files of the judge again: python rebuild/judge.py WEIGHTS [--check]

WEIGHTS is what training wrote (train/README.md). The judge reads a question and a text together, in
the pieces of the main model and with that model's table of pieces, so only its layers are here.
"""

import hashlib
from pathlib import Path

import manifest
import numpy as np
import onnx
from minilm import FOLDER as MAIN
from minilm import LAYERS, SIZE, Graph, named, read_weights, split
from onnx import TensorProto

FOLDER = Path(__file__).parents[1] / "src/strata_embed/judge"
# What of the trained weights is the judge's alone: which side a piece is on, whether it is on both,
# and the two layers that make one number of all outputs.
OWN = ("side.weight", "both.weight", "d.weight", "d.bias", "h.weight", "h.bias")


def main() -> None:
    """Write the files, or compare them with what is there."""
    options = manifest.options("weights")
    trained = read_weights(options.weights)
    own = {name: trained[name].astype(np.float32) for name in OWN}
    model, constants = JudgeGraph(named(trained) | own).model()
    for key, value in places_of_table().items():
        model.metadata_props.add(key=key, value=value)
    graph, data = split(model, constants)
    manifest.write(FOLDER, {"model.onnx": graph, "model.weights": data}, check_only=options.check)


def places_of_table() -> dict[str, str]:
    """Say where the main model's table lies in its weights, and what these have to be."""
    props = onnx.load(MAIN / "model.onnx", load_external_data=False).metadata_props
    digest = hashlib.sha256((MAIN / "model.weights").read_bytes()).hexdigest()
    return {one.key: one.value for one in props} | {"table": digest}


class JudgeGraph(Graph):
    """The judge over the pieces of one question and one text: one number, the higher the better.

    Beside the row of each piece it is given on which side it is (0 the question and the marks, 1
    what precedes the text, 2 the text), and whether the same piece is on both.
    """

    def model(self) -> tuple[onnx.ModelProto, list[onnx.TensorProto]]:
        """Build the graph from the bottom to the top; return it with all constants there are."""
        x = self._embed()
        for layer in range(LAYERS):
            x = self._layer(f"encoder.layer.{layer}", x)
        self._judge(x)
        rows = {
            "codes": (TensorProto.INT8, SIZE),
            "scales": (TensorProto.FLOAT, 1),
            "side": (TensorProto.INT64,),
            "both": (TensorProto.INT64,),
        }
        return self._finished("judge", rows, score=[1, 1])

    def _embed(self) -> str:
        zero, length = self._constant("zero", np.array([0])), self._node("Shape", "codes", end=1)
        places = self._constant("places", self._weights["embeddings.position_embeddings.weight"])
        parts = [
            self._node("Mul", self._float("codes"), "scales"),
            self._node("Slice", places, zero, length),
            self._node("Gather", self._constant("sides", self._weights["side.weight"]), "side"),
            self._node("Gather", self._constant("shared", self._weights["both.weight"]), "both"),
        ]
        return self._norm("embeddings.LayerNorm", self._node("Sum", *parts))

    def _judge(self, x: str) -> None:
        """Join the first output and the mean over the text, and make one number of them."""
        two, one = self._constant("text", np.array(2)), self._constant("width", np.array([1]))
        is_text = self._float(self._node("Equal", "side", two))
        weight = self._node("Unsqueeze", is_text, self._constant("rows", np.array([0])))
        count = self._node("ReduceSum", is_text, keepdims=1)
        count = self._node("Max", count, self._constant("least", np.float32(1)))
        mean = self._node("Div", self._node("MatMul", weight, x), count)
        zero = self._constant("zero", np.array([0]))
        first = self._node("Slice", x, zero, one)
        joined = self._node("Concat", first, mean, axis=1)
        inner = self._node("Tanh", self._plain("d", joined))
        self._plain("h", inner)
        self._nodes[-1].output[0] = "score"

    def _plain(self, name: str, x: str) -> str:
        """Multiply by a matrix in float32: these two are small."""
        weight = self._constant(f"{name}.weight", self._weights[f"{name}.weight"].T)
        bias = self._constant(f"{name}.bias", self._weights[f"{name}.bias"])
        return self._node("Add", self._node("MatMul", x, weight), bias)


if __name__ == "__main__":
    main()
