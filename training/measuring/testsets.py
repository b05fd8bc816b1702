"""Held-out pictures for evaluation: unseen writers' words and lines, and formulas in their letters."""

import random
from typing import NamedTuple

import numpy as np

from drawing.formulas import Formulas
from drawing.glyphs import Glyphs
from drawing.photo import paper_textures, phone_photograph
from drawing.render import ink_coverage, plain
from drawing.samples import in_math
from settings import prepared_dir
from drawing.strokes import StrokeSet
from drawing.vocabulary import tokens_of_text


class TestLine(NamedTuple):
    """A grey picture (64, width) uint8, black ink on white, its tokens and its contributor."""

    picture: np.ndarray
    tokens: list
    writer: str


def written(name: str, part: str, limit: int | None = None) -> list:
    """Words or lines of the held-out writers of `part`, the same at every call."""
    samples = StrokeSet.load(prepared_dir() / f"{name}-{part}.npz")
    order = list(range(len(samples)))
    random.Random(0).shuffle(order)
    return [
        TestLine(plain(samples.strokes(k)), tokens_of_text(samples.labels[k]), samples.writers[k])
        for k in order[:limit]
    ]


def photographed(part: str, limit: int) -> list:
    """Words, lines and formulas of the held-out writers of `part` as photographed by a phone, the same at every call."""
    textures, glyphs, out = paper_textures(), Glyphs(part), []
    words, lines = (StrokeSet.load(prepared_dir() / f"{name}-{part}.npz") for name in ("words", "lines"))
    while len(out) < limit:
        rng = random.Random(f"photograph/{part}/{len(out)}")
        while True:
            kind = rng.choice(["word", "line", "formula"])
            if kind == "formula":
                box = Formulas(glyphs, glyphs.hand(rng)).formula(0.5)
                ink, tokens, writer, em = box.strokes, in_math(box.tokens), "composed", 1.0
            else:
                samples = words if kind == "word" else lines
                k = rng.randrange(len(samples))
                ink, tokens, writer, em = samples.strokes(k), tokens_of_text(samples.labels[k]), samples.writers[k], None
            cover = ink_coverage(ink, rng, (0.6, 0.95), 4 * (len(tokens) + 2), em)
            if cover is not None:
                break
        noise = np.random.default_rng([7, len(out)])
        out.append(TestLine(phone_photograph(cover, rng, noise, textures), tokens, writer))
    return out


def strokes(name: str, part: str, limit: int | None = None) -> list:
    """The ink of the samples that `written` returns, in the same order: strokes as (n, 2) arrays, y up."""
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
