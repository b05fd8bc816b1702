"""Writes the averaged weights as ONNX: `python3 export_signs.py OUT.onnx --of print|written [--run signs]`.

The graph takes `pictures` (batch, 1, 32, 32) and `sizes` (batch, 2), both float32, and gives `scores`
(batch, signs), log probabilities. Weights are stored as fp16 and computed in fp32. OUT.json, written next
to it, gives each output's meaning (`about.py` of its kind). The export fails if its results differ
from torch's; it prints the share of signs read correctly, by kind, on batches unseen in training (of written signs, on
held-out writers).
"""

import argparse
import json
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

sys.path.insert(1, str(Path(__file__).parent.parent))
from export import store_as_fp16  # noqa: E402 (the line model's)

from framing import SIDE, STRETCH  # noqa: E402
from settings import training_dir  # noqa: E402

_UNSEEN_SEED = 90_210


class _Scores(torch.nn.Module):
    def __init__(self, model: torch.nn.Module):
        super().__init__()
        self.model = model

    def forward(self, pictures: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
        return self.model(pictures, sizes).log_softmax(-1)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--of", choices=("print", "written"), required=True)
    parser.add_argument("--run", default="signs")
    parser.add_argument("--batches", type=int, default=16)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent.parent / options.of))
    from about import about
    from pictures import unseen
    from sign_model import SignReader
    from signs import SIGNS

    state = torch.load(training_dir() / options.of / "runs" / options.run / "last.pt", map_location="cpu", weights_only=True)
    model = SignReader()
    model.load_state_dict(state["average"])
    scores = _Scores(model.eval()).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            scores, (torch.rand(2, 1, SIDE, SIDE), torch.rand(2, 2)), str(options.out), dynamo=False, opset_version=17,
            input_names=["pictures", "sizes"], output_names=["scores"],
            dynamic_axes={"pictures": {0: "batch"}, "sizes": {0: "batch"}, "scores": {0: "batch"}},
        )  # fmt: skip
    graph = onnx.load(options.out)
    store_as_fp16(graph)
    onnx.checker.check_model(graph)
    onnx.save(graph, options.out)
    session = onnxruntime.InferenceSession(str(options.out), providers=["CPUExecutionProvider"])
    signs, seen, right, differing = unseen(), Counter(), Counter(), 0
    confused: Counter = Counter()
    for number in range(options.batches):
        pictures, sizes, wanted = signs.batch(_UNSEEN_SEED, number, 256)
        x = pictures[:, None].astype(np.float32) / 255
        got = session.run(None, {"pictures": x, "sizes": sizes})[0].argmax(1)
        with torch.no_grad():
            theirs = scores(torch.from_numpy(x), torch.from_numpy(sizes)).argmax(1).numpy()
        differing += int((got != theirs).sum())
        for a, b in zip(got, wanted):
            seen[SIGNS[b].face] += 1
            right[SIGNS[b].face] += int(a == b)
            if a != b:
                confused[(SIGNS[b].face + ":" + SIGNS[b].text, SIGNS[a].face + ":" + SIGNS[a].text)] += 1
    if differing > options.batches * 256 // 200:
        raise SystemExit(f"the export differs from torch in {differing} answers")
    facts = {"side": SIDE, "stretch": STRETCH, **about(), "training": {"signs": state["signs"], "steps": state["step"]}}
    options.out.with_suffix(".json").write_text(json.dumps(facts, ensure_ascii=False) + "\n")
    report = {"bytes": options.out.stat().st_size, "differing": differing, "signs": state["signs"]}
    report["right"] = round(sum(right.values()) / sum(seen.values()), 4)
    report["by face"] = {face: round(right[face] / seen[face], 3) for face in seen}
    print(json.dumps(report, ensure_ascii=False))
    print(confused.most_common(40))


if __name__ == "__main__":
    main()
