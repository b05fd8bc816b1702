"""What the product must know of the model of handwritten signs besides its weights."""

from drawing.symbols import hershey_shapes, vertical_box
from settings import prepared_dir
from signs import SIGNS


def about() -> dict:
    """The tokens of each output, and each token's bottom and top above the baseline, in em."""
    shapes = hershey_shapes(prepared_dir() / "hershey")
    boxes = {token: [round(edge, 3) for edge in vertical_box(token, shapes)] for sign in SIGNS for token in sign.tokens}
    return {"shapes": [list(sign.tokens) for sign in SIGNS], "boxes": boxes}
