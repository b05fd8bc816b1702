"""Random handwritten formulas: a small grammar, and a box layout that places ink and truth together."""

import random

import numpy as np

from drawing.glyphs import Glyphs, Hand, bend
from drawing.vocabulary import BLACKBOARD, GREEK

_LETTERS = "xyzabcnkmtijfgpqrsuvwdehl"
_CAPITALS = "ABCDEFGHKLMNPQRSTVXYZ"
_COMMON_GREEK = "alpha beta gamma delta varepsilon theta lambda mu pi rho sigma tau phi varphi psi omega Delta Omega Sigma Phi Gamma".split()
_RELATIONS = ["="] * 12 + ["<", ">", "\\leq", "\\geq", "\\neq", "\\approx", "\\equiv", "\\in", "\\to", "\\sim", "\\Rightarrow", "\\subset", "\\mapsto"]
_BINARY = ["+"] * 9 + ["-"] * 9 + ["\\cdot"] * 3 + ["\\times"] * 2 + ["\\pm", "/", "\\cup", "\\cap", "\\circ", ",", ",", "\\div"]
_RARE = (
    "\\ll \\gg \\propto \\simeq \\cong \\subseteq \\supset \\supseteq \\notin \\ni \\perp \\parallel \\mid \\wedge \\vee \\oplus \\otimes "
    "\\Leftarrow \\Leftrightarrow \\leftarrow \\leftrightarrow \\longrightarrow \\mp \\vdash \\models \\prec \\succ : ; ! \\ast \\star \\uparrow \\downarrow "
    "\\therefore \\neg \\hookrightarrow \\rightharpoonup \\rightleftharpoons \\nmid \\sqsubseteq \\odot \\bullet \\checkmark \\cdots \\mapsto"
).split()
_NULLARY = "\\infty \\infty \\infty \\partial \\nabla \\emptyset \\forall \\exists \\ldots \\cdots \\ell \\hbar \\angle \\prime \\top \\bot \\aleph \\Re \\Im \\triangle".split()
_WORDS = "sin cos tan log ln exp lim max min det arctan sinh cosh sup inf gcd dim ker arg sec cot".split()
_FENCES = [("(", ")")] * 8 + [("[", "]")] * 2 + [("\\{", "\\}"), ("|", "|"), ("\\langle", "\\rangle"), ("\\lfloor", "\\rfloor"), ("\\lceil", "\\rceil")]


class Box:
    """Ink with its truth: strokes in em (left edge 0, baseline 0) and their tokens."""

    __slots__ = ("strokes", "tokens", "width", "low", "high")

    def __init__(self, strokes: list, tokens: list, width: float | None = None):
        points = np.concatenate(strokes)
        self.strokes = strokes
        self.tokens = tokens
        self.width = float(points[:, 0].max()) if width is None else width
        self.low = float(points[:, 1].min())
        self.high = float(points[:, 1].max())

    def placed(self, x: float, y: float, scale: float = 1.0) -> list:
        """Returns its strokes, scaled, with the baseline's left end at (x, y)."""
        offset = np.float32([x, y])
        return [s * np.float32(scale) + offset for s in self.strokes]


class Formulas:
    """Writes random formulas with the shapes of `glyphs`; one instance serves one `Hand`."""

    def __init__(self, glyphs: Glyphs, hand: Hand):
        self.glyphs = glyphs
        self.hand = hand
        self.rng = hand.rng

    # -- layout

    def symbol(self, token: str) -> Box:
        """One symbol."""
        return Box(self.glyphs.draw(token, self.hand), [token])

    def row(self, boxes: list, gap: float = 0.1) -> Box:
        """Boxes side by side on one baseline."""
        x, strokes, tokens = 0.0, [], []
        drift = self.rng.gauss(0, self.hand.drift)
        for box in boxes:
            strokes += box.placed(x, x * drift + self.rng.gauss(0, self.hand.wobble))
            tokens += box.tokens
            x += box.width + gap * self.hand.spacing * self.rng.uniform(0.6, 1.6)
        return Box(strokes, tokens)

    def letters(self, text: str, tokens: list | None = None) -> Box:
        """Characters close together, as in a number or a function name."""
        box = self.row([self.symbol(c) for c in text], 0.07)
        box.tokens = tokens or list(text)
        return box

    def script(self, base: Box, sub: Box | None, sup: Box | None) -> Box:
        """Base with an index and an exponent; truth has the index first."""
        u, scale = self.rng.uniform, self.rng.uniform(*self.hand.script)
        strokes, tokens, x = list(base.strokes), list(base.tokens), base.width + 0.05 * u(0.2, 2.2)
        if sub is not None:
            strokes += sub.placed(x, min(base.low, 0) * 0.6 - u(0.12, 0.32) - max(sub.high * scale - 0.5, 0), scale)
            tokens += ["_{", *sub.tokens, "}"]
        if sup is not None:
            strokes += sup.placed(x, max(base.high * u(*self.hand.raised), 0.34) - min(sup.low, 0) * scale, scale)
            tokens += ["^{", *sup.tokens, "}"]
        return Box(strokes, tokens)

    def fraction(self, top: Box, bottom: Box) -> Box:
        """Stacked over a bar at the height of a minus sign."""
        u = self.rng.uniform
        scale, gap, axis = u(0.65, 1.0), u(0.06, 0.16), 0.34
        width = max(top.width, bottom.width) * scale + u(0.04, 0.3)
        bar = bend([np.float32([[0, 0], [width / 2, 0], [width, 0]])], 0.25, self.rng)
        strokes = [s * np.float32([1, 0.5]) + np.float32([0, axis]) for s in bar]
        strokes += top.placed((width - top.width * scale) / 2 + self.rng.gauss(0, 0.03), axis + gap - top.low * scale, scale)
        strokes += bottom.placed((width - bottom.width * scale) / 2 + self.rng.gauss(0, 0.03), axis - gap - bottom.high * scale, scale)
        return Box(strokes, ["\\frac{", *top.tokens, "}{", *bottom.tokens, "}"], width)

    def root(self, inside: Box, degree: Box | None = None) -> Box:
        """Radical sign around its radicand."""
        u = self.rng.uniform
        high, low = inside.high + u(0.07, 0.2), inside.low - u(0, 0.06)
        x = u(0.28, 0.45)
        middle = low + (high - low) * u(0.35, 0.55)
        sign = np.float32([(0, middle), (0.1, middle + 0.06), (x * 0.5, low), (x * 0.95, high), (x + inside.width + u(0, 0.15), high + self.rng.gauss(0, 0.04))])
        strokes = [sign + np.float32([self.rng.gauss(0, 0.01), 0]), *inside.placed(x + 0.04, 0)]
        tokens = ["\\sqrt{", *inside.tokens, "}"]
        if degree is not None:
            strokes += degree.placed(0.0, middle + 0.16, 0.45)
            tokens = ["\\sqrt[", *degree.tokens, "]{", *inside.tokens, "}"]
        return Box(strokes, tokens)

    def with_limits(self, sign: Box, low: Box | None, high: Box | None, beside: bool) -> Box:
        """A sum, integral or limit with its limits above and below, or at its ends."""
        scale, tokens = self.rng.uniform(0.45, 0.65), list(sign.tokens)
        strokes, width = list(sign.strokes), sign.width
        if low is not None:
            x = sign.width + 0.02 if beside else (sign.width - low.width * scale) / 2
            y = sign.low - 0.05 if beside else sign.low - 0.08 - low.high * scale
            strokes += low.placed(x, y, scale)
            tokens += ["_{", *low.tokens, "}"]
            width = max(width, x + low.width * scale)
        if high is not None:
            x = sign.width + 0.08 if beside else (sign.width - high.width * scale) / 2
            y = sign.high - 0.25 if beside else sign.high + 0.08 - high.low * scale
            strokes += high.placed(x, y, scale)
            tokens += ["^{", *high.tokens, "}"]
            width = max(width, x + high.width * scale)
        left = min(0.0, *(float(s[:, 0].min()) for s in strokes))
        return Box([s - np.float32([left, 0]) for s in strokes], tokens, width - left)

    def fenced(self, inside: Box, opening: str, closing: str) -> Box:
        """Delimiters that grow with their content."""
        def fit(token: str) -> Box:
            sign = self.symbol(token)
            height = max(inside.high - inside.low, 0.75) * self.rng.uniform(1.0, 1.25)
            tall = height / max(sign.high - sign.low, 0.1)
            middle = (inside.high + inside.low) / 2
            stretch = np.float32([max(0.8, min(tall, 1.5)), tall])
            offset = np.float32([0, middle - (sign.low + sign.high) / 2 * tall])
            return Box([s * stretch + offset for s in sign.strokes], [token])

        return self.row([fit(opening), inside, fit(closing)], 0.08)

    def ringed(self, inside: Box, tokens: list) -> Box:
        """Encircled by a single stroke that rarely closes."""
        u = self.rng.uniform
        middle = (inside.low + inside.high) / 2
        a, b = inside.width / 2 + u(0.12, 0.4), (inside.high - inside.low) / 2 + u(0.1, 0.35)
        angles = np.linspace(0, 6.28 + u(-0.4, 0.5), 24) + u(0, 6.28)
        ring = np.stack([a + a * np.cos(angles), middle + b * np.sin(angles)], 1).astype(np.float32)
        strokes = [*bend([ring], 0.4, self.rng), *inside.placed(a - inside.width / 2, 0)]
        return Box(strokes, tokens, 2 * a)

    def accent(self, base: Box, name: str) -> Box:
        """Bar, hat, arrow, dot or tilde over (or a line under) the base."""
        u, w = self.rng.uniform, max(base.width, 0.2)
        y = base.high + u(0.06, 0.16)
        shapes = {
            "bar": [(0, 0), (w, 0)], "overline": [(-0.03, 0), (w + 0.05, 0)], "hat": [(w / 2 - 0.16, 0), (w / 2, 0.14), (w / 2 + 0.16, 0)],
            "vec": [(-0.02, 0), (w + 0.06, 0), (w - 0.06, 0.09), (w + 0.06, 0), (w - 0.06, -0.08)], "dot": [(w / 2, 0), (w / 2 + 0.02, 0.02)],
            "tilde": [(w / 2 - 0.18, 0), (w / 2 - 0.08, 0.08), (w / 2 + 0.08, 0), (w / 2 + 0.18, 0.09)],
            "underline": [(-0.03, base.low - base.high - 0.2), (w + 0.04, base.low - base.high - 0.2)],
        }  # fmt: skip
        mark = bend([np.float32(shapes[name])], 0.3, self.rng)[0]
        x = float(min(p[0] for p in shapes[name]))
        return Box([*base.strokes, mark + np.float32([x, y])], [f"\\{name}{{", *base.tokens, "}"], base.width)

    # -- grammar

    def number(self) -> Box:
        """A number of a few digits, sometimes with a decimal mark."""
        rng = self.rng
        text = str(rng.randint(0, 9)) if rng.random() < 0.6 else "".join(rng.choice("0123456789") for _ in range(rng.randint(2, 4)))
        if rng.random() < 0.08:
            text += rng.choice(".,") + "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 2)))
        return self.letters(text)

    def variable(self) -> Box:
        """A letter, Latin or Greek."""
        r = self.rng.random()
        if r < 0.62:
            return self.symbol(self.rng.choice(_LETTERS if self.rng.random() < 0.6 else "xxyyzabntfk"))
        if r < 0.76:
            return self.symbol(self.rng.choice(_CAPITALS))
        if r < 0.97:
            name = self.rng.choice(_COMMON_GREEK if self.rng.random() < 0.8 else GREEK)
            token = f"\\{name}"
            return self.symbol(token if self.glyphs.has(token) else "\\alpha")
        token = self.rng.choice(BLACKBOARD)
        return self.symbol(token if self.glyphs.has(token) else "\\mathbb{R}")

    def atom(self, depth: int) -> Box:
        """A letter, number, constant or bracketed expression."""
        r = self.rng.random()
        if r < 0.5:
            return self.variable()
        if r < 0.78:
            return self.number()
        if r < 0.83:
            token = self.rng.choice(_NULLARY)
            return self.symbol(token) if self.glyphs.has(token) else self.variable()
        if depth > 0:
            return self.fenced(self.expression(depth - 1, self.rng.randint(1, 3)), *self.rng.choice(_FENCES))
        return self.variable()

    def big(self, depth: int) -> Box:
        """Sum, product or integral with limits and operand."""
        rng = self.rng
        token = rng.choice(["\\sum"] * 4 + ["\\int"] * 5 + ["\\prod", "\\oint", "\\iint"])
        sign = self.symbol(token)
        low = high = None
        if rng.random() < 0.75:
            low = self.row([self.symbol(rng.choice("ikjn")), self.symbol("="), self.symbol(rng.choice("01"))], 0.08) if rng.random() < 0.5 else self.atom(0)
            high = self.atom(0) if rng.random() < 0.8 else None
        beside = token in ("\\int", "\\oint", "\\iint") or rng.random() < 0.12
        head = self.with_limits(sign, low, high, beside)
        body = [head, self.term(depth - 1)]
        if token == "\\int" and rng.random() < 0.7:
            body.append(self.row([self.symbol("d"), self.symbol(rng.choice("xyztu"))], 0.06))
        return self.row(body, 0.14)

    def function(self, depth: int) -> Box:
        """A named function or limit applied to something."""
        rng = self.rng
        name = rng.choice(_WORDS)
        head = self.letters(name, [f"\\{name}"])
        if name in ("lim", "max", "min", "sup", "inf") and rng.random() < 0.8:
            under = self.row([self.symbol(rng.choice("xnhtk")), self.symbol("\\to"), self.symbol(rng.choice(["\\infty", "0", "a", "1"]))], 0.08)
            scale = rng.uniform(0.4, 0.6)
            x = max((head.width - under.width * scale) / 2, 0.0)
            strokes = [*head.strokes, *under.placed(x, -rng.uniform(0.08, 0.2) - under.high * scale, scale)]
            head = Box(strokes, [*head.tokens, "_{", *under.tokens, "}"])
        elif rng.random() < 0.15:
            head = self.script(head, None, self.atom(0))
        return self.row([head, self.atom(depth)], 0.14)

    def term(self, depth: int) -> Box:
        """One factor of a formula."""
        rng = self.rng
        r = rng.random()
        if depth > 0:
            if r < 0.17:
                return self.fraction(self.expression(depth - 1, rng.randint(1, 3)), self.expression(depth - 1, rng.randint(1, 2)))
            if r < 0.24:
                return self.root(self.expression(depth - 1, rng.randint(1, 3)), self.symbol(rng.choice("345n")) if rng.random() < 0.12 else None)
            if r < 0.32:
                return self.big(depth)
            if r < 0.39:
                return self.function(depth - 1)
            if r < 0.43:
                return self.accent(self.variable(), rng.choice("bar overline hat vec vec dot tilde underline".split()))
        box = self.atom(depth)
        r = rng.random()
        if depth < 0 and rng.random() < 0.85:  # scripts on scripts are rare
            return box
        if r < 0.2:
            return self.script(box, None, self.expression(-1, 1 if rng.random() < 0.75 else 2))
        if r < 0.33:
            return self.script(box, self.expression(-1, 1 if rng.random() < 0.85 else 2), None)
        if r < 0.38:
            return self.script(box, self.expression(-1, 1), self.expression(-1, 1))
        return box

    def expression(self, depth: int, terms: int) -> Box:
        """Terms joined by operators, with a relation now and then."""
        rng = self.rng
        boxes = [self.term(depth)]
        if rng.random() < 0.06:
            boxes.insert(0, self.symbol("-"))
        for _ in range(terms - 1):
            if rng.random() < 0.8:
                r = rng.random()
                token = rng.choice(_BINARY if r < 0.62 else _RELATIONS if r < 0.93 else _RARE)
                boxes.append(self.symbol(token if self.glyphs.has(token) else "="))
            boxes.append(self.term(depth))
        return self.row(boxes, rng.uniform(0.08, 0.25)) if len(boxes) > 1 else boxes[0]

    # -- forms that are common in notes

    def chain(self, parts: list, gap: float = 0.1) -> Box:
        """Symbols and boxes in a row; a string means one symbol."""
        return self.row([self.symbol(p) if isinstance(p, str) else p for p in parts], gap)

    def power(self, base: str) -> Box:
        """A letter with a small exponent, or alone."""
        rng = self.rng
        if rng.random() < 0.35:
            return self.symbol(base)
        return self.script(self.symbol(base), None, self.symbol(rng.choice("2222233345n")))

    def polynomial(self, variable: str) -> Box:
        """Such as 3x^2 - 7x + 6."""
        rng = self.rng
        parts: list = ["-"] if rng.random() < 0.12 else []
        for k in range(rng.randint(1, 4)):
            if k:
                parts.append(rng.choice("++--"))
            r = rng.random()
            if r < 0.75:
                parts += ([self.number()] if rng.random() < 0.6 else []) + [self.power(variable)]
            else:
                parts.append(self.number())
        return self.chain(parts)

    def sum_of_numbers(self) -> Box:
        """Such as 8 - 8 + 1 or 4 \\cdot 2."""
        parts: list = [self.number()]
        for _ in range(self.rng.randint(1, 3)):
            parts += [self.rng.choice(["+", "-", "+", "-", "\\cdot", "\\times", "/"]), self.number()]
        return self.chain(parts)

    def applied(self, inside: Box | None = None) -> Box:
        """A function's value: f(x), P(A)."""
        rng = self.rng
        name = self.symbol(rng.choice("fffgghFPPyu"))
        if rng.random() < 0.15:
            name = self.accent(name, "bar") if rng.random() < 0.3 else self.script(name, None, self.symbol("\\prime"))
        return self.chain([name, self.fenced(inside or self.symbol(rng.choice("xxxtnzA")), "(", ")")], 0.05)

    def side(self) -> Box:
        """One side of an equation."""
        rng, v = self.rng, self.rng.choice("xxxxytnabz")
        r = rng.random()
        if r < 0.3:
            return self.polynomial(v)
        if r < 0.45:
            return self.sum_of_numbers()
        if r < 0.55:
            return self.number()
        if r < 0.63:
            return self.applied()
        if r < 0.7:
            return self.root(self.polynomial(v) if rng.random() < 0.5 else self.sum_of_numbers())
        if r < 0.82:
            return self.fraction(self.polynomial(v), self.polynomial(v) if rng.random() < 0.5 else self.number())
        if r < 0.9:
            d = self.chain(["d"], 0.05) if rng.random() < 0.6 else self.chain(["d", self.symbol(rng.choice("yfxu"))], 0.05)
            slope = self.fraction(d, self.chain(["d", v], 0.05))
            return self.chain([slope, self.fenced(self.polynomial(v), "(", ")")]) if rng.random() < 0.6 else slope
        if r < 0.95:
            product = self.chain([self.number(), self.fenced(self.polynomial(v), "(", ")")], 0.05)
            return product
        return self.chain([self.variable(), self.script(self.variable(), self.symbol(rng.choice("0123ijn")), None)])

    def equation(self) -> Box:
        """Two or three sides joined by relations."""
        rng = self.rng
        parts: list = [self.side()]
        for _ in range(1 if rng.random() < 0.8 else 2):
            parts += [rng.choice(["="] * 10 + ["<", ">", "\\leq", "\\geq", "\\approx", "\\to", "\\Rightarrow", "\\neq"]), self.side()]
        return self.chain(parts, rng.uniform(0.08, 0.25))

    def formula(self, level: float) -> Box:
        """A whole formula; level 0 … 1 grows it from a few symbols on one baseline to nested structure."""
        rng = self.rng
        if rng.random() < 0.45:
            return self.side() if rng.random() > 0.15 + 0.6 * level else self.equation()
        depth = 0 if rng.random() > 0.25 + level else (1 if rng.random() > 0.6 * level else 2)
        return self.expression(depth, rng.randint(1, 2 + round(3 * level)))
