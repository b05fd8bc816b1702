"""A line of ink photographed by a phone on real paper, as the product prepares it: harder than `render.photograph`.

Coordinates and sizes are pixels of a picture 64 high; brightness is 0 … 1.
"""

import random

import cv2
import numpy as np

from settings import sources_dir

_TEXTURE_SIDE = 900


def paper_textures() -> list:
    """Grain and creases of photographed sheets around 1, as float32 planes; drawn ones if there are no photographs."""
    textures = []
    for path in sorted((sources_dir() / "donut" / "synthdog" / "resources" / "paper").glob("*.jpg")):
        grey = cv2.imread(str(path), cv2.IMREAD_REDUCED_GRAYSCALE_2)
        if grey is not None:
            textures.append(_flat(grey))
    made = np.random.default_rng(5)
    for fine, coarse in ((0.012, 0.02), (0.03, 0.01), (0.008, 0.05)):
        plane = 1 + fine * made.standard_normal((_TEXTURE_SIDE, _TEXTURE_SIDE))
        plane += coarse * cv2.resize(made.standard_normal((30, 30)), (_TEXTURE_SIDE, _TEXTURE_SIDE), interpolation=cv2.INTER_CUBIC)
        textures.append(plane.astype(np.float32))
    return textures


def _flat(grey: np.ndarray) -> np.ndarray:
    """A photograph of paper without shading and deep folds: details finer than a fiftieth of it, of even strength."""
    size = _TEXTURE_SIDE / max(grey.shape)
    small = cv2.resize(grey, None, fx=size, fy=size, interpolation=cv2.INTER_AREA).astype(np.float32) + 1
    fine = small / cv2.GaussianBlur(small, (0, 0), _TEXTURE_SIDE / 50) - 1
    return 1 + np.clip(fine * np.float32(0.02 / max(1e-3, float(fine.std()))), -0.12, 0.06)


def _piece(textures: list, height: int, width: int, rng: random.Random) -> np.ndarray:
    """A random part of a texture, rotated, at a random scale."""
    texture = rng.choice(textures)
    zoom = rng.uniform(0.5, 2.0)
    tall, wide = min(texture.shape[0], int(height * zoom) + 2), min(texture.shape[1], int(width * zoom) + 2)
    y, x = rng.randint(0, texture.shape[0] - tall), rng.randint(0, texture.shape[1] - wide)
    piece = texture[y : y + tall, x : x + wide]
    if rng.random() < 0.5:
        piece = piece[::-1]
    return cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA if zoom > 1 else cv2.INTER_LINEAR)


def _aslant(cover: np.ndarray, rng: random.Random) -> np.ndarray:
    """The ink in a picture taken at an angle, on paper that is not quite flat."""
    height, width = cover.shape
    bend = 3.0 if width > 200 else 1.5
    by = lambda most: rng.uniform(-most, most)
    corners = np.float32([(0, 0), (width, 0), (width, height), (0, height)])
    moved = corners + np.float32([(by(3), by(bend)) for _ in range(4)])
    return cv2.warpPerspective(cover, cv2.getPerspectiveTransform(corners, moved), (width, height), flags=cv2.INTER_LINEAR)


def _neighbours(cover: np.ndarray, rng: random.Random) -> np.ndarray:
    """The bottom of the line above and the top of the line below, shifted sideways."""
    height, width = cover.shape
    rows = np.flatnonzero(cover.max(1) > 60)
    if len(rows) < 14 or width < 40:
        return cover
    out = cover.copy()
    for is_above in (True, False):
        if rng.random() < 0.55:
            continue
        other = np.roll(cover, rng.randint(width // 5, width - width // 5), axis=1)
        depth = rng.randint(2, 13)
        piece = other[max(0, rows[-1] - depth) : rows[-1]] if is_above else other[rows[0] : rows[0] + depth]
        edge = out[: len(piece)] if is_above else out[height - len(piece) :]
        np.maximum(edge, piece, out=edge)
    return out


def _frame(cover: np.ndarray, rng: random.Random) -> np.ndarray:
    """A box or rule that the writer drew around or under the end of the line."""
    columns, rows = np.flatnonzero(cover.max(0) > 60), np.flatnonzero(cover.max(1) > 60)
    if len(columns) < 20 or len(rows) < 8:
        return cover
    left = rng.randint(columns[0], columns[0] + (columns[-1] - columns[0]) * 2 // 3)
    right = min(cover.shape[1] - 2, columns[-1] + rng.randint(2, 6))
    top, bottom = max(1, rows[0] - rng.randint(1, 4)), min(62, rows[-1] + rng.randint(1, 4))
    jitter = lambda: rng.randint(-2, 2)
    corners = [(left + jitter(), top + jitter()), (right, top + jitter()), (right + jitter(), bottom + jitter()), (left + jitter(), bottom + jitter())]
    if rng.random() < 0.5:
        corners = corners[2:]
    is_closed = len(corners) == 4
    return cv2.polylines(cover.copy(), [np.int32(corners)], is_closed, 255, rng.choice([1, 2]), cv2.LINE_AA)


def _ruling(height: int, width: int, rng: random.Random) -> np.ndarray | None:
    """Printed rules or squares as transparency (1: none), dark or pale, thin or thick, rarely level."""
    kind = rng.random()
    if kind < 0.35:
        return None
    plane = np.ones((height, width), np.float32)
    dark, thick = 1 - rng.uniform(0.06, 0.6), rng.choice([1, 1, 1, 2, 2, 3])
    slope = rng.gauss(0, 0.008)
    is_squared = kind > 0.72
    step = rng.uniform(12, 40) if is_squared else rng.uniform(26, 80)
    thick = 1 if step < 22 else thick
    point = lambda x, y: (int(x * 16), int(y * 16))
    y = rng.uniform(-step, 0) - abs(slope) * width
    while y < height + abs(slope) * width:
        cv2.line(plane, point(0, y), point(width, y + slope * width), dark, thick, cv2.LINE_AA, 4)
        y += step
    x = rng.uniform(0, step) if is_squared else (rng.uniform(0, width) if rng.random() < 0.12 else 1e9)
    lean = -slope * height + rng.gauss(0, 0.5)
    while x < width:
        cv2.line(plane, point(x, 0), point(x + lean, height), dark, thick if is_squared else 2, cv2.LINE_AA, 4)
        x += step if is_squared else 1e9
    return plane


def _through_camera(grey: np.ndarray, rng: random.Random, noise: np.random.Generator) -> np.ndarray:
    """Resolution, focus, shake, grain, sharpening and JPEG of a phone; returns the original size."""
    height, width = grey.shape
    share = rng.uniform(0.36, 1.0)
    small = cv2.resize(grey, (max(8, round(width * share)), max(8, round(height * share))), interpolation=cv2.INTER_AREA)
    r = rng.random()
    if r < 0.35:
        small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.1))
    elif r < 0.45:  # camera shake
        length = rng.randint(2, 4)
        kernel = np.zeros((length, length), np.float32)
        way = rng.randint(0, 2)
        kernel[length // 2] = way == 0
        kernel[:, length // 2] += way == 1
        if way == 2:
            np.fill_diagonal(kernel, 1)
        small = cv2.filter2D(small, -1, kernel / kernel.sum())
    small = small + noise.standard_normal(small.shape, np.float32) * np.float32(rng.uniform(0, 0.03))
    if rng.random() < 0.35:
        small += rng.uniform(0.3, 1.2) * (small - cv2.GaussianBlur(small, (0, 0), 1.2))
    picture = np.clip(small * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(35, 92)])
        picture = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)


def phone_photograph(cover: np.ndarray, rng: random.Random, noise: np.random.Generator, textures: list) -> np.ndarray:
    """Coverage (64, width) uint8 to a grey picture uint8 as cut out of an evenly lit page."""
    height, width = cover.shape
    back = cv2.GaussianBlur(np.roll(cover[:, ::-1], (rng.randint(-30, 30), rng.randint(0, width)), (0, 1)), (0, 0), rng.uniform(0.8, 2.2))
    if rng.random() < 0.06:
        cover = _frame(cover, rng)
    cover = _aslant(_neighbours(cover, rng) if rng.random() < 0.4 else cover, rng)
    alpha = cover.astype(np.float32) * np.float32(1 / 255)
    texture = 1 + (_piece(textures, height, width, rng) - 1) * np.float32(rng.uniform(0.3, 1.6))
    is_pencil = rng.random() < 0.4
    pressure = noise.random((2, max(2, width // 40)), np.float32)
    alpha *= 1 - rng.uniform(0, 0.5) * cv2.resize(pressure, (width, height), interpolation=cv2.INTER_LINEAR)
    if is_pencil:  # graphite sticks to the raised grain of the paper
        grain = noise.random((height, width), np.float32)
        alpha *= np.clip(1 - rng.uniform(0.1, 0.6) * grain - 4 * (texture - 1), 0.15, 1)
    paper = texture.copy()
    ruling = _ruling(height, width, rng)
    if ruling is not None:
        paper *= ruling
    if rng.random() < 0.3:  # writing showing through from the other side
        paper *= 1 - back.astype(np.float32) * np.float32(rng.uniform(0.03, 0.28) / 255)
    ink = rng.uniform(0.3, 0.78) if is_pencil else rng.uniform(0.05, 0.6)
    grey = paper * (1 - np.clip(alpha, 0, 1) * (1 - ink))
    light = rng.uniform(0.45, 0.95) + np.linspace(0, rng.uniform(-0.2, 0.2), width, dtype=np.float32)[None]
    if rng.random() < 0.12:  # evening out the light leaves the edge of a shadow
        ramp = (np.arange(width, dtype=np.float32) - rng.randint(0, width)) / rng.uniform(2, 20)
        grey *= 1 - np.float32(rng.uniform(0.05, 0.25)) / (1 + np.exp(np.clip(ramp, -30, 30)))[None]
    picture = _through_camera(grey * np.clip(light, 0.25, 1), rng, noise).astype(np.float32)
    if rng.random() < 0.9:  # evening out the light leaves white paper with its grain clipped
        picture = picture / (255 * np.clip(light, 0.25, 1) * rng.uniform(0.88, 1.0)) * 255
    return np.clip(picture, 0, 255).astype(np.uint8)
