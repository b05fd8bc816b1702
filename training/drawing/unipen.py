"""Reads UNIPEN files (data/<category>/<contributor>/... plus include/) into pen strokes.

A UNIPEN label file names its ink with `.INCLUDE` and then divides it with
`.SEGMENT <kind> <components> <quality> "<label>"`. Pen-down and pen-up runs are numbered together as
components; `3:10-5:20` cuts inside a component.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

_SEGMENT = re.compile(r'^\.SEGMENT\s+(\S+)\s+([\d\s,:\-]+?)\s+(\S+)\s+"(.*)"\s*$', re.S)
_RESOLUTION = re.compile(r"^\.([XY])_POINTS_PER_(INCH|MM)\s+([\d.]+)")
_MAX_COMPONENTS = 600


class Segment(NamedTuple):
    """One labelled segment of ink; strokes are (n, 2) float arrays, x right, y up, square pixels."""

    category: str
    contributor: str
    kind: str
    label: str
    strokes: list


class _Ink(NamedTuple):
    components: list  # (is_pen_down, (n, 2) float array)
    aspect: float  # multiply y by this to get square pixels


def _read(path: Path) -> str:
    return path.read_text(encoding="latin-1")


@lru_cache(maxsize=4)
def _load_ink(path: Path, include: Path) -> _Ink:
    runs: list = []
    resolution: dict = {}
    columns = (0, 1)
    current = None

    def walk(file: Path, depth: int) -> None:
        nonlocal columns, current
        if not file.is_file():
            return
        for line in _read(file).splitlines():
            line = line.strip()
            if not line:
                continue
            if line[0] != ".":
                if current is not None:
                    try:
                        values = [float(v) for v in line.split()]
                    except ValueError:
                        continue
                    if len(values) > max(columns):
                        current.append((values[columns[0]], values[columns[1]]))
                continue
            words = line.split()
            keyword = words[0]
            if keyword == ".INCLUDE" and depth < 4 and len(words) > 1:
                walk(include / words[1], depth + 1)
            elif keyword == ".COORD":
                names = words[1:]
                if "X" in names and "Y" in names:
                    columns = (names.index("X"), names.index("Y"))
            elif keyword in (".PEN_DOWN", ".PEN_UP"):
                current = []
                runs.append((keyword == ".PEN_DOWN", current))
            elif keyword in (".SEGMENT", ".HIERARCHY", ".COMMENT"):
                current = None
            else:
                found = _RESOLUTION.match(line)
                if found and float(found[3]) > 0:
                    resolution[found[1]] = float(found[3])

    walk(path, 0)
    components = [(down, np.array(points, np.float32)) for down, points in runs if points]
    aspect = resolution.get("X", 1.0) / resolution.get("Y", resolution.get("X", 1.0))
    return _Ink(components, aspect if 0.3 < aspect < 3.5 else 1.0)


def _cut(ink: _Ink, spec: str) -> list | None:
    """Returns the strokes of a component list such as `0-4,7:3-9:12`; None if it is invalid."""
    strokes = []
    for part in re.sub(r"\s+", "", spec).split(","):
        if not part:
            continue
        ends = []
        for end in (part.split("-")[0], part.split("-")[-1]):
            component, _, point = end.partition(":")
            if not component.isdigit():
                return None
            ends.append((int(component), int(point) if point.isdigit() else None))
        (first, start), (last, stop) = ends
        if last - first > _MAX_COMPONENTS or last < first or last >= len(ink.components):
            return None
        for index in range(first, last + 1):
            is_down, points = ink.components[index]
            if not is_down:
                continue
            low = start if index == first and start is not None else 0
            high = stop + 1 if index == last and stop is not None else len(points)
            if high > low:
                strokes.append(points[low:high] * (1.0, ink.aspect))
    return strokes


def read_segments(root: Path, category: str) -> Iterator[Segment]:
    """All labelled segments of one category ('1a' … '8') under an unpacked UNIPEN tree."""
    base = root / "data" / category
    for path in sorted(p for p in base.rglob("*") if p.is_file()):
        text = _read(path)
        if ".SEGMENT" not in text:
            continue
        ink = _load_ink(path, root / "include")
        if not ink.components:
            continue
        for record in re.split(r"\n(?=\.)", text):
            found = _SEGMENT.match(record.rstrip()) if record.startswith(".SEGMENT") else None
            if not found or not found[4]:
                continue
            strokes = _cut(ink, found[2])
            if strokes:
                contributor = path.relative_to(base).parts[0]
                yield Segment(category, contributor, found[1], found[4], strokes)
