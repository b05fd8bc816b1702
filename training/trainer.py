"""The training loop, its schedule and its checkpoints."""

import fcntl
import json
import multiprocessing
import os
import signal
import sys
import time

import numpy as np
import torch
from torch.nn import functional

from measuring import testsets
from measuring.metrics import edit_distance
from model import LineReader, bfloat16_is_right
from measuring.reading import read
from drawing.feeder import pools
from drawing.samples import RAMP_LINES, Batch
from settings import FRAME_PIXELS, training_dir

_SAVE_SECONDS = 240
_EVALUATE_SECONDS = 1200
_LOG_STEPS = 50
#: The allocator keeps freed memory, so memory use grows; above this the run saves and restarts itself.
_MOST_MEGABYTES = 3800
_WARMUP_LINES = 15_000
#: Environment variable that passes the start time to a restarted process.
_BEGAN = "INKPROOF_TRAINING_BEGAN"
#: Last share of the schedule, over which the rate falls.
_DECAY_SHARE = 0.25


def learning_rate(options, lines: int, cooldown_from: int | None, time_share: float = 0.0) -> float:
    """Rate after this many presentations: rises, stays constant, and falls to zero at the end.

    The end is that of the schedule or, given a time limit, of the time (`time_share` of it has passed).
    """
    rate = options.rate * min(1.0, (lines + 500) / _WARMUP_LINES)
    if cooldown_from is not None:
        return rate * max(0.0, 1 - (lines - cooldown_from) / options.cooldown)
    left = 1 - max(lines / options.lines, time_share)
    return rate * max(0.0, min(1.0, left / _DECAY_SHARE))


def loss_of(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    """CTC loss of a batch, in fp32."""
    return functional.ctc_loss(
        logits.float().log_softmax(-1).transpose(0, 1),
        torch.from_numpy(batch.targets).long().to(logits.device),
        torch.from_numpy(batch.widths // FRAME_PIXELS).long(),
        torch.from_numpy(batch.lengths).long(),
        zero_infinity=True,
    )


class Average:
    """Exponential moving average of weights and batch statistics."""

    def __init__(self, model: LineReader):
        self.state = {k: v.detach().clone().float() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model: LineReader, step: int, most: float = 0.999) -> None:
        """Moves the average towards the model, keeping at most this share of it."""
        keep = min(most, (1 + step) / (10 + step))
        for k, v in model.state_dict().items():
            self.state[k].lerp_(v.float(), 1 - keep)


def megabytes() -> int:
    """Resident memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def fitting_threads(wanted: int) -> int:
    """One thread while other work loads the machine: two at the lowest priority mostly wait for each other."""
    others = os.getloadavg()[0] - wanted - 1
    return 1 if others > (os.cpu_count() or 1) - wanted else wanted


def join(batches: list) -> Batch:
    """Joins several batches, padded to the widest."""
    if len(batches) == 1:
        return batches[0]
    width = max(b.pictures.shape[2] for b in batches)
    pictures = [np.pad(b.pictures, ((0, 0), (0, 0), (0, width - b.pictures.shape[2]))) for b in batches]
    return Batch(np.concatenate(pictures), *(np.concatenate([b[k] for b in batches]) for k in (1, 2, 3)))


class Trainer:
    """One run, named after its folder; `train` runs until the schedule ends or it is told to stop."""

    def __init__(self, options):
        self.options = options
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        name = f"{options.run}-cooldown" if options.cooldown else options.run
        self.folder = training_dir() / "runs" / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{name} is being trained already")
        self.model = LineReader(options.size).to(options.device)
        if options.device == "cpu":
            self.model.features.to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), options.rate, betas=(0.9, 0.98), weight_decay=0.02)
        self.average = Average(self.model)
        self.step = self.lines = self.pool = self.batch = 0
        self.seconds = 0.0
        self.cooldown_from = None
        self.stopping = False
        self.began = float(os.environ.setdefault(_BEGAN, str(time.time())))
        self._resume()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)

    def _stop(self, *_) -> None:
        self.stopping = True

    # -- state

    def _resume(self) -> None:
        folder = self.folder
        branches = bool(self.options.cooldown) and self._cooldown_is_over()
        if branches:
            folder = training_dir() / "runs" / self.options.run
        for name in ("last.pt", "previous.pt"):
            if (folder / name).is_file():
                try:
                    state = torch.load(folder / name, map_location="cpu", weights_only=True)
                except Exception as error:  # a damaged file must not end the run: use the previous one
                    print(f"{name} cannot be read: {error}", flush=True)
                    continue
                self._restore(state)
                if branches:
                    self.cooldown_from = self.lines
                print(f"goes on from {folder.name}/{name}: step {self.step}, {self.lines} lines", flush=True)
                return
        if self.options.cooldown:
            sys.exit("nothing to cool down")
        if self.options.init:
            weights = torch.load(self.options.init, map_location="cpu", weights_only=True)
            self.model.load_state_dict(weights["average"])
            self.average = Average(self.model)
            print(f"starts from the weights in {self.options.init}", flush=True)

    def _cooldown_is_over(self) -> bool:
        """True if the branch has not begun or has ended (it then begins again from the main run)."""
        path = self.folder / "last.pt"
        if not path.is_file():
            return True
        state = torch.load(path, map_location="cpu", weights_only=True)
        return state["lines"] >= state["cooldown_from"] + self.options.cooldown

    def _restore(self, state: dict) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average.state = {k: v.to(self.options.device) for k, v in state["average"].items()}
        for name in ("step", "lines", "pool", "batch", "seconds", "cooldown_from"):
            setattr(self, name, state[name])
        torch.set_rng_state(state["random"])

    def save(self) -> None:
        """Writes the checkpoint atomically and keeps the previous one."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average.state,
            "random": torch.get_rng_state(),
            "size": self.options.size,
            "seed": self.options.seed,
            "with_unipen": not self.options.without_unipen,
        }
        for name in ("step", "lines", "pool", "batch", "seconds", "cooldown_from"):
            state[name] = getattr(self, name)
        last, fresh = self.folder / "last.pt", self.folder / "writing.pt"
        torch.save(state, fresh)
        if last.is_file():
            last.replace(self.folder / "previous.pt")
        fresh.replace(last)

    def _log(self, **entry) -> None:
        line = json.dumps({"time": round(time.time()), "step": self.step, "lines": self.lines, **entry})
        print(line, flush=True)
        with open(self.folder / "log.jsonl", "a") as file:
            file.write(line + "\n")

    # -- work

    def _rate(self) -> float:
        minutes = self.options.minutes
        share = (time.time() - self.began) / (60 * minutes) if minutes else 0.0
        return learning_rate(self.options, self.lines, self.cooldown_from, share)

    def _learn(self, batch: Batch) -> torch.Tensor:
        device = self.options.device
        x = torch.from_numpy(batch.pictures).to(device).float().div_(255).unsqueeze(1)
        if device == "cpu":
            x = x.to(memory_format=torch.channels_last)
        rate = self._rate()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast(device, torch.bfloat16, enabled=bfloat16_is_right(device)):
            logits = self.model(x)
        loss = loss_of(logits, batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        self.step += 1
        self.lines += len(batch.lengths)
        self.average.update(self.model, self.step)
        return loss.detach()

    def _evaluate(self) -> None:
        """Token error rate of the averaged weights on the tuning writers, a few hundred lines."""
        if not self.test:
            if not self.options.without_unipen:
                self.test = {name: testsets.written(name, "tuning", 250) for name in ("words", "lines")}
                self.test["photographs"] = testsets.photographed("tuning", 200)
            self.test["formulas"] = testsets.composed("tuning" if not self.options.without_unipen else "train", 150)
        model = LineReader(self.options.size).to(self.options.device)
        model.load_state_dict(self.average.state)
        rates = {}
        for name, lines in self.test.items():
            answers = read(model, [t.picture for t in lines], self.options.device)
            wrong = sum(edit_distance(a, t.tokens) for a, t in zip(answers, lines))
            rates[name] = round(wrong / sum(len(t.tokens) for t in lines), 4)
        self._log(evaluation=rates)

    def _wait_while_paused(self) -> None:
        pause = training_dir() / "pause"
        if pause.exists():
            self.save()
            self._log(paused=True)
            while pause.exists() and not self.stopping:
                time.sleep(2)

    def _start_afresh(self) -> None:
        self.save()
        self._log(started_afresh=True)
        for child in multiprocessing.active_children():
            child.terminate()
        os.execv(sys.executable, [sys.executable, *sys.argv])

    def _is_done(self) -> bool:
        end = self.cooldown_from + self.options.cooldown if self.cooldown_from is not None else self.options.lines
        return self.stopping or self.lines >= end or (
            self.options.minutes is not None and time.time() - self.began > 60 * self.options.minutes
        )

    def train(self) -> None:
        """The training loop."""
        options = self.options
        self.test: dict = {}
        saved = evaluated = mark = time.time()
        losses, self.counted = [], self.lines
        self._log(started=True, bfloat16=bfloat16_is_right(options.device), parameters=sum(p.numel() for p in self.model.parameters()))
        self.model.train()
        ramp = 1 if options.init else RAMP_LINES  # trained weights need no easy lines first
        for number, batches in pools(options.seed, self.pool, not options.without_unipen, ramp, options.feeders):
            self.pool = number
            groups = [batches[k : k + options.batch_scale] for k in range(0, len(batches), options.batch_scale)]
            while self.batch < len(groups):
                self._wait_while_paused()
                if self._is_done():
                    break
                losses.append(self._learn(join(groups[self.batch])))
                self.batch += 1
                now = time.time()
                if self.step % _LOG_STEPS == 0:
                    mean = float(torch.stack(losses).mean())
                    self.seconds += now - mark
                    memory = megabytes()
                    per_second = round((self.lines - self.counted) / (now - mark), 1)
                    self._log(loss=round(mean, 4), lines_per_second=per_second, rate=round(self._rate(), 6), megabytes=memory)
                    losses, mark, self.counted = [], now, self.lines
                    if options.device == "cpu" and memory > _MOST_MEGABYTES:
                        self._start_afresh()
                if now - saved > _SAVE_SECONDS:
                    self.save()
                    saved = now
                if options.device == "cpu" and self.step % 10 == 0:
                    torch.set_num_threads(fitting_threads(options.threads))
                if now - evaluated > _EVALUATE_SECONDS:
                    self._evaluate()
                    evaluated = time.time()
            if self._is_done():
                break
            self.pool, self.batch = number + 1, 0
        self.save()
        if not self.stopping:
            self._evaluate()
        self._log(stopped=True)
