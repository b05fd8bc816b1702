"""Turns exported weights back into a file to train on from: `python3 recover.py ../models/line-reader.onnx OUT.pt`.

For use when the checkpoints are lost. In an export each batch norm is folded into its convolution; here it is unfolded
with the mean and variance of drawn lines at that layer, so that the network's results and its training continue as
before. Fails if its results differ from the export's.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from torch import nn

from model import LineReader
from drawing.samples import LineStream
from drawing.vocabulary import decode

_POOLS = 4
_TOLERANCE = 0.02


def values_of(graph: onnx.GraphProto) -> tuple:
    """Weights by name as fp32, and the nodes that use them, in order."""
    values = {t.name.removesuffix("_fp16"): numpy_helper.to_array(t).astype(np.float32) for t in graph.initializer}
    return values, [n for n in graph.node if n.op_type in ("Conv", "LSTM", "MatMul", "Gemm")]


def _gates(weights: np.ndarray) -> np.ndarray:
    """ONNX orders an LSTM's gates input, output, forget, cell; torch input, forget, cell, output."""
    i, o, f, c = np.split(weights, 4)
    return np.concatenate([i, f, c, o])


def _norms(features: nn.Module) -> list:
    """Convolutions with their batch norms, in the order of execution."""
    pairs, before = [], None
    for module in features.modules():
        if isinstance(module, nn.BatchNorm2d):
            pairs.append((before, module))
        elif isinstance(module, nn.Conv2d):
            before = module
    return pairs


@torch.no_grad()
def recovered(path: Path, size: str, batches: list) -> LineReader:
    """Rebuilds the model of an export; the batch norms take mean and variance from `batches`."""
    values, nodes = values_of(onnx.load(path).graph)
    model = LineReader(size).eval()
    project, head = [values[n.input[1]] for n in nodes if n.op_type == "MatMul"]
    linear, layer_norm = model.project[0], model.project[1]
    linear.weight.copy_(torch.from_numpy(project.T.copy()))
    linear.bias.copy_(torch.from_numpy(values["model.project.0.bias"]))
    layer_norm.weight.copy_(torch.from_numpy(values["model.project.1.weight"]))
    layer_norm.bias.copy_(torch.from_numpy(values["model.project.1.bias"]))
    model.head.weight.copy_(torch.from_numpy(head.T.copy()))
    model.head.bias.copy_(torch.from_numpy(values["model.head.bias"]))
    for layer, node in enumerate(n for n in nodes if n.op_type == "LSTM"):
        inputs, hidden, biases = (values[name] for name in node.input[1:4])
        for direction, suffix in enumerate(("", "_reverse")):
            of_input, of_hidden = np.split(biases[direction], 2)
            for name, weights in (("weight_ih", inputs[direction]), ("weight_hh", hidden[direction]), ("bias_ih", of_input), ("bias_hh", of_hidden)):
                getattr(model.context, f"{name}_l{layer}{suffix}").copy_(torch.from_numpy(_gates(weights)))
    pictures = (torch.from_numpy(b.pictures).float().div_(255).unsqueeze(1).to(memory_format=torch.channels_last) for b in batches)
    fill_convolutions(model.features, values, nodes, pictures)
    return model


@torch.no_grad()
def fill_convolutions(features: nn.Module, values: dict, nodes: list, pictures: Iterable) -> None:
    """Fills convolutions with an export's weights; each batch norm gets the mean and variance of its input, and the weights
    that cancel them."""
    pairs, convolutions = _norms(features), [n for n in nodes if n.op_type == "Conv"]
    assert len(pairs) == len(convolutions)
    for node, (conv, norm) in zip(convolutions, pairs):
        conv.weight.copy_(torch.from_numpy(values[node.input[1]]))
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.bias.copy_(torch.from_numpy(values[node.input[2]]))
    sums = [[0, 0.0, 0.0] for _ in pairs]

    def watch(sum_of: list):
        def hook(_module, inputs):
            x = inputs[0].double()
            sum_of[0] += x.numel() // x.shape[1]
            sum_of[1] = sum_of[1] + x.sum((0, 2, 3))
            sum_of[2] = sum_of[2] + (x * x).sum((0, 2, 3))

        return hook

    hooks = [norm.register_forward_pre_hook(watch(sum_of)) for (_, norm), sum_of in zip(pairs, sums)]
    for picture in pictures:
        features(picture)
    for hook in hooks:
        hook.remove()
    for (_, norm), (count, first, second) in zip(pairs, sums):
        mean = first / count
        spread = (second / count - mean * mean).clamp_min(1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    about = json.loads(options.export.with_suffix(".json").read_text())["training"]
    torch.set_num_threads(1)
    stream = LineStream(seed=77, with_unipen=about["with_unipen"], ramp=1)
    batches = [batch for k in range(_POOLS) for batch in stream.pool(k + 1)]
    model = recovered(options.export, about["size"], batches)
    session = onnxruntime.InferenceSession(str(options.export), providers=["CPUExecutionProvider"])
    worst, differing = 0.0, 0
    for batch in batches[:12]:
        x = torch.from_numpy(batch.pictures).float().div_(255).unsqueeze(1).to(memory_format=torch.channels_last)
        with torch.no_grad():
            ours = model(x).log_softmax(-1).numpy()
        theirs = session.run(None, {"picture": x.numpy()})[0]
        best = theirs.argmax(-1)
        worst = max(worst, float(np.abs(np.take_along_axis(ours - theirs, best[..., None], -1)).max()))
        differing += sum(decode(a.tolist()) != decode(b.tolist()) for a, b in zip(ours.argmax(-1), best))
    print(json.dumps({"largest_difference": round(worst, 6), "answers_differing": differing}))
    if worst > _TOLERANCE or differing > 0:
        raise SystemExit("the weights differ from the export")
    torch.save({"average": model.state_dict(), "size": about["size"], "lines": about["lines"], "with_unipen": about["with_unipen"]}, options.out)


if __name__ == "__main__":
    main()
