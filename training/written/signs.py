"""The shapes of handwritten signs: tokens of the line model, together where they are drawn alike.

The order is that of the model's outputs; the last one is no sign: a part of one, or several.
"""

from typing import NamedTuple

#: A capital like its small letter, a zero like an o: size and place tell them apart, not the shape.
_ALIKE = (
    "c C", "k K \\kappa", "o O 0 \\circ °", "p P", "s S", "u U \\cup", "v V \\vee", "w W", "x X \\times", "z Z",
    "- – — \\frac", ", ' \\prime ’", ". \\cdot ·", "| \\mid", "\\sum \\Sigma", "\\prod \\Pi", "* \\ast",
    "\\wedge ^ \\Lambda", "~ \\sim", "\\Delta \\triangle", "\\perp \\bot", "< \\langle", "> \\rangle",
    "\\to \\longrightarrow", "\\epsilon \\varepsilon", "\\alpha \\propto",
)  # fmt: skip
_GREEK = "alpha beta gamma delta epsilon theta lambda mu pi sigma phi varphi omega rho tau"
_RARE_GREEK = "zeta eta vartheta iota nu xi upsilon chi psi Gamma Delta Theta Lambda Xi Phi Psi Omega"
_RARE = (
    "leq geq neq div pm mp to in notin forall exists cap subset supset subseteq approx equiv simeq Rightarrow Leftrightarrow "
    "leftarrow prod nabla emptyset propto oplus otimes perp parallel angle neg wedge oint"
)


class Sign(NamedTuple):
    """One output; `is_rare`: there are formulas enough without it."""

    tokens: tuple
    face: str
    is_rare: bool = False

    @property
    def text(self) -> str:
        """Its first token."""
        return self.tokens[0] if self.tokens else ""


def _build() -> list[Sign]:
    groups = {token: group.split() for group in _ALIKE for token in group.split()}
    signs: list[Sign] = []
    seen: set = set()

    def add(tokens: list[str], face: str, is_rare: bool = False) -> None:
        for token in tokens:
            new = tuple(t for t in groups.get(token, [token]) if t not in seen)
            if new:
                seen.update(new)
                signs.append(Sign(new, face, is_rare))

    named = lambda names: [f"\\{name}" for name in names.split()]  # noqa: E731
    add(list("0123456789"), "digit")
    add(list("xyzabcdefghijklmnopqrstuvw"), "letter")
    add(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "capital")
    add([*"+-=()/|,.[]", "\\{", "\\}", *"<>!:;*%?~"], "symbol")
    add(named(_GREEK), "greek")
    add(named(_RARE_GREEK), "greek", is_rare=True)
    add(named("int sum infty partial"), "symbol")
    add(named(_RARE), "symbol", is_rare=True)
    return [*signs, Sign((), "none")]


SIGNS = _build()
#: The output for what is no sign.
NONE = len(SIGNS) - 1
