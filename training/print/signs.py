"""The signs of printed mathematics that the sign model distinguishes.

A sign has a key (`face:text`), the LaTeX that prints it and its name in the product's parser. The
order of `SIGNS` is the order of the model's outputs: append, never reorder.
"""

from typing import NamedTuple


class Sign(NamedTuple):
    """One output of the model."""

    face: str
    text: str
    latex: str
    #: How often it is drawn in training, against 1 for a common letter.
    weight: float = 1.0
    #: Styles it is printed in: t text, s script, d display.
    styles: str = "ts"


_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()

_GREEK = (
    "α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa "
    "λ lambda μ mu ν nu ξ xi π pi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi "
    "ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega"
).split()
_ORDINARY = (
    "∂ partial ∇ nabla ∞ infty ∅ emptyset ∀ forall ∃ exists ¬ neg ℏ hbar ℓ ell ℘ wp ℜ Re ℑ Im ℵ aleph "
    "∠ angle □ square ⊤ top ⊥ bot ′ prime ♯ sharp † dagger ⋆ star ✓ checkmark"
).split()
_BINARY = (
    "± pm ∓ mp × times ÷ div ∗ ast · cdot ∘ circ • bullet ∩ cap ∪ cup ∧ wedge ∨ vee ⊕ oplus ⊖ ominus "
    "⊗ otimes ⊙ odot ⊎ uplus ∖ setminus △ triangle ⋊ rtimes ⋄ diamond"
).split()
_RELATIONS = (
    "≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≠ neq ≡ equiv ≈ approx ∼ sim ≃ simeq ≅ cong ∝ propto ∈ in ∉ notin ∋ ni ⊂ subset "
    "⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq ≪ ll ≫ gg ≺ prec ≻ succ ⪯ preceq ⊢ vdash ⊣ dashv ⊨ models "
    "→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow "
    "⟹ Longrightarrow ⟺ Longleftrightarrow ↪ hookrightarrow ↠ twoheadrightarrow ↑ uparrow ↓ downarrow "
    "⇌ rightleftharpoons ⇀ rightharpoonup ↗ nearrow ↘ searrow ∤ nmid ⊴ trianglelefteq ≜ triangleq ≐ doteq"
).split()
_LARGE = (
    "∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∮ oint ⋃ bigcup ⋂ bigcap ⋀ bigwedge ⋁ bigvee ⨁ bigoplus ⨂ bigotimes"
).split()
_DELIMITERS = [
    ("(", "("), (")", ")"), ("[", "["), ("]", "]"), ("{", "\\{"), ("}", "\\}"), ("|", "|"), ("⟨", "\\langle "),
    ("⟩", "\\rangle "), ("⌊", "\\lfloor "), ("⌋", "\\rfloor "), ("⌈", "\\lceil "), ("⌉", "\\rceil "), ("/", "/"),
]  # fmt: skip
_RARE_GREEK = set("ϑ ϱ ς ι υ Υ".split())


def _pairs(words: list) -> list:
    return list(zip(words[::2], words[1::2]))


def _build() -> list:
    signs = [Sign("italic", c, c) for c in _LOWER + _UPPER]
    signs += [Sign("roman", c, f"\\mathrm{{{c}}}", 0.7) for c in _LOWER + _UPPER]
    signs += [Sign("roman", c, c, 1.6) for c in "0123456789"]
    signs += [Sign("roman", t, f"\\mathrm{{{t}}}", 0.25, "t") for t in ("fi", "ff", "fl", "ffi")]
    signs += [Sign("bold", c, f"\\mathbf{{{c}}}", 0.35) for c in _LOWER + _UPPER + "01"]
    signs += [Sign("blackboard", c, f"\\mathbb{{{c}}}", 0.35) for c in _UPPER]
    signs += [Sign("calligraphic", c, f"\\mathcal{{{c}}}", 0.35) for c in _UPPER]
    signs += [Sign("fraktur", c, f"\\mathfrak{{{c}}}", 0.12) for c in "ABCDFGHILMPRSTXabcdfghlmnopqstuxyz"]
    signs += [Sign("symbol", t, f"\\{n} ", 0.3 if t in _RARE_GREEK else 1.0) for t, n in _pairs(_GREEK)]
    signs += [Sign("symbol", t, f"\\{n} ", 0.6) for t, n in _pairs(_ORDINARY + _BINARY)]
    signs += [Sign("symbol", t, f"\\{n} ", 0.5, "ts") for t, n in _pairs(_RELATIONS)]
    signs += [Sign("symbol", t, t, 1.5) for t in "=<>+,.;:!?"]
    signs += [Sign("symbol", "−", "-", 2.0)]
    signs += [Sign("symbol", "%", "\\% ", 0.3, "t"), Sign("symbol", "…", "\\ldots ", 0.0, ""), Sign("symbol", "&", "\\& ", 0.2, "t")]
    signs += [Sign("large", t, f"\\{n} ", 1.0, "td") for t, n in _pairs(_LARGE)]
    signs += [Sign("delimiter", t, n, 1.8, "tsg") for t, n in _DELIMITERS]
    signs += [Sign("radical", "√", "\\surd ", 1.0, "r")]
    signs += [
        Sign("accent", t, f"\\{n}{{\\phantom{{x}}}}", w, "ts")
        for t, n, w in [("ˆ", "hat", 0.5), ("˜", "tilde", 0.5), ("⃗", "vec", 0.5), ("˙", "dot", 0.0), ("ˇ", "check", 0.2)]
    ]
    signs += [Sign("accent", "̂", "\\widehat{\\hphantom{xyz}}", 0.2, "t"), Sign("accent", "̃", "\\widetilde{\\hphantom{xyz}}", 0.2, "t")]
    signs += [Sign("brace", "⏞", "\\overbrace{\\hspace{W}}", 0.3, "w"), Sign("brace", "⏟", "\\underbrace{\\hspace{W}}", 0.3, "w")]
    # several touching signs, which have no common label
    signs += [Sign("several", "", "", 40.0, "")]
    # a part of a sign whose thin strokes are lost
    signs += [Sign("part", "", "", 0.0, "")]
    return signs


SIGNS = _build()
INDEX = {(s.face, s.text): k for k, s in enumerate(SIGNS)}

if __name__ == "__main__":
    print(len(SIGNS), len(INDEX))
