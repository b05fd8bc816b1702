"""What people write into exercise books, as tokens: equations to solve, steps, values, sets, textbooks' formulas."""

import json
import random

from drawing.vocabulary import DIGITS
from settings import prepared_dir

_UNKNOWNS = "xxxxxxyyzntab"
_LETTERS = set("abcdfghkmnpqrstuvxyz")
_SCIENCE = "abcdhkmnpqrstuvwxyzkmrtvxyABCEFGHIKLMNPQRSTUVW"
_PAIRS = "at ax ab ac bx by ct cT dx Fd Fs gh gt hf IR It kt kx kT mg ma mv mc mx nx nk pV Pt PQ qE qU rt RT UI vt xy".split()
#: Words that stand in formulas, such as P(not A): in five languages, now and then in capitals.
_WORDS = "no not NO NOT NON or and não NÃO ou nicht oder und non no y o et ou pas oui yes".split()
_RELATIONS = ["="] * 10 + ["<", ">", "\\leq", "\\geq"]
_ARROWS = ["\\Rightarrow", "\\Rightarrow", "\\to", "\\therefore", "\\Leftrightarrow"]


def textbook_formulas() -> list:
    """Token lists that `prepare.py` took from the textbooks; empty without them."""
    path = prepared_dir() / "formulas.json"
    return [line.split(" ") for line in json.loads(path.read_text())] if path.is_file() else []


def varied(tokens: list, rng: random.Random) -> list:
    """The formula with other digits, and now and then with another letter for each letter."""
    swaps: dict = {}
    if rng.random() < 0.35:
        letters = sorted(_LETTERS & set(tokens))
        swaps = dict(zip(letters, rng.sample(sorted(_LETTERS), len(letters))))
    change = 0.5 if rng.random() < 0.8 else 0.0
    return [rng.choice(DIGITS[1:]) if t in DIGITS and rng.random() < change else swaps.get(t, t) for t in tokens]


def _number(rng: random.Random) -> list:
    r = rng.random()
    size = 9 if r < 0.6 else 99 if r < 0.92 else 999
    out = list(str(rng.randint(1, size)))
    if rng.random() < 0.1:
        out += [rng.choice(".,"), *rng.choices(DIGITS, k=rng.choice([1, 1, 2]))]
    return out


def _fraction(top: list, bottom: list) -> list:
    return ["\\frac{", *top, "}{", *bottom, "}"]


def _term(rng: random.Random, unknown: str) -> list:
    power = [unknown] if rng.random() < 0.7 else [unknown, "^{", rng.choice("2222334n"), "}"]
    r = rng.random()
    if r < 0.55:
        return [*(_number(rng) if rng.random() < 0.75 else []), *power]
    if r < 0.63:
        return _fraction([*(_number(rng) if rng.random() < 0.4 else []), *power], _number(rng))
    if r < 0.68:
        return [*_fraction(_number(rng), _number(rng)), *(power if rng.random() < 0.6 else [])]
    if r < 0.72:
        return ["\\sqrt{", *(power if rng.random() < 0.5 else _number(rng)), "}"]
    return _number(rng)


def _side(rng: random.Random, unknown: str, terms: int) -> list:
    out = ["-"] if rng.random() < 0.15 else []
    for k in range(terms):
        out += [rng.choice("+-")] if k else []
        if rng.random() < 0.1:
            out += [*(_number(rng) if rng.random() < 0.8 else []), "(", *_term(rng, unknown), rng.choice("+-"), *_number(rng), ")"]
            if rng.random() < 0.3:
                out += ["^{", rng.choice("223"), "}"]
        else:
            out += _term(rng, unknown)
    return out


def _equation(rng: random.Random) -> list:
    unknown = rng.choice(_UNKNOWNS)
    right = _number(rng) if rng.random() < 0.6 else _side(rng, unknown, rng.randint(1, 2))
    return [*_side(rng, unknown, rng.randint(1, 3)), rng.choice(_RELATIONS), *(["-"] if rng.random() < 0.15 else []), *right]


def _value(rng: random.Random) -> list:
    """Such as x = 5 or x_{1} = -\\frac{3}{2}."""
    index = ["_{", rng.choice("12"), "}"] if rng.random() < 0.25 else ["^{", "\\prime", "}"] if rng.random() < 0.05 else []
    value = _fraction(_number(rng), _number(rng)) if rng.random() < 0.3 else _number(rng)
    return [rng.choice(_UNKNOWNS), *index, rng.choice(_RELATIONS), *(["-"] if rng.random() < 0.25 else []), *value]


def _arithmetic(rng: random.Random) -> list:
    """Such as 3 \\cdot 4 - \\frac{1}{2} = 11."""
    out = []
    for k in range(rng.randint(2, 4)):
        out += [rng.choice(["+", "-", "+", "-", "\\cdot", "\\times", "\\div", "/"])] if k else []
        out += _fraction(_number(rng), _number(rng)) if rng.random() < 0.25 else _number(rng)
        if rng.random() < 0.12:
            out += ["^{", rng.choice("2234"), "}"]
    return [*out, "=", *_number(rng)] if rng.random() < 0.6 else out


def _roots(rng: random.Random) -> list:
    """The formula of the quadratic equation, general or with numbers, and its discriminant."""
    a, b, c, d = _number(rng), _number(rng), _number(rng), _number(rng)
    r = rng.random()
    if r < 0.35:
        return [rng.choice("xxy"), "=", *_fraction([*(["-"] if rng.random() < 0.7 else []), *b, "\\pm", "\\sqrt{", *d, "}"], [*a, *(["\\cdot", *c] if rng.random() < 0.3 else [])])]
    if r < 0.5:
        return ["x", "=", *_fraction([*(["-"] if rng.random() < 0.5 else []), *b, "\\pm", *c], a)]
    if r < 0.6:
        return ["x", "=", *_fraction(["-", "b", "\\pm", "\\sqrt{", "b", "^{", "2", "}", "-", "4", "a", "c", "}"], ["2", "a"])]
    name = ["\\Delta"] if rng.random() < 0.7 else ["D"]
    if r < 0.7:
        return [*name, "=", "b", "^{", "2", "}", "-", "4", *(["\\cdot"] if rng.random() < 0.3 else []), "a", "c"]
    minus = rng.choice("+-")
    return [*name, "=", *b, *(["^{", "2", "}"] if rng.random() < 0.5 else []), minus, *c, *(["\\cdot", *a, "\\cdot", *d] if rng.random() < 0.4 else ["=", *d] if rng.random() < 0.6 else [])]


def _definition(rng: random.Random) -> list:
    """Such as f(x) = 3x - 2, f(2) = 4, f'(x) = 6x."""
    unknown = rng.choice("xxxxtn")
    prime = ["^{", "\\prime", "}"] if rng.random() < 0.15 else []
    inside = [unknown] if rng.random() < 0.65 else _number(rng)
    return [rng.choice("fffgghPVA"), *prime, "(", *inside, ")", "=", *_side(rng, unknown, rng.randint(1, 3))]


def _set(rng: random.Random) -> list:
    """Such as S = \\{2, 3\\} or x \\in [1, 4)."""
    a, b = ([*(["-"] if rng.random() < 0.25 else []), *_number(rng)] for _ in range(2))
    comma = rng.choice([",", ",", ";"])
    if rng.random() < 0.6:
        return [rng.choice("SSALDV"), "=", "\\{", *a, comma, *b, *([comma, *_number(rng)] if rng.random() < 0.3 else []), "\\}"]
    return ["x", "\\in", rng.choice("[("), *a, comma, *rng.choice([b, ["\\infty"], ["+", "\\infty"]]), rng.choice("])")]


def _analysis(rng: random.Random) -> list:
    """Derivatives, integrals, limits, logarithms, trigonometry, sums."""
    v, r = rng.choice("xxxxt"), rng.random()
    side = _side(rng, v, rng.randint(1, 2))
    if r < 0.16:
        dot = ["\\cdot"] if rng.random() < 0.3 else []
        return [*_fraction(["d"] if rng.random() < 0.6 else ["d", "y"], ["d", v]), *dot, "(", *side, ")", "=", *_side(rng, v, rng.randint(1, 2))]
    if r < 0.4:
        limits = ["_{", *_number(rng), "}", "^{", *_number(rng), "}"] if rng.random() < 0.5 else []
        body = ["(", *side, ")"] if rng.random() < 0.3 else side
        return ["\\int", *limits, *body, "d", v, *(["=", *_side(rng, v, 2), *(["+", rng.choice("Cc")] if not limits else [])] if rng.random() < 0.5 else [])]
    if r < 0.55:
        return ["\\lim", "_{", v, "\\to", *rng.choice([["\\infty"], ["0"], _number(rng)]), "}", *rng.choice([side, _fraction(side, _side(rng, v, 1))]), *(["=", *_number(rng)] if rng.random() < 0.5 else [])]
    if r < 0.7:
        base = ["_{", rng.choice("2345ab"), "}"] if rng.random() < 0.7 else []
        return [*(["\\log", *base] if rng.random() < 0.7 else ["\\ln"]), *rng.choice([_number(rng), [v], ["(", *side, ")"]]), "=", *_number(rng)]
    if r < 0.85:
        angle = rng.choice([["\\theta"], ["\\alpha"], [v], [*_number(rng), "^{", "\\circ", "}"], _fraction(["\\pi"], _number(rng)), ["2", v]])
        square = ["^{", "2", "}"] if rng.random() < 0.3 else []
        return [rng.choice(["\\sin", "\\cos", "\\tan"]), *square, *angle, *rng.choice([["=", *_fraction(_number(rng), _number(rng))], ["=", "\\frac{", "\\sqrt{", rng.choice("235"), "}", "}{", "2", "}"], ["+", "\\cos", *square, *angle, "=", "1"]])]
    index = rng.choice("nkij")
    return ["\\sum", "_{", index, "=", rng.choice("01"), "}", "^{", *rng.choice([["n"], ["\\infty"], _number(rng)]), "}", *rng.choice([[index], [index, "^{", "2", "}"], _fraction(["1"], [index, "^{", "2", "}"]), ["a", "_{", index, "}"]])]


def _measure(rng: random.Random) -> list:
    """Such as A = \\pi r^{2} = 12 cm^{2}, or (a+b)^{2} = a^{2} + 2ab + b^{2}."""
    r = rng.random()
    if r < 0.5:
        unit = rng.choice([["c", "m"], ["m"], ["k", "m"], ["k", "g"], ["s"], ["g"]])
        power = ["^{", rng.choice("23"), "}"] if unit[-1] == "m" and rng.random() < 0.5 else []
        return [rng.choice("AVPhrdvmtp"), "=", *rng.choice([_number(rng), [*_number(rng), rng.choice(["\\cdot", "\\times"]), *_number(rng), "=", *_number(rng)]]), *unit, *power]
    if r < 0.7:
        return [rng.choice("AVS"), "=", *rng.choice([["\\pi", "r", "^{", "2", "}"], ["2", "\\pi", "r"], _fraction(["b", "\\cdot", "h"], ["2"]), ["a", "\\cdot", "b"], [*_fraction(["4"], ["3"]), "\\pi", "r", "^{", "3", "}"]])]
    if r < 0.85:
        return [rng.choice("ac"), "^{", "2", "}", "=", rng.choice("bx"), "^{", "2", "}", "+", *rng.choice([["c"], ["b"], _number(rng)]), "^{", "2", "}"]
    event = [*rng.choice(_WORDS), *([rng.choice("ABE")] if rng.random() < 0.6 else [])] if rng.random() < 0.35 else [rng.choice("ABEX")]
    return ["P", "(", *event, *(rng.choice([["\\cap"], ["\\cup"], ["|"]]) + ["B"] if rng.random() < 0.3 else []), ")", "=", *_fraction(_number(rng), _number(rng)), *(["=", "0", rng.choice(".,"), *_number(rng)] if rng.random() < 0.3 else [])]


def _product(rng: random.Random, most: int) -> list:
    """Letters side by side, such as mv^{2} or -kt."""
    if most > 1 and rng.random() < 0.35:
        return list(rng.choice(_PAIRS))
    out: list = []
    for _ in range(rng.randint(1, most)):
        out.append(rng.choice(_SCIENCE) if rng.random() < 0.85 else f"\\{rng.choice(['lambda', 'omega', 'rho', 'alpha', 'mu', 'pi', 'Delta'])}")
        if rng.random() < 0.12:
            out += [rng.choice(["^{", "_{"]), rng.choice("2201"), "}"]
    return out


def _law(rng: random.Random) -> list:
    """Quantities by their letters: F = ma, s = \\frac{1}{2}at^{2}, y = Ae^{-kt}, kt = \\ln 2."""
    left = _product(rng, 1 if rng.random() < 0.6 else 2)
    r = rng.random()
    if r < 0.4:
        right = [*(_number(rng) if rng.random() < 0.25 else []), *_product(rng, 3)]
    elif r < 0.6:
        right = [*_fraction(_product(rng, 2) if rng.random() < 0.7 else _number(rng), _product(rng, 2) if rng.random() < 0.7 else _number(rng)), *(_product(rng, 2) if rng.random() < 0.4 else [])]
    elif r < 0.7:
        right = [*_product(rng, 1), rng.choice("+-"), *_product(rng, 2)]
    elif r < 0.82:
        right = [*(_product(rng, 1) if rng.random() < 0.8 else []), "e", "^{", *(["-"] if rng.random() < 0.6 else []), *_product(rng, 2), "}"]
    elif r < 0.92:
        right = [rng.choice(["\\ln", "\\log"]), *(_number(rng) if rng.random() < 0.7 else _product(rng, 1))]
    else:
        right = ["-", *_product(rng, 2)]
    return [*left, "=", *right]


_KINDS = ((_equation, 30), (_value, 14), (_arithmetic, 12), (_roots, 8), (_definition, 8), (_set, 5), (_analysis, 12), (_measure, 7), (_law, 9))


def exercise(rng: random.Random) -> list:
    """One formula, or a step: two of them joined by an arrow or a comma."""
    makers, shares = zip(*_KINDS)
    out = rng.choices(makers, shares)[0](rng)
    r = rng.random()
    if r < 0.08:
        return [rng.choice(_ARROWS), *out]
    if r < 0.16:
        return [*out, rng.choice(_ARROWS), *_value(rng)]
    if r < 0.22:
        return [*_value(rng), ",", *_value(rng)]
    if r < 0.25:
        return [*out, rng.choice(_ARROWS)]
    return out
