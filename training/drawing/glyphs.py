"""Draws one character or symbol in a random hand: from real strokes if there are any, else from templates."""

import math
import random
import unicodedata

import numpy as np

from settings import INK_UNITS, prepared_dir
from drawing.letter_forms import SCHOOL_FORMS, SCHOOL_SHARE
from drawing.sign_forms import SIGN_FORMS, SIGN_SHARE
from drawing.strokes import StrokeSet
from drawing.symbols import ACCENT_MARKS, TEMPLATES, hershey_shapes, vertical_box

_MIN_REAL = 12
_FLAT = set("-–—=~.,'\"·•_") | {"\\cdot", "\\ldots", "\\cdots", "\\sim", "\\approx", "\\to", "\\leftarrow"}
_LOOKALIKE = {"–": "-", "—": "-", "’": "'", "‘": "'", "\\|": "\\parallel", "\\ast": "*", "\\bullet": "•", "\\land": "\\wedge", "\\lor": "\\vee"}


def _resample(stroke: np.ndarray, step: float) -> np.ndarray:
    """Resamples a stroke with points about `step` em apart, so that it can be bent."""
    if len(stroke) < 2:
        return stroke
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(stroke, axis=0).T))])
    count = max(2, min(60, int(along[-1] / step) + 1))
    at = np.linspace(0, along[-1], count)
    return np.stack([np.interp(at, along, stroke[:, 0]), np.interp(at, along, stroke[:, 1])], 1).astype(np.float32)


def bend(strokes: list, strength: float, rng: random.Random) -> list:
    """A shape as another hand might draw it: sheared, stretched, rotated and wavy; left edge at x = 0."""
    lengths = np.cumsum([len(s) for s in strokes])[:-1]
    p = np.concatenate(strokes).astype(np.float32)
    x0, y0 = p.min(0)
    width, height = p.max(0) - (x0, y0)
    size = max(float(width), float(height), 0.1)
    gauss = rng.gauss
    wave = 0.03 * strength * size
    x, y = p[:, 0].copy(), p[:, 1].copy()
    f1, f2 = rng.uniform(1, 5) / size, rng.uniform(1, 5) / size
    p[:, 0] = x + gauss(0, wave) * np.sin(f1 * y + rng.uniform(0, 6.3)) + gauss(0, wave) * np.sin(f2 * x + rng.uniform(0, 6.3))
    p[:, 1] = y + gauss(0, wave) * np.sin(f2 * x + rng.uniform(0, 6.3)) + gauss(0, wave) * np.sin(f1 * y + rng.uniform(0, 6.3))
    turn, shear = gauss(0, 0.06 * strength), gauss(0, 0.1 * strength)
    sx, sy = math.exp(gauss(0, 0.14 * strength)), math.exp(gauss(0, 0.1 * strength))
    c, s = math.cos(turn), math.sin(turn)
    matrix = np.array([[sx * c, -sx * s + shear], [sy * s, sy * c]], np.float32)
    base = np.float32([0, y0])
    p = (p - base) @ matrix.T + base
    p[:, 0] -= p[:, 0].min()
    parts = np.split(p, lengths.tolist())
    if strength >= 1 and len(parts) > 1:
        shift = 0.025 * strength * size
        parts = [q + np.float32([gauss(0, shift), gauss(0, shift)]) for q in parts]
    return parts


class Hand:
    """One imagined writer: which contributor's letters, how wide, how regular."""

    def __init__(self, rng: random.Random, writers: list):
        self.rng = rng
        self.writer = rng.choice(writers) if writers else None
        self.variation = rng.uniform(0.3, 1.0)
        self.spacing = math.exp(rng.gauss(0, 0.35))
        self.width = math.exp(rng.gauss(0, 0.12))
        self.wobble = rng.uniform(0.0, 0.035)
        #: How a baseline rises or falls within one row, the size of scripts, and how high exponents are raised (share of their base).
        self.drift = rng.uniform(0.0, 0.03)
        small = rng.uniform(0.45, 0.75)
        self.script = (small, small + 0.2)
        low = rng.uniform(0.35, 0.8)
        self.raised = (low, low + 0.25)
        self.favourite: dict = {}
        #: The form in which it writes a letter or sign, of those drawn in `letter_forms.py` and `sign_forms.py`.
        self.forms = {
            token: rng.choice(forms)
            for all_forms, share in ((SCHOOL_FORMS, SCHOOL_SHARE), (SIGN_FORMS, SIGN_SHARE))
            for token, forms in all_forms.items()
            if rng.random() < share
        }


class Glyphs:
    """All shapes of all tokens; `part` and `more` select the writers."""

    def __init__(self, part: str = "train", *more: str, with_unipen: bool = True):
        self.shapes = hershey_shapes(prepared_dir() / "hershey")
        self._sets: list = []
        self._index: dict = {}  # token -> writer or None -> [(set, sample)]
        # There are few drawings of symbols: the held-out ones are added to the rest, not used instead.
        names = [f"symbols-{part}"] + (["symbols-train"] if part != "train" else [])
        names += [f"letters-{part}"] if part == "train" else []
        names += [f"chars-{one}" for one in (part, *more)] if with_unipen else []
        for name in names:
            path = prepared_dir() / f"{name}.npz"
            if path.is_file():
                self._add(StrokeSet.load(path))
        self.writers = sorted({w for by in self._index.values() for w in by if w and w != "detypify"})
        self.boxes: dict = {}

    def _add(self, samples: StrokeSet) -> None:
        self._sets.append(samples)
        for k, (label, writer) in enumerate(zip(samples.labels, samples.writers)):
            token = {"{": "\\{", "}": "\\}"}.get(label, label)
            by_writer = self._index.setdefault(token, {})
            by_writer.setdefault(writer, []).append((len(self._sets) - 1, k))
            by_writer.setdefault(None, []).append((len(self._sets) - 1, k))

    def has(self, token: str) -> bool:
        """True if there is a shape for the token."""
        token = _LOOKALIKE.get(token, token)
        return token in self._index or token in self.shapes or token in TEMPLATES or self._parts(token) is not None

    @staticmethod
    def _parts(token: str) -> tuple | None:
        """Base letter and accent of an accented letter."""
        special = {"ø": ("o", "/"), "Ø": ("O", "/"), "ł": ("l", "/"), "Ł": ("L", "/")}
        if token in special:
            return special[token]
        if len(token) != 1:
            return None
        pieces = unicodedata.normalize("NFD", token)
        return (pieces[0], pieces[1]) if len(pieces) == 2 and pieces[1] in ACCENT_MARKS else None

    def hand(self, rng: random.Random) -> Hand:
        """A new imagined writer."""
        return Hand(rng, self.writers)

    def _box(self, token: str) -> tuple:
        if token not in self.boxes:
            self.boxes[token] = vertical_box(token, self.shapes)
        return self.boxes[token]

    def _real(self, token: str, hand: Hand) -> list | None:
        """Real strokes of the token in em, preferably of the hand's own writer."""
        by_writer = self._index.get(token)
        if not by_writer:
            return None
        rng = hand.rng
        pool = by_writer.get(hand.writer) or by_writer[None]
        # Most people write a letter much the same each time: usually reuse one sample.
        if token not in hand.favourite or rng.random() < 0.5:
            hand.favourite[token] = rng.choice(pool)
        which, k = hand.favourite[token]
        strokes = self._sets[which].strokes(k)
        p = np.concatenate(strokes)
        x0, y0 = p.min(0)
        x1, y1 = p.max(0)
        low, high = self._box(token)
        if token in _FLAT:
            template = np.concatenate(TEMPLATES.get(token, [p]))
            scale = max(np.ptp(template, axis=0)) / max(x1 - x0, y1 - y0, 1.0)
        else:
            scale = (high - low) / max(y1 - y0, 0.45 * (x1 - x0), 1.0)
        middle = (low + high) / 2 if token in _FLAT else low + (y1 - y0) * scale / 2
        offset = np.float32([-x0 * scale, middle - (y0 + y1) / 2 * scale])
        return [s * np.float32(scale) + offset for s in strokes]

    def draw(self, token: str, hand: Hand) -> list:
        """Strokes in em, left edge at x = 0, baseline y = 0; KeyError for a token without a shape."""
        rng = hand.rng
        token = _LOOKALIKE.get(token, token)
        if token in hand.forms:
            return bend([_resample(s, 0.06) for s in hand.forms[token](rng)], 0.6 + 0.8 * hand.variation, rng)
        real_count = len(self._index.get(token, {}).get(None, ()))
        drawn = token in TEMPLATES or token in self.shapes
        if real_count and (not drawn or rng.random() < min(0.9, 0.25 + real_count / (2.0 * _MIN_REAL))):
            strokes = self._real(token, hand)
            if strokes:
                return bend(strokes, (0.35 if real_count > 200 else 0.8) * hand.variation, rng)
        if token in TEMPLATES and (token not in self.shapes or rng.random() < 0.6):
            return bend([_resample(s, 0.06) for s in TEMPLATES[token]], 0.6 + 0.8 * hand.variation, rng)
        if token in self.shapes:
            return bend([_resample(s, 0.06) for s in rng.choice(self.shapes[token])], 0.6 + 0.8 * hand.variation, rng)
        parts = self._parts(token)
        if parts is None:
            raise KeyError(token)
        return self._accented(*parts, hand)

    def _accented(self, letter: str, mark: str, hand: Hand) -> list:
        base = self.draw(letter, hand)
        if letter in "ij" and mark not in "\u0327\u0328\u0326/" and len(base) > 1:
            base = base[:-1] if base[-1][:, 1].min() > 0.5 else base
        p = np.concatenate(base)
        (x0, y0), (x1, y1) = p.min(0), p.max(0)
        rng = hand.rng
        if mark == "/":
            return base + bend([np.float32([[x0 - 0.02, y0], [x1 + 0.02, y1]])], 0.5, rng)
        below = mark in "\u0327\u0328\u0326"
        size = rng.uniform(0.8, 1.3)
        middle = (x0 + x1) / 2 + rng.gauss(0, 0.04)
        at = np.float32([middle, y0 if below else y1 + rng.uniform(-0.03, 0.05)])
        return base + [s * size + at for s in ACCENT_MARKS[mark]]


def ink_of_unit_height(samples: StrokeSet, k: int) -> list:
    """Strokes of a stored sample with its box one unit high."""
    return [s * np.float32(1 / INK_UNITS) for s in samples.strokes(k)]
