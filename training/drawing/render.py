"""Renders strokes as the picture of a line, as a phone or scanner might deliver it after cropping."""

import math
import random

import cv2
import numpy as np

from settings import LINE_HEIGHT, MAX_LINE_WIDTH

_SUB = 2  # supersampling
_SHIFT = 4  # fractional bits that OpenCV draws with


def normalise(grey: np.ndarray) -> np.ndarray:
    """Converts a grey crop (64, width) uint8, dark ink on light paper, to uint8 with 0 paper and 255 full ink.

    Paper is the 90th, ink the 1st percentile of the crop, at least 24 grey levels apart. The model's
    input must be computed exactly like this and divided by 255.
    """
    below = np.cumsum(cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel())
    total = below[-1]
    paper = int(np.searchsorted(below, 0.90 * total))
    ink = int(np.searchsorted(below, 0.01 * total))
    span = max(24, paper - ink)
    table = np.clip((paper - np.arange(256)) * (255.0 / span), 0, 255).astype(np.uint8)
    return cv2.LUT(grey, table)


def fit_height(grey: np.ndarray) -> np.ndarray:
    """Scales a crop to 64 rows and a proportional width, at most `MAX_LINE_WIDTH` and a multiple of 4."""
    width = round(grey.shape[1] * LINE_HEIGHT / grey.shape[0])
    width = max(16, min(MAX_LINE_WIDTH, (width + 3) // 4 * 4))
    shrinks = grey.shape[0] > LINE_HEIGHT
    return cv2.resize(grey, (width, LINE_HEIGHT), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)


def _draw(points: np.ndarray, ends: list, width: int, pens: list, rng: random.Random) -> np.ndarray:
    """Coverage (64, width) uint8 of polylines; points in pixels, y down; pens are pixel widths."""
    canvas = np.zeros((LINE_HEIGHT * _SUB, width * _SUB), np.uint8)
    fixed = np.round(points * (_SUB << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    strokes = np.split(fixed, ends[:-1])
    for n, pen in enumerate(pens):
        chosen = strokes if len(pens) == 1 else strokes[n :: len(pens)]
        lines = [s for s in chosen if len(s) > 1]
        thickness = max(1, round(pen * _SUB))
        cv2.polylines(canvas, lines, False, 255, thickness, cv2.LINE_AA, _SHIFT)
        for s in chosen:
            if len(s) == 1:
                centre = (int(s[0, 0, 0]), int(s[0, 0, 1]))
                cv2.circle(canvas, centre, (thickness << _SHIFT) // 2 + 8, 255, -1, cv2.LINE_AA, _SHIFT)
    return cv2.resize(canvas, (width, LINE_HEIGHT), interpolation=cv2.INTER_AREA)


def plain(strokes: list, pen: float = 2.0, margin: int = 5, height: int = LINE_HEIGHT) -> np.ndarray:
    """Black ink on white (height, width) uint8 without distortion, for evaluation."""
    ends = np.cumsum([len(s) for s in strokes]).tolist()
    p = np.concatenate(strokes).astype(np.float32)
    low, high = p.min(0), p.max(0)
    scale = (height - 2 * margin) / max(high[1] - low[1], (high[0] - low[0]) / 40, 1e-3)
    width = int((high[0] - low[0]) * scale) + 2 * margin
    rows = np.full((height * _SUB, width * _SUB), 255, np.uint8)
    p = (p - low) * scale + margin
    p[:, 1] = height - p[:, 1]
    fixed = np.round(p * (_SUB << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    for s in np.split(fixed, ends[:-1]):
        s = np.concatenate([s, s]) if len(s) == 1 else s
        cv2.polylines(rows, [s], False, 0, max(1, round(pen * _SUB)), cv2.LINE_AA, _SHIFT)
    return cv2.resize(rows, (width, height), interpolation=cv2.INTER_AREA)


def ink_coverage(
    strokes: list, rng: random.Random, fill: tuple, min_width: int, em: float | None = None
) -> np.ndarray | None:
    """Randomly slanted, rotated, scaled and placed ink as coverage (64, width); None if it does not fit.

    `fill` bounds the ink's share of the height; `min_width` is in pixels; `em`, if known, is the size of
    the writing in the strokes' units, and bounds the pen.
    """
    ends = np.cumsum([len(s) for s in strokes]).tolist()
    p = np.concatenate(strokes).astype(np.float32)
    p -= p.mean(0)
    turn = rng.gauss(0, 0.02)
    aspect = max(1.0, float(np.ptp(p[:, 0]) / max(np.ptp(p[:, 1]), 1e-3)))
    turn = max(-0.35 / aspect, min(0.35 / aspect, turn))
    slant, stretch = rng.gauss(0, 0.17), math.exp(rng.gauss(0, 0.12))
    matrix = np.float32([[stretch, slant], [turn, 1.0]])
    p = p @ matrix.T
    if rng.random() < 0.3:  # wandering baseline
        size = max(float(np.ptp(p[:, 1])), 1e-3)
        p[:, 1] += size * rng.uniform(0, 0.06) * np.sin(p[:, 0] / size * rng.uniform(0.2, 0.9) + rng.uniform(0, 6.3))
    low, high = p.min(0), p.max(0)
    size = np.maximum(high - low, 1e-3)
    room = LINE_HEIGHT * rng.uniform(*fill)
    left, right = rng.randint(2, 12), rng.randint(2, 12)
    scale_y = min(room / size[1], 160 / max(size[0], 1e-3) if size[0] > 4 * size[1] and len(strokes) == 1 else 1e9)
    scale_x = scale_y
    width = size[0] * scale_x + left + right
    if width < min_width:
        grow = min_width / max(width, 1)
        if grow > 1.7:
            return None
        scale_x *= grow
    if width > MAX_LINE_WIDTH:
        squeeze = (MAX_LINE_WIDTH - left - right) / (size[0] * scale_x)
        if squeeze < 0.55:
            return None
        scale_x *= squeeze
        scale_y *= max(squeeze, 0.75)
    width = int(size[0] * scale_x + left + right + 3) // 4 * 4
    if width < min_width:
        return None
    spare = LINE_HEIGHT - size[1] * scale_y
    top = spare * min(0.97, max(0.03, rng.gauss(0.5, 0.2)))
    p = (p - low) * np.float32([scale_x, scale_y])
    p[:, 1] = size[1] * scale_y - p[:, 1] + top
    p[:, 0] += left
    pen = rng.choice([1.2, 1.5, 1.8, 2.0, 2.3, 2.7, 3.2]) * rng.uniform(0.85, 1.25)
    if rng.random() < 0.05:
        pen *= 1.5
    if em is not None:
        pen = max(0.8, min(pen, em * scale_y * rng.uniform(0.05, 0.12)))
    pens = [pen] if rng.random() < 0.6 else [pen, pen * 0.75]
    return _draw(p, ends, max(16, width), pens, rng)


def photograph(cover: np.ndarray, rng: random.Random, noise: np.random.Generator) -> np.ndarray:
    """Coverage (64, width) to a grey picture uint8: paper, rules, neighbours' ink, light, blur, noise."""
    height, width = cover.shape
    if rng.random() < 0.18:  # ink of the line above or below reaches into the crop
        other = np.roll(cover, rng.randint(20, max(21, width - 1)), axis=1)
        depth = rng.randint(3, 11)
        rows = np.flatnonzero(cover.max(1) > 60)
        if len(rows) > 12:
            if rng.random() < 0.5:
                piece = other[max(0, rows[-1] - depth) : rows[-1]]
                cover = cover.copy()
                cover[: len(piece)] = np.maximum(cover[: len(piece)], piece)
            else:
                piece = other[rows[0] : rows[0] + depth]
                cover = cover.copy()
                cover[height - len(piece) :] = np.maximum(cover[height - len(piece) :], piece)
    alpha = cover.astype(np.float32) * np.float32(1 / 255)
    clean = rng.random() < 0.3
    if not clean and rng.random() < 0.25:  # pencil, dry pen
        grain = noise.random((height // 2, (width + 1) // 2), np.float32)
        grain = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
        alpha *= 1 - rng.uniform(0.2, 0.75) * grain
    if rng.random() < 0.2:
        alpha = cv2.GaussianBlur(alpha, (0, 0), rng.uniform(0.4, 1.1))
    paper = np.full((height, width), 1.0, np.float32)
    if not clean:
        draws_rules = rng.random()
        strength = rng.uniform(0.08, 0.5)
        if draws_rules < 0.22:  # ruled
            step, at, drift = rng.randint(38, 75), rng.randint(0, 63), rng.uniform(-0.012, 0.012) * min(1, 300 / width)
            while at < height + 8:
                y1 = at + drift * width
                cv2.line(paper, (0, int(at * 16)), (width, int(y1 * 16)), 1 - strength, rng.choice([1, 1, 2]), cv2.LINE_AA, 4)
                at += step
        elif draws_rules < 0.36:  # squared
            step = rng.uniform(14, 38)
            offset, tilt = rng.uniform(0, step), rng.uniform(-0.6, 0.6)
            for k in range(int(height / step) + 2):
                y = offset + (k - 1) * step
                cv2.line(paper, (0, int(y * 16)), (width * 16, int((y + tilt) * 16)), 1 - strength, 1, cv2.LINE_AA, 4)
            for k in range(int(width / step) + 2):
                x = offset + (k - 1) * step
                cv2.line(paper, (int(x * 16), 0), (int((x + tilt) * 16), height * 16), 1 - strength, 1, cv2.LINE_AA, 4)
        bright = rng.uniform(0.62, 1.0)
        across = np.linspace(bright, bright + rng.uniform(-0.18, 0.18), width, dtype=np.float32)
        down = np.linspace(0, rng.uniform(-0.08, 0.08), height, dtype=np.float32)
        paper *= across[None] + down[:, None]
        if rng.random() < 0.08:  # edge of a shadow
            edge = rng.randint(0, width)
            ramp = (np.arange(width, dtype=np.float32) - edge) / rng.uniform(3, 25)
            paper *= 1 - np.float32(rng.uniform(0.1, 0.35)) / (1 + np.exp(np.clip(ramp, -30, 30)))[None]
    ink = rng.uniform(0.0, 0.25) if clean else rng.uniform(0.0, 0.55)
    grey = paper * (1 - alpha * (1 - ink))
    if not clean:
        grain = rng.uniform(0, 0.035)
        grey += noise.standard_normal((height, width), np.float32) * np.float32(grain)
    if rng.random() < 0.2:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.4, 1.2))
    picture = np.clip(grey * 255, 0, 255).astype(np.uint8)
    if not clean and rng.random() < 0.12:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(25, 80)])
        picture = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    return picture
