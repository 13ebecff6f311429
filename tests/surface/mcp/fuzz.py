"""Random messages: right ones, wrong ones, ones that are no messages, and huge ones."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Literal

from tests.surface.mcp.wire import call, hello, modern, notification, request

Dice = random.Random
Era = Literal["older", "newer"]
TOOLS = [
    f"strata_{name}" for name in "store recall search forget log branch history status".split()
]
METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "server/discover",
    "subscriptions/listen",
    "resources/list",
    "completion/complete",
    "logging/setLevel",
    "notifications/cancelled",
    "notifications/initialized",
    "",
    "없는/것",
]
TEXTS = [
    "",
    "k",
    "배포/대상",
    "記憶",
    "a" * 3000,
    "\u0000",
    "\u2028",
    "👩🏽‍💻",
    "../../etc",
    "%s%n",
    "'; DROP TABLE x",
    "$..a[*]",
    "default",
    "-1",
    "1e999",
    "true",
    "null",
    "[1,2]",
    '{"a":1}',
    "어제",
    "tag:x",
    "*",
]
NUMBERS = [
    0,
    -1,
    1,
    7,
    2**31,
    2**53 + 1,
    2**63,
    -(2**63) - 1,
    10**30,
    1e308,
    -1e-308,
    0.1,
    1.0,
]


def lines(seed: int, count: int, era: Era) -> Iterator[bytes]:
    """Return so many lines, the same ones for the same seed; none is longer than a megabyte."""
    dice = random.Random(seed)
    kinds = [_garbage, _deep, _odd_numbers, _any, *[_scrambled] * 2, *[_mutated] * 5, *[_right] * 5]
    for number in range(count):
        kind: Callable[[Dice, int, Era], bytes] = dice.choice(kinds)
        yield kind(dice, number, era).replace(b"\n", b" ")


def huge(seed: int) -> Iterator[bytes]:
    """Return a few lines of 10 to 70 megabytes."""
    dice = random.Random(seed)
    store = b'{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"strata_store",'
    yield store + b'"arguments":{"key":"k","value":"' + b"x" * 10_000_000 + b'"}}}'
    yield store + b'"arguments":{"key":"' + b"k" * 12_000_000 + b'","value":1}}}'
    yield b'{"jsonrpc":"2.0","id":1,"method":"' + b"m" * 20_000_000 + b'"}'
    yield b'{"jsonrpc":"2.0","id":"' + b"i" * 15_000_000 + b'","method":"ping"}'
    yield b"[" * 30_000_000
    yield b"[" + b"0," * 10_000_000 + b"0]"
    yield dice.randbytes(10_000_000).replace(b"\n", b"\0")
    yield store + b'"arguments":{"items":[' + b'{"key":"k","value":1},' * 500_000 + b"]}}}"
    yield b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"y" * 60_000_000 + b'"}}'
    yield b"z" * 70_000_000


def _encoded(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")


def _text(dice: Dice) -> str:
    return dice.choice(TEXTS)


def _value(dice: Dice, depth: int = 3) -> Any:
    kind = dice.randrange(8 if depth else 5)
    if kind < 3:
        return _text(dice)
    if kind == 3:
        return dice.choice(NUMBERS)
    if kind == 4:
        return dice.choice([None, True, False])
    if kind == 5:
        return [_value(dice, depth - 1) for _ in range(dice.randrange(4))]
    return {_text(dice): _value(dice, depth - 1) for _ in range(dice.randrange(4))}


def _call(dice: Dice) -> dict[str, Any]:
    """Return the call of a tool, mostly with arguments that could be its own."""
    key, number = f"키/{dice.randrange(50)}", dice.choice(NUMBERS)
    actions = ["create", "fork", "switch", "list", "diff", "merge", "log", "delete", "revert"]
    name, arguments = dice.choice(
        [
            ("store", {"key": key, "value": _value(dice), "tags": [_text(dice)]}),
            ("store", {"key": key, "value": 1, "if_version": number, "path": _text(dice)}),
            ("store", {"items": [{"key": key, "value": _value(dice)}, _value(dice)]}),
            ("store", {"items": [{"key": f"{key}/{n}", "value": _value(dice)} for n in range(9)]}),
            ("recall", {"key": key, "as_of": dice.choice([_text(dice), number])}),
            ("recall", {"keys": [key, _text(dice)]}),
            ("recall", {"prefix": _text(dice), "limit": number}),
            ("search", {"query": _text(dice) + key, "k": number}),
            ("forget", {"key": key}),
            ("log", {"event": _text(dice), "data": _value(dice)}),
            ("history", {"key": key, "limit": number}),
            ("history", {"event": "*", "limit": number}),
            ("status", {}),
            ("branch", {"action": dice.choice(actions), "name": _text(dice)}),
            (
                "branch",
                {"action": dice.choice(actions), "source": _text(dice), "compare": _text(dice)},
            ),
            ("branch", {"action": dice.choice(actions), "version": number}),
        ]
    )
    is_right = dice.randrange(8)
    return call(f"strata_{name}" if is_right else dice.choice(TOOLS), **arguments)


def _message(dice: Dice, number: int, era: Era) -> dict[str, Any]:
    wrap = modern if era == "newer" else dict
    roll = dice.randrange(10)
    if roll < 6:
        return request(number, "tools/call", wrap(_call(dice)))
    if roll == 6:
        return request(number, dice.choice(METHODS), wrap({}))
    if roll == 7:
        return request(number, "prompts/get", wrap({"name": _text(dice), "arguments": {}}))
    if roll == 8:
        return notification("notifications/cancelled", {"requestId": number - dice.randrange(5)})
    return hello(number) if dice.randrange(4) == 0 else request(number, "tools/list", wrap({}))


def _right(dice: Dice, number: int, era: Era) -> bytes:
    return _encoded(_message(dice, number, era))


def _mutated(dice: Dice, number: int, era: Era) -> bytes:
    """Change one to three places of a right message to something of another kind."""
    message = copy.deepcopy(_message(dice, number, era))
    for _ in range(dice.randrange(1, 4)):
        place: Any = message
        while isinstance(place, dict) and place:
            key = dice.choice(list(place))
            below = place[key]
            if isinstance(below, dict) and below and dice.randrange(3):
                place = below
                continue
            way = dice.randrange(3)
            if way == 0:
                del place[key]
            elif way == 1:
                place[key] = _value(dice)
            else:
                place[_text(dice)] = place.pop(key)
            break
    return _encoded(message)


def _scrambled(dice: Dice, number: int, era: Era) -> bytes:
    """Change single bytes of a right message."""
    data = bytearray(_right(dice, number, era))
    for _ in range(dice.randrange(1, 6)):
        place = dice.randrange(len(data))
        way = dice.randrange(3)
        if way == 0:
            data[place] = dice.randrange(256)
        elif way == 1:
            del data[place : place + dice.randrange(1, 9)]
        else:
            data[place:place] = dice.randbytes(dice.randrange(1, 9))
        if not data:
            break
    return bytes(data)


def _garbage(dice: Dice, number: int, era: Era) -> bytes:
    return dice.randbytes(dice.choice([1, 7, 100, 5000]))


def _deep(dice: Dice, number: int, era: Era) -> bytes:
    depth = dice.choice([50, 200, 1000, 20_000])
    left, right = dice.choice([(b"[", b"]"), (b'{"a":', b"}")])
    inner = left * depth + b"1" + right * depth
    if dice.randrange(2):
        return inner
    params = _encoded(modern() if era == "newer" else {})[:-1].lstrip(b"{")
    inside = b'{"name":"strata_store","arguments":{"key":"k","value":' + inner + b"}"
    return (
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":' % number
        + inside
        + (b"," + params if params else b"")
        + b"}}"
    )


def _odd_numbers(dice: Dice, number: int, era: Era) -> bytes:
    odd = dice.choice(
        [
            b"1e400",
            b"-1e400",
            b"NaN",
            b"Infinity",
            b"1" * 400,
            b"0x10",
            b"01",
            b"-",
            b"1.",
            b".5",
            b"-0",
            b"1e-400",
            b"18446744073709551616",
            b"9" * 5000,
            b"1E+2",
        ]
    )
    text = _encoded(_message(dice, number, era) | {"id": "NUMBER"})
    if dice.randrange(2):
        text = _encoded(
            request(number, "tools/call", call("strata_store", key="k", value="NUMBER"))
        )
    return text.replace(b'"NUMBER"', odd)


def _any(dice: Dice, number: int, era: Era) -> bytes:
    return _encoded(_value(dice))
