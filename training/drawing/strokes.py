"""Compact storage of many pen-stroke samples, and a few shared operations.

A `StrokeSet` stores all points in one int16 array. The ink of a sample is scaled so that its box is
`INK_UNITS` high (or wide, for samples wider than 30 times their height), x right, y up, with the
lower left corner of the box at the origin.
"""

import json
from pathlib import Path

import cv2
import numpy as np

from settings import INK_UNITS


def box_of(strokes: list) -> tuple:
    """(x0, y0, x1, y1) over all points of a list of (n, 2) arrays."""
    points = np.concatenate(strokes)
    return (*points.min(0), *points.max(0))


def thin(strokes: list, tolerance: float) -> list:
    """Drops points within `tolerance` units of the line through the others."""
    return [
        cv2.approxPolyDP(np.ascontiguousarray(s, np.float32).reshape(-1, 1, 2), tolerance, False).reshape(-1, 2)
        for s in strokes
    ]


def scale_to_units(strokes: list) -> list:
    """Strokes moved to the origin and scaled to `INK_UNITS`."""
    x0, y0, x1, y1 = box_of(strokes)
    size = max(y1 - y0, (x1 - x0) / 30, 1e-3)
    return [(s - (x0, y0)) * (INK_UNITS / size) for s in strokes]


class StrokeSet:
    """Samples of ink with their labels and writers; `strokes(k)` gives a list of (n, 2) float32."""

    def __init__(self, points, stroke_ends, sample_ends, labels, writers):
        self.points = points
        self.stroke_ends = stroke_ends
        self.sample_ends = sample_ends
        self.labels = labels
        self.writers = writers

    def __len__(self) -> int:
        return len(self.labels)

    def strokes(self, k: int) -> list:
        """Ink of sample k as float32 arrays (n, 2), box INK_UNITS high."""
        first = int(self.sample_ends[k - 1]) if k else 0
        last = int(self.sample_ends[k])
        start = int(self.stroke_ends[first - 1]) if first else 0
        ends = self.stroke_ends[first:last]
        points = self.points[start : int(ends[-1])].astype(np.float32)
        return np.split(points, (ends[:-1] - start).tolist())

    @classmethod
    def build(cls, samples: list) -> "StrokeSet":
        """Builds a set from (label, writer, strokes) triples; scales and thins the strokes."""
        points, stroke_ends, sample_ends, labels, writers = [], [], [], [], []
        total = 0
        for label, writer, strokes in samples:
            for stroke in thin(scale_to_units(strokes), 3.0):
                points.append(np.clip(np.round(stroke), -32000, 32000).astype(np.int16))
                total += len(stroke)
                stroke_ends.append(total)
            sample_ends.append(len(stroke_ends))
            labels.append(label)
            writers.append(writer)
        return cls(
            np.concatenate(points), np.array(stroke_ends, np.int32), np.array(sample_ends, np.int32), labels, writers
        )

    def save(self, path: Path) -> None:
        """Writes an .npz atomically."""
        text = json.dumps({"labels": self.labels, "writers": self.writers}, ensure_ascii=False)
        temporary = path.with_suffix(".tmp.npz")
        np.savez_compressed(
            temporary,
            steps=np.diff(self.points, axis=0, prepend=np.zeros((1, 2), np.int16)),  # compresses far better
            stroke_ends=self.stroke_ends,
            sample_ends=self.sample_ends,
            text=np.frombuffer(text.encode(), np.uint8),
        )
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> "StrokeSet":
        """Reads a file written by `save`."""
        with np.load(path) as data:
            text = json.loads(data["text"].tobytes().decode())
            points = np.cumsum(data["steps"], axis=0, dtype=np.int16)
            return cls(points, data["stroke_ends"], data["sample_ends"], text["labels"], text["writers"])
