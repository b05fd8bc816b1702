"""Adapts trained weights to photographed lines: `python3 adapt.py OUT.pt --init WEIGHTS.pt --photographs FOLDER`.

FOLDER is what `node bench/page/cut-lines.ts PAGES FOLDER` wrote, or `cut-parts.ts` beside it and whoever labelled its
sheets; there may be several. Batches of drawn lines and of photographed ones take turns, and what is saved lies as far as
`--mix` says between the weights before and after. With `--leave an,bro` these writers' lines are not trained on but
measured, before and after; only those figures say what to expect of others.
Everything is computed in fp32.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import torch

from drawing.feeder import pools
from drawing.samples import Batch, collate, frames_needed
from drawing.vocabulary import decode
from measuring.metrics import edit_distance
from model import LineReader
from photographs import as_read, load, varied
from settings import FRAME_PIXELS
from trainer import Average, loss_of

_WARMUP_LINES = 1500
#: Last share of the lines, over which the rate falls to zero.
_DECAY_SHARE = 0.4
#: How much the moving average keeps at each step: the runs are short.
_KEEP = 0.98
_MOST_AT_ONCE = 48


def parse_options():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--init", type=Path, required=True, help="weights to begin with, as recover.py writes them")
    parser.add_argument("--photographs", type=Path, required=True, nargs="+", metavar="FOLDER")
    parser.add_argument("--leave", default="", help="writers to leave out, separated by commas")
    parser.add_argument("--lines", type=int, default=6000, help="presentations, drawn lines included")
    parser.add_argument("--share", type=float, default=0.65, help="of photographed lines")
    parser.add_argument("--rate", type=float, default=3e-4, help="highest learning rate")
    parser.add_argument("--mix", type=float, default=0.5, help="share of the adapted weights in those that are saved")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


@torch.no_grad()
def measure(model: LineReader, lines: list) -> dict:
    """Greedy reading of the lines as they are; spaces and the marks of mathematics do not count."""
    if not lines:
        return {}
    model.eval()
    wrong = length = exact = 0
    for line in lines:
        scores = model(torch.from_numpy(as_read(line))[None, None].float().div(255).to(memory_format=torch.channels_last))
        read, truth = ([t for t in tokens if t not in (" ", "\\(", "\\)")] for tokens in (decode(scores[0].argmax(-1).tolist()), line.tokens))
        errors = edit_distance(read, truth)
        wrong, length, exact = wrong + errors, length + len(truth), exact + (errors == 0)
    model.train()
    return {"cer": round(wrong / length, 4), "exact": round(exact / len(lines), 4), "lines": len(lines)}


class Adapter:
    """The weights, their average and the optimizer."""

    def __init__(self, options):
        self.options = options
        self.state = torch.load(options.init, map_location="cpu", weights_only=True)
        self.model = LineReader(self.state["size"])
        self.model.load_state_dict(self.state["average"])
        self.model.features.to(memory_format=torch.channels_last)
        self.average = Average(self.model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), options.rate, betas=(0.9, 0.98), weight_decay=0.02)
        self.step = self.lines = 0

    def learn(self, batch: Batch) -> float:
        """One step; returns the loss."""
        left = 1 - self.lines / self.options.lines
        rise = min(1.0, (self.lines + 300) / _WARMUP_LINES)
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * rise * max(0.0, min(1.0, left / _DECAY_SHARE))
        x = torch.from_numpy(batch.pictures).float().div_(255).unsqueeze(1).to(memory_format=torch.channels_last)
        loss = loss_of(self.model(x), batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        self.step += 1
        self.lines += len(batch.lengths)
        self.average.update(self.model, self.step, _KEEP)
        return loss.item()

    def save(self) -> LineReader:
        """Writes the mean of the weights before and after, and returns a model that has it."""
        mix, before = self.options.mix, self.state["average"]
        mean = {k: (before[k].float() * (1 - mix) + v.float() * mix).to(before[k].dtype) for k, v in self.average.state.items()}
        known = {"size": self.state["size"], "with_unipen": self.state["with_unipen"]}
        torch.save({"average": mean, "lines": self.state["lines"] + self.lines, **known}, self.options.out)
        model = LineReader(self.state["size"])
        model.load_state_dict(mean)
        return model


def main() -> None:
    """Command line."""
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng, noise = random.Random(options.seed), np.random.default_rng(options.seed)
    lines, left_out = load(options.photographs, set(options.leave.split(",")))
    adapter = Adapter(options)
    print(json.dumps({"lines": len(lines), "left out, before": measure(adapter.model, left_out)}), flush=True)
    adapter.model.train()
    losses: dict = {"drawn": [], "photographed": []}
    for _, batches in pools(1000 + options.seed, 0, adapter.state["with_unipen"], 1):
        for batch in batches:
            losses["drawn"].append(adapter.learn(batch))
            wanted = round(len(batch.lengths) * options.share / (1 - options.share))
            samples = [varied(rng.choice(lines), rng, noise) for _ in range(max(4, min(_MOST_AT_ONCE, wanted)))]
            fitting = [s for s in samples if frames_needed(s.target) <= s.picture.shape[1] // FRAME_PIXELS]
            losses["photographed"].append(adapter.learn(collate(fitting)))
        print(json.dumps({"lines": adapter.lines, **{k: round(float(np.mean(v[-20:])), 3) for k, v in losses.items()}}), flush=True)
        if adapter.lines >= options.lines:
            break
    model = adapter.save()
    print(json.dumps({"left out, after": measure(model, left_out), "trained on": measure(model, lines[:100])}), flush=True)


if __name__ == "__main__":
    main()
