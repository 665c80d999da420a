# SPDX-License-Identifier: GPL-2.0-only
"""In: what the rounds gave. Out: medians with their range, and tables."""
import statistics


class Figure:
    """The median of the rounds, and how far they lay apart."""

    def __init__(self, values):
        self.values = list(values)
        self.median = statistics.median(self.values)

    def text(self, digits=0):
        low, high = min(self.values), max(self.values)
        middle = f"{self.median:,.{digits}f}"
        return middle if len(self.values) == 1 else f"{middle} ({low:,.{digits}f}..{high:,.{digits}f})"

    def json(self):
        return {"median": self.median, "min": min(self.values), "max": max(self.values)}


def ratio(ours, theirs):
    return ours / theirs if theirs else float("nan")


def nearest_rank(ascending, percent):
    """The sample of rank ceil(percent/100 * N)."""
    rank = -(-len(ascending) * percent // 100)
    return ascending[max(int(rank), 1) - 1]


def table(head, rows):
    """Columns as wide as their widest cell, the first to the left, others to the right."""
    cells = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        first, others = row[0].ljust(widths[0]), zip(row[1:], widths[1:])
        print(("  " + "  ".join([first, *(cell.rjust(width) for cell, width in others)])).rstrip())


class Results:
    """Printed as they come, kept for the JSON."""

    def __init__(self):
        self.parts = {}

    def show(self, key, title, head, rows, data):
        print(f"\n{title}")
        table(head, rows)
        self.parts[key] = data
