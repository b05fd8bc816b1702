"""What the product must know of the model of printed signs besides its weights."""

import numpy as np

from settings import training_dir
from signs import SIGNS


def about() -> dict:
    """Each output's meaning and its measures; see `measures`."""
    return {"signs": [{"face": sign.face, "text": sign.text} for sign in SIGNS], "measures": measures()}


def measures() -> list:
    """
    Measures by typeface, then style (text, script), then sign, in x-heights of that typeface and style: the ink's left,
    top, width and height, the advance, and how much ink it is (the area that it covers); None if the typeface lacks the sign.
    """
    data = np.load(training_dir() / "print" / "masters.npz")
    ink = data["ink"]
    typefaces = sorted({int(t) for t in data["about"][:, 6]})
    found: dict = {}
    end = 0
    for (k, x, left, top, width, style, typeface), (rows, columns) in zip(data["about"], data["sizes"]):
        unit = 72 / 600 / x
        start, end = end, end + int(rows) * int(columns)
        # the first of a style and typeface is the plain one; the others are larger delimiters
        key = (typefaces.index(int(typeface)), int(style == 1), int(k))
        if key not in found:
            covered = ink[start:end].sum() / 255 * unit * unit
            found[key] = [round(float(v), 2) for v in (left, top, columns * unit, rows * unit, width)] + [round(float(covered), 3)]
    return [[[found.get((t, style, k)) for k in range(len(SIGNS))] for style in (0, 1)] for t in range(len(typefaces))]
