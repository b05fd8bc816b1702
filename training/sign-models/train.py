"""Trains a model of single signs: `python3 train.py --of print|written`; the same command resumes where the last run stopped.

The state (weights, their average, optimizer, step, random state) is written atomically to
`print/runs/<name>/last.pt` (or `written/…`) in the training folder, every minute and on SIGTERM. Batch *k* depends only on
the seed and *k*, so the step is the position in the data. While the file `pause` exists, training sleeps.
"""

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path

import torch
from torch.nn import functional

sys.path.insert(1, str(Path(__file__).parent.parent))
from settings import training_dir  # noqa: E402

_WARMUP = 300
_DECAY_SHARE = 0.4
_SAVE_SECONDS = 60


def _feed(queue, seed: int, first: int, step: int, size: int, parent: int) -> None:
    from pictures import Signs

    signs, k = Signs(), first
    while os.getppid() == parent:
        queue.put((k, signs.batch(seed, k, size)))
        k += step


def batches(seed: int, first: int, size: int, feeders: int):
    """Yields batches from number `first` on."""
    context = multiprocessing.get_context("spawn")
    queues = []
    for n in range(feeders):
        queue = context.Queue(maxsize=4)
        context.Process(target=_feed, args=(queue, seed, first + n, feeders, size, os.getpid()), daemon=True).start()
        queues.append(queue)
    k = first
    while True:
        number, batch = queues[(k - first) % feeders].get()
        assert number == k
        yield batch
        k += 1


def start_from(model: torch.nn.Module, runs: Path, run: str) -> None:
    """Loads a run's averaged weights; outputs that it lacks stay as they are."""
    state = torch.load(runs / run / "last.pt", map_location="cpu", weights_only=True)
    own = model.state_dict()
    for k, v in state["average"].items():
        if v.dim() and len(v) < len(own[k]):
            own[k][: len(v)] = v
        else:
            own[k].copy_(v)


def main() -> None:
    """Command line and training loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", choices=("print", "written"), required=True)
    parser.add_argument("--run", default="signs")
    parser.add_argument("--init", help="a new run starts from the averaged weights of this one; it may have fewer signs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--minutes", type=float, default=40, help="time of the whole schedule; whichever ends first")
    parser.add_argument("--size", type=int, default=128, help="signs a batch")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--smoothing", type=float, default=0.02, help="of the labels")
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--feeders", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent.parent / options.of))  # its signs and pictures
    from sign_model import SignReader

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    runs = training_dir() / options.of / "runs"
    folder = runs / options.run
    folder.mkdir(parents=True, exist_ok=True)
    model = SignReader(options.dropout)
    model.features.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), options.rate, weight_decay=0.02)
    if options.init and not (folder / "last.pt").is_file():
        start_from(model, runs, options.init)
    average = {k: v.detach().clone().float() for k, v in model.state_dict().items()}
    step, seconds, stopping = 0, 0.0, []
    if (folder / "last.pt").is_file():
        state = torch.load(folder / "last.pt", map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        average, step, seconds = state["average"], state["step"], state["seconds"]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.append(True))

    def save() -> None:
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "average": average}
        state |= {"random": torch.get_rng_state(), "step": step, "seconds": seconds, "signs": step * options.size}
        torch.save(state, folder / "writing.pt")
        (folder / "writing.pt").rename(folder / "last.pt")

    saved = mark = begun = time.time()
    losses, right = [], []
    for pictures, sizes, signs in batches(options.seed, step, options.size, options.feeders):
        while (training_dir() / "pause").exists() and not stopping:
            time.sleep(2)
            begun = time.time()
        seconds += time.time() - begun
        begun = time.time()
        left = 1 - max(step / options.steps, seconds / 60 / options.minutes)
        if stopping or left <= 0:
            break
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1.0, (step + 1) / _WARMUP) * min(1.0, left / _DECAY_SHARE)
        x = torch.from_numpy(pictures).float().div_(255).unsqueeze(1).to(memory_format=torch.channels_last)
        wanted = torch.from_numpy(signs)
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(x, torch.from_numpy(sizes))
        loss = functional.cross_entropy(logits.float(), wanted, label_smoothing=options.smoothing)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        step += 1
        keep = min(0.999, (1 + step) / (10 + step))
        with torch.no_grad():
            for k, v in model.state_dict().items():
                average[k].lerp_(v.float(), 1 - keep)
        losses.append(loss.item())
        right.append((logits.argmax(1) == wanted).float().mean().item())
        if step % 100 == 0:
            now = time.time()
            entry = {"step": step, "loss": round(sum(losses) / len(losses), 4), "right": round(sum(right) / len(right), 4)}
            entry["signs_per_second"] = round(100 * options.size / (now - mark))
            with open(folder / "log.jsonl", "a") as log:
                log.write(json.dumps(entry) + "\n")
            losses, right, mark = [], [], now
        if time.time() - saved > _SAVE_SECONDS:
            save()
            saved = time.time()
    save()


if __name__ == "__main__":
    main()
