"""Runs of signs, divided into pieces of ink as in the product: signs touch and break as often as in reality."""

import math
import random

import cv2
import numpy as np

from framing import frame
from pictures import X_HEIGHT, Cut, Signs
from signs import INDEX, SIGNS

#: Constants of the product's `pieces.ts`: thresholds for ink after sharpening, and for other signs' ink.
_INK_LEVEL = 0.4
_SURE_INK = 0.45
_OTHER_INK = 0.2
_SHARPNESS = 1.2
_SURROUNDINGS = 0.14
_DUST = 0.13
#: Parts of broken signs with fewer pixels than this (square x-heights) are left out.
_SPECK = 0.03
_LEFT_OUT = ("brace", "radical", "accent", "several", "part")
_SEVERAL, _PART = INDEX["several", ""], INDEX["part", ""]
#: Share kept of pieces that contain several signs, and of parts of broken ones.
_KEPT = {_SEVERAL: 0.6, _PART: 0.4}
#: A piece that is more of a sign than this is no part of it.
_LARGEST_PART = 0.8
#: A piece holds a sign of whose ink it has so much; a sign is whole where no piece has more than this of another one.
_LEAST_SHARE = 0.12
_CROPPED = 0.85


class Scenes:
    """Samples cut from short formulas of one typeface."""

    def __init__(self, signs: Signs):
        self.signs = signs
        self.typefaces = len({int(t) for t in signs.about[:, 6]})
        names = {t: n for n, t in enumerate(sorted({int(t) for t in signs.about[:, 6]}))}
        self.masters: dict = {}
        for n, row in enumerate(signs.about):
            self.masters.setdefault((int(row[0]), names[int(row[6])], row[5] == 1), []).append(n)
        self.keys = [k for k in signs.keys if SIGNS[k].face not in _LEFT_OUT]
        self.weights = [SIGNS[k].weight for k in self.keys]
        self.natural: dict = {}

    def _pieces_of(self, n: int) -> int:
        """Connected pieces of a master."""
        if n not in self.natural:
            self.natural[n] = cv2.connectedComponents((self.signs.ink[n] > 100).astype(np.uint8), connectivity=8)[0] - 1
        return self.natural[n]

    def _set(self, rng: random.Random, unit: float, script: float) -> tuple:
        """Ink (0 … 1) of a run, the owner of each pixel (-1: none), and its masters with their signs."""
        typeface = rng.choices(range(self.typefaces), self.signs.typeface_weights)[0]
        tight = abs(rng.gauss(0, 0.07)) * unit if rng.random() < 0.6 else 0.0
        placed, x, level, left = [], 6.0, 0, 0
        for _ in range(rng.randint(2, 6)):
            if left == 0:
                level = rng.choice([0, 0, 0, 1, 1, -1, -1]) if placed else 0
                left = rng.choice([1, 1, 2]) if level else rng.choice([1, 2, 3])
            left -= 1
            k = rng.choices(self.keys, self.weights)[0]
            found = self.masters.get((k, typeface, level != 0))
            if not found:
                continue
            n = rng.choice(found)
            size = unit * (script if level else 1.0)
            ink = self.signs.draw(n, rng, unit, script)
            about = self.signs.about[n]
            low = {0: 0.0, 1: -rng.uniform(0.75, 1.0), -1: rng.uniform(0.25, 0.55)}[level] * unit
            placed.append((k, n, round(x + about[2] * size) - 3, round(about[3] * size + low) - 3, ink))
            space = rng.uniform(0, 0.6) * unit if rng.random() < 0.25 else 0.0
            x += about[4] * size + space - tight + rng.gauss(0, 0.02) * unit
        if not placed:
            return None
        top, first = min(p[3] for p in placed) - 4, min(p[2] for p in placed) - 4
        bottom = max(p[3] + p[4].shape[0] for p in placed) + 4
        last = max(p[2] + p[4].shape[1] for p in placed) + 4
        ink = np.zeros((bottom - top, last - first), np.float32)
        owner = np.full(ink.shape, -1, np.int16)
        for number, (_, _, at, high, own) in enumerate(placed):
            rows, columns = own.shape
            place = (slice(high - top, high - top + rows), slice(at - first, at - first + columns))
            mine = own > np.maximum(ink[place], 0.25)
            owner[place][mine] = number
            np.maximum(ink[place], own, out=ink[place])
        return ink, owner, [(k, n) for k, n, *_ in placed]

    def cuts(self, rng: random.Random, noise: np.random.Generator) -> list:
        """What the product would crop from one run, as (Cut, sign index)."""
        unit = math.exp(rng.uniform(math.log(7), math.log(26)))
        script = rng.uniform(0.64, 0.78) if rng.random() < 0.75 else rng.uniform(0.5, 0.6)
        run = self._set(rng, unit, script)
        if run is None or run[0].size > 200_000:
            return []
        ink, owner, signs = run
        if rng.random() < 0.85:
            ink = cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.3, 0.6 + 0.033 * unit))
        if rng.random() < 0.7:
            ink = ink + noise.standard_normal(ink.shape, np.float32) * np.float32(rng.uniform(0, 0.06))
        ink = ink / max(0.3, float(np.quantile(ink, 0.996))) ** rng.random()
        if rng.random() < 0.4:
            grey = np.clip(235 - ink * 200, 0, 255).astype(np.uint8)
            _, packed = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(60, 92)])
            ink = (235 - cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE).astype(np.float32)) / 200
        ink = np.clip(ink, 0, 1)
        grow = max(1, math.ceil(X_HEIGHT / unit - 0.2))
        if grow > 1:
            ink = cv2.resize(ink, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC)
            owner = np.repeat(np.repeat(owner, grow, 0), grow, 1)
        body = unit * grow
        side = 2 * max(1, round(_SURROUNDINGS * body)) + 1
        around = cv2.blur(cv2.blur(ink, (side, side), borderType=cv2.BORDER_REPLICATE), (side, side), borderType=cv2.BORDER_REPLICATE)
        mask = ink + _SHARPNESS * (ink - around) > _INK_LEVEL + rng.gauss(0, 0.02)
        return self._samples(ink, owner, mask, signs, body, rng)

    def _samples(self, ink, owner, mask, signs, body: float, rng: random.Random) -> list:
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        held = np.zeros((count, len(signs)), np.int64)
        mine = (labels > 0) & (owner >= 0)
        np.add.at(held, (labels[mine], owner[mine]), 1)
        size = body * math.exp(rng.gauss(0, 0.05))
        dusty = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) <= _DUST * body
        held[dusty] = 0
        total = held.sum(0)
        share = held / np.maximum(1, total)
        out = []
        for number, (k, n) in enumerate(signs):
            own = np.flatnonzero(share[:, number] > 0.04)
            if total[number] == 0 or any((share[j] > _LEAST_SHARE).sum() > 1 for j in own):
                continue
            pieces = np.isin(labels, own)
            if ink[pieces].max() <= _SURE_INK:
                continue
            out.append((_cut(ink, pieces, size), k))
            if len(own) > self._pieces_of(n):
                parts = [j for j in own if share[j, number] < _LARGEST_PART and held[j].sum() > _SPECK * body * body]
                out += [(_cut(ink, labels == j, size), _PART) for j in parts]
        for j in range(1, count):
            several = np.flatnonzero(share[j] > _LEAST_SHARE)
            if len(several) > 1:
                piece = labels == j
                out.append((_cut(ink, piece, size), _SEVERAL))
                out += self._divided(ink, owner, piece, several, signs, size, body)
        return [(cut, k) for cut, k in out if cut is not None and rng.random() < _KEPT.get(k, 1.0)]

    def _divided(self, ink, owner, piece, several, signs, size: float, body: float) -> list:
        """Cuts a piece of several signs at its thinnest columns near the boundaries between signs."""
        columns = [np.flatnonzero(((owner == s) & piece).any(0)) for s in several]
        order = sorted(range(len(several)), key=lambda n: columns[n].mean())
        amounts = np.where(piece, ink, 0).sum(0)
        everywhere = np.flatnonzero(piece.any(0))
        edges = [int(everywhere[0])]
        for a, b in zip(order, order[1:]):
            middle = (columns[a][-1] + columns[b][0]) / 2
            near = max(2.0, 0.25 * body)
            low, high = max(edges[-1] + 2, int(middle - near)), min(int(everywhere[-1]) - 1, int(middle + near) + 1)
            if high <= low:
                return []
            edges.append(low + int(amounts[low:high].argmin()))
        edges.append(int(everywhere[-1]) + 1)
        out = []
        for n, left, right in zip(order, edges, edges[1:]):
            part = piece.copy()
            part[:, :left] = False
            part[:, right:] = False
            mine = (owner == several[n]) & part
            owned = ((owner >= 0) & part).sum()
            if mine.sum() > _CROPPED * ((owner == several[n]) & piece).sum() and mine.sum() > _CROPPED * owned:
                out.append((_cut(ink, part, size), signs[several[n]][0]))
        return out


def _cut(ink: np.ndarray, mask: np.ndarray, size: float) -> Cut:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    place = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    shown = np.clip(np.where(mask[place], ink[place], np.minimum(ink[place], _OTHER_INK)), 0, 1)
    picture = frame((shown * 255).astype(np.uint8))
    return Cut(picture, math.log2(mask[place].shape[0] / size), math.log2(mask[place].shape[1] / size))
