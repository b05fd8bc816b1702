"""Writes the averaged weights of a run as ONNX: `python3 export.py OUT.onnx [--run base] [--precision fp16]`.

The graph takes `picture` (batch, 1, 64, width) float32, 0 paper to 1 ink, width a multiple of 4, and
gives `scores` (batch, width / 4, tokens) float32, log probabilities. Weights are stored as fp16 and
widened when the model is loaded, so it computes in fp32. OUT.json, written next to it, lists the tokens
in the order of the outputs and how a crop becomes a picture. The export fails if its results differ from
torch's.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from measuring import testsets
from model import LineReader
from drawing.render import fit_height, normalise
from settings import FRAME_PIXELS, LINE_HEIGHT, MAX_LINE_WIDTH, training_dir
from drawing.vocabulary import TOKENS, decode

_SMALL = 256  # values; smaller tensors stay fp32
_TOLERANCE = {"fp32": 1e-3, "fp16": 0.1}


class _Scores(torch.nn.Module):
    def __init__(self, model: LineReader):
        super().__init__()
        self.model = model

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return self.model(picture).log_softmax(-1)


def store_as_fp16(model: onnx.ModelProto) -> None:
    """Converts large fp32 weights to fp16, cast to fp32 before use; changes the model in place."""
    casts = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _SMALL:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_fp16"))
        casts.append(helper.make_node("Cast", [f"{name}_fp16"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def check(path: Path, scores: _Scores, tolerance: float) -> dict:
    """Largest difference from torch over held-out lines of many widths; exits if results differ too much."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    lines = testsets.written("lines", "tuning", 40) + testsets.written("words", "tuning", 40)
    worst, differing = 0.0, 0
    for line in lines:
        x = normalise(fit_height(line.picture)).astype(np.float32)[None, None] / 255
        with torch.no_grad():
            wanted = scores(torch.from_numpy(x)).numpy()
        got = session.run(None, {"picture": x})[0]
        best = wanted.argmax(-1)
        gap = np.abs(np.take_along_axis(got, best[..., None], -1) - np.take_along_axis(wanted, best[..., None], -1))
        worst = max(worst, float(gap.max()))
        differing += decode(got[0].argmax(-1).tolist()) != decode(best[0].tolist())
    if worst > tolerance or differing > len(lines) // 40:
        raise SystemExit(f"the export differs from torch: by {worst:.4f}, {differing} of {len(lines)} answers")
    return {"largest_difference": round(worst, 5), "answers_differing": differing, "lines": len(lines)}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--run", default="base")
    parser.add_argument("--weights", type=Path, help="a weights file instead of the run's last checkpoint")
    parser.add_argument("--precision", choices=["fp16", "fp32"], default="fp16")
    options = parser.parse_args()
    weights = options.weights or training_dir() / "runs" / options.run / "last.pt"
    state = torch.load(weights, map_location="cpu", weights_only=True)
    model = LineReader(state["size"])
    model.load_state_dict(state["average"])
    scores = _Scores(model.eval()).eval()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns about LSTM batch sizes; `check` covers that risk
        torch.onnx.export(
            scores, torch.rand(1, 1, LINE_HEIGHT, 320), str(options.out), dynamo=False, opset_version=17,
            input_names=["picture"], output_names=["scores"],
            dynamic_axes={"picture": {0: "batch", 3: "width"}, "scores": {0: "batch", 1: "frames"}},
        )  # fmt: skip
    if options.precision == "fp16":
        graph = onnx.load(options.out)
        store_as_fp16(graph)
        onnx.checker.check_model(graph)
        onnx.save(graph, options.out)
    report = check(options.out, scores, _TOLERANCE[options.precision])
    about = {
        "tokens": TOKENS,
        "height": LINE_HEIGHT,
        "maxWidth": MAX_LINE_WIDTH,
        "framePixels": FRAME_PIXELS,
        "normalise": {"paperPercentile": 0.90, "inkPercentile": 0.01, "leastSpan": 24},
        "training": {k: state[k] for k in ("size", "lines", "with_unipen")},
    }
    options.out.with_suffix(".json").write_text(json.dumps(about, ensure_ascii=False) + "\n")
    print(json.dumps({"bytes": options.out.stat().st_size, **report}))


if __name__ == "__main__":
    main()
