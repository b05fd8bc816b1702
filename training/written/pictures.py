"""Training pictures of handwritten signs: drawn by `drawing/glyphs.py`, and cropped as in the product."""

import math
import random
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(1, str(Path(__file__).parent.parent))
from drawing.exercises import exercise, textbook_formulas  # noqa: E402
from drawing.glyphs import Glyphs, bend  # noqa: E402

from framing import frame  # noqa: E402
from signs import NONE, SIGNS  # noqa: E402

#: Share of pictures that show no sign: part of one, or two that touch.
_NO_SIGN = 0.14
#: How often a sign is drawn: its share of the signs in formulas, at least so much (a rare one's second), to this power.
_LEAST_SHARES = 8e-4, 1.5e-4
_EVENED = 0.6
_EXERCISES = 20_000
#: How much a sign is bent once more, at most, however its hand draws it: of other people's signs there is more in it.
_BENDS = 1.0
_SHIFT = 4  # fractional bits that OpenCV draws with
_LARGEST = 420
#: Parts of signs shorter than this, em, and those bent by less than this share of their length, are signs by themselves.
_PLAIN = 0.25
_BENT = 0.15


class Signs:
    """All shapes; `parts` selects the writers."""

    def __init__(self, parts: tuple = ("train", "tuning")):
        cv2.setNumThreads(1)
        self.glyphs = Glyphs(*parts)
        self.tokens = {k: [t for t in sign.tokens if self.glyphs.has(t)] for k, sign in enumerate(SIGNS)}
        self.keys = [k for k, tokens in self.tokens.items() if tokens]
        shares = _shares()
        self.weights = [max(_LEAST_SHARES[SIGNS[k].is_rare], sum(shares[t] for t in SIGNS[k].tokens)) ** _EVENED for k in self.keys]

    def _strokes(self, rng: random.Random, k: int | None = None) -> list:
        k = rng.choices(self.keys, self.weights)[0] if k is None else k
        return self.glyphs.draw(rng.choice(self.tokens[k]), self.glyphs.hand(rng))

    def _no_sign(self, rng: random.Random) -> list:
        """Strokes of part of a sign, or of two beside or above each other."""
        one = self._strokes(rng)
        kind = rng.random()
        if kind < 0.35:
            part = rng.sample(one, rng.randint(1, len(one) - 1)) if len(one) > 1 and rng.random() < 0.3 else _cut(one, rng)
            return part if part and not _is_plain(part) else []
        two = self._strokes(rng)
        p, q = np.concatenate(one), np.concatenate(two)
        if kind < 0.7:
            scale = rng.choice([1, 1, 1, 0.6])
            lift = 0 if scale == 1 else rng.choice([0.4, 0.5, -0.2])
            offset = [p[:, 0].max() + rng.uniform(-0.15, 0.03) - q[:, 0].min() * scale, lift]
        else:
            scale = rng.uniform(0.4, 1.0)
            room = np.ptp(p[:, 0]) - np.ptp(q[:, 0]) * scale
            gap = rng.uniform(-0.05, 0.25)
            above = p[:, 1].max() - q[:, 1].min() * scale + gap
            below = p[:, 1].min() - q[:, 1].max() * scale - gap
            offset = [p[:, 0].min() + room * rng.random() - q[:, 0].min() * scale, above if rng.random() < 0.6 else below]
        return one + [s * np.float32(scale) + np.float32(offset) for s in two]

    def sample(self, rng: random.Random, noise: np.random.Generator) -> tuple:
        """(picture, log2 of height and width in usual lengths of signs, output)."""
        while True:
            k = NONE if rng.random() < _NO_SIGN else rng.choices(self.keys, self.weights)[0]
            strokes = self._no_sign(rng) if k == NONE else self._strokes(rng, k)
            if not strokes:
                continue
            matrix = np.float32([[math.exp(rng.gauss(0, 0.12)), rng.gauss(0, 0.14)], [rng.gauss(0, 0.04), 1]])
            script = rng.uniform(0.5, 0.85) if rng.random() < 0.35 else 1.0
            em = math.exp(rng.uniform(math.log(30), math.log(130)))
            pen = max(1.0, em * math.exp(rng.uniform(math.log(0.022), math.log(0.085))))
            bent = bend(strokes, rng.uniform(0, _BENDS), rng)
            ink = _drawn([s @ matrix.T for s in bent], em * script, pen)
            if ink is None:
                continue
            if rng.random() < 0.3:
                ink = cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.3, 0.5 + 0.012 * em))
            peak = float(ink.max())
            if peak < 0.2:
                continue
            ink = ink / peak
            if rng.random() < 0.25:
                ink = ink + noise.standard_normal(ink.shape, np.float32) * np.float32(rng.uniform(0, 0.08))
            mask = ink > rng.uniform(0.3, 0.55)
            count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
            if count < 2:
                continue
            areas = stats[1:, cv2.CC_STAT_AREA]
            mask = np.isin(labels, 1 + np.flatnonzero(areas > max(2, 0.01 * areas.max())))
            rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
            if len(rows) == 0:
                continue
            cut = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            shown = (np.clip(np.where(mask[cut], ink[cut], 0), 0, 1) * 255).astype(np.uint8)
            usual = em * 0.55 * math.exp(rng.gauss(0, 0.25))
            return frame(shown), math.log2(shown.shape[0] / usual), math.log2(shown.shape[1] / usual), k

    def batch(self, seed: int, number: int, size: int) -> tuple:
        """Pictures, sizes and outputs of batch `number`."""
        rng, noise = random.Random(f"{seed}/{number}"), np.random.default_rng([seed, number])
        made = [self.sample(rng, noise) for _ in range(size)]
        return np.stack([m[0] for m in made]), np.float32([m[1:3] for m in made]), np.int64([m[3] for m in made])


def _shares() -> Counter:
    """The share of each sign among all signs of the textbooks' formulas and as many exercises as are counted."""
    rng = random.Random(3)
    counts = Counter(t for f in [*textbook_formulas(), *(exercise(rng) for _ in range(_EXERCISES))] for t in f)
    total = sum(counts.values())
    return Counter({token: count / total for token, count in counts.items()})


def _cut(strokes: list, rng: random.Random) -> list:
    """What lies on one side of a line through a sign."""
    p = np.concatenate(strokes)
    (x0, y0), (x1, y1) = p.min(0), p.max(0)
    turn = rng.uniform(0, 2 * math.pi)
    across = np.float32([math.cos(turn), math.sin(turn)])
    middle = np.float32([rng.uniform(x0, x1), rng.uniform(y0, y1)])
    parts = []
    for stroke in strokes:
        inside = (stroke - middle) @ across > 0
        runs = np.flatnonzero(np.diff(inside)) + 1
        parts += [run for run, kept in zip(np.split(stroke, runs), np.split(inside, runs)) if kept[0] and len(run) > 1]
    return parts


def _is_plain(strokes: list) -> bool:
    """A straight stroke or a point, which are signs: a dash, a 1, a comma."""
    p = np.concatenate(strokes)
    if max(np.ptp(p, axis=0)) < _PLAIN:
        return True
    spread = np.linalg.svd(p - p.mean(0), compute_uv=False)
    return len(spread) < 2 or spread[1] < _BENT * spread[0]


def _drawn(strokes: list, em: float, pen: float) -> np.ndarray | None:
    """Ink (0 … 1) of strokes given in em, `em` pixels high; None if that is too large."""
    p = np.concatenate(strokes)
    low, pad = p.min(0), int(pen) + 4
    width, height = (np.ptp(p, axis=0) * em + 2 * pad + 2).astype(int)
    if max(width, height) > _LARGEST:
        return None
    ink = np.zeros((height, width), np.uint8)
    for stroke in strokes:
        q = (stroke - low) * em + pad
        q[:, 1] = height - q[:, 1]
        fixed = np.round(q * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
        fixed = np.concatenate([fixed, fixed]) if len(stroke) == 1 else fixed
        cv2.polylines(ink, [fixed], False, 255, max(1, round(pen)), cv2.LINE_AA, _SHIFT)
    return ink.astype(np.float32) / 255


def unseen() -> Signs:
    """For measuring: signs of writers that training does not see, and symbols held out."""
    return Signs(("test",))
