"""Greedy reading of pictures with the torch model, for evaluation during and after training."""

import numpy as np
import torch

from model import LineReader, bfloat16_is_right
from drawing.render import fit_height, normalise
from drawing.samples import Sample, collate
from settings import FRAME_PIXELS
from drawing.vocabulary import decode


@torch.no_grad()
def read(model: LineReader, pictures: list, device: str = "cpu", batch: int = 24) -> list:
    """Reads grey pictures (of any height) into token lists, in order."""
    was_training = model.training
    model.eval()
    ready = [normalise(fit_height(p)) for p in pictures]
    order = sorted(range(len(ready)), key=lambda k: ready[k].shape[1])
    out: list = [None] * len(ready)
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        made = collate([Sample(ready[k], [1]) for k in chosen])
        x = torch.from_numpy(made.pictures).to(device).float().div_(255).unsqueeze(1).to(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16, enabled=bfloat16_is_right(device)):
            best = model(x).argmax(-1).cpu().numpy()
        for row, k, width in zip(best, chosen, made.widths):
            out[k] = decode(np.asarray(row[: width // FRAME_PIXELS]).tolist())
    model.train(was_training)
    return out
