"""Trains the model of whole formulas and writes it as ONNX: `python3 language/wholes.py ../reading/models/whole-formulas.onnx`.

A small recurrent network over the line model's tokens says how likely each is after all before it. It learns the formulas
that `counts.py` counts, each now and then with other digits and letters (the same letter everywhere in a formula), so
that it learns which signs come again. The graph takes `said` (formulas, tokens), int64, and gives `scores` (formulas,
tokens, outputs), log probabilities; the index behind the last token begins and ends a formula, and fills it up.
"""

import argparse
import random
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn
from torch.nn import functional

sys.path.insert(1, str(Path(__file__).parent.parent))
from counts import written_formulas  # noqa: E402
from drawing.exercises import exercise, varied  # noqa: E402
from drawing.vocabulary import INDEX  # noqa: E402
from export import store_as_fp16  # noqa: E402
from settings import sources_dir  # noqa: E402

_EDGE = len(INDEX)
_LONGEST, _BATCH, _POOL = 60, 96, 16
_HELD = 2_500
_RATE, _WARMUP, _DECAY_SHARE = 3e-3, 200, 0.6
#: Shares of exercises, and of formulas with other digits and letters.
_EXERCISES, _VARIED = 0.2, 0.45


class FormulaModel(nn.Module):
    """See the module's docstring for shapes; returns logits."""

    def __init__(self, width: int = 96, hidden: int = 192):
        super().__init__()
        self.signs = nn.Embedding(_EDGE + 1, width)
        self.memory = nn.GRU(width, hidden, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.narrow = nn.Linear(hidden, width)
        self.bias = nn.Parameter(torch.zeros(_EDGE + 1))

    def forward(self, said: Tensor) -> Tensor:
        remembered, _ = self.memory(self.drop(self.signs(said)))
        return self.narrow(self.drop(remembered)) @ self.signs.weight.T + self.bias


class _Scores(nn.Module):
    def __init__(self, model: FormulaModel):
        super().__init__()
        self.model = model

    def forward(self, said: Tensor) -> Tensor:
        return self.model(said).log_softmax(-1)


def batch(formulas: list) -> tuple:
    """What is said, and what follows each of its tokens; -100 behind the end."""
    longest = max(map(len, formulas)) + 1
    said = torch.full((len(formulas), longest), _EDGE)
    follows = torch.full((len(formulas), longest), -100)
    for k, formula in enumerate(formulas):
        indices = torch.tensor([INDEX[t] for t in formula])
        said[k, 1 : len(indices) + 1] = indices
        follows[k, : len(indices)] = indices
        follows[k, len(indices)] = _EDGE
    return said, follows


@torch.no_grad()
def surprise(model: FormulaModel, formulas: list) -> float:
    """Nats a token."""
    model.eval()
    total = count = 0
    for k in range(0, len(formulas), 250):
        said, follows = batch(formulas[k : k + 250])
        total += functional.cross_entropy(model(said).flatten(0, 1), follows.flatten(), ignore_index=-100, reduction="sum").item()
        count += (follows >= 0).sum().item()
    model.train()
    return total / count


def trained(minutes: float, seed: int) -> tuple:
    """The model, and its surprise at held-out formulas."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    written = sorted({tuple(f) for f in written_formulas(sources_dir() / "textbooks") if 1 < len(f) <= _LONGEST})
    rng.shuffle(written)
    held, seen = [list(f) for f in written[:_HELD]], [list(f) for f in written[_HELD:]]
    print(f"{len(seen)} formulas", flush=True)
    model = FormulaModel()
    optimizer = torch.optim.AdamW(model.parameters(), _RATE, weight_decay=0.01)
    begun, step = time.time(), 0
    pool: list = []
    while (left := 1 - (time.time() - begun) / 60 / minutes) > 0:
        if not pool:  # of formulas about as long as each other, batches hold less that is empty
            drawn = [exercise(rng) if rng.random() < _EXERCISES else rng.choice(seen) for _ in range(_POOL * _BATCH)]
            drawn = sorted([(varied(f, rng) if rng.random() < _VARIED else f)[:_LONGEST] for f in drawn], key=len)
            pool = [drawn[k : k + _BATCH] for k in range(0, len(drawn), _BATCH)]
            rng.shuffle(pool)
        said, follows = batch(pool.pop())
        for group in optimizer.param_groups:
            group["lr"] = _RATE * min(1.0, (step + 1) / _WARMUP, left / _DECAY_SHARE)
        loss = functional.cross_entropy(model(said).flatten(0, 1), follows.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 500 == 0:
            print(f"{step * _BATCH} formulas, {loss.item():.3f} nats a token, held out {surprise(model, held):.3f}", flush=True)
    return model.eval(), step, surprise(model, held)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    model, steps, nats = trained(options.minutes, options.seed)
    scores = _Scores(model).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            scores, (torch.full((2, 5), _EDGE),), str(options.path), dynamo=False, opset_version=17, input_names=["said"],
            output_names=["scores"], dynamic_axes={"said": {0: "formulas", 1: "tokens"}, "scores": {0: "formulas", 1: "tokens"}},
        )  # fmt: skip
    graph = onnx.load(options.path)
    store_as_fp16(graph)
    onnx.checker.check_model(graph)
    onnx.save(graph, options.path)
    said = torch.randint(0, _EDGE, (7, 20))
    session = onnxruntime.InferenceSession(str(options.path), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        off = np.abs(session.run(None, {"said": said.numpy()})[0] - scores(said).numpy()).max()
    if off > 0.1:
        raise SystemExit(f"the export differs from torch by {off:.3f}")
    print(f"{steps * _BATCH} formulas learned; held out {nats:.3f} nats a token; {options.path.stat().st_size} bytes; off by {off:.4f}")


if __name__ == "__main__":
    main()
