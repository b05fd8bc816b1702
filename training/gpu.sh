#!/bin/sh
# Ten minutes on a machine with one GPU.
#   sh training/gpu.sh pack                    here: collects the files to copy in training/.carry (about 55 MB)
#   sh training/gpu.sh run OUT MINUTES [...]   there: trains, measures, exports; results in OUT, each under 16 MiB
# Further options go to train.py (for example: --size large). It starts from the packed weights if they
# have the same size, so that the training done on the CPU is not lost.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
carry="$here/.carry"
home=${INKPROOF_TRAINING_DIR:-$HOME/.local/share/inkproof-training}
case ${1:-} in
pack)
  mkdir -p "$carry/prepared"
  cp -r "$home/prepared/." "$carry/prepared/"
  python="$home/venv/bin/python"
  [ -x "$python" ] || python=python3
  (cd "$here" && "$python" -c "
import sys, torch
state = torch.load('$home/runs/base/last.pt', map_location='cpu', weights_only=True)
torch.save({k: state[k] for k in ('average', 'size', 'lines', 'with_unipen')}, '$carry/weights.pt')")
  du -sh "$carry"
  ;;
run)
  out=$2
  minutes=$3
  shift 3
  export INKPROOF_TRAINING_DIR=${TMPDIR:-/tmp}/inkproof-training INKPROOF_PREPARED_DIR="$carry/prepared"
  export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
  cd "$here"
  case " $* " in *" --size "*) init= ;; *) init="--init $carry/weights.pt" ;; esac
  feeders=$(($(nproc) - 2))
  # The rate falls with the remaining time; --lines only has to be out of reach.
  # shellcheck disable=SC2086
  python3 train.py --run gpu --device cuda --feeders "$feeders" --batch-scale 8 --minutes "$minutes" \
    --lines 1000000000 $init "$@"
  python3 evaluate.py --run gpu --device cuda --json "$out/evaluation.json"
  cp "$INKPROOF_TRAINING_DIR/runs/gpu/log.jsonl" "$out/"
  python3 -c "
import torch
state = torch.load('$INKPROOF_TRAINING_DIR/runs/gpu/last.pt', map_location='cpu', weights_only=True)
half = {k: v.half() for k, v in state['average'].items()}
rest = {k: state[k] for k in ('size', 'lines', 'with_unipen')}
torch.save({'average': half, **rest}, '$out/weights.pt')"
  python3 export.py "$out/line-reader.onnx" --run gpu || echo "no ONNX there: export from weights.pt here"
  ;;
*)
  sed -n '2,6p' "$0"
  exit 2
  ;;
esac
