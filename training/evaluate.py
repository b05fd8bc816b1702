"""Measures a checkpoint (or an exported model) on writers that training never saw.

`python3 evaluate.py [--run base] [--weights FILE | --onnx FILE] [--tesseract] [--limit N] [--json FILE]`

Per set: character error rate (edits over true characters, uncapped, so it can exceed 1) with a 95 %
bootstrap interval over lines, share read exactly, and the same figures for Tesseract on the same
pictures in the same run. Formulas are compared token by token. `tuning` writers may have been used to
choose between checkpoints; only `test` writers count as unseen.
"""

import argparse
import json
import os
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from measuring import testsets
from measuring.metrics import bootstrap, edit_distance
from drawing.render import fit_height, normalise
from settings import training_dir
from drawing.vocabulary import decode, to_string

_BORDER = 24  # white pixels around each picture, without which Tesseract reads worse


def read_with_tesseract(pictures: list, mode: int) -> list:
    """Returns Tesseract's readings (English), one picture after another in one process; mode is its --psm."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, picture in enumerate(pictures):
            path = Path(folder) / f"{k}.png"
            framed = cv2.copyMakeBorder(picture, _BORDER, _BORDER, _BORDER, _BORDER, cv2.BORDER_CONSTANT, value=255)
            cv2.imwrite(str(path), framed)
            paths.append(str(path))
        (Path(folder) / "list.txt").write_text("\n".join(paths) + "\n")
        done = subprocess.run(
            ["tesseract", f"{folder}/list.txt", "stdout", "--psm", str(mode), "-l", "eng"],
            capture_output=True, text=True, check=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )  # fmt: skip
    texts = [" ".join(t.split()) for t in done.stdout.split("\f")][: len(pictures)]
    if len(texts) != len(pictures):
        raise RuntimeError(f"Tesseract answered {len(texts)} of {len(pictures)} pictures")
    return texts


def torch_reader(path: Path, device: str):
    """(function from pictures to token lists, description) for the averaged weights in a file."""
    import torch

    from model import LineReader
    from measuring.reading import read

    state = torch.load(path, map_location="cpu", weights_only=True)
    model = LineReader(state["size"]).to(device)
    model.load_state_dict(state["average"])
    about = {k: state[k] for k in ("size", "lines", "with_unipen")}
    return lambda pictures: read(model, pictures, device), about


def onnx_reader(path: str):
    """The same for an exported model, one picture at a time as in the product."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])

    def read(pictures: list) -> list:
        out = []
        for picture in pictures:
            x = normalise(fit_height(picture)).astype(np.float32)[None, None] / 255
            out.append(decode(session.run(None, {"picture": x})[0][0].argmax(-1).tolist()))
        return out

    return read, {"onnx": Path(path).name, "bytes": Path(path).stat().st_size}


def figures(read_lines: list, truths: list) -> dict:
    """Error rate, interval and exact share of readings against truths (strings or token lists)."""
    errors = [edit_distance(a, b) for a, b in zip(read_lines, truths)]
    lengths = [len(t) for t in truths]
    low, high = bootstrap(errors, lengths)
    return {
        "cer": round(sum(errors) / sum(lengths), 4),
        "interval": [round(low, 4), round(high, 4)],
        "exact": round(sum(e == 0 for e in errors) / len(errors), 4),
        "count": len(errors),
    }


def measure(reader, name: str, lines: list, with_tesseract: bool, show: int) -> dict:
    """All figures of one set."""
    pictures = [t.picture for t in lines]
    answers = reader(pictures)
    is_formula = name.startswith("formulas")
    ours = answers if is_formula else [to_string(a) for a in answers]
    truths = [t.tokens if is_formula else to_string(t.tokens) for t in lines]
    result = {"ours": figures(ours, truths)}
    by_writer = defaultdict(lambda: [0, 0])
    for answer, truth, line in zip(ours, truths, lines):
        by_writer[line.writer][0] += edit_distance(answer, truth)
        by_writer[line.writer][1] += len(truth)
    result["by_writer"] = {w: round(e / n, 4) for w, (e, n) in sorted(by_writer.items())}
    if with_tesseract:
        texts = read_with_tesseract(pictures, 8 if name.startswith("words") else 7)
        plain = [to_string(t.tokens) for t in lines]
        result["tesseract"] = figures(texts, plain)
    for k in range(min(show, len(lines))):
        print(f"  {to_string(lines[k].tokens)}   <-   {to_string(answers[k])}")
    return result


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="base")
    parser.add_argument("--weights", type=Path, help="a weights file instead of the run's last checkpoint")
    parser.add_argument("--onnx", help="measure this exported model instead of a checkpoint")
    parser.add_argument("--tesseract", action="store_true", help="read the same pictures with Tesseract too")
    parser.add_argument("--limit", type=int, default=600, help="most lines of a set")
    parser.add_argument("--show", type=int, default=5, help="print so many answers of each set")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--json", help="write all figures to this file")
    options = parser.parse_args()
    weights = options.weights or training_dir() / "runs" / options.run / "last.pt"
    reader, about = onnx_reader(options.onnx) if options.onnx else torch_reader(weights, options.device)
    results: dict = {"about": about}
    for part in ("test", "tuning"):
        sets = {f"{kind}-{part}": testsets.written(kind, part, options.limit) for kind in ("lines", "words")}
        sets[f"formulas-{part}"] = testsets.composed(part, min(options.limit, 300))
        for name, lines in sets.items():
            results[name] = measure(reader, name, lines, options.tesseract, options.show)
            print(name, json.dumps(results[name]), flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
