"""Writes the held-out pictures for the product's own benchmark: `python3 testset.py [--limit 400] [--part test]`.

Writes to `testset/` in the training folder (`tuning/` for writers that constants may be tuned on):
`<set>/<number>.png` (grey, dark ink on white); `testset.json`, a list of `{set, picture, truth, writer}`; and
`strokes.json`, the ink of words and lines in the order of the pictures, each a list of strokes, alternating x and y, y
up. Truth is text for words and lines, LaTeX between `\\(` and `\\)` for formulas. `test` contains only writers whose
ink neither trained nor chose the weights.
"""

import argparse
import json

import cv2

from measuring import testsets
from settings import training_dir
from drawing.vocabulary import to_string


def flat(strokes: list) -> list:
    """Strokes as lists of integers, alternating x and y."""
    return [stroke.round().astype(int).ravel().tolist() for stroke in strokes]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=400, help="pictures of each set")
    parser.add_argument("--part", choices=["test", "tuning"], default="test")
    options = parser.parse_args()
    limit, part = options.limit, options.part
    folder = training_dir() / ("testset" if part == "test" else "tuning")
    sets = {
        "lines": testsets.written("lines", part, limit),
        "words": testsets.written("words", part, limit),
        "formulas": testsets.composed(part, limit),
    }
    listed = []
    for name, lines in sets.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, line in enumerate(lines):
            picture = f"{name}/{number:04}.png"
            cv2.imwrite(str(folder / picture), line.picture)
            listed.append(
                {"set": name, "picture": picture, "truth": to_string(line.tokens), "writer": line.writer}
            )
    ink = {name: [flat(line) for line in testsets.strokes(name, part, limit)] for name in ("lines", "words")}
    (folder / "strokes.json").write_text(json.dumps(ink, separators=(",", ":")) + "\n")
    (folder / "testset.json").write_text(json.dumps(listed, ensure_ascii=False, indent=0) + "\n")
    print({name: len(lines) for name, lines in sets.items()}, folder)


if __name__ == "__main__":
    main()
