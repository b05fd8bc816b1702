"""Counts which signs follow each other in formulas: `python3 language/counts.py ../reading/models/formula-language.json`.

Reads every formula of the textbooks in `sources/textbooks` (LaTeX or PreTeXt), adds nearly as many exercises as people
write them (`drawing/exercises.py`), and writes a trigram model with Kneser-Ney smoothing (Kneser and Ney 1995; one
discount, interpolated). All digits count as one sign.
"""

import argparse
import html
import json
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(1, str(Path(__file__).parent.parent))
from drawing.exercises import exercise  # noqa: E402
from drawing.vocabulary import INDEX  # noqa: E402
from settings import sources_dir  # noqa: E402

_BEGIN, _END = "<s>", "</s>"
_DISCOUNT = 0.8
#: Trigrams seen less often are dropped; their probability goes to the bigrams.
_LEAST = 2
_LONGEST = 80
#: A formula that is repeated counts this often at most; one of a sign or two, this often.
_REPEATS, _SHORT_REPEATS = 4, 20
#: Every so many formulas, one begins with an exercise's number, as in notes; textbooks set these outside formulas.
_NUMBERED_EVERY = 12
_EXERCISES = 40_000
_NUMBERS = ["0)", "0.", "0-)", "0-", "a)", "b)", "(a)", "0)", "0.", "00)", "00."]

_TEX_MATHS = [
    re.compile(r"(?<!\\)\$\$?(.+?)(?<!\\)\$\$?", re.S),
    re.compile(r"\\\((.+?)\\\)", re.S),
    re.compile(r"\\\[(.+?)\\\]", re.S),
    re.compile(r"\\begin\{(?:equation|align|gather|multline|eqnarray)\*?\}(.+?)\\end\{(?:equation|align|gather|multline|eqnarray)\*?\}", re.S),
]
_PRETEXT_MATHS = re.compile(r"<(m|me|men|mrow|md|mdn)(?:\s[^>]*)?>((?:(?!<mrow).)*?)</\1>", re.S)
_SPELLINGS = {
    "le": "leq", "ge": "geq", "ne": "neq", "rightarrow": "to", "implies": "Rightarrow", "iff": "Leftrightarrow", "epsilon": "varepsilon",
    "dfrac": "frac", "tfrac": "frac", "nicefrac": "frac", "sfrac": "frac", "dots": "ldots", "widetilde": "tilde",
    "R": "mathbb{R}", "N": "mathbb{N}", "Z": "mathbb{Z}", "Q": "mathbb{Q}", "C": "mathbb{C}",
}  # fmt: skip
_CHARACTERS = {"lt": "<", "gt": ">", "lvert": "|", "rvert": "|", "vert": "|", "colon": ":", "coloneqq": ":="}
_WITHOUT_CONTENT = r"label|tag|ref|eqref|phantom|hphantom|vphantom|hspace|vspace|color|intertext"
_ONLY_CONTENT = r"highlight|substitute|lowlight|leading|firsthighlight|secondhighlight|attention|math(?:bf|rm|it|sf)|boldsymbol|bm|operatorname|widehat"
_NO_INK = r"(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|(?:no)?limits|nonumber|notag|mathopen|mathclose)"
_ACCENTS = {n: f"\\{n}{{" for n in "sqrt bar hat vec overline tilde dot ddot underline boxed".split()}


class _Unknown(Exception):
    """The formula has something that the line model cannot write."""


def _simplified(source: str) -> str:
    """Without what leaves no ink, with one spelling for each sign."""
    s = re.sub(r"<[^>]*>", " ", html.unescape(source))
    s = re.sub(r"(?<!\\)%.*", "", s)
    s = re.sub(rf"\\(?:{_WITHOUT_CONTENT})\*?\s*\{{[^{{}}]*\}}", "", s)
    s = re.sub(rf"\\{_NO_INK}(?![A-Za-z])\.?", "", s)
    s = re.sub(r"\\(?:quad|qquad|enspace|thinspace)(?![A-Za-z])|\\[,;:!> ]|~", " ", s)
    s = re.sub(rf"\\(?:{_ONLY_CONTENT})\*?\s*\{{([^{{}}]*)\}}", r"\1", s)
    s = re.sub(r"\\(?:s|b)?abs\s*\{([^{}]*)\}", r"|\1|", s)
    s = re.sub(r"\\text\s*\{\s*([A-Za-z]{1,4})\s*\}", r" \1 ", s)  # units, short words
    s = re.sub(r"\\([A-Za-z]+)", lambda m: _CHARACTERS.get(m[1]) or "\\" + _SPELLINGS.get(m[1], m[1]), s)
    return s


def _argument(s: str, at: int) -> tuple[str, int]:
    """The group or sign at `at`, and the position after it."""
    while at < len(s) and s[at].isspace():
        at += 1
    if at < len(s) and s[at] == "{":
        depth = 0
        for k in range(at, len(s)):
            if s[k] in "{}" and s[k - 1] != "\\":
                depth += 1 if s[k] == "{" else -1
                if depth == 0:
                    return s[at + 1 : k], k + 1
    match = re.compile(r"\\[A-Za-z]+|\\?[^{}\s]", re.S).match(s, at)
    if not match:
        raise _Unknown
    return match[0], match.end()


def _group(s: str, at: int) -> tuple[list, int]:
    """Tokens of the argument at `at`, and the position after it."""
    inside, end = _argument(s, at)
    return tokens_of(inside), end


def tokens_of(s: str) -> list:
    """Tokens of the line model's vocabulary for simplified LaTeX."""
    out, at = [], 0
    while at < len(s):
        command = re.compile(r"\\([A-Za-z]+)").match(s, at)
        name = command[1] if command else None
        if s[at].isspace():
            at += 1
        elif s[at] == "{":
            inside, at = _group(s, at)
            out += inside
        elif s[at] in "^_":
            inside, end = _group(s, at + 1)
            out += [s[at] + "{", *inside, "}"]
            at = end
        elif s[at] == "'":
            out += ["^{", "\\prime", "}"]
            at += 1
        elif name in ("frac", "binom"):
            top, end = _group(s, command.end())
            bottom, at = _group(s, end)
            out += [f"\\{name}{{", *top, "}{", *bottom, "}"]
        elif name == "sqrt" and s[command.end() : command.end() + 1] == "[":
            close = s.find("]", at)
            inside, end = _group(s, close + 1)
            out += ["\\sqrt[", *tokens_of(s[command.end() + 1 : close]), "]{", *inside, "}"]
            at = end
        elif name in _ACCENTS:
            inside, at = _group(s, command.end())
            out += [_ACCENTS[name], *inside, "}"]
        else:
            token, end = s[at], at + 1
            if name in ("mathbb", "mathcal"):
                letter, end = _argument(s, command.end())
                token = f"\\{name}{{{letter}}}"
            elif s[at] == "\\":
                token, end = (command[0], command.end()) if command else (s[at : at + 2], at + 2)
            if token not in INDEX or token == "}":
                raise _Unknown
            out.append(token)
            at = end
    return out


def rows_of(path: Path) -> list:
    """Formulas of a file, row by row, as simplified LaTeX."""
    text = path.read_text(errors="replace")
    found = (m[1] for r in _TEX_MATHS for m in r.finditer(text)) if path.suffix.endswith("tex") else (m[2] for m in _PRETEXT_MATHS.finditer(text))
    rows = (row for formula in found for row in re.split(r"\\\\(?:\[[^\]]*\])?", _simplified(formula)))
    return [row.replace("&", "").strip().rstrip(".,;") for row in rows]


def written_formulas(folder: Path) -> list:
    """Tokens of each formula that the line model could write, as often as it counts."""
    seen, out = Counter(), []
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".tex", ".rbtex", ".ptx", ".xml")):
        for row in rows_of(path):
            if re.search(r"\\(?:text|begin|end)(?![A-Za-z])", row):
                continue
            try:
                tokens = tuple(tokens_of(row))
            except _Unknown:
                continue
            seen[tokens] += 1
            if 0 < len(tokens) <= _LONGEST and seen[tokens] <= (_SHORT_REPEATS if len(tokens) < 3 else _REPEATS):
                out.append(list(tokens))
    return out


def formulas(folder: Path) -> list:
    """Formulas of textbooks and exercises with all digits as one sign, some with an exercise's number."""
    rng = random.Random(11)
    written = [*written_formulas(folder), *(exercise(rng) for _ in range(_EXERCISES))]
    out = [["0" if t.isdigit() else t for t in tokens] for tokens in written]
    return [[*(_NUMBERS[k // _NUMBERED_EVERY % len(_NUMBERS)] if k % _NUMBERED_EVERY == 0 else ""), *f] for k, f in enumerate(out)]


def counted(data: list) -> list:
    """Counts of signs after no, one and two others; for the shorter contexts, of how many different signs
    precede them."""
    counts = [defaultdict(Counter) for _ in range(3)]
    for tokens in data:
        signs = [_BEGIN, _BEGIN, *tokens, _END]
        for k in range(2, len(signs)):
            counts[2][signs[k - 2], signs[k - 1]][signs[k]] += 1
    for n in (1, 0):
        for before, following in counts[n + 1].items():
            for sign in following:
                counts[n][before[1:]][sign] += 1
    return counts


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    data = formulas(sources_dir() / "textbooks")
    counts = counted(data)
    signs = sorted({s for c in counts[0].values() for s in c} | {_BEGIN})
    index = {s: k for k, s in enumerate(signs)}

    def context(following: Counter, least: int) -> list:
        total = sum(following.values())
        shares = {index[s]: round((n - _DISCOUNT) / total, 6) for s, n in sorted(following.items()) if n >= least}
        return [round(1 - sum(shares.values()), 5), shares]

    one = {str(index[h[0]]): context(c, 1) for h, c in counts[1].items() if sum(c.values()) > 1}
    two = {f"{index[a]} {index[b]}": context(c, _LEAST) for (a, b), c in counts[2].items() if sum(c.values()) > 2}
    model = {"signs": signs, "none": context(counts[0][()], 1), "one": one, "two": {k: c for k, c in two.items() if c[1]}}
    parser.parse_args().path.write_text(json.dumps(model, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{len(data)} formulas, {sum(map(len, data))} signs, {len(signs)} of them different, {len(model['two'])} contexts of two")


if __name__ == "__main__":
    main()
