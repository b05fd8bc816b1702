"""Forms in which people write Greek letters and mathematical signs, of which there are hardly any drawings, or twenty.

As in `letter_forms.py`.
"""

import math
import random

import numpy as np

from drawing.letter_forms import oval, sheared
from drawing.symbols import arc, curve, joined, line

#: Share of hands that write a sign in one of these forms.
SIGN_SHARE = 0.55


def _dash(shortest: float, longest: float):
    def form(rng: random.Random) -> list:
        wide = math.exp(rng.uniform(math.log(shortest), math.log(longest)))
        y, sag = 0.35, rng.gauss(0, 0.03)
        return [curve((0, y), (wide * 0.3, y + sag), (wide * 0.7, y + rng.gauss(0, 0.03)), (wide, y + rng.gauss(0, 0.03)))]

    return form


def _plus(rng: random.Random) -> list:
    wide, high = rng.uniform(0.35, 0.75), rng.uniform(0.35, 0.75)
    x, y = wide * rng.uniform(0.35, 0.65), rng.uniform(-0.08, 0.08)
    low, top = 0.35 - high / 2, 0.35 + high / 2
    if rng.random() < 0.25:  # in one stroke
        return [joined(line((x, top), (x, low)), curve((x, low), (x - wide * 0.5, low), (-0.05, 0.3 + y)), line((-0.05, 0.3 + y), (wide, 0.37 + y)))]
    return [line((0, 0.35 + y), (wide, 0.35 + y)), line((x, top), (x + rng.gauss(0, 0.03), low))]


def _equals(rng: random.Random) -> list:
    wide, gap = rng.uniform(0.35, 0.8), rng.uniform(0.1, 0.3)
    offset = rng.gauss(0, 0.05)
    return [line((0, 0.35 + gap / 2), (wide, 0.35 + gap / 2)), line((offset, 0.35 - gap / 2), (wide * rng.uniform(0.8, 1.15), 0.35 - gap / 2))]


def _upright(shortest: float, longest: float):
    def form(rng: random.Random) -> list:
        high = rng.uniform(shortest, longest)
        lean = rng.gauss(0.02, 0.06)
        return [curve((0, 0.38 - high / 2), (lean + rng.gauss(0, 0.02), 0.38), (lean, 0.38 + high / 2))]

    return form


def _comma(rng: random.Random) -> list:
    high = rng.uniform(0.12, 0.32)
    return [curve((rng.uniform(0.0, 0.12), 0.08), (rng.uniform(0.02, 0.12), 0.08 - high / 2), (0, 0.08 - high))]


def _infinity(rng: random.Random) -> list:
    first, second = rng.uniform(0.18, 0.3), rng.uniform(0.18, 0.3)
    high, other = rng.uniform(0.14, 0.24), rng.uniform(0.14, 0.24)
    begin = rng.uniform(0, 2 * math.pi)
    t = np.linspace(begin, begin + 2 * math.pi * (1 + rng.uniform(-0.06, 0.06)), 44)
    x, y = np.cos(t), np.sin(2 * t) * 0.95
    right = x > 0
    # in the middle, the right half's strokes may stay apart: some write it as two arcs
    return [np.stack([np.where(right, x * 2 * second, x * 2 * first) + 2 * first, 0.3 + np.where(right, y * other, y * high)], 1).astype(np.float32)]


def _open_infinity(rng: random.Random) -> list:
    """Left like an alpha: it begins and ends at the right, open."""
    wide, high = rng.uniform(0.55, 0.85), rng.uniform(0.34, 0.5)
    gap = rng.uniform(0.0, 0.12)
    loop = curve((wide, high - gap), (wide * 0.6, high + 0.1), (wide * 0.45, -0.1), (wide * 0.2, 0.02))
    back = joined(curve((wide * 0.2, 0.02), (-0.08, 0.08), (-0.08, high), (wide * 0.2, high)), curve((wide * 0.2, high), (wide * 0.45, high), (wide * 0.6, -0.1), (wide, gap)))
    return [joined(loop, back, curve((wide, gap), (wide + 0.14, high * 0.5), (wide, high - gap)))]


def _integral(rng: random.Random) -> list:
    high, wide = rng.uniform(1.0, 1.7), rng.uniform(0.2, 0.6)
    bow, hook = rng.uniform(0.3, 0.5), rng.uniform(0.05, 0.22)
    top, low = 0.4 + high / 2, 0.4 - high / 2
    return [
        joined(
            curve((wide, top - hook), (wide * 0.85, top + hook * 0.5), (wide * bow, top + hook * 0.3), (wide * 0.5, 0.4 + high * 0.2)),
            line((wide * 0.5, 0.4 + high * 0.2), (wide * 0.48, 0.4 - high * 0.2)),
            curve((wide * 0.48, 0.4 - high * 0.2), (wide * 0.45, low - hook * 0.4), (wide * 0.1, low - hook * 0.5), (0, low + hook)),
        )
    ]  # fmt: skip


def _sum(rng: random.Random) -> list:
    wide, top, low = rng.uniform(0.45, 0.9), rng.uniform(0.8, 1.05), rng.uniform(-0.25, 0.02)
    middle = (rng.uniform(0.25, 0.6) * wide, (top + low) / 2 + rng.gauss(0, 0.06))
    points = [(wide, top + rng.gauss(0, 0.03)), (0.04, top), middle, (0, low), (wide * rng.uniform(0.9, 1.1), low + rng.gauss(0, 0.04))]
    if rng.random() < 0.35:
        points.insert(0, (wide, top - rng.uniform(0.05, 0.16)))
    if rng.random() < 0.35:
        points.append((points[-1][0] + 0.02, low + rng.uniform(0.05, 0.18)))
    return [line(*points)] if rng.random() < 0.7 else [line(*points[:2]), line(*points[1:])]


def _order(flipped: bool):
    def form(rng: random.Random) -> list:
        wide, open_ = rng.uniform(0.35, 0.6), rng.uniform(0.4, 0.6)
        middle = 0.46 + rng.gauss(0, 0.03)
        strokes = [line((wide, middle + open_ / 2), (0, middle), (wide, middle - open_ / 2))]
        sloping = rng.random() < 0.4
        below = rng.uniform(0.08, 0.2)
        strokes.append(line((0.0, middle - below if sloping else middle - open_ / 2 - below), (wide, middle - open_ / 2 - below)))
        return [np.stack([wide - s[:, 0], s[:, 1]], 1).astype(np.float32) for s in strokes] if flipped else strokes

    return form


def _unequal(rng: random.Random) -> list:
    x, lean = rng.uniform(0.15, 0.4), rng.uniform(0.05, 0.28)
    return [*_equals(rng), line((x + lean, rng.uniform(0.62, 0.8)), (x - lean * 0.6, rng.uniform(-0.12, 0.08)))]


def _arrow(rng: random.Random) -> list:
    wide, head = rng.uniform(0.5, 1.5), rng.uniform(0.12, 0.26)
    shaft = line((0, 0.35), (wide, 0.35 + rng.gauss(0, 0.02)))
    ends = [(wide - head * rng.uniform(0.8, 1.3), 0.35 + head), (wide, 0.35), (wide - head * rng.uniform(0.8, 1.3), 0.35 - head)]
    if rng.random() < 0.4:
        return [joined(shaft, line((wide, 0.35), ends[0])), line((wide, 0.35), ends[2])]
    return [shaft, line(*ends)]


def _theta(rng: random.Random) -> list:
    rx, ry = rng.uniform(0.15, 0.4), rng.uniform(0.22, 0.46)
    lean = rng.uniform(-0.05, 0.25)
    y = ry + ry * rng.uniform(-0.25, 0.35)
    if rng.random() < 0.3:  # in one stroke
        return sheared([joined(arc(rx, ry, rx, ry, 180, 545, steps=26), curve((0, ry), (rx * 0.6, ry + 0.1), (rx * 1.2, ry - 0.1), (rx * rng.uniform(1.7, 2.3), ry + 0.06)))], lean)
    left, right = rx - rx * rng.uniform(0.55, 1.5), rx + rx * rng.uniform(0.55, 1.5)
    sag = rng.gauss(0, 0.05)
    return sheared([oval(rng, rx, ry, rx, ry, rng.uniform(40, 140)), curve((left, y), (rx * 0.8, y + sag), (rx * 1.2, y - sag), (right, y + rng.gauss(0, 0.03)))], lean)


def _alpha(rng: random.Random) -> list:
    wide, high = rng.uniform(0.45, 0.75), rng.uniform(0.4, 0.55)
    bow = rng.uniform(0.3, 0.5)
    return [
        joined(
            curve((wide, high), (wide * 0.75, high * 0.4), (wide * bow, -0.06), (wide * 0.22, 0.02)),
            curve((wide * 0.22, 0.02), (-0.08, 0.12), (-0.02, high), (wide * 0.28, high)),
            curve((wide * 0.28, high), (wide * 0.6, high), (wide * 0.62, -0.06), (wide * rng.uniform(0.9, 1.15), rng.uniform(-0.04, 0.1))),
        )
    ]  # fmt: skip


def _flat_alpha(rng: random.Random) -> list:
    """Drawn like a ribbon: long ends, which flare or run on, and a slanting loop."""
    wide, high, loop = rng.uniform(0.45, 0.7), rng.uniform(0.42, 0.6), rng.uniform(0.12, 0.24)
    cross = (wide * rng.uniform(0.45, 0.7), high * rng.uniform(0.35, 0.6))
    begin = (wide * rng.uniform(0.75, 1.2), high * rng.uniform(0.8, 1.15))
    end = (wide * rng.uniform(0.9, 1.5), rng.uniform(-0.08, 0.12))
    low = (wide * rng.uniform(0.1, 0.3), rng.uniform(-0.05, 0.05))
    return sheared([
        joined(
            curve(begin, cross, (low[0] + loop, low[1] - 0.02), low),
            curve(low, (-0.12, low[1] + 0.04), (-0.05, high * 0.95), (wide * 0.3, high * rng.uniform(0.8, 1.05))),
            curve((wide * 0.3, high * 0.95), (cross[0], high * 0.95), (cross[0] - 0.02, cross[1] * 0.2), end),
        )
    ], rng.uniform(-0.1, 0.5))  # fmt: skip


def _written_alpha(rng: random.Random) -> list:
    """Like an a or a d whose stem begins above: a bowl, and a stroke through its right side."""
    wide, high, rise = rng.uniform(0.32, 0.5), rng.uniform(0.4, 0.5), rng.uniform(0.0, 0.3)
    top = (wide + rng.uniform(0.05, 0.35), high + rise)
    end = (wide + rng.uniform(0.1, 0.35), rng.uniform(-0.06, 0.1))
    return [
        joined(
            curve(top, (wide * 0.95, high * 0.5), (wide * 0.6, -0.1), (wide * 0.3, 0.01)),
            curve((wide * 0.3, 0.01), (-0.1, 0.08), (-0.02, high * 1.05), (wide * 0.45, high)),
            curve((wide * 0.45, high), (wide * 0.9, high * 0.95), (wide * 0.7, -0.08), end),
        )
    ]


def _beta(rng: random.Random) -> list:
    stem, waist = rng.uniform(-0.35, -0.05), rng.uniform(0.38, 0.5)
    upper, lower = rng.uniform(0.25, 0.7), rng.uniform(0.3, 0.8)
    bows = joined(curve((0.06, rng.uniform(0.5, 0.75)), (0.1, 0.95), (upper * 1.3, 0.95), (upper, waist + 0.12)), curve((upper, waist + 0.12), (upper * 0.8, waist), (0.2, waist), (rng.uniform(0.1, 0.2), waist)), curve((0.15, waist), (lower * 1.5, waist + 0.06), (lower * 1.2, -0.1), (rng.uniform(0.06, 0.2), 0.02)))
    rise = line((rng.uniform(-0.06, 0.03), stem), (0.06, bows[0, 1]))
    return sheared([joined(rise, bows)] if rng.random() < 0.6 else [rise, bows], rng.uniform(0, 0.25))


def _gamma(rng: random.Random) -> list:
    low, wide = rng.uniform(-0.38, -0.2), rng.uniform(0.4, 0.6)
    loop = rng.uniform(0.03, 0.1)
    return [joined(curve((0, 0.44), (0.1, 0.6), (wide * 0.5, 0.3), (wide * 0.5, low + 0.1)), curve((wide * 0.5, low + 0.1), (wide * 0.5 + 0.02, low), (wide * 0.5 - loop, low), (wide * 0.5 - loop, low + 0.1)), curve((wide * 0.5 - loop, low + 0.1), (wide * 0.5, 0.1), (wide * 0.8, 0.3), (wide, 0.52)))]


def _delta(rng: random.Random) -> list:
    rx, ry = rng.uniform(0.17, 0.25), rng.uniform(0.2, 0.28)
    hook = rng.uniform(0.1, 0.3)
    return [joined(curve((rx + hook, 0.74), (rx + 0.05, 0.95), (rx - 0.25, 0.85), (rx - 0.05, 0.66)), curve((rx - 0.05, 0.66), (rx + 0.15, 0.5), (2 * rx, 0.4), (2 * rx, ry)), arc(rx, ry, rx, ry, 0, -330, steps=20))]


def _epsilon(rng: random.Random) -> list:
    wide = rng.uniform(0.3, 0.45)
    if rng.random() < 0.4:
        return [arc(wide * 0.6, 0.25, wide * 0.6, 0.26, 60, 300, steps=18), line((0.02, 0.26), (wide * 0.9, 0.26))]
    return [joined(curve((wide, 0.44), (wide * 0.6, 0.58), (-0.04, 0.5), (0.06, 0.34)), curve((0.06, 0.34), (0.1, 0.27), (0.2, 0.27), (wide * 0.7, 0.27)), curve((wide * 0.5, 0.27), (-0.08, 0.27), (-0.1, -0.02), (wide * 0.55, 0.0)), curve((wide * 0.55, 0.0), (wide * 0.8, 0.0), (wide, 0.04), (wide, 0.1)))]


def _lambda(rng: random.Random) -> list:
    wide, meet = rng.uniform(0.4, 0.6), rng.uniform(0.35, 0.6)
    hook = rng.uniform(0, 0.1)
    return [curve((0.02, 0.8 - hook), (0.12, 0.95), (wide * 0.55, 0.45), (wide, rng.uniform(-0.02, 0.08))), line((wide * (0.7 - meet * 0.45), meet), (0, 0))]


def _mu(rng: random.Random) -> list:
    wide, low = rng.uniform(0.34, 0.5), rng.uniform(-0.38, -0.18)
    return [joined(line((rng.uniform(-0.1, 0.02), low), (0.06, 0.5)), curve((0.05, 0.3), (0.06, -0.06), (wide * 0.7, -0.08), (wide, 0.28)), line((wide, 0.28), (wide + 0.02, 0.5)), line((wide + 0.02, 0.5), (wide, 0.1)), curve((wide, 0.1), (wide + 0.02, -0.02), (wide + 0.08, -0.02), (wide + 0.12, 0.06)))]


def _pi(rng: random.Random) -> list:
    wide, leg = rng.uniform(0.42, 0.7), rng.uniform(0.15, 0.32)
    over = rng.uniform(-0.02, 0.14)
    roof = curve((0 - over, 0.46 + rng.gauss(0, 0.03)), (wide * 0.2, 0.54), (wide * 0.6, 0.48), (wide + over, rng.uniform(0.44, 0.56)))
    left = curve((wide * leg, 0.5), (wide * leg, 0.2), (wide * (leg - 0.1), 0.02))
    foot = rng.uniform(-0.06, 0.14)
    right = curve((wide * (1 - leg), 0.5), (wide * (1 - leg), 0.2), (wide * (1 - leg), -0.04), (wide * (1 - leg) + foot, 0.02))
    if rng.random() < 0.3:  # legs and roof in one
        return [joined(left[::-1], line((wide * leg, 0.5), (wide * (1 - leg), 0.5)), right)]
    return [roof, left, right]


def _sigma(rng: random.Random) -> list:
    rx, ry = rng.uniform(0.17, 0.26), rng.uniform(0.2, 0.26)
    tail = rng.uniform(0.1, 0.35)
    if rng.random() < 0.5:
        return [joined(line((rx * 2 + tail, 2 * ry + rng.gauss(0, 0.03)), (rx, 2 * ry)), arc(rx, ry, rx, ry, 90, 440, steps=22))]
    return [joined(arc(rx, ry, rx, ry, 60, 430, steps=22), curve((rx * 1.3, 2 * ry), (rx * 1.6, 2 * ry + 0.03), (rx * 2 + tail, 2 * ry - 0.02)))]


def _phi(rng: random.Random) -> list:
    rx, ry = rng.uniform(0.18, 0.32), rng.uniform(0.17, 0.28)
    stem = line((rx + rng.uniform(0, 0.14), rng.uniform(0.6, 0.9)), (rx - rng.uniform(0, 0.12), rng.uniform(-0.35, -0.12)))
    return [oval(rng, rx, 0.26, rx, ry, rng.uniform(30, 150)), stem]


def _looped_phi(rng: random.Random) -> list:
    wide, low = rng.uniform(0.4, 0.6), rng.uniform(-0.38, -0.2)
    return [joined(curve((wide * 0.25, 0.5), (-0.12, 0.4), (-0.02, -0.04), (wide * 0.5, 0.02)), curve((wide * 0.5, 0.02), (wide * 1.1, 0.06), (wide * 1.1, 0.58), (wide * 0.75, 0.52)), curve((wide * 0.75, 0.52), (wide * 0.5, 0.46), (wide * 0.45, 0.1), (wide * 0.4, low)))]


def _omega(rng: random.Random) -> list:
    wide, inner = rng.uniform(0.5, 0.75), rng.uniform(0.2, 0.42)
    return [joined(curve((wide * 0.18, 0.5), (-0.08, 0.4), (-0.02, -0.05), (wide * 0.28, 0.0)), curve((wide * 0.28, 0.0), (wide * 0.46, 0.03), (wide * 0.46, inner * 0.6), (wide * 0.48, inner)), curve((wide * 0.48, inner), (wide * 0.5, inner * 0.5), (wide * 0.52, -0.02), (wide * 0.72, 0.0)), curve((wide * 0.72, 0.0), (wide * 1.08, 0.06), (wide * 1.08, 0.42), (wide * 0.84, 0.52)))]


def _rho(rng: random.Random) -> list:
    rx, ry = rng.uniform(0.16, 0.25), rng.uniform(0.2, 0.26)
    return sheared([joined(line((rng.uniform(-0.08, 0.02), rng.uniform(-0.36, -0.18)), (0.02, ry)), arc(rx + 0.02, ry, rx, ry, 180, -rng.uniform(120, 175), steps=20))], rng.uniform(0, 0.2))


def _tau(rng: random.Random) -> list:
    wide = rng.uniform(0.34, 0.55)
    return [curve((0, 0.42), (0.05, 0.54), (wide * 0.5, 0.5), (wide, rng.uniform(0.46, 0.54))), curve((wide * 0.5, 0.5), (wide * 0.45, 0.2), (wide * 0.4, -0.04), (wide * rng.uniform(0.5, 0.8), 0.03))]


def _partial(rng: random.Random) -> list:
    rx, ry = rng.uniform(0.17, 0.25), rng.uniform(0.2, 0.27)
    return [joined(curve((rng.uniform(0.0, 0.14), rng.uniform(0.66, 0.8)), (0.2, 0.95), (2 * rx + 0.1, 0.8), (2 * rx, ry)), arc(rx, ry, rx, ry, 0, -rng.uniform(310, 380), steps=22))]


def _element(rng: random.Random) -> list:
    wide, high = rng.uniform(0.3, 0.55), rng.uniform(0.24, 0.36)
    return [arc(wide, 0.33, wide, high, rng.uniform(70, 100), rng.uniform(260, 290), steps=18), line((0.02, 0.33 + rng.gauss(0, 0.03)), (wide * rng.uniform(0.8, 1.15), 0.33))]


#: Signs of which hardly any drawings are in the data (`SIGN_SHARE`).
SIGN_FORMS = {
    "-": [_dash(0.2, 2.2)], "+": [_plus], "=": [_equals], "|": [_upright(0.8, 1.7)], ",": [_comma],
    "\\leq": [_order(False)], "\\geq": [_order(True)], "\\neq": [_unequal], "\\to": [_arrow], "\\in": [_element],
    "\\infty": [_infinity, _infinity, _open_infinity], "\\int": [_integral], "\\sum": [_sum], "\\partial": [_partial],
    "\\alpha": [_alpha, _flat_alpha, _written_alpha], "\\beta": [_beta], "\\gamma": [_gamma], "\\delta": [_delta], "\\epsilon": [_epsilon],
    "\\varepsilon": [_epsilon], "\\theta": [_theta], "\\lambda": [_lambda], "\\mu": [_mu], "\\pi": [_pi], "\\sigma": [_sigma],
    "\\phi": [_phi], "\\varphi": [_looped_phi], "\\omega": [_omega], "\\rho": [_rho], "\\tau": [_tau],
}  # fmt: skip
