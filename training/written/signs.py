"""The shapes of handwritten signs: tokens of the line model, together where they are drawn alike.

The order is that of the model's outputs; the last one is no sign: a part of one, or several.
"""

from typing import NamedTuple

#: A capital like its small letter, a zero like an o: size and place tell them apart, not the shape.
_ALIKE = (
    "c C", "k K \\kappa", "o O 0 \\circ °", "p P", "s S", "u U \\cup", "v V \\vee", "w W", "x X \\times", "z Z",
    "- – — \\frac", ", ' \\prime ’", ". \\cdot ·", "| \\mid", "\\sum \\Sigma", "\\prod \\Pi", "* \\ast",
    "\\wedge ^ \\Lambda", "~ \\sim", "\\Delta \\triangle", "\\perp \\bot", "< \\langle", "> \\rangle",
    "\\to \\longrightarrow", "\\epsilon \\varepsilon",
)  # fmt: skip
_GREEK = "alpha beta gamma delta epsilon theta lambda mu pi sigma phi varphi omega rho tau"
_RARE_GREEK = "zeta eta vartheta iota nu xi upsilon chi psi Gamma Delta Theta Lambda Xi Phi Psi Omega"
_RARE = (
    "leq geq neq div pm mp to in notin forall exists cap subset supset subseteq approx equiv simeq Rightarrow Leftrightarrow "
    "leftarrow prod nabla emptyset propto oplus otimes perp parallel angle neg wedge oint"
)
#: Rarer still, and like what is frequent: x, 1 and c.
_LIKE_FREQUENT = {f"\\{name}" for name in ("chi", "iota", "propto", "perp", "wedge", "subset", "angle", "neg")}


class Sign(NamedTuple):
    """One output; `weight` is its share in training."""

    tokens: tuple
    weight: float
    face: str

    @property
    def text(self) -> str:
        """Its first token."""
        return self.tokens[0] if self.tokens else ""


def _build() -> list[Sign]:
    groups = {token: group.split() for group in _ALIKE for token in group.split()}
    signs: list[Sign] = []
    seen: set = set()

    def add(tokens: list[str], weight: float, face: str) -> None:
        for token in tokens:
            new = tuple(t for t in groups.get(token, [token]) if t not in seen)
            if new:
                seen.update(new)
                signs.append(Sign(new, weight, face))

    named = lambda names: [f"\\{name}" for name in names.split()]  # noqa: E731
    add(list("0123456789"), 3, "digit")
    for letter in "xyzabcdefghijklmnopqrstuvw":
        # a t and an l are like + and 1, which are more frequent
        add([letter], 3 if letter in "xyzabcn" else 1.2 if letter in "tl" else 2, "letter")
    add(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 1.2, "capital")
    add(list("+-="), 3, "symbol")
    add(list("()/|,."), 1.5, "symbol")
    add(["[", "]", "\\{", "\\}", *"<>!:;*%?~"], 0.7, "symbol")
    add(named(_GREEK), 1.5, "greek")
    weighed = lambda names, weight: [(n, weight / 2 if n in _LIKE_FREQUENT else weight) for n in named(names)]  # noqa: E731
    for name, weight in weighed(_RARE_GREEK, 0.6):
        add([name], weight, "greek")
    add(named("int sum infty partial"), 1.2, "symbol")
    for name, weight in weighed(_RARE, 0.5):
        add([name], weight, "symbol")
    return [*signs, Sign((), 0, "none")]


SIGNS = _build()
#: The output for what is no sign.
NONE = len(SIGNS) - 1
