"""The joint output vocabulary: characters of plain text and tokens of LaTeX mathematics.

A line is a sequence of tokens. Outside `\\(` … `\\)` a token is one character of text; inside,
tokens are LaTeX. Structure consists of openers that include their brace (`^{`, `_{`, `\\frac{`),
one separator `}{` and one closer `}`, so that no character of text is ever structure: a literal
brace is `\\{` or `\\}` everywhere. A decoder that allows `}{` only inside `\\frac{`/`\\binom{`, and
`}` only while something is open, can therefore write only balanced LaTeX.

The order is the order of the model's outputs: append by using up reserved slots, never reorder.
"""

import re

BLANK = "<blank>"
BEGIN = "<s>"
END = "</s>"

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
PUNCTUATION = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`|~"
ACCENTED = (
    "áàâäãåæçéèêëíìîïñóòôöõøœúùûüýÿß"
    "ÁÀÂÄÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜÝ"
    "ąćęłńśźżĄĆĘŁŃŚŹŻčďěňřšťůžČĎĚŇŘŠŤŮŽőűŐŰğışĞİŞăâîșțĂȘȚ"
)
TYPOGRAPHIC = "–—‘’“”„«»…•·°§€£¥©¡¿†′″№¬½¼¾²³µªº"

GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu "
    "xi pi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
).split()
OPERATORS = (
    "times div cdot pm mp ast star circ bullet oplus ominus otimes odot setminus wedge vee cap cup "
    "leq geq neq equiv approx sim simeq cong propto ll gg prec succ perp parallel mid nmid "
    "in notin ni subset supset subseteq supseteq nsubseteq sqsubseteq models vdash dashv "
    "to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto longrightarrow "
    "hookrightarrow uparrow downarrow Uparrow Downarrow rightharpoonup rightleftharpoons nearrow searrow "
    "forall exists nexists neg land lor top bot emptyset infty partial nabla aleph hbar ell Re Im wp "
    "angle triangle square diamond prime degree therefore because ldots cdots vdots ddots "
    "int iint iiint oint sum prod coprod bigcup bigcap bigoplus bigotimes "
    "langle rangle lfloor rfloor lceil rceil | imath jmath dagger checkmark lhd rhd"
).split()
FUNCTIONS = (
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim limsup liminf "
    "max min sup inf arg det dim ker gcd deg Pr mod rank tr"
).split()
BLACKBOARD = [f"\\mathbb{{{c}}}" for c in "ACDEFHKNPQRTZ1"]
CALLIGRAPHIC = [f"\\mathcal{{{c}}}" for c in "ABCDEFGHILMNOPRSTUXZ"]
OPENERS = (
    ["^{", "_{", "\\frac{", "\\binom{", "\\sqrt{", "\\sqrt["]
    + [f"\\{n}{{" for n in "hat bar vec dot ddot tilde overline underline widehat overbrace underbrace".split()]
    + [f"\\{n}{{" for n in "text mathrm mathbf boxed cancel overset underset stackrel xrightarrow".split()]
)
STRUCTURE = ["\\(", "\\)", "}{", "]{", "}", "\\{", "\\}", "\\\\", "&"]
ENVIRONMENTS = [
    f"\\{edge}{{{name}}}"
    for name in "matrix pmatrix bmatrix vmatrix cases aligned array".split()
    for edge in ("begin", "end")
]
SIZED = ["\\left(", "\\right)", "\\left[", "\\right]", "\\left\\{", "\\right\\}", "\\left|", "\\right|", "\\left.", "\\right."]
SPACES = ["\\,", "\\;", "\\quad", "\\ "]
#: Unused outputs, so that trained weights remain valid after an addition.
RESERVED = 28


def _build() -> list[str]:
    named = [f"\\{n}" for n in GREEK + OPERATORS + FUNCTIONS]
    tokens = [BLANK, BEGIN, END, *LETTERS, *DIGITS, *PUNCTUATION, *ACCENTED, *TYPOGRAPHIC]
    tokens += STRUCTURE + OPENERS + named + BLACKBOARD + CALLIGRAPHIC + ENVIRONMENTS + SIZED + SPACES
    unique = list(dict.fromkeys(tokens))
    return unique + [f"<reserved-{k}>" for k in range(RESERVED)]


TOKENS = _build()
INDEX = {token: k for k, token in enumerate(TOKENS)}
_COMMAND_NAME = re.compile(r"^\\[A-Za-z]+$")


def encode(tokens: list[str]) -> list[int]:
    """Converts tokens to output indices; KeyError for an unknown token."""
    return [INDEX[t] for t in tokens]


def tokens_of_text(text: str) -> list[str] | None:
    """Converts plain text to tokens, one per character; None if a character is not in the vocabulary."""
    tokens = [{"{": "\\{", "}": "\\}"}.get(c, c) for c in text]
    return tokens if all(t in INDEX for t in tokens) else None


def decode(indices: list[int]) -> list[str]:
    """Converts best-path CTC output (one index per frame) to tokens: repeats merged, blanks dropped."""
    merged = [k for k, before in zip(indices, [0, *indices]) if k and k != before]
    return [TOKENS[k] for k in merged]


def to_string(tokens: list[str]) -> str:
    """Converts tokens to a string: plain text unchanged, LaTeX with a space where a command would run on."""
    out: list[str] = []
    in_math = False
    for token in tokens:
        if token in ("\\(", "\\)"):
            in_math = token == "\\("
        elif in_math and out and _COMMAND_NAME.match(out[-1]) and token[0].isalpha():
            out.append(" ")
        out.append(token)
    return "".join(out)


def parse_math(source: str) -> list[str]:
    """Converts a LaTeX formula to tokens of this vocabulary, longest match first; ValueError if it has others."""
    longest = max(len(t) for t in TOKENS)
    tokens, at = [], 0
    while at < len(source):
        for size in range(min(longest, len(source) - at), 0, -1):
            piece = source[at : at + size]
            if piece in INDEX and not (
                _COMMAND_NAME.match(piece) and source[at + size : at + size + 1].isalpha()
            ):
                break
        else:
            raise ValueError(f"no token at {source[at:at + 12]!r}")
        if piece != " ":
            tokens.append(piece)
        at += size
    return tokens


if __name__ == "__main__":
    print(len(TOKENS))
