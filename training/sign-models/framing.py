"""The picture of one sign, as in the product (`reading/ink/signs/sign-picture.ts`)."""

import cv2
import numpy as np

#: Side of the models' pictures.
SIDE = 32
#: Largest factor by which a sign's shorter side is stretched.
STRETCH = 2.5


def frame(ink: np.ndarray) -> np.ndarray:
    """Scales ink to SIDE x SIDE: the longer side fills it; the shorter, centred, is stretched up to STRETCH times."""
    rows, columns = ink.shape
    longest = max(rows, columns)
    wide = max(1, min(SIDE, round(columns * SIDE / longest * STRETCH)))
    tall = max(1, min(SIDE, round(rows * SIDE / longest * STRETCH)))
    shrinks = wide <= columns and tall <= rows
    small = cv2.resize(ink, (wide, tall), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    out = np.zeros((SIDE, SIDE), np.uint8)
    y, x = (SIDE - tall) // 2, (SIDE - wide) // 2
    out[y : y + tall, x : x + wide] = small
    return out
