"""The model of single signs: a small convolutional network over one cropped sign, printed or written by hand.

Input: pictures (batch, 1, 32, 32), 0 paper to 1 ink as returned by `framing.frame`, and sizes (batch, 2),
the binary logarithms of height and width in x-heights of the text (print) or usual lengths of signs (written).
Output: (batch, signs) logits.
"""

import torch
from torch import Tensor, nn

from signs import SIGNS


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class SignReader(nn.Module):
    """See the module's docstring for shapes."""

    def __init__(self, dropout: float = 0.15):
        super().__init__()
        self.features = nn.Sequential(
            _conv(1, 24), _conv(24, 48, 2), _conv(48, 48), _conv(48, 96, 2), _conv(96, 96), _conv(96, 128, 2), nn.Flatten()
        )  # fmt: skip
        self.sizes = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(128 * 16 + 32, 192), nn.ReLU(), nn.Dropout(dropout), nn.Linear(192, len(SIGNS)))

    def forward(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        return self.head(torch.cat([self.features(pictures), self.sizes(sizes)], 1))
