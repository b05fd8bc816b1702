"""Training pictures of signs: masters drawn at a scan's size, sharpness and light, then cropped as in the product."""

import math
import random
import sys
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

sys.path.insert(1, str(Path(__file__).parent.parent))
from settings import training_dir  # noqa: E402

from framing import frame  # noqa: E402
from signs import INDEX, SIGNS  # noqa: E402

#: The product enlarges a region until the text's x-height has this many pixels.
X_HEIGHT = 16
_SEVERAL = INDEX["several", ""]
#: Most mathematics is set in Computer Modern and related typefaces.
_TYPEFACE_WEIGHTS = (4, 4, 1.5, 1.5, 1.5, 1.0, 2, 1.5, 1.5, 0.7, 0.7, 0.5)


class Cut(NamedTuple):
    """One sign: (SIDE, SIDE) uint8 with 255 ink, and logarithms of height and width in x-heights of the text."""

    picture: np.ndarray
    height: float
    width: float


class Signs:
    """All masters, and samples of them."""

    def __init__(self):
        cv2.setNumThreads(1)
        data = np.load(training_dir() / "print" / "masters.npz")
        sizes, about, ink = data["sizes"], data["about"], data["ink"]
        ends = np.concatenate([[0], np.cumsum(sizes.prod(1))])
        self.about = about
        self.ink = [ink[a:b].reshape(s) for a, b, s in zip(ends, ends[1:], sizes)]
        typefaces = {t: n for n, t in enumerate(sorted({int(t) for t in about[:, 6]}))}
        self.typeface_weights = _TYPEFACE_WEIGHTS[: len(typefaces)]
        self.by_sign: dict = {}
        for n, row in enumerate(about):
            weight = _TYPEFACE_WEIGHTS[typefaces[int(row[6])]]
            self.by_sign.setdefault(int(row[0]), ([], []))
            self.by_sign[int(row[0])][0].append(n)
            self.by_sign[int(row[0])][1].append(weight)
        self.scenes = None
        self.keys = [k for k in self.by_sign if SIGNS[k].weight > 0]
        self.weights = [SIGNS[k].weight for k in self.keys]
        self.letters = [k for k in self.keys if SIGNS[k].face in ("italic", "roman", "symbol", "delimiter", "bold")]

    def _drawn(self, k: int, rng: random.Random, unit: float, script: float) -> np.ndarray:
        """Ink (0 … 1) of a sign, for an x-height of `unit` pixels."""
        names, weights = self.by_sign[k]
        return self.draw(rng.choices(names, weights)[0], rng, unit, script)

    def draw(self, n: int, rng: random.Random, unit: float, script: float) -> np.ndarray:
        """The same for master `n`."""
        level = script if self.about[n][5] == 1 else 1.0
        master = self.ink[n].astype(np.float32) / 255
        # masters are drawn at 600 dots an inch, their x-height is in points
        scale = unit * level / (self.about[n][1] * 600 / 72)
        rows, columns = master.shape
        wide, tall = max(1.0, columns * scale * rng.uniform(0.95, 1.05)), max(1.0, rows * scale)
        pad = 3
        size = (int(wide) + 2 * pad + 1, int(tall) + 2 * pad + 1)
        turn = rng.gauss(0, 0.008)
        if scale < 1:  # area averaging, before the affine map samples it
            master = cv2.blur(master, (max(1, round(1 / scale)), max(1, round(1 / scale))), borderType=cv2.BORDER_CONSTANT)
        matrix = np.float32(
            [[wide / columns, turn, pad + rng.random()], [turn, tall / rows, pad + rng.random()]]
        )
        matrix[0, 1] = (turn + rng.gauss(0, 0.01)) * tall / rows
        matrix[1, 0] = -turn * wide / columns
        return cv2.warpAffine(master, matrix, size, flags=cv2.INTER_LINEAR)

    def _touching(self, rng: random.Random, unit: float, script: float) -> np.ndarray:
        """Two or three adjacent signs that touch."""
        out = self._drawn(rng.choice(self.letters), rng, unit, script)
        for _ in range(1 if rng.random() < 0.8 else 2):
            k = rng.choice(self.letters)
            other = self._drawn(k, rng, unit, script)
            columns = np.flatnonzero(out.max(0) > 0.4)
            if len(columns) == 0:
                continue
            x = int(columns[-1]) + 1 - 4 + rng.randint(-1, 0)
            shift = rng.choice([0, 0, 0, round(0.4 * unit), -round(0.7 * unit)])
            height = max(out.shape[0], other.shape[0]) + abs(shift)
            width = max(out.shape[1], x + other.shape[1])
            canvas = np.zeros((height, width), np.float32)
            # a script is higher or lower than the sign before it
            low = height - max(0, shift)
            canvas[low - out.shape[0] : low, : out.shape[1]] = out
            bottom = height + min(0, shift)
            x = max(0, x)
            place = canvas[bottom - other.shape[0] : bottom, x : x + other.shape[1]]
            np.maximum(place, other[:, : place.shape[1]], out=place)
            out = canvas
        return out

    def sample(self, rng: random.Random, noise: np.random.Generator) -> tuple:
        """(Cut, sign index)."""
        while True:
            k = rng.choices(self.keys + [_SEVERAL], self.weights + [SIGNS[_SEVERAL].weight])[0]
            unit = math.exp(rng.uniform(math.log(7), math.log(26)))
            script = rng.uniform(0.64, 0.78) if rng.random() < 0.75 else rng.uniform(0.48, 0.6)
            ink = self._touching(rng, unit, script) if k == _SEVERAL else self._drawn(k, rng, unit, script)
            if ink.size > 250_000:
                continue
            if rng.random() < 0.75:
                sigma = rng.uniform(0.3, 0.55 + 0.03 * unit)
                ink = cv2.GaussianBlur(ink, (0, 0), sigma)
            peak = float(ink.max())
            if peak < 0.3:
                continue
            if rng.random() < 0.5:
                ink = ink + noise.standard_normal(ink.shape, np.float32) * np.float32(rng.uniform(0, 0.09))
            grow = max(1, math.ceil(X_HEIGHT / unit - 0.2))
            if grow > 1:
                ink = cv2.resize(ink, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC)
            level = rng.uniform(0.22, 0.5)
            mask = ink > level
            if not mask.any():
                continue
            count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
            if k == _SEVERAL:
                # only the largest piece, and only if it joins several signs
                at = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
                if stats[at, cv2.CC_STAT_AREA] < 0.93 * mask.sum():
                    continue
                mask = labels == at
            elif count > 2:
                least = 0.02 * stats[1:, cv2.CC_STAT_AREA].max()
                mask = np.isin(labels, 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > max(least, 2)))
                if not mask.any():
                    continue
            rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
            cut = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            shown = np.where(mask[cut], ink[cut], np.minimum(ink[cut], 0.2))
            picture = frame((np.clip(shown, 0, 1) * 255).astype(np.uint8))
            body = unit * grow * math.exp(rng.gauss(0, 0.05))
            return Cut(picture, math.log2(mask[cut].shape[0] / body), math.log2(mask[cut].shape[1] / body)), k

    def batch(self, seed: int, number: int, size: int) -> tuple:
        """Pictures, sizes and signs of batch `number`: half single signs, half cut from runs of signs."""
        from scenes import Scenes

        self.scenes = self.scenes or Scenes(self)
        rng, noise = random.Random(f"{seed}/{number}"), np.random.default_rng([seed, number])
        made = [self.sample(rng, noise) for _ in range(size // 2)]
        while len(made) < size:
            made += self.scenes.cuts(rng, noise)
        made = made[:size]
        return (
            np.stack([c.picture for c, _ in made]),
            np.float32([[c.height, c.width] for c, _ in made]),
            np.int64([k for _, k in made]),
        )


def unseen() -> Signs:
    """For measuring: its signs are drawn with seeds that training does not use."""
    return Signs()
