"""Turns an exported model of signs back into a run to train on from: `python3 recover_signs.py IN.onnx --of print|written --run NAME`.

In an export each batch norm is folded into its convolution; here it is unfolded with the mean and variance of drawn signs
at that layer. Outputs are matched by their tokens: those that the export lacks begin as they would in a new model.
Fails if the results differ from the export's.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from torch import nn

sys.path.insert(1, str(Path(__file__).parent.parent))
from settings import training_dir  # noqa: E402

_BATCHES, _BATCH = 8, 256
_TOLERANCE = 0.02


def _outputs(signs: list, shapes: list) -> list:
    """For each of the signs the export's output with its first token, or None."""
    at = {token: k for k, tokens in enumerate(shapes) for token in tokens}
    return [at.get(sign.tokens[0]) if sign.tokens else len(shapes) - 1 for sign in signs]


@torch.no_grad()
def recovered(model: nn.Module, path: Path, outputs: list, batches: list) -> nn.Module:
    """Fills `model` with an export's weights; the batch norms take mean and variance from `batches`."""
    graph = onnx.load(path).graph
    values = {t.name.removesuffix("_fp16"): torch.from_numpy(numpy_helper.to_array(t).astype(np.float32)) for t in graph.initializer}
    nodes = [n for n in graph.node if n.op_type in ("Conv", "Gemm")]
    model.eval()
    layers = [m for m in model.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d))]
    folded = iter([n for n in nodes if n.op_type == "Conv"])
    for conv, norm in zip(layers[::2], layers[1::2]):
        node = next(folded)
        conv.weight.copy_(values[node.input[1]])
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.bias.copy_(values[node.input[2]])
    last = [m for m in model.modules() if isinstance(m, nn.Linear)][-1]
    for linear in (m for m in model.modules() if isinstance(m, nn.Linear)):
        name = next(n for n, m in model.named_modules() if m is linear)
        weight, bias = values[f"model.{name}.weight"], values[f"model.{name}.bias"]
        if linear is not last:
            linear.weight.copy_(weight)
            linear.bias.copy_(bias)
            continue
        for k, output in enumerate(outputs):
            if output is not None:
                linear.weight[k] = weight[output]
                linear.bias[k] = bias[output]
    for conv, norm in zip(layers[::2], layers[1::2]):
        seen: list = []
        hook = conv.register_forward_hook(lambda _m, _i, out, kept=seen: kept.append(out.transpose(0, 1).flatten(1)))
        for pictures, sizes in batches:
            model(pictures, sizes)
        hook.remove()
        made = torch.cat(seen, 1)
        mean, variance = made.mean(1), made.var(1)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.add_(mean)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
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
