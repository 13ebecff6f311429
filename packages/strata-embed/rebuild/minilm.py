"""Make the files of the main model again: python rebuild/minilm.py WEIGHTS [--check]

WEIGHTS is what training wrote (train/README.md). The graph is written by hand, in standard
operators. Every linear layer is int8: weights by output channel when built, inputs by token when
run. So a token's numbers do not depend on how large its neighbours' are.
"""

from pathlib import Path

import manifest
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(__file__).parents[1] / "src/strata_embed/minilm"
LAYERS, HEADS, HEAD_SIZE, SIZE = 6, 12, 32, 384
OPSET, IR_VERSION = 20, 9
# What the graph calls the parts of a layer, by their names in training.
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "n2": "output.LayerNorm",
}

Weights = dict[str, np.ndarray]


def main() -> None:
    """Write the files, or compare them with what is there; vocabulary, centre and reading stay."""
    options = manifest.options("weights")
    trained = read_weights(options.weights)
    graph, data = split(*Graph(named(trained)).model())
    files = {
        "centre.npy": (FOLDER / "centre.npy").read_bytes(),
        "model.onnx": graph,
        "model.weights": data,
        "projection.npy": manifest.npy(trained["proj.weight"].T.astype(np.float16)),
        "reading.bin": (FOLDER / "reading.bin").read_bytes(),
        "vocabulary.txt": (FOLDER / "vocabulary.txt").read_bytes(),
    }
    manifest.write(FOLDER, files, check_only=options.check)


def read_weights(path: Path) -> Weights:
    """Read what training wrote: large matrices as int8 codes, with a scale for each 64 of a row."""
    stored = np.load(path)
    found = {name: stored[name] for name in stored.files if "|" not in name}
    for name in {name.partition("|")[0] for name in stored.files} - found.keys():
        codes, scales = stored[f"{name}|q"], stored[f"{name}|s"].astype(np.float32)
        groups = codes.astype(np.float32).reshape(len(codes), scales.shape[1], -1)
        found[name] = (groups * scales[..., None]).reshape(codes.shape)
    return found


def named(trained: Weights) -> Weights:
    """Return the weights by the names that the graph has for them."""
    found = {
        "embeddings.position_embeddings.weight": trained["p.weight"],
        "embeddings.LayerNorm.weight": trained["n.weight"],
        "embeddings.LayerNorm.bias": trained["n.bias"],
    }
    if "w.weight" in trained:
        found["embeddings.word_embeddings.weight"] = trained["w.weight"]
    for layer in range(LAYERS):
        for short, long in PARTS.items():
            for kind in ("weight", "bias"):
                array = trained[f"l.{layer}.{short}.{kind}"].astype(np.float32)
                found[f"encoder.layer.{layer}.{long}.{kind}"] = array
    return found


class Graph:
    """The encoder over the pieces of one text, giving the last layer's output for every token.

    It is given the row of each piece, as codes and their scale. The program reads the rows from the
    table: a text needs few of them, and a graph that has the table brings most of it into memory.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> tuple[onnx.ModelProto, list[onnx.TensorProto]]:
        """Build the graph from the bottom to the top; return it with all constants there are."""
        x = self._embed()
        for layer in range(LAYERS):
            x = self._layer(f"encoder.layer.{layer}", x)
        self._nodes[-1].output[0] = "tokens"
        rows = {"codes": (TensorProto.INT8, SIZE), "scales": (TensorProto.FLOAT, 1)}
        return self._finished("all-MiniLM-L6-v2", rows, tokens=["count", SIZE])

    def _finished(
        self, name: str, rows: dict[str, tuple[int, ...]], **output: list[object]
    ) -> tuple[onnx.ModelProto, list[onnx.TensorProto]]:
        """Return the model of all nodes, which takes rows of each kind, and its constants."""
        value = helper.make_tensor_value_info
        inputs = [value(one, kind, ["count", *size]) for one, (kind, *size) in rows.items()]
        outputs = [value(one, TensorProto.FLOAT, shape) for one, shape in output.items()]
        graph = helper.make_graph(self._nodes, name, inputs, outputs)
        opset = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION)
        return model, list(self._constants.values())

    def _embed(self) -> str:
        words = self._weights["embeddings.word_embeddings.weight"]
        places = self._weights["embeddings.position_embeddings.weight"]
        zero, length = self._constant("zero", np.array([0])), self._node("Shape", "codes", end=1)
        place = self._node("Slice", self._constant("places", places), zero, length)
        codes, scale = quantise(words.T)
        self._constant("words", codes.T)
        self._constant("words.scale", scale)
        rows = self._node("Mul", self._float("codes"), "scales")
        return self._norm("embeddings.LayerNorm", self._node("Add", rows, place))

    def _layer(self, name: str, x: str) -> str:
        mixed = self._linear(f"{name}.attention.output.dense", self._attend(name, x))
        x = self._norm(f"{name}.attention.output.LayerNorm", self._node("Add", mixed, x))
        wide = self._node("Gelu", self._linear(f"{name}.intermediate.dense", x))
        narrow = self._linear(f"{name}.output.dense", wide)
        return self._norm(f"{name}.output.LayerNorm", self._node("Add", narrow, x))

    def _attend(self, name: str, x: str) -> str:
        shape = self._constant("heads", np.array([-1, 3, HEADS, HEAD_SIZE]))
        heads = self._node("Reshape", self._queries_keys_values(name, x), shape)
        parts = [f"{name}.{part}" for part in ("queries", "keys", "values")]
        self._nodes.append(helper.make_node("Split", [heads], parts, axis=1, num_outputs=3))
        one = self._constant("one", np.array([1]))
        queries, keys, values = (self._node("Squeeze", part, one) for part in parts)
        scores = self._node(
            "MatMul",
            self._node("Transpose", queries, perm=[1, 0, 2]),
            self._node("Transpose", keys, perm=[1, 2, 0]),
        )
        values = self._node("Transpose", values, perm=[1, 0, 2])
        mixed = self._node("MatMul", self._node("Softmax", scores, axis=-1), values)
        flat = self._constant("flat", np.array([-1, SIZE]))
        return self._node("Reshape", self._node("Transpose", mixed, perm=[1, 0, 2]), flat)

    def _queries_keys_values(self, name: str, x: str) -> str:
        """Make all three by one product; the scale of the scores is part of the queries."""
        inner = f"{name}.attention.self"
        scale = np.float32(HEAD_SIZE**-0.5)
        factors = {"query": scale, "key": np.float32(1), "value": np.float32(1)}
        weight = [self._weights[f"{inner}.{part}.weight"] * f for part, f in factors.items()]
        bias = [self._weights[f"{inner}.{part}.bias"] * f for part, f in factors.items()]
        return self._product(inner, x, np.concatenate(weight).T, bias=np.concatenate(bias))

    def _linear(self, name: str, x: str) -> str:
        weight, bias = self._weights[f"{name}.weight"].T, self._weights[f"{name}.bias"]
        return self._product(name, x, weight, bias=bias)

    def _product(self, name: str, x: str, weight: np.ndarray, *, bias: np.ndarray) -> str:
        bias_name = self._constant(f"{name}.bias", bias)
        codes, scale = quantise(weight)
        largest = self._node("ReduceMax", self._node("Abs", x), self._constant("last", [-1]))
        step = self._constant("step", np.float32(1 / 127))
        middle = self._constant("middle", np.uint8(128))
        x = self._node("QuantizeLinear", self._node("Div", x, largest), step, middle)
        product = self._node("MatMulInteger", x, self._constant(f"{name}.weight", codes), middle)
        scale = self._constant(f"{name}.scale", scale / np.float32(127))
        product = self._node("Mul", self._node("Mul", self._float(product), scale), largest)
        return self._node("Add", product, bias_name)

    def _norm(self, name: str, x: str) -> str:
        weight = self._constant(f"{name}.weight", self._weights[f"{name}.weight"])
        bias = self._constant(f"{name}.bias", self._weights[f"{name}.bias"])
        return self._node("LayerNormalization", x, weight, bias, epsilon=1e-12)

    def _float(self, x: str) -> str:
        return self._node("Cast", x, to=TensorProto.FLOAT)

    def _node(self, operator: str, *inputs: str, **attributes: object) -> str:
        name = f"{operator}.{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def _constant(self, name: str, value: object) -> str:
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        self._constants[name] = numpy_helper.from_array(array, name)
        return name


def quantise(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return int8 codes and one scale a column."""
    scale = (np.abs(weight).max(axis=0) / np.float32(127)).astype(np.float32)
    return np.round(weight / scale).astype(np.int8), scale


def split(model: onnx.ModelProto, constants: list[onnx.TensorProto]) -> tuple[bytes, bytes]:
    """Put the large constants into a second file, which the runtime maps into memory.

    Where those begin that no node reads, the program finds in the metadata of the graph.
    """
    data = bytearray()
    read = {name for node in model.graph.node for name in node.input}
    for tensor in constants:
        if len(tensor.raw_data) >= 1024:
            data += bytes(-len(data) % 4096)  # A mapped array has to begin on a page.
            start = len(data)
            data += tensor.raw_data
            if tensor.name not in read:
                model.metadata_props.add(key=tensor.name, value=str(start))
                continue
            point(tensor, start)
        model.graph.initializer.append(tensor)
    return model.SerializeToString(deterministic=True), bytes(data)


def point(tensor: onnx.TensorProto, start: int) -> None:
    """Let a constant say where its content is, instead of holding it."""
    entries = {"location": "model.weights", "offset": start, "length": len(tensor.raw_data)}
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=str(value))
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL


if __name__ == "__main__":
    main()
