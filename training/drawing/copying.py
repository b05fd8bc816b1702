"""Writes given formulas: a list of tokens becomes ink in two dimensions, with the layout of `formulas.py`."""

from drawing.formulas import Box, Formulas
from drawing.vocabulary import DIGITS, FUNCTIONS

_WITH_LIMITS = {f"\\{n}" for n in "sum prod int iint oint bigcup bigcap lim max min sup inf".split()}
_BESIDE = {"\\int", "\\iint", "\\oint"}
_ACCENTS = {f"\\{n}{{": n for n in "bar overline hat vec dot tilde underline".split()}
_FENCES = {"(": ")", "[": "]", "\\{": "\\}", "\\langle": "\\rangle", "\\lfloor": "\\rfloor", "\\lceil": "\\rceil"}
_NAMES = {f"\\{n}": n for n in FUNCTIONS}
#: Content taller than this (in em) gets brackets that grow with it.
_TALL = 1.1


def copied(formulas: Formulas, tokens: list) -> Box:
    """The formula in the hand of `formulas`; KeyError or ValueError if it has a sign or form that cannot be drawn."""
    rng = formulas.rng
    box, end = _row(formulas, tokens, 0, rng.uniform(0.05, 0.3) if rng.random() < 0.7 else rng.uniform(0.3, 0.6))
    if end != len(tokens):
        raise ValueError(f"unexpected {tokens[end]}")
    return box


def _row(formulas: Formulas, tokens: list, at: int, gap: float) -> tuple[Box, int]:
    """What is written side by side from `at` to the end of the group, and the position of what ends it."""
    boxes = []
    while at < len(tokens) and tokens[at] not in ("}", "}{", "]{"):
        box, at = _item(formulas, tokens, at, gap)
        boxes.append(box)
    if not boxes:
        raise ValueError("empty group")
    return (formulas.row(boxes, gap) if len(boxes) > 1 else boxes[0]), at


def _group(formulas: Formulas, tokens: list, at: int, ends: str) -> tuple[Box, int]:
    """Content of a group that begins at `at`, and the position after its end."""
    box, at = _row(formulas, tokens, at, formulas.rng.uniform(0.05, 0.2))
    if at >= len(tokens) or tokens[at] != ends:
        raise ValueError(f"{ends} is missing")
    return box, at + 1


def _item(formulas: Formulas, tokens: list, at: int, gap: float) -> tuple[Box, int]:
    """A sign or structure with its index and exponent, and the position after them."""
    base, end = _base(formulas, tokens, at, gap)
    scripts: dict = {}
    while end < len(tokens) and tokens[end] in ("_{", "^{") and tokens[end] not in scripts:
        opener = tokens[end]
        scripts[opener], end = _group(formulas, tokens, end + 1, "}")
    if not scripts:
        return base, end
    low, high = scripts.get("_{"), scripts.get("^{")
    if tokens[at] in _WITH_LIMITS:
        beside = tokens[at] in _BESIDE or formulas.rng.random() < 0.15
        return formulas.with_limits(base, low, high, beside), end
    return formulas.script(base, low, high), end


def _base(formulas: Formulas, tokens: list, at: int, gap: float) -> tuple[Box, int]:
    token = tokens[at]
    if token in DIGITS:
        end = at + 1
        while end < len(tokens) and (tokens[end] in DIGITS or tokens[end] == "." and tokens[end + 1 : end + 2] and tokens[end + 1] in DIGITS):
            end += 1
        return formulas.letters(tokens[at:end]), end
    if token == "\\frac{":
        top, end = _group(formulas, tokens, at + 1, "}{")
        bottom, end = _group(formulas, tokens, end, "}")
        return formulas.fraction(top, bottom), end
    if token == "\\sqrt{":
        inside, end = _group(formulas, tokens, at + 1, "}")
        return formulas.root(inside), end
    if token == "\\sqrt[":
        degree, end = _group(formulas, tokens, at + 1, "]{")
        inside, end = _group(formulas, tokens, end, "}")
        return formulas.root(inside, degree), end
    if token in _ACCENTS:
        inside, end = _group(formulas, tokens, at + 1, "}")
        return formulas.accent(inside, _ACCENTS[token]), end
    if token in _FENCES:
        return _fenced(formulas, tokens, at, gap)
    if token in _NAMES:
        return formulas.letters(_NAMES[token], [token]), at + 1
    return formulas.symbol(token), at + 1


def _fenced(formulas: Formulas, tokens: list, at: int, gap: float) -> tuple[Box, int]:
    """A bracketed expression whose brackets grow with it; a bracket without a partner stays a sign."""
    opening, depth = tokens[at], 0
    for end in range(at, len(tokens)):
        depth += (tokens[end] == opening) - (tokens[end] == _FENCES[opening])
        if depth == 0:
            break
    else:
        return formulas.symbol(opening), at + 1
    try:
        inside, stop = _row(formulas, tokens[:end], at + 1, gap)
    except ValueError:
        return formulas.symbol(opening), at + 1
    if stop != end:
        return formulas.symbol(opening), at + 1
    if inside.high - inside.low > _TALL or formulas.rng.random() < 0.2:
        return formulas.fenced(inside, opening, _FENCES[opening]), end + 1
    return formulas.row([formulas.symbol(opening), inside, formulas.symbol(_FENCES[opening])], 0.08), end + 1
