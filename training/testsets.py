"""Held-out pictures to measure on: unseen writers' words and lines, and formulas in their letters."""

import random
from typing import NamedTuple

import numpy as np

from formulas import Formulas
from glyphs import Glyphs
from render import plain
from samples import in_math
from settings import prepared_dir
from strokes import StrokeSet
from vocabulary import tokens_of_text


class TestLine(NamedTuple):
    """A grey picture (64, width) uint8, black ink on white, its tokens and its contributor."""

    picture: np.ndarray
    tokens: list
    writer: str


def written(name: str, part: str, limit: int | None = None) -> list:
    """Words or lines of the held-out writers of `part`, the same ones at every call."""
    samples = StrokeSet.load(prepared_dir() / f"{name}-{part}.npz")
    order = list(range(len(samples)))
    random.Random(0).shuffle(order)
    return [
        TestLine(plain(samples.strokes(k)), tokens_of_text(samples.labels[k]), samples.writers[k])
        for k in order[:limit]
    ]


def strokes(name: str, part: str, limit: int | None = None) -> list:
    """The ink of what `written` gives, in its order: for each sample its strokes as (n, 2) arrays, y up."""
    samples = StrokeSet.load(prepared_dir() / f"{name}-{part}.npz")
    order = list(range(len(samples)))
    random.Random(0).shuffle(order)
    return [samples.strokes(k) for k in order[:limit]]


def composed(part: str, count: int, level: float = 0.5) -> list:
    """Formulas laid out from characters of held-out writers (most symbols' shapes were seen in training)."""
    glyphs = Glyphs(part)
    out = []
    for k in range(count):
        box = Formulas(glyphs, glyphs.hand(random.Random(f"formula/{part}/{k}"))).formula(level)
        out.append(TestLine(plain(box.strokes), in_math(box.tokens), "composed"))
    return out
