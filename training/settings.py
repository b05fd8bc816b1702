"""Location of the training state, and shared constants."""

import os
from pathlib import Path

#: Height in pixels of every line image the model sees.
LINE_HEIGHT = 64
#: Widest line image used in training, in pixels; longer lines are squeezed.
MAX_LINE_WIDTH = 1024
#: Columns of the image behind one output frame of the model.
FRAME_PIXELS = 4
#: Stored strokes are scaled so that the ink of a sample is this many units high.
INK_UNITS = 1024


def training_dir() -> Path:
    """Folder for everything outside git: sources, prepared strokes, checkpoints, logs."""
    default = Path.home() / ".local" / "share" / "inkproof-training"
    return Path(os.environ.get("INKPROOF_TRAINING_DIR") or default)


def sources_dir() -> Path:
    """Folder with the unpacked public data sets, one sub-folder each."""
    return training_dir() / "sources"


def prepared_dir() -> Path:
    """Folder with the compact stroke files that `prepare.py` writes."""
    return Path(os.environ.get("INKPROOF_PREPARED_DIR") or training_dir() / "prepared")
