"""Which UNIPEN contributors training never sees.

Contributors that share their first two letters are parts of one collection (apa … ape, cea … cee),
so they are held out together, as a family. Families are visited in the order of the SHA-256 of their
names; each is held out until there are enough held-out words and lines, except the large ones.
`prepare.py` writes the result to `heldout.json` next to this file, the only place that decides.
"""

import hashlib
import json
from pathlib import Path

LIST_FILE = Path(__file__).parent / "heldout.json"
_WANTED_WORDS = 5000
_WANTED_LINES = 900
_LARGE_WORDS = 4000
_LARGE_LINES = 1000
#: Every third held-out family, in hash order, serves to choose checkpoints; the others only to measure.
_TUNING_EVERY = 3


def family_of(contributor: str) -> str:
    """The collection that a contributor belongs to."""
    return contributor[:2]


def choose(counts: dict) -> dict:
    """{contributor: (words, lines)} to {'tuning': [...], 'test': [...]}, lists of families."""
    families: dict = {}
    for contributor, (words, lines) in counts.items():
        total = families.setdefault(family_of(contributor), [0, 0])
        total[0] += words
        total[1] += lines
    held, seen_words, seen_lines = [], 0, 0
    for family in sorted(families, key=lambda f: hashlib.sha256(f.encode()).hexdigest()):
        words, lines = families[family]
        if words > _LARGE_WORDS or lines > _LARGE_LINES:
            continue
        if (words and seen_words < _WANTED_WORDS) or (lines and seen_lines < _WANTED_LINES):
            held.append(family)
            seen_words += words
            seen_lines += lines
    tuning = held[2::_TUNING_EVERY]
    return {"tuning": sorted(tuning), "test": sorted(f for f in held if f not in tuning)}


def load() -> dict:
    """Loads the stored list: {'tuning': [families], 'test': [families]}."""
    return json.loads(LIST_FILE.read_text())


def part_of(contributor: str, held: dict) -> str:
    """'train', 'tuning' or 'test'."""
    family = family_of(contributor)
    return "tuning" if family in held["tuning"] else "test" if family in held["test"] else "train"
