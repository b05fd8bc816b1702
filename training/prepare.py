"""Turns the public sources into compact stroke files: `python3 prepare.py [--without-unipen]`.

Reads `sources/unipen`, `sources/detypify`, `sources/omniglot`, `sources/textbooks` and `sources/hershey` in the training
folder (see the README) and writes `prepared/<set>-<part>.npz`; sets are words, lines, chars (UNIPEN), symbols (detypify)
and letters (Omniglot), parts are train, tuning and test; and the textbooks' formulas as `prepared/formulas.json`.
"""

import argparse
import hashlib
import json
import random
import re
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

import holdout
from language.counts import written_formulas
from settings import prepared_dir, sources_dir
from drawing.strokes import StrokeSet, box_of
from drawing.symbols import DETYPIFY, HERSHEY_FILES
from drawing.unipen import Segment, read_segments
from drawing.vocabulary import tokens_of_text

_MAX_CHAR_SAMPLES = 1500
_GREEK = [f"\\{name}" for name in (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi o pi rho sigma tau upsilon varphi chi psi omega"
).split()]  # fmt: skip
_MAX_FORMULA = 48  # tokens
_MAX_PIECE = 60  # characters; longer lines are cut at word gaps if these are unmistakable


def clean_label(label: str) -> str:
    """Converts a UNIPEN label to the text a reader would type: escapes undone, punctuation joined to its word.

    Some contributors label tokens ("physics .", "wasn ' t"); the ink does not show that, so spaces before
    closing and after opening punctuation are removed, here and in the evaluation.
    """
    text = label.replace("\\@", "").replace('\\"', '"').replace("\\\\", "\\").replace("\t", " ")
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([.,;:!?)\]])", r"\1", text)
    text = re.sub(r"([(\[]) ", r"\1", text)
    return re.sub(r"(?<=\w) ' (?=(?:s|t|d|m|re|ve|ll)\b)", "'", text)


def is_one_line(strokes: list, label: str) -> bool:
    """False if the ink is too narrow for its label or continues on a second line below."""
    x0, y0, x1, y1 = box_of(strokes)
    width, height = x1 - x0, max(y1 - y0, 1e-3)
    if len(label) >= 4 and width / height / len(label) < (0.13 if len(label) > 10 else 0.1):
        return False
    if len(strokes) < 4 or len(label) < 6:
        return True
    tops = np.array([s[:, 1].max() for s in strokes])
    bottoms = np.array([s[:, 1].min() for s in strokes])
    for k in range(1, len(strokes)):
        above, below = np.median(bottoms[:k]), np.median(tops[k:])
        returns = strokes[k][:, 0].min() < strokes[k - 1][:, 0].max() - 0.35 * width
        if returns and len(strokes) - k >= 2 and below < above - 0.05 * height:
            return False
    return True


def cut_at_gaps(strokes: list, label: str) -> list | None:
    """Cuts a long line into (label, strokes) parts of a few words; None unless its word gaps are clear."""
    words = label.split(" ")
    order = sorted(strokes, key=lambda s: s[:, 0].min())
    reach, gaps = -np.inf, []
    for k, stroke in enumerate(order):
        if k:
            gaps.append((stroke[:, 0].min() - reach, k))
        reach = max(reach, stroke[:, 0].max())
    gaps.sort(reverse=True)
    wanted = len(words) - 1
    if wanted < 1 or len(gaps) <= wanted or gaps[wanted - 1][0] < 1.3 * max(gaps[wanted][0], 1e-3):
        return None
    cuts = sorted(k for _, k in gaps[:wanted])
    starts = [0, *cuts, len(order)]
    pieces, first = [], 0
    while first < len(words):
        last = first + 1
        while last < len(words) and len(" ".join(words[first : last + 1])) <= 38:
            last += 1
        pieces.append((" ".join(words[first:last]), order[starts[first] : starts[last]]))
        first = last
    return pieces


def _save(name: str, samples: list) -> None:
    if samples:
        path = prepared_dir() / f"{name}.npz"
        StrokeSet.build(samples).save(path)
        print(f"{name}: {len(samples)} samples, {path.stat().st_size / 1e6:.1f} MB", flush=True)


def _usable(segment: Segment, label: str) -> bool:
    return bool(label) and tokens_of_text(label) is not None and sum(len(s) for s in segment.strokes) < 20000


def prepare_unipen(root: Path) -> None:
    """Words, lines and isolated characters, split by contributor."""
    words, lines = list(read_segments(root, "7")), list(read_segments(root, "8"))
    counts = defaultdict(lambda: [0, 0])
    for segments, column in ((words, 0), (lines, 1)):
        for segment in segments:
            counts[segment.contributor][column] += 1
    held = holdout.choose(counts)
    holdout.LIST_FILE.write_text(json.dumps(held, indent=1) + "\n")
    dropped = Counter()
    out = defaultdict(list)
    for name, segments in (("words", words), ("lines", lines)):
        for segment in segments:
            label = clean_label(segment.label)
            if not _usable(segment, label) or not is_one_line(segment.strokes, label):
                dropped[name] += 1
                continue
            part = holdout.part_of(segment.contributor, held)
            pieces = [(label, segment.strokes)]
            if len(label) > _MAX_PIECE and part == "train":
                cut = cut_at_gaps(segment.strokes, label)
                pieces = cut or (pieces if len(label) < 90 else [])
                dropped["uncut"] += not pieces
                dropped["cut"] += bool(cut)
            out[f"{name}-{part}"] += [(text, segment.contributor, ink) for text, ink in pieces]
    del words, lines
    print("left out:", dict(dropped), flush=True)
    by_char = defaultdict(list)
    for category in ("1a", "1b", "1c", "1d"):
        for segment in read_segments(root, category):
            label = clean_label(segment.label)
            if len(label) == 1 and _usable(segment, label):
                part = holdout.part_of(segment.contributor, held)
                by_char[part, label].append((label, segment.contributor, segment.strokes))
    shuffle = random.Random(1)
    for (part, _), samples in sorted(by_char.items()):
        shuffle.shuffle(samples)
        out[f"chars-{part}"] += samples[:_MAX_CHAR_SAMPLES]
    for name, samples in out.items():
        _save(name, samples)


def prepare_detypify(root: Path) -> None:
    """Mathematical symbols; every eighth drawing (by hash) is held out."""
    out = defaultdict(list)
    for path in sorted((root / "dataset").glob("*.txt")):
        token = DETYPIFY.get(path.stem)
        if token is None:
            continue
        for line in path.read_text().splitlines():
            drawing = json.loads(line)
            strokes = [np.array(s, np.float32)[:, :2] * (1, -1) for s in drawing if s]
            if strokes:
                is_test = hashlib.sha256(line.encode()).digest()[0] % 8 == 0
                out["test" if is_test else "train"].append((token, "detypify", strokes))
    for part, samples in out.items():
        _save(f"symbols-{part}", samples)


def prepare_omniglot(root: Path) -> None:
    """Small Greek and Latin letters, each drawn by twenty people, in the alphabet's order; Latin i and j lack their dots."""
    out = []
    for alphabet, letters in (("Greek", _GREEK), ("Latin", "abcdefghijklmnopqrstuvwxyz")):
        for letter, folder in zip(letters, sorted((root / alphabet).iterdir()), strict=True):
            for path in sorted(folder.glob("*.txt")) if letter not in "ij" else ():
                strokes = [
                    np.array([point.split(",")[:2] for point in stroke.split()], np.float32)
                    for stroke in path.read_text().removeprefix("START").split("BREAK")
                    if stroke.strip()
                ]
                out.append((letter, "omniglot", strokes))
    _save("letters-train", out)


def prepare_formulas(root: Path) -> None:
    """The textbooks' formulas that fit on one written line, to be drawn by hand."""
    found = [" ".join(f) for f in written_formulas(root) if 2 < len(f) <= _MAX_FORMULA and " " not in f]
    (prepared_dir() / "formulas.json").write_text(json.dumps(found, ensure_ascii=False))
    print(f"formulas: {len(found)}", flush=True)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-unipen", action="store_true", help="leave UNIPEN out altogether")
    options = parser.parse_args()
    prepared_dir().mkdir(parents=True, exist_ok=True)
    shutil.copytree(sources_dir() / "hershey" / "usr/share/hershey-fonts", prepared_dir() / "hershey", dirs_exist_ok=True,
                    ignore=lambda _, names: [n for n in names if n not in HERSHEY_FILES])  # fmt: skip
    prepare_formulas(sources_dir() / "textbooks")
    prepare_detypify(sources_dir() / "detypify")
    prepare_omniglot(sources_dir() / "omniglot")
    if not options.without_unipen:
        prepare_unipen(sources_dir() / "unipen")


if __name__ == "__main__":
    main()
