"""Trains the line reader: `python3 train.py`; the same command resumes where the last run stopped.

The complete state is one checkpoint (weights, their average, optimizer, counters, position in the data,
random state), written to a temporary name and renamed, at least every five minutes and on SIGTERM; the
previous one is kept. While the file `pause` exists in the training folder, training sleeps.
"""

import argparse


def parse_options():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="base", help="name of the run: its folder under runs/")
    parser.add_argument("--size", default="base", help="small, base or large (see model.py)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-unipen", action="store_true", help="train on the other sources alone")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest learning rate")
    parser.add_argument("--lines", type=int, default=6_000_000, help="presentations of the whole schedule")
    parser.add_argument("--minutes", type=float, help="stop (saving) after this time")
    parser.add_argument("--cooldown", type=int, default=0, help="branch off: let the rate fall to 0 over so many lines, then stop")
    parser.add_argument("--init", help="start a new run from the averaged weights in this file")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--feeders", type=int, default=1)
    parser.add_argument("--batch-scale", type=int, default=1, help="join so many batches of like width into one step (GPU)")
    return parser.parse_args()


if __name__ == "__main__":
    options = parse_options()
    from trainer import Trainer

    Trainer(options).train()
