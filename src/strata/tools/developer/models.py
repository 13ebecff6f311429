"""Categories config, embed, inference and models: what models do, and which there are."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, convert

from strata.base import limits
from strata.tools.declare import ToolGroup
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.models import ModelInfo

# Models are the same on every branch and in every space.
config = ToolGroup("developer", pattern="strata_configure_{}", shared=())
embedding = ToolGroup("developer", pattern="strata_{}", shared=())
inference = ToolGroup("developer", pattern="strata_{}", shared=())
model_tools = ToolGroup("developer", pattern="strata_models_{}", shared=())

Model = Annotated[str, "Name of the model"]
Tokenized = Annotated[str, "A model with a tokenizer here: minilm, multilingual, or LIBRARY:MODEL"]


class ModelSetting(Struct, frozen=True):
    """The model will be asked from now on."""

    status: Literal["ok"]


class EmbedStatus(Struct, frozen=True):
    """How far the vectors behind search by meaning are."""

    auto_embed: bool
    batch_size: int
    pending: int
    total_queued: int
    total_embedded: int
    total_failed: int
    scheduler_queue_depth: int
    scheduler_active_tasks: int
    is_idle: bool


class GeneratedText(Struct, frozen=True):
    """What a model wrote; token counts are its server's, null where it gives none."""

    text: str
    stop_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str


class TokenNumbers(Struct, frozen=True):
    """The numbers of a text's tokens."""

    ids: list[int]
    count: int
    model: str


class Text(Struct, frozen=True):
    """The text of some tokens."""

    text: str


class ModelEntry(Struct, frozen=True):
    """A model; what is not known of it is null."""

    name: str
    task: str
    architecture: str | None
    default_quant: str | None
    embedding_dim: int | None
    is_local: bool
    size_bytes: int | None


class PulledModel(Struct, frozen=True):
    """A model that lies on this disk; `path` is empty where its library does not tell."""

    name: str
    path: str


@config.writes(idempotent=True, example={"endpoint": "http://localhost:11434/v1", "model": "qwen3"})
def model(
    call: Call,
    *,
    endpoint: Annotated[str, "URL of an OpenAI-compatible server, up to /v1"],
    model: Annotated[str, "Name of a model that it has"],
    api_key: Annotated[str | None, "Its key; kept in this process only, never stored"] = None,
    timeout_ms: Annotated[
        int | None, Meta(description="How long to wait for an answer; 60000 when left out", ge=1)
    ] = None,
) -> ModelSetting:
    """Name the language model for query expansion, reranking and strata_generate.

    For the owner of the workspace only. Any OpenAI-compatible endpoint, such as Ollama or
    llama.cpp on this machine. The store remembers
    endpoint, model and time limit; the key is forgotten when the server ends, so for good set the
    variable STRATA_API_KEY. Asks the endpoint nothing.
    """
    call.anywhere.models.configure(endpoint, model, api_key=api_key, timeout_ms=timeout_ms)
    return ModelSetting("ok")


@embedding.reads(name="embed", example={"text": "배포는 금요일에 하지 않는다"})
def embed(call: Call, *, text: Annotated[str, "Text in any language"]) -> list[float]:
    """Turn a text into the vector of the embedding model in use.

    Answers {result}, numbers whose squares add up to 1. What is stored is embedded by itself: this
    is for vectors of your own.
    """
    found: Any = call.anywhere.embeddings.embed(text)
    return found.tolist()


@embedding.reads(name="embed_batch", lists="results", example={"texts": ["one", "둘"]})
def embed_batch(
    call: Call,
    *,
    texts: Annotated[list[str], Meta(description="Texts", max_length=limits.TOOL_ITEMS_MAX)],
) -> list[list[float]]:
    """Turn several texts into vectors.

    Answers {results}, one list of numbers for each text, in order.
    """
    found: Any = call.anywhere.embeddings.embed_many(texts)
    return found.tolist()


@embedding.reads(name="embed_status", example={})
def embed_status(call: Call) -> EmbedStatus:
    """See how far the vectors behind search by meaning are.

    Counts texts over all models in use. What is pending is found by its words meanwhile.
    """
    embeddings = call.anywhere.embeddings
    status = embeddings.status()
    embedded = sum(one.embedded for one in status.models)
    failed = sum(one.failed for one in status.models)
    return EmbedStatus(
        auto_embed=embeddings.is_automatic,
        batch_size=limits.EMBED_BATCH_ITEMS,
        pending=status.pending,
        total_queued=status.pending + embedded + failed,
        total_embedded=embedded,
        total_failed=failed,
        scheduler_queue_depth=status.pending,
        scheduler_active_tasks=int(embeddings.is_working and status.pending > 0),
        is_idle=status.pending == 0,
    )


# It changes nothing here, but sends the prompt to another program, perhaps elsewhere.
@inference.writes(
    name="generate",
    open_world=True,
    example={"model": "qwen3", "prompt": "Say hello in Korean.", "max_tokens": 50},
)
def generate(
    call: Call,
    *,
    model: Model,
    prompt: Annotated[str, "What to answer"],
    max_tokens: Annotated[int | None, Meta(description="End after so many tokens", ge=1)] = None,
    temperature: Annotated[
        float | None, Meta(description="0: always the likeliest word", ge=0)
    ] = None,
    top_k: Annotated[
        int | None,
        Meta(description="Choose among so many words; not every server knows it", ge=1),
    ] = None,
    top_p: Annotated[
        float | None, Meta(description="Choose among words of this share", ge=0, le=1)
    ] = None,
    seed: Annotated[int | None, "The same seed gives the same answer where the server can"] = None,
    stop_tokens: Annotated[
        list[int] | None, "End at any of these tokens; not every server knows it"
    ] = None,
) -> GeneratedText:
    """Let a language model write.

    Asks the endpoint that strata_configure_model named; `model` may be any that it has, or
    endpoint:URL#MODEL for another server, unless you call with a token. Stores nothing.
    """
    if call.session.grant is not None:
        call.anywhere.models.check_is_named(model)
    made = call.anywhere.models.generate(
        prompt,
        model=model,
        max_tokens=max_tokens,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        seed=seed,
        stop_tokens=stop_tokens,
    )
    return convert(made, GeneratedText, from_attributes=True)


@inference.reads(name="tokenize", example={"model": "minilm", "text": "Hello, world"})
def tokenize(
    call: Call,
    *,
    model: Tokenized,
    text: Annotated[str, "Text to cut up"],
    add_special_tokens: Annotated[bool, "With the model's marks of beginning and end"] = True,
) -> TokenNumbers:
    """Cut a text into the tokens of a model.

    By the model's own tokenizer; models behind an endpoint show none, which is an error.
    """
    ids = call.anywhere.models.tokenize(model, text, marks=add_special_tokens)
    return TokenNumbers(ids, len(ids), model)


@inference.reads(name="detokenize", example={"model": "minilm", "ids": [7592, 1010, 2088]})
def detokenize(
    call: Call, *, model: Tokenized, ids: Annotated[list[int], "Numbers of tokens"]
) -> Text:
    """Turn tokens of a model back into text.

    What its tokenizer drops does not come back: minilm has no capitals and no accents.
    """
    return Text(call.anywhere.models.detokenize(model, ids))


@inference.reads(name="generate_unload", example={"model": "minilm"})
def generate_unload(call: Call, *, model: Model) -> bool:
    """Give back the memory that a model takes in this process.

    Answers {result}: whether it took any. It is loaded again when next needed. A model behind an
    endpoint takes none here.
    """
    return call.anywhere.models.unload(model)


@model_tools.reads(name="list", lists="results", example={})
def list_(call: Call) -> list[ModelEntry]:
    """List the models that can be used.

    Those that came with the installation, those pulled or in use, and the language model that was
    configured.
    """
    return [_entry(found) for found in call.anywhere.models.list()]


@model_tools.writes(
    idempotent=True,
    open_world=True,
    local=True,
    example={"name": "fastembed:BAAI/bge-small-en-v1.5"},
)
def pull(
    call: Call, *, name: Annotated[str, "minilm, multilingual, or LIBRARY:MODEL"]
) -> PulledModel:
    """Get a model onto this disk.

    Through fastembed or sentence-transformers, which must be installed and reach their source; says
    so when they cannot. A model that came with the installation is checked instead. Nothing else
    downloads anything.
    """
    call.progress(f"pull {name}", 0, 1)
    found = call.anywhere.models.pull(name)
    call.progress(f"pull {name}", 1, 1)
    return PulledModel(found.name, found.path or "")


@model_tools.reads(lists="results", example={})
def local(call: Call) -> list[ModelEntry]:
    """List the models that lie on this disk.

    As strata_models_list, without those behind an endpoint.
    """
    return [_entry(found) for found in call.anywhere.models.local()]


def _entry(found: "ModelInfo") -> ModelEntry:
    return ModelEntry(
        name=found.name,
        task=found.task,
        architecture=found.architecture,
        default_quant=found.quantization,
        embedding_dim=found.dimension,
        is_local=found.is_local,
        size_bytes=found.size_bytes,
    )
