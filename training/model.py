"""The line reader: a convolutional encoder, two bidirectional LSTM layers and a CTC head.

Input  (batch, 1, 64, width): 0 is paper, 1 is full ink, as `render.normalise` makes it; width is a
multiple of 4. Output (batch, width / 4, tokens): logits over `vocabulary.TOKENS`, index 0 the CTC
blank. There is no attention and no fixed length anywhere, so a traced export keeps every width.
"""

import functools

import torch
from torch import Tensor, nn
from torch.nn import functional

from drawing.vocabulary import TOKENS

SIZES = {
    "small": {"channels": (16, 32, 64, 112), "hidden": 128},
    "base": {"channels": (24, 48, 96, 160), "hidden": 192},
    "large": {"channels": (32, 64, 128, 256), "hidden": 320},
}


def _conv(inputs: int, outputs: int, stride=1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3 x 3 convolutions with a shortcut; keeps the shape."""

    def __init__(self, channels: int):
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class LineReader(nn.Module):
    """See the module's docstring for shapes."""

    def __init__(self, size: str = "base", outputs: int = len(TOKENS)):
        super().__init__()
        a, b, c, d = SIZES[size]["channels"]
        hidden = SIZES[size]["hidden"]
        self.features = nn.Sequential(
            _conv(1, a, 2),  # 32 rows, width / 2
            _conv(a, b, 2),  # 16 rows, width / 4
            Residual(b),
            _conv(b, c, (2, 1)),  # 8 rows
            Residual(c),
            _conv(c, d, (2, 1)),  # 4 rows
            Residual(d),
        )
        self.project = nn.Sequential(nn.Linear(4 * d, hidden), nn.LayerNorm(hidden), nn.ReLU(inplace=True), nn.Dropout(0.1))
        self.context = nn.LSTM(hidden, hidden, 2, batch_first=True, bidirectional=True, dropout=0.15)
        self.head = nn.Linear(2 * hidden, outputs)

    def forward(self, x: Tensor) -> Tensor:
        y = self.features(x)
        y = y.permute(0, 3, 1, 2).flatten(2)  # batch, width / 4, 4 * channels
        y, _ = self.context(self.project(y))
        return self.head(y)


@functools.cache
def bfloat16_is_right(device: str = "cpu") -> bool:
    """False where bfloat16 convolutions return something else, as those of torch 2.6 (Debian 13) do on some processors."""
    state = torch.get_rng_state()
    torch.manual_seed(0)
    features = LineReader("base").features.to(device)
    if device == "cpu":
        features = features.to(memory_format=torch.channels_last)
    x = torch.rand(2, 1, 64, 256, device=device)
    if device == "cpu":
        x = x.to(memory_format=torch.channels_last)
    with torch.no_grad():
        exact = features(x)
        with torch.autocast(device, torch.bfloat16):
            rounded = features(x).float()
    torch.set_rng_state(state)
    return float((exact - rounded).abs().mean() / exact.abs().mean()) < 0.05
