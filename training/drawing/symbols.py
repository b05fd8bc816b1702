"""Shapes of characters and symbols: drawn templates, Hershey strokes, names in the detypify set.

Shapes are in em: baseline y = 0, x-height about 0.5, capitals 0.85, descenders down to -0.32.
The templates are our own drawings; they are used where there are few real strokes, and give every
symbol's vertical position on the line.
"""

import string
from pathlib import Path

import numpy as np

_ASCENDING = set("bdfhklt" + string.ascii_uppercase + string.digits + "ß&%#$€£?!")
_DESCENDING = set("gpqy")


def line(*points) -> np.ndarray:
    return np.array(points, np.float32)


def curve(*points, steps: int = 12) -> np.ndarray:
    """Bézier curve through its control points (three or four of them)."""
    p = np.array(points, np.float32)
    t = np.linspace(0, 1, steps, dtype=np.float32)[:, None]
    while len(p) > 1 and p.ndim == 2:
        p = p[:-1, None] * (1 - t) + p[1:, None] * t if p.ndim == 2 else p
    while p.ndim == 3 and len(p) > 1:
        p = p[:-1] * (1 - t) + p[1:] * t
    return p[0]


def arc(x: float, y: float, rx: float, ry: float | None = None, start=0.0, end=360.0, steps=16) -> np.ndarray:
    a = np.radians(np.linspace(start, end, steps))
    return np.stack([x + rx * np.cos(a), y + (rx if ry is None else ry) * np.sin(a)], 1).astype(np.float32)


def _dot(x: float, y: float) -> np.ndarray:
    return arc(x, y, 0.018, steps=5)


def _mirror(strokes: list) -> list:
    right = max(s[:, 0].max() for s in strokes)
    return [np.stack([right - s[:, 0], s[:, 1]], 1) for s in strokes]


def joined(*curves) -> np.ndarray:
    return np.concatenate(curves)


_EQUAL = [line((0, 0.25), (0.55, 0.25)), line((0, 0.45), (0.55, 0.45))]
_MINUS = line((0, 0.35), (0.52, 0.35))
_LESS = line((0.5, 0.65), (0, 0.37), (0.5, 0.08))
_SUBSET = joined(line((0.55, 0.62), (0.3, 0.62)), arc(0.3, 0.35, 0.27, start=90, end=270), line((0.3, 0.08), (0.55, 0.08)))
_WAVE = joined(curve((0, 0.38), (0.12, 0.56), (0.2, 0.5), (0.3, 0.42)), curve((0.3, 0.42), (0.4, 0.3), (0.48, 0.34), (0.58, 0.5)))
_INTEGRAL = joined(
    curve((0.52, 1.12), (0.42, 1.3), (0.28, 1.18), (0.26, 0.9)),
    curve((0.26, 0.9), (0.24, 0.5), (0.25, 0.2), (0.22, -0.1)),
    curve((0.22, -0.1), (0.19, -0.4), (0.06, -0.42), (0, -0.24)),
)
_ARROW = [line((0, 0.35), (0.85, 0.35)), line((0.65, 0.54), (0.85, 0.35), (0.65, 0.17))]
_DOUBLE_ARROW = [line((0, 0.27), (0.72, 0.27)), line((0, 0.43), (0.72, 0.43)), line((0.6, 0.63), (0.88, 0.35), (0.6, 0.08))]
_BRACE = joined(curve((0.3, 0.95), (0.08, 0.95), (0.22, 0.48), (0.02, 0.39)), curve((0.02, 0.39), (0.22, 0.3), (0.06, -0.16), (0.3, -0.16)))
_CUP = joined(line((0, 0.65), (0, 0.3)), arc(0.25, 0.3, 0.25, start=180, end=360), line((0.5, 0.3), (0.5, 0.65)))
_CIRCLE = arc(0.3, 0.35, 0.3)

TEMPLATES = {
    "+": [line((0, 0.35), (0.6, 0.35)), line((0.3, 0.05), (0.3, 0.65))],
    "-": [_MINUS],
    "–": [line((0, 0.33), (0.6, 0.33))],
    "—": [line((0, 0.33), (0.95, 0.33))],
    "=": _EQUAL,
    "<": [_LESS],
    ">": _mirror([_LESS]),
    "\\leq": [line((0.5, 0.75), (0, 0.48), (0.5, 0.22)), line((0, 0.02), (0.5, 0.02))],
    "\\geq": _mirror([line((0.5, 0.75), (0, 0.48), (0.5, 0.22)), line((0, 0.02), (0.5, 0.02))]),
    "\\neq": [*_EQUAL, line((0.42, 0.7), (0.15, 0.02))],
    "\\equiv": [line((0, 0.15), (0.55, 0.15)), line((0, 0.35), (0.55, 0.35)), line((0, 0.55), (0.55, 0.55))],
    "\\times": [line((0, 0.08), (0.46, 0.58)), line((0, 0.58), (0.46, 0.08))],
    "\\div": [_MINUS, _dot(0.26, 0.55), _dot(0.26, 0.14)],
    "\\pm": [line((0, 0.4), (0.5, 0.4)), line((0.25, 0.15), (0.25, 0.68)), line((0, 0.02), (0.5, 0.02))],
    "\\mp": [line((0, 0.35), (0.5, 0.35)), line((0.25, 0.6), (0.25, 0.08)), line((0, 0.68), (0.5, 0.68))],
    "\\cdot": [_dot(0.04, 0.34)],
    "•": [arc(0.08, 0.35, 0.07), arc(0.08, 0.35, 0.03)],
    "·": [_dot(0.04, 0.34)],
    "\\ldots": [_dot(0.05, 0.03), _dot(0.3, 0.03), _dot(0.55, 0.03)],
    "\\cdots": [_dot(0.05, 0.34), _dot(0.3, 0.34), _dot(0.55, 0.34)],
    "\\vdots": [_dot(0.05, 0.02), _dot(0.05, 0.34), _dot(0.05, 0.66)],
    "\\to": _ARROW,
    "\\leftarrow": _mirror(_ARROW),
    "\\leftrightarrow": [*_ARROW, line((0.2, 0.54), (0, 0.35), (0.2, 0.17))],
    "\\mapsto": [*_ARROW, line((0, 0.52), (0, 0.18))],
    "\\longrightarrow": [s * (1.5, 1) for s in _ARROW],
    "\\Rightarrow": _DOUBLE_ARROW,
    "\\Leftarrow": _mirror(_DOUBLE_ARROW),
    "\\Leftrightarrow": [line((0.15, 0.27), (0.85, 0.27)), line((0.15, 0.43), (0.85, 0.43)), line((0.75, 0.63), (1, 0.35), (0.75, 0.08)), line((0.25, 0.63), (0, 0.35), (0.25, 0.08))],
    "\\uparrow": [line((0.2, -0.1), (0.2, 0.85)), line((0, 0.62), (0.2, 0.85), (0.4, 0.62))],
    "\\downarrow": [line((0.2, 0.85), (0.2, -0.1)), line((0, 0.12), (0.2, -0.1), (0.4, 0.12))],
    "\\infty": [joined(arc(0.22, 0.32, 0.22, 0.18, 0, 360), arc(0.66, 0.32, 0.22, 0.18, 180, 540))],
    "\\int": [_INTEGRAL],
    "\\iint": [_INTEGRAL, _INTEGRAL + (0.3, 0)],
    "\\oint": [_INTEGRAL, arc(0.26, 0.4, 0.17)],
    "\\sum": [line((0.75, 0.93), (0.05, 1.0), (0.45, 0.4), (0, -0.2), (0.8, -0.16))],
    "\\prod": [line((0, 0.95), (0.82, 0.95)), line((0.16, 0.95), (0.16, -0.15)), line((0.66, 0.95), (0.66, -0.15))],
    "\\partial": [joined(curve((0.12, 0.8), (0.4, 1.0), (0.55, 0.5), (0.4, 0.1)), curve((0.4, 0.1), (0.25, -0.15), (-0.05, 0.1), (0.05, 0.3)), curve((0.05, 0.3), (0.15, 0.55), (0.4, 0.45), (0.45, 0.3)))],
    "\\in": [arc(0.35, 0.35, 0.33, start=70, end=290), line((0.02, 0.35), (0.42, 0.35))],
    "\\notin": [arc(0.35, 0.35, 0.33, start=70, end=290), line((0.02, 0.35), (0.42, 0.35)), line((0.45, 0.8), (0.1, -0.1))],
    "\\forall": [line((0, 0.8), (0.3, 0), (0.6, 0.8)), line((0.12, 0.45), (0.48, 0.45))],
    "\\exists": [line((0.05, 0.8), (0.5, 0.8), (0.5, 0), (0, 0)), line((0.08, 0.4), (0.5, 0.4))],
    "\\cup": [_CUP],
    "\\cap": [_CUP * (1, -1) + (0, 0.7)],
    "\\vee": [line((0, 0.65), (0.27, 0.05), (0.54, 0.65))],
    "\\wedge": [line((0, 0.05), (0.27, 0.65), (0.54, 0.05))],
    "\\subset": [_SUBSET],
    "\\supset": _mirror([_SUBSET]),
    "\\subseteq": [_SUBSET * (1, 0.8) + (0, 0.15), line((0, 0), (0.55, 0))],
    "\\supseteq": _mirror([_SUBSET * (1, 0.8) + (0, 0.15), line((0, 0), (0.55, 0))]),
    "\\approx": [_WAVE + (0, 0.1), _WAVE - (0, 0.12)],
    "\\sim": [_WAVE - (0, 0.05)],
    "\\simeq": [_WAVE + (0, 0.1), line((0, 0.15), (0.58, 0.15))],
    "\\cong": [_WAVE + (0, 0.22), line((0, 0.32), (0.58, 0.32)), line((0, 0.12), (0.58, 0.12))],
    "\\propto": [joined(curve((0.6, 0.55), (0.4, 0.5), (0.35, 0.1), (0.15, 0.15)), curve((0.15, 0.15), (-0.05, 0.2), (-0.05, 0.5), (0.15, 0.52)), curve((0.15, 0.52), (0.35, 0.55), (0.4, 0.15), (0.6, 0.12)))],
    "\\nabla": [line((0, 0.8), (0.65, 0.8), (0.32, 0), (0, 0.8))],
    "\\emptyset": [arc(0.25, 0.4, 0.25, 0.38), line((0.5, 0.9), (0, -0.1))],
    "\\theta": [arc(0.22, 0.42, 0.22, 0.43, 90, 450), line((0.02, 0.42), (0.42, 0.42))],
    "\\phi": [arc(0.25, 0.25, 0.25, 0.24, 90, 450), line((0.3, 0.85), (0.2, -0.3))],
    "\\circ": [arc(0.1, 0.35, 0.1)],
    "°": [arc(0.09, 0.75, 0.09)],
    "\\prime": [line((0.1, 0.95), (0, 0.62))],
    "\\oplus": [_CIRCLE, line((0, 0.35), (0.6, 0.35)), line((0.3, 0.05), (0.3, 0.65))],
    "\\otimes": [_CIRCLE, line((0.08, 0.14), (0.52, 0.56)), line((0.08, 0.56), (0.52, 0.14))],
    "\\perp": [line((0, 0), (0.6, 0)), line((0.3, 0), (0.3, 0.75))],
    "\\parallel": [line((0, -0.1), (0, 0.85)), line((0.2, -0.1), (0.2, 0.85))],
    "\\angle": [line((0.5, 0.65), (0, 0), (0.6, 0))],
    "\\neg": [line((0, 0.45), (0.55, 0.45), (0.55, 0.15))],
    "\\therefore": [_dot(0.05, 0.05), _dot(0.45, 0.05), _dot(0.25, 0.42)],
    "\\ll": [_LESS, _LESS + (0.3, 0)],
    "\\gg": [s + (x, 0) for x in (0, 0.3) for s in _mirror([_LESS])],
    "\\langle": [line((0.22, 0.95), (0, 0.4), (0.22, -0.15))],
    "\\rangle": [line((0, 0.95), (0.22, 0.4), (0, -0.15))],
    "\\lfloor": [line((0, 0.95), (0, -0.15), (0.2, -0.15))],
    "\\rfloor": [line((0.2, 0.95), (0.2, -0.15), (0, -0.15))],
    "\\lceil": [line((0.2, 0.95), (0, 0.95), (0, -0.15))],
    "\\rceil": [line((0, 0.95), (0.2, 0.95), (0.2, -0.15))],
    "(": [curve((0.2, 0.95), (-0.05, 0.65), (-0.05, 0.15), (0.2, -0.2))],
    ")": [curve((0, 0.95), (0.25, 0.65), (0.25, 0.15), (0, -0.2))],
    "[": [line((0.2, 0.95), (0, 0.95), (0, -0.15), (0.2, -0.15))],
    "]": [line((0, 0.95), (0.2, 0.95), (0.2, -0.15), (0, -0.15))],
    "\\{": [_BRACE],
    "\\}": _mirror([_BRACE]),
    "|": [line((0, 0.95), (0, -0.15))],
    "/": [line((0.36, 0.92), (0, -0.1))],
    "\\": [line((0, 0.92), (0.36, -0.1))],
    "!": [line((0.05, 0.85), (0.04, 0.25)), _dot(0.05, 0.03)],
    "'": [line((0.06, 0.92), (0, 0.7))],
    '"': [line((0.04, 0.92), (0, 0.7)), line((0.2, 0.92), (0.16, 0.7))],
    ",": [curve((0.06, 0.08), (0.1, -0.02), (0, -0.16))],
    ".": [_dot(0.03, 0.03)],
    ":": [_dot(0.03, 0.06), _dot(0.03, 0.42)],
    ";": [curve((0.06, 0.08), (0.1, -0.02), (0, -0.16)), _dot(0.05, 0.42)],
    "*": [line((0.2, 0.8), (0.2, 0.4)), line((0.02, 0.7), (0.38, 0.5)), line((0.38, 0.7), (0.02, 0.5))],
    "~": [_WAVE],
    "_": [line((0, -0.05), (0.5, -0.05))],
    "^": [line((0, 0.65), (0.18, 0.9), (0.36, 0.65))],
}

#: Combining mark (Unicode name part) to strokes around x = 0, y measured from the top of the letter.
ACCENT_MARKS = {
    "\u0301": [line((-0.05, 0.06), (0.1, 0.24))],
    "\u0300": [line((0.05, 0.06), (-0.1, 0.24))],
    "\u0302": [line((-0.13, 0.07), (0, 0.22), (0.13, 0.07))],
    "\u030c": [line((-0.13, 0.22), (0, 0.07), (0.13, 0.22))],
    "\u0308": [_dot(-0.1, 0.14), _dot(0.1, 0.14)],
    "\u0303": [curve((-0.17, 0.08), (-0.05, 0.3), (0.05, -0.02), (0.17, 0.2))],
    "\u030a": [arc(0, 0.15, 0.08)],
    "\u0306": [arc(0, 0.22, 0.13, 0.14, 180, 360)],
    "\u0307": [_dot(0, 0.14)],
    "\u030b": [line((-0.08, 0.06), (0.0, 0.24)), line((0.07, 0.06), (0.16, 0.24))],
    "\u0327": [curve((0, 0), (0.1, -0.1), (0.08, -0.25), (-0.08, -0.2))],
    "\u0328": [curve((0.1, 0.02), (-0.05, -0.1), (0.02, -0.25), (0.16, -0.18))],
    "\u0326": [line((0.03, -0.1), (-0.04, -0.26))],
}

DETYPIFY = {
    "alpha": "\\alpha", "beta": "\\beta", "gamma": "\\gamma", "delta": "\\delta", "epsilon": "\\varepsilon",
    "zeta": "\\zeta", "theta": "\\theta", "iota": "\\iota", "nu": "\\nu", "pi": "\\pi", "sigma": "\\sigma",
    "chi": "\\chi", "psi": "\\psi", "omega": "\\omega", "Delta": "\\Delta", "Lambda": "\\Lambda", "Xi": "\\Xi",
    "Pi": "\\Pi", "Sigma": "\\Sigma", "Upsilon": "\\Upsilon", "Phi": "\\Phi", "ohm": "\\Omega", "diff": "\\partial",
    "AA": "\\mathbb{A}", "DD": "\\mathbb{D}", "HH": "\\mathbb{H}", "KK": "\\mathbb{K}", "NN": "\\mathbb{N}",
    "QQ": "\\mathbb{Q}", "RR": "\\mathbb{R}", "TT": "\\mathbb{T}", "ZZ": "\\mathbb{Z}", "Im": "\\Im", "Re": "\\Re",
    "alef": "\\aleph", "approx": "\\approx", "angle": "\\angle", "arrow.b.stop": "\\bot", "arrow.l.r": "\\leftrightarrow",
    "arrow.r.double": "\\Rightarrow", "arrow.r.hook": "\\hookrightarrow", "arrow.l.double.long": "\\Leftarrow",
    "because": "\\because", "compose": "\\circ", "dagger": "\\dagger", "diameter": "\\emptyset", "emptyset": "\\emptyset",
    "nothing.rev": "\\emptyset", "div.circle": "\\odot", "divides": "\\mid", "divides.not": "\\nmid", "dots.h": "\\ldots",
    "dots.v": "\\vdots", "dots.down": "\\ddots", "eq.not": "\\neq", "equiv": "\\equiv", "eq.triple": "\\equiv",
    "forall": "\\forall", "gradient": "\\nabla", "gt.eq.slant": "\\geq", "in": "\\in", "in.rev": "\\ni",
    "infinity": "\\infty", "integral": "\\int", "integral.cont": "\\oint", "integral.triple": "\\iiint", "lt": "<",
    "lt.eq": "\\leq", "minus.plus": "\\mp", "models": "\\models", "not": "\\neg", "or.big": "\\vee",
    "parallel": "\\parallel", "plus": "+", "plus.minus": "\\pm", "minus": "-", "plus.circle.big": "\\oplus",
    "prec": "\\prec", "prop": "\\propto", "harpoons.rtlb": "\\rightleftharpoons", "harpoon.rt": "\\rightharpoonup",
    "sect.big": "\\cap", "sect": "\\cap", "star.op": "\\star", "subset": "\\subset", "subset.eq": "\\subseteq",
    "subset.eq.not": "\\nsubseteq", "subset.eq.sq": "\\sqsubseteq", "sum": "\\sum", "supset": "\\supset",
    "supset.eq": "\\supseteq", "tack.r": "\\vdash", "tack.l.short": "\\dashv", "tack.t.big": "\\bot", "tack.b.big": "\\top",
    "tilde.op": "\\sim", "tilde.eq": "\\simeq", "tilde.equiv": "\\cong", "times.circle": "\\otimes",
    "times.circle.big": "\\otimes", "union": "\\cup", "succ.tilde": "\\succ", "checkmark.light": "\\checkmark",
    "percent": "%", "section": "§", "euro": "€", "yen": "¥", "copyright": "©", "slash.big": "/", "colon": ":", "comma": ",",
    "semi": ";", "paren.l": "(", "paren.r": ")", "bracket.l": "[", "ast.low": "*", "bar.v": "|", "dash.em": "—",
    "dash.en": "–", "angle.r": "\\rangle", "triangle.stroked.t": "\\triangle", "square.stroked": "\\square",
    "diamond.stroked.dot": "\\diamond", "backslash": "\\", "quest.inv": "¿",
}  # fmt: skip

_GREEK_ORDER = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
).split()
#: The Hershey font draws these letters in their open forms.
_AS_DRAWN = {"epsilon": "varepsilon", "phi": "varphi", "theta": "vartheta"}
_GREEK_TALL = set("\\beta \\delta \\zeta \\theta \\lambda \\xi \\vartheta".split())
_GREEK_DEEP = set("\\gamma \\eta \\mu \\rho \\varrho \\chi \\varphi \\varsigma".split())


HERSHEY_FILES = ("greeks.jhf", "rowmans.jhf", "scripts.jhf")


def read_jhf(path: Path) -> list:
    """Reads a Hershey font file into glyphs, each a list of (n, 2) arrays: capitals 21 units high, baseline y = 0."""
    lines = path.read_text(encoding="latin-1").split("\n")
    glyphs, at = [], 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip():
            continue
        size = 2 * int(line[5:8])
        data = line[8:]
        while len(data) < size and at < len(lines):
            data += lines[at]
            at += 1
        strokes, current = [], []
        for k in range(2, size, 2):
            pair = data[k : k + 2]
            if pair == " R":
                strokes.append(current)
                current = []
            elif len(pair) == 2:
                current.append((ord(pair[0]) - ord("R"), 9 - (ord(pair[1]) - ord("R"))))
        strokes.append(current)
        glyphs.append([np.array(s, np.float32) for s in strokes if s])
    return glyphs


def hershey_shapes(folder: Path) -> dict:
    """{token: [variants]}: Greek letters and ASCII from the Hershey fonts, in em."""
    shapes: dict = {}

    def add(token: str, strokes: list) -> None:
        if strokes:
            left = min(s[:, 0].min() for s in strokes)
            shapes.setdefault(token, []).append([(s - (left, 0)) * (0.85 / 21) for s in strokes])

    glyphs = read_jhf(folder / "greeks.jhf")
    for k, letter in enumerate(_GREEK_ORDER):
        add(f"\\{_AS_DRAWN.get(letter, letter)}", glyphs[65 + k])
        add(f"\\{letter.capitalize()}", glyphs[33 + k])
    for name in ("rowmans", "scripts"):
        for k, strokes in enumerate(read_jhf(folder / f"{name}.jhf")[:95]):
            token = {"{": "\\{", "}": "\\}"}.get(chr(32 + k), chr(32 + k))
            if name == "rowmans" or token.isalpha():
                add(token, strokes)
    return shapes


def vertical_box(token: str, shapes: dict) -> tuple:
    """(y0, y1) in em: a token's vertical extent on its line."""
    if token in TEMPLATES:
        points = np.concatenate(TEMPLATES[token])
        return float(points[:, 1].min()), float(points[:, 1].max())
    if len(token) == 1:
        if token in _ASCENDING:
            return 0.0, 0.85
        if token in _DESCENDING:
            return -0.32, 0.52
        return {"i": (0.0, 0.78), "j": (-0.3, 0.78)}.get(token, (0.0, 0.52))
    if token in _GREEK_DEEP:
        return -0.3, 0.52
    if token in ("\\beta", "\\zeta", "\\xi", "\\phi", "\\psi"):
        return -0.28, 0.85
    if token in _GREEK_TALL or token[1:2].isupper() or token.startswith("\\mathbb"):
        return 0.0, 0.85
    if token in shapes:
        points = np.concatenate(shapes[token][0])
        return float(points[:, 1].min()), float(points[:, 1].max())
    return {"\\vdash": (0, 0.7), "\\models": (0, 0.7), "\\top": (0, 0.8), "\\bot": (0, 0.8)}.get(token, (0.05, 0.65))
