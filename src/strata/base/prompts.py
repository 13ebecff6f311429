"""What is looked at of a prompt."""

from strata.base import limits


def shortened(text: str) -> str:
    """Return the beginning and the end of a long text: users ask there, and paste between."""
    half = limits.PROMPT_CHARACTERS_MAX // 2
    return f"{text[:half]}\n{text[-half:]}" if len(text) > 2 * half else text
