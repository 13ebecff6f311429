"""Times in words."""


def percentile(times: list[float], part: float) -> float:
    """Return what a part of the times, in seconds, stays below, in milliseconds."""
    ordered = sorted(times)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1000


def told(times: list[float]) -> str:
    """Return the percentiles of some times."""
    at = [f"{percentile(times, part):.1f}" for part in (0.5, 0.95, 0.99)]
    return f"p50 {at[0]}, p95 {at[1]}, p99 {at[2]}, slowest {max(times) * 1000:.0f} ms"
