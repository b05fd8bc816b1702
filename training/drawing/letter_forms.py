"""Forms in which people write letters and digits as schools in Europe and Brazil teach them; few contributors of the data do.

Each form is drawn anew with other proportions. All are our own, in em as in `symbols.py`. A form takes a random source and
returns strokes.
"""

import random

import numpy as np

from drawing.symbols import arc, curve, joined, line

#: Share of hands that write a letter or digit in one of these forms.
SCHOOL_SHARE = 0.3


def sheared(strokes: list, by: float) -> list:
    """Strokes that lean by so much an em of height."""
    return [np.stack([s[:, 0] + by * s[:, 1], s[:, 1]], 1).astype(np.float32) for s in strokes]


def oval(rng: random.Random, x: float, y: float, rx: float, ry: float, start: float = 90, turn: int = 1) -> np.ndarray:
    """An oval that may stay open or overlap."""
    return arc(x, y, rx, ry, start, start + turn * (360 + rng.uniform(-25, 30)), steps=24)


def _one(rng: random.Random) -> list:
    top, foot = rng.uniform(0.1, 0.45), rng.uniform(-0.08, 0.05)
    low = rng.uniform(0.0, 0.62)
    bulge = rng.uniform(0, 0.08)
    strokes = [joined(curve((0, low), (top * 0.6, low + bulge), (top, 0.85)), line((top, 0.85), (top + foot, 0)))]
    if rng.random() < 0.3:  # the upstroke begins with a hook
        hook = rng.uniform(0.03, 0.14)
        strokes[0] = joined(curve((-hook, low + rng.uniform(-0.02, 0.08)), (-hook * 0.5, low - 0.04), (0, low)), strokes[0])
    if rng.random() < 0.25:
        strokes.append(line((top + foot - rng.uniform(0.08, 0.2), 0), (top + foot + rng.uniform(0.08, 0.2), rng.uniform(-0.03, 0.03))))
    return strokes


def _arcs_x(rng: random.Random) -> list:
    """`)(`: two arcs that touch or nearly do."""
    wide, meet = rng.uniform(0.4, 0.62), rng.uniform(-0.05, 0.05)
    middle = wide / 2

    def side(sign: int) -> np.ndarray:
        curl, depth = rng.uniform(0.02, 0.2), rng.uniform(0.5, 0.6)
        top = curve((0, 0.5 - curl), (0.05, depth), (middle + meet, depth - 0.05), (middle + meet / 2, 0.25))
        foot = curve((middle + meet / 2, 0.25), (middle + meet, 0.02), (0.05, -0.08), (0, curl))
        both = joined(top, foot)
        return both if sign > 0 else np.stack([wide - both[:, 0], both[:, 1]], 1).astype(np.float32)

    return sheared([side(1), side(-1)], rng.uniform(0, 0.3))


def _slanted_x(rng: random.Random) -> list:
    """Two arcs along a slanting middle, nearly an n."""
    wide = rng.uniform(0.4, 0.65)
    middle = wide * rng.uniform(0.4, 0.6)
    lead, tail = rng.uniform(0.28, 0.46), rng.uniform(0.04, 0.2)
    left = joined(curve((0, lead), (0.05, 0.58), (middle - 0.02, 0.58), (middle + 0.02, 0.28)), curve((middle + 0.02, 0.28), (middle, 0.02), (0.1, -0.08), (rng.uniform(-0.08, 0.04), rng.uniform(0, 0.1))))
    right = joined(curve((wide + rng.uniform(-0.04, 0.06), rng.uniform(0.38, 0.5)), (wide - 0.06, 0.6), (middle + 0.04, 0.56), (middle, 0.25)), curve((middle, 0.25), (middle - 0.02, -0.06), (wide - 0.08, -0.1), (wide, tail)))
    gap = rng.uniform(-0.04, 0.05)
    return sheared([left, right + np.float32((gap, 0))], rng.uniform(0, 0.45))


def _crossed_x(rng: random.Random) -> list:
    """A stroke with curls at its ends, and one across it."""
    wide = rng.uniform(0.42, 0.65)
    hook, tail = rng.uniform(0.0, 0.16), rng.uniform(0.0, 0.16)
    down = joined(
        curve((0, 0.5 - hook), (0.06, 0.6), (wide * 0.35, 0.55), (wide / 2, 0.26)),
        curve((wide / 2, 0.26), (wide * 0.65, -0.08), (wide * 0.9, -0.05), (wide, tail)),
    )
    bow = rng.uniform(-0.1, 0.1)
    across = curve((wide - 0.03, 0.5), (wide / 2 + bow, 0.3), (wide / 2 - bow, 0.2), (0.02, 0))
    return [down, across]


def _two(rng: random.Random) -> list:
    wide = rng.uniform(0.38, 0.58)
    if rng.random() < 0.45:  # nearly a Z
        top = rng.uniform(0.72, 0.85)
        return [joined(curve((0, top - 0.1), (0.05, top + 0.05), (wide * 0.8, top + 0.06), (wide * 0.9, top - 0.06)), line((wide * 0.85, top - 0.1), (0.0, 0.02), (wide, rng.uniform(-0.04, 0.06))))]
    head = joined(curve((0, rng.uniform(0.5, 0.68)), (0.02, 0.92), (wide * 0.95, 0.98), (wide * 0.85, 0.55)), curve((wide * 0.85, 0.55), (wide * 0.6, 0.25), (0.12, 0.12), (0.02, 0.05)))
    loop = rng.uniform(0, 0.14)
    return [joined(head, curve((0.02, 0.05), (-0.06, 0.05 + loop * 1.6), (0.1, 0.1 + loop), (0.16, 0.06)), curve((0.16, 0.06), (0.28, -0.06), (0.4, -0.04), (wide + 0.05, rng.uniform(0.0, 0.12))))]


def _z(rng: random.Random) -> list:
    wide = rng.uniform(0.34, 0.5)
    strokes = [joined(line((0, 0.46), (0.04, 0.5)), line((0.04, 0.5), (wide, 0.5), (0.02, 0.01), (wide + 0.04, rng.uniform(-0.03, 0.04))))]
    if rng.random() < 0.6:
        strokes.append(line((0.06, rng.uniform(0.2, 0.28)), (wide - 0.04, rng.uniform(0.24, 0.32))))
    return strokes


def _arches(count: int):
    """n or m with a stroke that leads in, and one that leads out."""

    def form(rng: random.Random) -> list:
        wide = rng.uniform(0.22, 0.34)
        lead = rng.uniform(0.0, 0.14)
        parts = [curve((-lead, 0.5 - 2.2 * lead), (-lead * 0.4, 0.5), (0, 0.52)), line((0, 0.52), (0.02, 0.0))]
        deep = rng.uniform(0.02, 0.3)
        for k in range(count):
            left = 0.02 + k * wide
            parts.append(curve((left, deep if k == 0 else 0.05), (left + 0.05, 0.62), (left + wide, 0.66), (left + wide, 0.3)))
            parts.append(line((left + wide, 0.3), (left + wide + 0.01, 0.0)))
        right = 0.03 + count * wide
        parts.append(curve((right, 0.0), (right + 0.04, -0.06), (right + rng.uniform(0.05, 0.16), rng.uniform(0.0, 0.14))))
        return [joined(*parts)]

    return form


def _four(rng: random.Random) -> list:
    """Open above: one stroke that turns back up into the stem, or two."""
    wide, low = rng.uniform(0.3, 0.5), rng.uniform(0.2, 0.36)
    begin = (rng.uniform(0.05, 0.3), rng.uniform(0.7, 0.88))
    corner = (rng.uniform(-0.05, 0.05), low + rng.uniform(-0.02, 0.08))
    top, foot = rng.uniform(0.45, 0.8), rng.uniform(-0.1, 0.05)
    stem = (wide * rng.uniform(0.75, 1.0), top)
    if rng.random() < 0.5:
        return [joined(curve(begin, corner, corner, (corner[0] + 0.04, low)), curve((corner[0] + 0.04, low), (wide * 0.6, low), stem), line(stem, (stem[0] + foot, 0)))]
    return [line(begin, corner, (wide + rng.uniform(0, 0.15), low + rng.uniform(-0.03, 0.08))), line(stem, (stem[0] + foot, rng.uniform(-0.08, 0.04)))]


def _nine(rng: random.Random) -> list:
    """With a tail that curls, like a g."""
    wide, bowl = rng.uniform(0.3, 0.46), rng.uniform(0.4, 0.56)
    head = joined(curve((wide, 0.72), (wide * 0.7, 0.92), (0, 0.9), (0, (bowl + 0.85) / 2)), curve((0, (bowl + 0.85) / 2), (0, bowl - 0.06), (wide * 0.8, bowl - 0.04), (wide, 0.75)))
    curl, lean = rng.uniform(0, 0.16), rng.uniform(-0.08, 0.06)
    return [joined(head, curve((wide, 0.75), (wide + 0.03, 0.4), (wide + lean, -0.12 - curl), (rng.uniform(-0.05, 0.12), rng.uniform(0.0, 0.1))))]


def _seven(rng: random.Random) -> list:
    strokes = [line((0, rng.uniform(0.68, 0.82)), (0.03, 0.83), (rng.uniform(0.4, 0.55), 0.82), (rng.uniform(0.1, 0.25), 0))]
    return [*strokes, line((0.12, rng.uniform(0.36, 0.44)), (0.44, rng.uniform(0.38, 0.48)))]


def _capital_f(rng: random.Random) -> list:
    return [line((0.06, 0), (0.08, 0.84)), line((rng.uniform(-0.08, 0.06), 0.85), (0.55, 0.84)), line((0.07, 0.45), (rng.uniform(0.3, 0.45), 0.46))]


def _angular_c(rng: random.Random) -> list:
    deep = rng.uniform(0.0, 0.16)
    return [joined(curve((0.4, 0.42), (0.34, 0.56), (0.12, 0.58), (0.04, 0.36 - deep)), curve((0.04, 0.36 - deep), (-0.05, 0.06), (0.1, -0.05), (rng.uniform(0.34, 0.5), rng.uniform(-0.02, 0.1))))]


#: Letters and digits that a hand has in one of these forms or not at all (`SCHOOL_SHARE`).
SCHOOL_FORMS = {
    "1": [_one], "2": [_two], "4": [_four], "7": [_seven], "9": [_nine], "c": [_angular_c], "F": [_capital_f],
    "m": [_arches(2)], "n": [_arches(1)], "x": [_arcs_x, _slanted_x, _slanted_x, _crossed_x], "z": [_z],
}  # fmt: skip
