"""A tool is declared once: its signature, docstring and a few words become everything else.

The name on the wire, the input and output schemas, the annotations, the command line, the
reference pages and the TypeScript types all follow from the function below a decorator.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET

from strata.base.errors import StrataError
from strata.tools.schema import (
    HIDDEN,
    Form,
    Schema,
    When,
    about,
    is_struct,
    schema_of,
    struct_schema,
    without_none,
)

__all__ = ["HIDDEN", "AllowSecrets", "Parameter", "Picture", "Tool", "ToolGroup", "When"]

# A parameter of tools that write.
AllowSecrets = Annotated[bool, "Keep it though it looks like a password or key", HIDDEN]
# Any: tools have each their own signature.
Function: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=Function)
# From the arguments and what was kept of a list to those for the rest; None: it cannot be had.
Resume: TypeAlias = Callable[[dict[str, Any], list[Any]], dict[str, Any] | None]
# From an error to its words for MCP clients: a hint that names a tool, a parameter's name.
Advise: TypeAlias = Callable[[StrataError], Mapping[str, Any]]

# Parameters that every tool of a group takes, unless it has one of that name itself or is
# declared with its own `shared`: a tool takes only what changes its answer.
SHARED: dict[str, tuple[Any, str]] = {
    "branch": (str | None, "Default: current"),
    "space": (str | None, "Default: current"),
}


class Picture(msgspec.Struct, frozen=True):
    """An answer to be looked at: a PNG, and what a text can say of it; a drawing is all text.

    It has no schema: clients that prefer structured answers would drop the picture.
    """

    png: bytes | None
    about: dict[str, Any]


class Parameter(msgspec.Struct, frozen=True):
    """One parameter, under its name on the wire.

    A hidden one is taken but not listed: answers name it when it is of use.
    """

    name: str
    python: str
    kind: Any
    description: str
    required: bool
    default: Any
    schema: Schema
    hidden: bool = False


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as clients see it, and the function behind it."""

    name: str
    group: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    input_schema: Schema
    output_schema: Schema
    # The short form, for lists that are read with every prompt. Both are empty for a picture.
    listed_output: Schema
    reads_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    example: Mapping[str, Any]
    aliases: tuple[str, ...]
    sets_session: bool
    local: bool
    function: Function
    lists: str | None
    resume: Resume | None
    # The functions of a tool with actions, and the parameters that each one takes.
    actions: Mapping[str, "Action"]
    # The tool to use in place of one that is only there for those who know its name.
    instead: str | None = None
    # Right calls of single actions, for errors that are about one of them.
    examples: Mapping[str, Mapping[str, Any]] = {}
    # The page that can show the answer to a user: a resource of the server.
    view: str | None = None
    advise: Advise | None = None
    # Whether its names are in camelCase, those of what an error tells too.
    is_camel: bool = False
    # It only passes a call on to another tool, which is checked by itself.
    delegates: bool = False
    # The group that a caller's grant has to permit, where that is not the tool's own.
    needs: str | None = None

    def reading(self) -> "Tool | None":
        """Return the tool as far as it changes nothing but the session; None if all of it does."""
        if self.reads_only or self.sets_session or self.delegates:
            return self
        kept = [
            name
            for name, action in self.actions.items()
            if action.reads_only or action.sets_session
        ]
        limited = self.limited_to(kept, note="Here for reading only")
        if limited is None:
            return None
        return msgspec.structs.replace(limited, reads_only=True, idempotent=True, destructive=False)

    def limited_to(self, names: Sequence[str], *, note: str) -> "Tool | None":
        """Return the tool with some of its actions, which its description notes; None for none."""
        kept = {name: self.actions[name] for name in names}
        if not kept:
            return None
        if len(kept) == len(self.actions):
            return self
        listed = {parameter.name for parameter in self.parameters if not parameter.hidden}
        parameters = tuple(
            msgspec.structs.replace(parameter, hidden=parameter.name not in listed)
            for parameter in _joined(kept, lists_shared=True)
        )
        return msgspec.structs.replace(
            self,
            actions=kept,
            parameters=parameters,
            input_schema=_input_schema(parameters),
            description=f"{self.description} {note}: {', '.join(kept)}.",
        )

    def may_write(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call with these arguments may change the store."""
        named = arguments.get("action")
        action = self.actions.get(named) if isinstance(named, str) else None
        return not (self.reads_only or (action is not None and action.reads_only))

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter of that name."""
        return next((found for found in self.parameters if found.name == name), None)


class Action(msgspec.Struct, frozen=True):
    """One of several things that a tool does."""

    function: Function
    parameters: tuple[Parameter, ...]
    sets_session: bool = False
    reads_only: bool = False


class ToolGroup:
    """Tools that belong together: one group, one way of spelling names, listed in an order."""

    def __init__(
        self,
        group: str,
        *,
        pattern: str = "{}",
        shared: Sequence[str] = ("branch",),
        case: str = "snake",
        advise: Advise | None = None,
        order: Sequence[str] = (),
    ) -> None:
        self.group = group
        self._tools: list[Tool] = []
        # Places of names, where several modules declare the tools; those without one come last.
        self._places = {name: place for place, name in enumerate(order)}
        self._pattern = pattern
        self._shared = shared
        self._camel = case == "camel"
        self._advise = advise

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools in the order in which they are listed."""
        last = len(self._places)
        return tuple(sorted(self._tools, key=lambda tool: self._places.get(tool.name, last)))

    def reads(self, **options: Any) -> Callable[[F], F]:
        """Declare a tool that changes nothing."""
        return self._declare(reads_only=True, idempotent=True, **options)

    def writes(
        self, *, idempotent: bool = False, destructive: bool = False, **options: Any
    ) -> Callable[[F], F]:
        """Declare a tool that may change something."""
        return self._declare(
            reads_only=False, idempotent=idempotent, destructive=destructive, **options
        )

    def actions(
        self,
        name: str,
        functions: Mapping[str, Function],
        *,
        summary: str,
        description: str,
        setting: Sequence[str] = (),
        reading: Sequence[str] = (),
        unshared: Sequence[str] = (),
        lists_shared: bool = False,
        **options: Any,
    ) -> Tool:
        """Join functions to one tool with an `action`; `setting` ones change the session.

        `unshared` ones do not depend on the group's shared parameters, and refuse them.
        """
        actions = {
            action: Action(
                function,
                self._parameters(function, () if action in unshared else None),
                sets_session=action in setting,
                reads_only=action in reading,
            )
            for action, function in functions.items()
        }
        return self._add(
            name,
            next(iter(functions.values())),
            summary=summary,
            description=description,
            parameters=_joined(actions, lists_shared=lists_shared),
            actions=actions,
            **options,
        )

    def _declare(
        self, *, name: str | None = None, shared: Sequence[str] | None = None, **options: Any
    ) -> Callable[[F], F]:
        def declare(function: F) -> F:
            summary, _gap, description = (function.__doc__ or "").partition("\n\n")
            self._add(
                name or function.__name__,
                function,
                summary=summary,
                description=description,
                parameters=self._parameters(function, shared),
                **options,
            )
            return function

        return declare

    def _add(
        self,
        name: str,
        function: Function,
        *,
        summary: str,
        description: str,
        parameters: tuple[Parameter, ...],
        reads_only: bool = False,
        idempotent: bool = False,
        destructive: bool = False,
        open_world: bool = False,
        title: str | None = None,
        example: Mapping[str, Any] | None = None,
        aliases: Sequence[str] = (),
        sets_session: bool = False,
        local: bool = False,
        lists: str | None = None,
        resume: Resume | None = None,
        output: Any = None,
        actions: Mapping[str, Action] | None = None,
        instead: str | None = None,
        examples: Mapping[str, Mapping[str, Any]] | None = None,
        **more: Any,
    ) -> Tool:
        result = output or function.__annotations__["return"]
        wire = self._pattern.format(name)
        tool = Tool(
            name=wire,
            group=self.group,
            title=title or _title(wire),
            description=" ".join(f"{summary} {description}".split()),
            parameters=parameters,
            input_schema=_input_schema(parameters),
            output_schema=output_schema(result, lists, is_cut=resume is not None),
            listed_output=_schema(result, lists, "listed"),
            reads_only=reads_only,
            destructive=destructive,
            idempotent=idempotent,
            open_world=open_world,
            example=example or {},
            aliases=tuple(aliases),
            sets_session=sets_session,
            local=local,
            function=function,
            lists=lists,
            resume=resume,
            actions=actions or {},
            instead=instead,
            examples=examples or {},
            advise=self._advise,
            is_camel=self._camel,
            **more,
        )
        for schema in (tool.output_schema, tool.listed_output) if instead else ():
            schema["properties"]["deprecated"] = {"type": "string"}
        self._tools.append(tool)
        return tool

    def _parameters(
        self, function: Function, shared: Sequence[str] | None = None
    ) -> tuple[Parameter, ...]:
        """Return a function's parameters and the shared ones: the group's, or those given."""
        code, kinds = function.__code__, function.__annotations__
        names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
        last = reversed(code.co_varnames[: code.co_argcount])
        defaults = dict(zip(last, reversed(function.__defaults__ or ()), strict=False))
        defaults |= function.__kwdefaults__ or {}
        found = [self._parameter(name, kinds[name], defaults) for name in names]
        for name in self._shared if shared is None else shared:
            if name not in names:
                kind, description = SHARED[name]
                found.append(self._parameter(name, Annotated[kind, description], {name: None}))
        return tuple(found)

    def _parameter(self, name: str, annotation: Any, defaults: Mapping[str, Any]) -> Parameter:
        kind, description, _bounds = about(annotation)
        bare = without_none(kind)
        schema = schema_of(annotation, "input")
        required, default = name not in defaults, defaults.get(name)
        if default not in (None, UNSET, (), False, ""):
            schema["default"] = default
        wire = camel(name) if self._camel else name
        hidden = HIDDEN in get_args(annotation)
        return Parameter(wire, name, bare, description, required, default, schema, hidden)


def _joined(actions: Mapping[str, Action], *, lists_shared: bool) -> tuple[Parameter, ...]:
    """Return `action` and everything that any of the actions takes; none but it is required."""
    schema = {"type": "string", "enum": list(actions)}
    found = {"action": Parameter("action", "action", str, "What to do", True, None, schema)}
    for action in actions.values():
        for parameter in action.parameters:
            # Where branches are what the tool is about, another one would only confuse.
            hidden = parameter.hidden or (parameter.name in SHARED and not lists_shared)
            joined = msgspec.structs.replace(parameter, required=False, hidden=hidden)
            found.setdefault(parameter.name, joined)
    return tuple(found.values())


def _input_schema(parameters: Sequence[Parameter]) -> Schema:
    listed = [parameter for parameter in parameters if not parameter.hidden]
    schema: Schema = {
        "type": "object",
        "properties": {parameter.name: parameter.schema for parameter in listed},
    }
    required = [parameter.name for parameter in listed if parameter.required]
    return schema | {"required": required} if required else schema


def output_schema(result: Any, lists: str | None, *, is_cut: bool = False) -> Schema:
    """Return the schema of an answer: always an object; one that may be cut says so."""
    schema = _schema(result, lists, "output")
    if is_cut:
        schema["properties"] |= {"truncated": {"type": "boolean"}, "next": {"type": "object"}}
    return schema


def _schema(result: Any, lists: str | None, form: Form) -> Schema:
    bare = without_none(result)
    if bare is Picture:
        return {}
    if is_struct(bare):
        schema = struct_schema(bare, form)
        if bare is not result:
            # What may be missing comes as a null result, so nothing is always there.
            schema["properties"]["result"] = {"type": "null"}
            schema.pop("required", None)
        return schema
    is_list = lists is not None and get_origin(bare) is list
    name, kind = (lists, bare) if is_list else ("result", result)
    schema: Schema = {"type": "object", "properties": {name: schema_of(kind, form)}}
    is_always = form == "output" and (not is_list or bare is result)
    return schema | {"required": [name]} if is_always else schema


def _title(name: str) -> str:
    return name.removeprefix("strata_").replace("_", " ").capitalize()


def camel(name: str) -> str:
    """Return a name as tools of that case spell it: documentId for document_id."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
