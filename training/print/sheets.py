"""Prints every sign in every available typeface and stores its picture: `python3 sheets.py`.

TeX (pdfLaTeX and XeLaTeX) sets each sign in its own cell, and pdftocairo draws the sheets at 600 dots
per inch; each sign's ink is cropped and stored with its position relative to the baseline and the width of
its box. The unit is the x-height of the typeface's own mathematical x in the same style.
Writes `print/masters.npz` and `print/metrics.json` in the training folder.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from settings import training_dir  # noqa: E402

from signs import SIGNS  # noqa: E402

_DPI = 600
_CELL = 44  # points
_COLUMNS, _ROWS = 14, 18
_STYLES = {"t": "\\textstyle ", "s": "\\scriptstyle ", "d": "\\displaystyle "}
_BIGGER = ["\\big", "\\Big", "\\bigg", "\\Bigg"]
_TALL = (38, 60, 90)
_WIDE = (22, 36, 60, 110)

_PDF = "\\usepackage{amsmath,amssymb,amsfonts}"
TYPEFACES = {
    "computer-modern": ("pdflatex", _PDF),
    "latin-modern": ("pdflatex", "\\usepackage[T1]{fontenc}\\usepackage{lmodern}" + _PDF),
    "times": ("pdflatex", "\\usepackage{mathptmx}" + _PDF),
    "palatino": ("pdflatex", "\\usepackage{mathpazo}" + _PDF),
    "tx": ("pdflatex", "\\usepackage{amsmath}\\usepackage{txfonts}"),
    "px": ("pdflatex", "\\usepackage{amsmath}\\usepackage{pxfonts}"),
    **{
        name: ("xelatex", f"\\usepackage{{amsmath}}\\usepackage{{unicode-math}}\\setmathfont{{{file}}}")
        for name, file in {
            "lm-math": "latinmodern-math.otf",
            "termes": "texgyretermes-math.otf",
            "pagella": "texgyrepagella-math.otf",
            "bonum": "texgyrebonum-math.otf",
            "schola": "texgyreschola-math.otf",
            "dejavu": "texgyredejavu-math.otf",
        }.items()
    },
}


def cells() -> list:
    """(sign index or -1 for a measuring x, style, LaTeX, cells in a row, cells in a column)."""
    out = [(-1, style, f"${_STYLES[style]}x$", 1, 1) for style in "ts"]
    for k, sign in enumerate(SIGNS):
        for style in sign.styles:
            if style in _STYLES:
                out.append((k, style, f"${_STYLES[style]}{sign.latex}$", 1, 1))
            elif style == "g":
                out += [(k, "t", f"${big}{sign.latex}$", 1, 1) for big in _BIGGER]
                if sign.text != "/":
                    out += [
                        (k, "t", f"$\\left{sign.latex}\\vcenter{{\\vbox to {h}pt{{}}}}\\right.$", 1, 3) for h in _TALL
                    ]
            elif style == "r":
                out += [
                    (k, "t", f"$\\textstyle\\sqrt{{\\vrule width 0pt height {h}pt depth {d}pt}}$", 1, 1)
                    for h, d in ((4, 0), (5, 1.5), (6.5, 2), (9, 4), (12, 8), (18, 12))
                ]
                out += [(k, "s", "$\\scriptstyle\\sqrt{\\vrule width 0pt height 4pt depth 0pt}$", 1, 1)]
            elif style == "w":
                out += [(k, "t", f"${sign.latex.replace('W', f'{w}pt')}$", 3, 1) for w in _WIDE]
    return out


def source(preamble: str, wanted: list) -> tuple:
    """The document and, for each cell, its page, column and row."""
    width, height = _COLUMNS * _CELL, _ROWS * _CELL
    pages, places, body = 0, [], []
    used = None
    for n, (_, _, latex, wide, tall) in enumerate(wanted):
        place = None
        for _ in range(2):
            if used is None:
                used = np.zeros((_ROWS, _COLUMNS), bool)
                pages += 1
                body.append("\\begin{picture}(%d,%d)" % (width, height))
            for row in range(_ROWS - tall + 1):
                for column in range(_COLUMNS - wide + 1):
                    if not used[row : row + tall, column : column + wide].any():
                        place = (pages, column, row)
                        break
                if place:
                    break
            if place:
                break
            body.append("\\end{picture}\\newpage")
            used = None
        _, column, row = place
        used[row : row + tall, column : column + wide] = True
        x = column * _CELL + 10
        y = height - (row + tall / 2) * _CELL - (0 if tall > 1 else 4)
        body.append(f"\\put({x},{y:.1f}){{\\cell{{{n}}}{{{latex}}}}}")
        places.append((pages, column, row))
    body.append("\\end{picture}")
    text = (
        "\\documentclass{article}\n"
        + preamble
        + f"\n\\usepackage[paperwidth={width}bp,paperheight={height}bp,margin=0pt]{{geometry}}\n"
        + "\\setlength{\\unitlength}{1bp}\\setlength{\\parindent}{0pt}\\pagestyle{empty}\\topskip=0pt\n"
        + "\\nulldelimiterspace=0pt\n"
        + "\\newcommand{\\cell}[2]{\\setbox0\\hbox{#2}\\typeout{W #1 \\the\\wd0}\\box0}\n"
        + "\\begin{document}\n"
        + "\n".join(body)
        + "\n\\end{document}\n"
    )
    return text, places


def print_sheet(name: str) -> list:
    """(sign, style, picture uint8 with 255 ink, left, top, width of the box), the last three in points."""
    engine, preamble = TYPEFACES[name]
    wanted = cells()
    text, places = source(preamble, wanted)
    out = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sheet.tex").write_text(text)
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "sheet.tex"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=300
        )
        log = done.stdout.replace("\n", " ")
        widths = {int(n): float(w) for n, w in re.findall(r"W (\d+) ([\d.]+)pt", log)}
        if not Path(folder, "sheet.pdf").is_file():
            print(f"{name}: {done.stdout[-600:]}")
            return []
        subprocess.run(["pdftocairo", "-gray", "-png", "-r", str(_DPI), "sheet.pdf", "page"], cwd=folder, check=True, timeout=300)
        pages = {int(re.search(r"(\d+)\.png$", p.name).group(1)): p for p in Path(folder).glob("page-*.png")}
        shown, number = None, 0
        scale = _DPI / 72
        for n, (k, style, _, wide, tall) in enumerate(wanted):
            page, column, row = places[n]
            if page != number:
                shown, number = 255 - cv2.imread(str(pages[page]), cv2.IMREAD_GRAYSCALE), page
            x0, y0 = round(column * _CELL * scale), round(row * _CELL * scale)
            x1, y1 = round((column + wide) * _CELL * scale), round((row + tall) * _CELL * scale)
            cell = shown[y0:y1, x0:x1]
            rows, columns = np.flatnonzero(cell.max(1) > 100), np.flatnonzero(cell.max(0) > 100)
            if len(rows) < 2 or n not in widths:
                continue
            ink = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            baseline = tall / 2 * _CELL + (0 if tall > 1 else 4)
            out.append((k, style, ink.copy(), columns[0] / scale - 10, rows[0] / scale - baseline, widths[n]))
    return out


def main() -> None:
    """All typefaces."""
    folder = training_dir() / "print"
    folder.mkdir(parents=True, exist_ok=True)
    pictures, about = [], []
    for name in TYPEFACES:
        cut = print_sheet(name)
        height = {style: ink.shape[0] * 72 / _DPI for k, style, ink, *_ in cut if k == -1}
        if not height:
            continue
        seen = {k for k, *_ in cut}
        print(name, len(cut), "missing:", [SIGNS[k].text for k in range(len(SIGNS)) if k not in seen and SIGNS[k].styles], flush=True)
        for k, style, ink, left, top, width in cut:
            if k < 0:
                continue
            x = height["s" if style == "s" else "t"]
            pictures.append(ink)
            about.append((k, x, left / x, top / x, width / x, "tsd".index(style), list(TYPEFACES).index(name)))
    sizes = np.array([p.shape for p in pictures], np.int32)
    np.savez(
        folder / "masters.npz", ink=np.concatenate([p.ravel() for p in pictures]), sizes=sizes, about=np.array(about, np.float32)
    )
    metrics: dict = {}
    for (k, x, left, top, width, *_), (rows, columns) in zip(about, sizes.tolist()):
        unit = 72 / _DPI / x
        metrics.setdefault(k, []).append((left, top, columns * unit, rows * unit, width))
    medians = {str(k): [round(float(v), 3) for v in np.median(np.array(m), 0)] for k, m in metrics.items()}
    (folder / "metrics.json").write_text(json.dumps(medians) + "\n")
    print(len(pictures), "pictures", sum(p.size for p in pictures) >> 20, "MB")


if __name__ == "__main__":
    main()
