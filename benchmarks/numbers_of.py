"""Small numbers for the report: sizes and times for people, the slope of a growth."""

import math


def peak_beyond(record):
    """Bytes at the peak beyond the process before it had an instance."""
    return (record.get("peak") or 0) - (record.get("baseline") or 0)


def seconds_text(seconds):
    if seconds is None:
        return "-"
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 1e4 else f"{seconds / 86400:.3g} days"


def size_text(count):
    return f"{count / 1e6:.3g} MB" if count < 1e9 else f"{count / 1e9:.3g} GB"


def exponent(points):
    """The least-squares slope of log y against log n over the upper half of the range of log n.

    The lower half is left out for all alike: constant costs of a call decide there. '-': too few points.
    """
    if not points:
        return "-"
    middle = math.sqrt(min(n for n, _ in points) * max(n for n, _ in points))
    logs = [(math.log(n), math.log(y)) for n, y in points if n >= middle and y > 0]
    if len(logs) < 3:
        return "-"
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return f"{sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread:.2f}"
