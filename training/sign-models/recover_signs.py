"""Turns an exported model of signs back into a run to train on from: `python3 recover_signs.py IN.onnx --of print|written --run NAME`.

As `recover.py` does for the line model. Outputs are matched by their tokens: those that the export lacks begin as they would
in a new model.
Fails if the results differ from the export's.
"""

import argparse
import json
import sys
from pathlib import Path

import onnx
import onnxruntime
import torch
from torch import nn

sys.path.insert(1, str(Path(__file__).parent.parent))
from recover import fill_convolutions, values_of  # noqa: E402
from settings import training_dir  # noqa: E402

_BATCHES, _BATCH = 8, 256
_TOLERANCE = 0.02


def _outputs(signs: list, shapes: list) -> list:
    """For each of the signs the export's output with its first token, or None."""
    at = {token: k for k, tokens in enumerate(shapes) for token in tokens}
    return [at.get(sign.tokens[0]) if sign.tokens else len(shapes) - 1 for sign in signs]


@torch.no_grad()
def recovered(model: nn.Module, path: Path, outputs: list, batches: list) -> nn.Module:
    """Fills `model` with an export's weights; the batch norms take mean and variance from `batches` of pictures and sizes."""
    values, nodes = values_of(onnx.load(path).graph)
    model.eval()
    fill_convolutions(model.features, values, nodes, (pictures for pictures, _ in batches))
    last = [m for m in model.modules() if isinstance(m, nn.Linear)][-1]
    for name, linear in model.named_modules():
        if not isinstance(linear, nn.Linear):
            continue
        weight, bias = (torch.from_numpy(values[f"model.{name}.{of}"]) for of in ("weight", "bias"))
        if linear is not last:
            linear.weight.copy_(weight)
            linear.bias.copy_(bias)
            continue
        for k, output in enumerate(outputs):
            if output is not None:
                linear.weight[k] = weight[output]
                linear.bias[k] = bias[output]
    return model


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--of", choices=("print", "written"), required=True)
    parser.add_argument("--run", required=True)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent.parent / options.of))
    from pictures import Signs
    from sign_model import SignReader
    from signs import SIGNS

    signs = Signs()
    drawn = [signs.batch(7, k, _BATCH)[:2] for k in range(_BATCHES)]
    batches = [(torch.from_numpy(p).float().div_(255).unsqueeze(1), torch.from_numpy(s)) for p, s in drawn]
    outputs = _outputs(SIGNS, json.loads(options.path.with_suffix(".json").read_text())["shapes"])
    model = recovered(SignReader(), options.path, outputs, batches)
    session = onnxruntime.InferenceSession(str(options.path), providers=["CPUExecutionProvider"])
    theirs = session.run(None, {"pictures": batches[0][0].numpy(), "sizes": batches[0][1].numpy()})[0]
    with torch.no_grad():
        ours = model(*batches[0]).numpy()
    kept = [k for k, output in enumerate(outputs) if output is not None]
    differing = (ours[:, kept].argmax(1) != theirs[:, [outputs[k] for k in kept]].argmax(1)).mean()
    if differing > _TOLERANCE:
        raise SystemExit(f"the results differ from the export's in {differing:.3f} of the signs")
    folder = training_dir() / options.of / "runs" / options.run
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({"average": model.state_dict()}, folder / "last.pt")
    print(f"{len(kept)} of {len(SIGNS)} outputs recovered to {folder}; {differing:.4f} of the signs read otherwise")


if __name__ == "__main__":
    main()
