"""By which rule memories are linked by meaning, and in whose name."""

from typing import Literal, TypeAlias

from strata.base.errors import InvalidArgument

Rule: TypeAlias = Literal["signal", "seed", "off"]
RULES: tuple[Rule, ...] = ("signal", "seed", "off")
# The actor of what the store does by itself.
SYSTEM = "system"


def check_rule(rule: object) -> Rule:
    """Return a rule of linking, or say which there are."""
    if rule not in RULES:
        raise InvalidArgument(
            f"{rule!r} is no rule of linking.",
            hint=f"Use {', '.join(RULES)}.",
            parameter="linking",
        )
    return rule
