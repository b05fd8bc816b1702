"""Edit distance, character error rate and its bootstrap interval."""

import numpy as np


def edit_distance(a: list | str, b: list | str) -> int:
    """Insertions, deletions and substitutions that turn one sequence into the other."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def error_rate(pairs: list) -> float:
    """Errors divided by the truth's length, over (read, truth) pairs; not capped at 1."""
    return sum(edit_distance(a, b) for a, b in pairs) / max(1, sum(len(b) for _, b in pairs))


def bootstrap(errors: list, lengths: list, rounds: int = 2000) -> tuple:
    """95 % interval of sum(errors) / sum(lengths), lines resampled with replacement."""
    e, n = np.asarray(errors, float), np.asarray(lengths, float)
    picks = np.random.default_rng(0).integers(0, len(e), (rounds, len(e)))
    rates = e[picks].sum(1) / np.maximum(n[picks].sum(1), 1)
    return float(np.quantile(rates, 0.025)), float(np.quantile(rates, 0.975))
