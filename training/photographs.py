"""Lines of photographed pages with known text as training lines, cut out by `node bench/page/cut-lines.ts` or, with
parts of lines, by `cut-parts.ts` beside it.

Each line is drawn anew for every presentation: cut tighter or wider, slanted, turned, stretched, thickened, blurred,
lit unevenly. Nothing is drawn over it, since photographs bring their own paper.
"""

import json
import math
import random
import re
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from drawing.render import fit_height, normalise
from drawing.samples import Sample
from drawing.vocabulary import encode, parse_math, tokens_of_text

#: Lines read with more errors than this share of their signs were probably cut out wrongly.
_WORST = 0.34
#: Rows to which a crop is scaled before it is distorted; the model's are 64.
_ROWS = 96
_LABEL = re.compile(r"^(\d{1,2}|[a-z])([.)-]{1,2}) +")
#: What is written in brackets or after a number without a space of its own.
_WORD_IN_BRACKETS = re.compile(r"(\([^()]*?)\\text\{([^{}]*)\}([^()]*\))")
_UNIT = re.compile(r"\\text\{(cm|m|km|kg|s|min|h|g|L|u)\}")
_REPLACED = [
    (re.compile(r"\\q?quad|\\[,;! ]"), " "),
    (re.compile(r"\\(?:left|right)(?![A-Za-z])"), ""),
    (re.compile(r"\\le(?![A-Za-z])"), r"\\leq "),
    (re.compile(r"\\ge(?![A-Za-z])"), r"\\geq "),
    (re.compile(r"\\ne(?![A-Za-z])"), r"\\neq "),
    (re.compile(r"\\backslash"), r"\\setminus "),
    (re.compile(r"\\([%$])"), r"\1"),
    (re.compile(r"([_^])(\\[A-Za-z]+|[^{\s\\])"), r"\1{\2}"),
    (re.compile(r"\\(?:mathrm|operatorname)\{([^{}]*)\}"), r"\1"),
]


class Crop(NamedTuple):
    """Grey picture of a line and its surroundings; the line's box in it: left, top, width, height in pixels."""

    picture: np.ndarray
    box: tuple


class PhotographedLine(NamedTuple):
    """One line: its crops (as it is, and without what is not writing), tokens and writer."""

    crops: list
    tokens: list
    writer: str


def tokens_of_latex(latex: str) -> list | None:
    """Tokens of a line such as `1. \\text{Solve }2x=4`; None if it is no single line, or has signs the model has not."""
    if re.search(r"\\begin|\\hline|\\\\", latex):
        return None
    before = None
    while before != latex:
        before, latex = latex, _WORD_IN_BRACKETS.sub(lambda m: m[1] + m[2].replace(" ", "") + m[3], latex)
    latex = _UNIT.sub(r"\1", latex)
    out: list = []
    if label := _LABEL.match(latex):
        out += tokens_of_text(label[0].rstrip() + " ")
        latex = latex[label.end() :]
    parts = re.split(r"\\text\{([^{}]*)\}", latex)
    for k, part in enumerate(parts):
        if k % 2:
            words = tokens_of_text(part)
            if words is None:
                return None
            out += words
            continue
        for pattern, by in _REPLACED:
            part = pattern.sub(by, part)
        try:
            signs = parse_math(part)
        except ValueError:
            return None
        if not signs:
            continue
        if all(sign in ".,:;?!-" for sign in signs):
            out += signs
            continue
        out += [*([" "] if out and out[-1] != " " else []), "\\(", *signs, "\\)"]
        if k + 1 < len(parts) and parts[k + 1][:1] not in tuple(" .,:;"):
            out.append(" ")
    single = [token for token, previous in zip(out, [" ", *out]) if (token, previous) != (" ", " ")]
    return single[:-1] if single[-1:] == [" "] else single


def _cut_lines(folder: Path) -> list:
    """What cut-lines.ts found, without what was probably cut out wrongly, and with its number only where that is on it."""
    cuts = []
    for cut in json.loads((folder / "crops.json").read_text()):
        if cut["errors"] > _WORST * max(1, cut["signs"]):
            continue
        label = _LABEL.match(cut["truth"])
        truth = cut["truth"][label.end() :] if label and not cut["hasNumber"] else cut["truth"]
        cuts.append({**cut, "truth": truth, "files": [folder / cut["file"]]})
    return cuts


def _cut_parts(folder: Path) -> list:
    """What cut-parts.ts found and somebody has read: `labels.json` beside each page's pictures."""
    cuts = []
    for labels in sorted(folder.glob("*/labels.json")):
        page, said = json.loads((labels.parent / "crops.json").read_text()), json.loads(labels.read_text())
        for crop in page["crops"]:
            truth = said.get(str(crop["n"]))
            if truth is not None:
                files = [labels.parent / file for file in crop["files"]]
                cuts.append({"page": page["file"], "writer": page["writer"], "line": crop["n"], "truth": truth, "files": files, "box": crop["box"]})
    return cuts


def load(folders: list, leave: set) -> tuple:
    """(lines to train on, lines of the writers that are left out)."""
    lines: dict = {}
    for folder in folders:
        for cut in _cut_lines(folder) if (folder / "crops.json").exists() else _cut_parts(folder):
            tokens = tokens_of_latex(cut["truth"])
            # what has no writing teaches that, too; a truth without any token was not understood
            if tokens is None or (cut["truth"] and not tokens):
                continue
            key = (folder, cut["page"], cut["line"])
            line = lines.setdefault(key, PhotographedLine([], tokens, cut["writer"]))
            pictures = [cv2.imread(str(file), cv2.IMREAD_GRAYSCALE) for file in cut["files"]]
            line.crops.extend(Crop(picture, tuple(cut["box"])) for picture in pictures)
    return [x for x in lines.values() if x.writer not in leave], [x for x in lines.values() if x.writer in leave]


def cut(crop: Crop, above: float, below: float, left: float, right: float) -> np.ndarray:
    """The line with so many line heights of its surroundings."""
    x, y, wide, tall = crop.box
    high, width = crop.picture.shape
    return crop.picture[
        int(max(0, y - above * tall)) : int(min(high, y + tall * (1 + below))),
        int(max(0, x - left * tall)) : int(min(width, x + wide + right * tall)),
    ]


def as_read(line: PhotographedLine) -> np.ndarray:
    """The line as the product's first look at it, without any variation: (64, width) uint8."""
    return normalise(fit_height(np.ascontiguousarray(cut(line.crops[0], 0.18, 0.18, 0.25, 0.25))))


def varied(line: PhotographedLine, rng: random.Random, noise: np.random.Generator) -> Sample:
    """The line as it might have been written and photographed."""
    crop = rng.choice(line.crops)
    grey = cut(crop, rng.uniform(0.02, 0.4), rng.uniform(0.02, 0.4), rng.uniform(0, 0.25), rng.uniform(0, 0.25))
    paper = int(np.percentile(grey, 80))
    scale = _ROWS / grey.shape[0]
    size = (max(8, int(grey.shape[1] * scale)), _ROWS)
    grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    grey = _distorted(grey, paper, rng)
    kind = rng.random()
    if kind < 0.15:
        grey = cv2.erode(grey, np.ones((2, 2), np.uint8))
    elif kind < 0.3:
        grey = cv2.dilate(grey, np.ones((2, 2), np.uint8))
    elif kind < 0.5:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.5, 1.4))
    light = fit_height(np.ascontiguousarray(grey)).astype(np.float32)
    if rng.random() < 0.4:
        light += noise.normal(0, rng.uniform(1, 8), light.shape)
    if rng.random() < 0.4:
        light += np.linspace(-1, 1, light.shape[1], dtype=np.float32) * rng.uniform(-15, 15)
    if rng.random() < 0.3:
        light = 255 * (np.clip(light, 0, 255) / 255) ** math.exp(rng.gauss(0, 0.25))
    return Sample(normalise(np.clip(light, 0, 255).astype(np.uint8)), encode(line.tokens))


def _distorted(grey: np.ndarray, paper: int, rng: random.Random) -> np.ndarray:
    """Slanted, turned, stretched, and sometimes on a wandering baseline."""
    high, wide = grey.shape
    slant, stretch = rng.gauss(0, 0.12), math.exp(rng.gauss(0, 0.12))
    turn = max(-0.25 * high / wide, min(0.25 * high / wide, rng.gauss(0, 0.015)))
    matrix = np.float32([[stretch, slant, 6 - slant * high / 2], [turn, 1, -turn * wide / 2]])
    border = cv2.BORDER_REPLICATE if rng.random() < 0.5 else cv2.BORDER_CONSTANT
    width = int(wide * stretch + 12)
    grey = cv2.warpAffine(grey, matrix, (width, high), flags=cv2.INTER_LINEAR, borderMode=border, borderValue=paper)
    if rng.random() < 0.3:
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(high, dtype=np.float32))
        wave = rng.uniform(0, 4) * np.sin(x * rng.uniform(0.5, 2) * 2 * math.pi / max(width, 200) + rng.uniform(0, 6.3))
        grey = cv2.remap(grey, x, (y + wave).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return grey
