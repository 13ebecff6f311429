"""One call of a tool: arguments in, an answer or an error that teaches out."""

import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import Any, cast

import msgspec

from strata.base.errors import (
    BranchNotFound,
    Interrupted,
    InvalidArgument,
    NotAllowed,
    ReadOnly,
    SecretRefused,
    StrataError,
)
from strata.tools.arguments import convert, nearest, plain
from strata.tools.budget import fit, shortened
from strata.tools.declare import Action, Picture, Tool, camel
from strata.tools.session import Call, Cancel, Progress, Session

_log = logging.getLogger(__name__)

_PROPOSED = (
    "This waits for a user's decision. Until it is accepted, reading and searching do not show it."
)

# Groups whose calls are about single documents.
_OF_DOCUMENTS = frozenset("core collaboration comments publishing agents".split())


class CallOutcome(msgspec.Struct, frozen=True):
    """An answer, or an error: always an object; one to be looked at has a PNG beside it."""

    value: dict[str, Any]
    is_error: bool = False
    png: bytes | None = None


def call_tool(
    session: Session,
    tool: Tool,
    arguments: Mapping[str, Any],
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> CallOutcome:
    """Run a tool. What can be expected to fail gives an error, nothing is raised."""
    answer = partial(_answer, session, tool, arguments, progress=progress, cancel=cancel)
    try:
        try:
            outcome = answer()
        except BranchNotFound:
            if not session.proposes:
                raise
            # A user has just decided about the last of the caller's proposals, and nothing was
            # written: the next one begins a new branch.
            outcome = answer()
    except StrataError as error:
        if isinstance(error, SecretRefused):
            session.bound().serving.count_refusal(error)
        outcome = CallOutcome(_explained(error, tool, arguments), is_error=True)
    except RecursionError:
        error = InvalidArgument("The arguments are nested too deeply.")
        outcome = CallOutcome(_explained(error, tool, {}), is_error=True)
    except Exception:  # noqa: BLE001  (the border: a defect must not end the server)
        _log.exception("%s failed", tool.name)
        message = "Strata failed on this call; its log says where."
        hint = "Look whether it took effect before you repeat it."
        outcome = CallOutcome({"code": "internal", "message": message, "hint": hint}, is_error=True)
    return outcome if tool.instead is None else _deprecated(outcome, tool.name, tool.instead)


def _deprecated(outcome: CallOutcome, name: str, instead: str) -> CallOutcome:
    """Say beside an answer, and once in the log, which tool to use from now on."""
    _warn_of(name, instead)
    told = f"Use {instead}; {name} stays for all of 1.x."
    return msgspec.structs.replace(outcome, value={**outcome.value, "deprecated": told})


@cache
def _warn_of(name: str, instead: str) -> None:
    _log.warning("%s is an old name: use %s", name, instead)


def _answer(
    session: Session,
    tool: Tool,
    arguments: Mapping[str, Any],
    *,
    progress: Progress | None,
    cancel: Cancel | None,
) -> CallOutcome:
    action, given = _understood(tool, arguments)
    if not tool.delegates:
        _check_allowed(session, tool, action)
    asked = _given_arguments(tool, action, given) if tool.resume else {}
    work = action.function if action else tool.function
    shared = {
        name: given.pop(name)
        for name in ("branch", "space")
        if name in given and name not in work.__annotations__
    }
    is_proposed = _prepare(session, tool, action, shared=shared)
    call = Call(session, progress=progress, **shared)
    # An open transaction is worked in by one call at a time; without one, none waits for another.
    is_alone = session.transaction is not None or tool.sets_session
    turn = session.state.lock if is_alone else nullcontext()
    with turn, _stoppable(session, cancel):
        result = work(call, **given)
    if tool.group in _OF_DOCUMENTS:
        _note(call, tool, action, given=given, result=result)
    if isinstance(result, Picture):
        return CallOutcome(result.about, png=result.png)
    answer = _shaped(tool, asked, result, limit=given.get("limit", given.get("k")))
    if is_proposed:
        answer["proposed"] = _PROPOSED
    if call.moment is not None and tool.group == "developer":
        answer["as_of"] = call.moment
    return CallOutcome(answer)


def _prepare(
    session: Session, tool: Tool, action: Action | None, *, shared: dict[str, Any]
) -> bool:
    """Make ready what a call writes to; tell whether that is a branch of proposals."""
    if (action or tool).reads_only or tool.delegates:
        return False
    if not session.proposes:
        session.host.writing()
        return False
    from strata.tools.proposable import check_proposable  # noqa: PLC0415  (seldom needed)
    from strata.tools.proposing import branch_of_proposals  # noqa: PLC0415

    is_proposed = check_proposable(tool.name, _name_of(tool, action)) == "branch"
    session.host.writing()
    if is_proposed:
        shared["branch"] = branch_of_proposals(session, shared.get("branch"))
    return is_proposed


def _note(
    call: Call, tool: Tool, action: Action | None, *, given: dict[str, Any], result: Any
) -> None:
    """Let others see that an agent is at a document; whatever goes wrong there ends there."""
    from strata.tools.presence import note_call  # noqa: PLC0415  (seldom needed)

    name = _name_of(tool, action) or ""
    try:
        note_call(call, tool.name, given={**given, "action": name}, result=result)
    except Exception:  # noqa: BLE001  (the call has succeeded)
        _log.exception("who is at a document was not noted")


def _name_of(tool: Tool, action: Action | None) -> str | None:
    return next((name for name, one in tool.actions.items() if one is action), None)


def refusal(error: StrataError) -> CallOutcome:
    """Return an error that keeps a tool from being called, in the words of the tools."""
    from strata.tools.hints import hint_for_tools  # noqa: PLC0415  (needed for errors only)

    value: dict[str, Any] = {"code": error.code, "message": error.message}
    hint = hint_for_tools(error)
    return CallOutcome(value | ({"hint": hint} if hint else {}), is_error=True)


@contextmanager
def _stoppable(session: Session, cancel: Cancel | None) -> Generator[None]:
    """Let a cancellation stop what runs in the block."""
    if cancel is None:
        yield
        return
    with session.host.db.serving.stoppable() as stop, cancel.guarding(stop):
        if cancel.is_cancelled:
            raise Interrupted("The call was cancelled.")
        yield


def _given_arguments(tool: Tool, action: Action | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as they were understood, for the call that fetches the rest."""
    asked = {one.name: given[one.python] for one in tool.parameters if one.python in given}
    name = _name_of(tool, action)
    return msgspec.to_builtins({"action": name, **asked} if name else asked)


def _understood(tool: Tool, arguments: Mapping[str, Any]) -> tuple[Action | None, dict[str, Any]]:
    """Return the action that was asked for, if the tool has several, and what it is given."""
    if not tool.actions:
        return None, convert(tool.parameters, arguments)
    given = convert(tool.parameters, arguments)
    name = _action_named(tool, given.pop("action"))
    action = tool.actions[name]
    takes = {parameter.python for parameter in action.parameters}
    odd = [one.name for one in tool.parameters if one.python in given and one.python not in takes]
    if odd:
        what = ", ".join(parameter.name for parameter in action.parameters)
        raise InvalidArgument(
            f"The action {name} takes no {odd[0]}.", hint=f"It takes {what}.", parameter=odd[0]
        )
    missing = [p.name for p in action.parameters if p.required and p.python not in given]
    if missing:
        raise InvalidArgument(
            f"The action {name} needs {' and '.join(missing)}.", parameter=missing[0]
        )
    return action, given


def _action_named(tool: Tool, asked: Any) -> str:
    """Return the action that is meant, however it is spelled."""
    word = str(asked).strip()
    found = next((name for name in tool.actions if plain(name) == plain(word)), None)
    if found is not None:
        return found
    close = nearest(word, list(tool.actions))
    hint = f"Actions: {', '.join(tool.actions)}."
    raise InvalidArgument(
        f"{tool.name} has no action {word[:40]!r}.",
        hint=f"Did you mean {close!r}? {hint}" if close else hint,
        parameter="action",
    )


def _check_allowed(session: Session, tool: Tool, action: Action | None) -> None:
    grant = session.grant
    if tool.needs is not None and grant is not None and not grant.permits(tool.needs):
        raise NotAllowed(f"{tool.name} is in the group {tool.needs}, which is not for you.")
    reads_only = tool.reads_only or (action is not None and action.reads_only)
    sets = action.sets_session if action else tool.sets_session
    if not reads_only and not sets and session.exposure.read_only:
        named = _name_of(tool, action)
        what = f"{tool.name} with action {named}" if named else tool.name
        is_token = grant is not None and grant.read_only
        whose = "this token" if is_token else "this server"
        raise ReadOnly(
            f"{what} writes, and {whose} is for reading only.",
            hint="Use a token that may write." if is_token else "Start it without --read-only.",
        )
    if not reads_only and session.at is not None:
        raise ReadOnly(
            f"{tool.name} writes, and this is the state of a past time.",
            hint="Leave out `at` to write now, or fork a branch from that time.",
        )
    if tool.local and not session.lends_files:
        raise NotAllowed(
            "This tool works on files of the server's machine, and clients are elsewhere.",
            hint="Commands do it in a terminal of that machine: `strata bundle`, `strata models`.",
        )
    if sets and not session.keeps_state:
        raise NotAllowed(
            f"{tool.name} sets what later calls use, and this connection keeps nothing.",
            hint="Name it in each call instead, by the parameter `branch` or `space`.",
        )


def _shaped(
    tool: Tool, arguments: Mapping[str, Any], result: Any, *, limit: int | None
) -> dict[str, Any]:
    """Make an object of whatever a tool returned, small enough to be read."""
    plain = _object(tool, result)
    if tool.resume is None:
        return plain
    parameter = tool.parameter("limit") or tool.parameter("k")
    default = None if parameter is None else parameter.default
    return fit(plain, tool, arguments, most=default if limit is None else limit)


def _object(tool: Tool, result: Any) -> dict[str, Any]:
    plain: Any = msgspec.to_builtins(result)
    if isinstance(plain, dict) and not isinstance(result, dict):
        return cast("dict[str, Any]", plain)
    return {tool.lists if tool.lists and isinstance(plain, list) else "result": plain}


def _explained(error: StrataError, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Say what was wrong, how to do it right, and show an example of it."""
    from strata.tools.hints import hint_for_tools  # noqa: PLC0415  (needed for errors only)

    code = _promised(error) if tool.group.startswith("developer") else error.code
    value: dict[str, Any] = {"code": code, "message": error.message}
    hint = _secret_hint(tool) if isinstance(error, SecretRefused) else hint_for_tools(error)
    if hint:
        value["hint"] = hint
    details = {camel(name) if tool.is_camel else name: one for name, one in error.details.items()}
    value |= shortened(msgspec.to_builtins(details, enc_hook=str))
    value |= {} if tool.advise is None else tool.advise(error)
    asked = plain(str(arguments.get("action")).strip())
    example = {plain(name): one for name, one in tool.examples.items()}.get(asked, tool.example)
    if isinstance(error, InvalidArgument) and example:
        value["example"] = {"tool": tool.name, "arguments": dict(example)}
    return value


def _secret_hint(tool: Tool) -> str:
    """Return what a caller of a tool can do about a refused secret: no options of a shell."""
    leave = (
        "Leave it out: write where it is kept, or a placeholder such as ${DB_PASSWORD}, and send "
        "the call again."
    )
    if any(parameter.name == "allow_secrets" for parameter in tool.parameters):
        return f"{leave} If the user wants it stored as it is: allow_secrets: true."
    return leave


# The developer tools promise these codes; a finer one becomes the nearest of them.
_CODES = frozenset(
    "not_found wrong_type invalid_key invalid_path invalid_input version_conflict conflict "
    "already_exists dimension_mismatch history_trimmed access_denied txn_not_active "
    "txn_already_active txn_conflict limit_exceeded unavailable internal".split()
)
_INSTEAD = {
    "not_allowed": "access_denied",
    "unusable": "unavailable",
    "damaged_bundle": "invalid_input",
}


def _promised(error: StrataError) -> str:
    codes = [error.code, *(getattr(kind, "code", "") for kind in type(error).__mro__)]
    known = _CODES | _INSTEAD.keys()
    return next(_INSTEAD.get(code, code) for code in (*codes, "internal") if code in known)
