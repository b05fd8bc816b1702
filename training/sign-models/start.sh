#!/bin/sh
# Starts or resumes training a model of single signs in the background at the lowest priority: `start.sh print|written`;
# further options go to train.py.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
of=$1
shift
INKPROOF_TRAINING_DIR=${INKPROOF_TRAINING_DIR:-$HOME/.local/share/inkproof-training}
mkdir -p "$INKPROOF_TRAINING_DIR/$of"
python="$INKPROOF_TRAINING_DIR/venv/bin/python"
[ -x "$python" ] || python=python3
export INKPROOF_TRAINING_DIR PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 \
  MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592
cd "$here"
setsid nohup nice -n 19 ionice -c 3 "$python" train.py --of "$of" "$@" >>"$INKPROOF_TRAINING_DIR/$of/train.log" 2>&1 </dev/null &
echo "$!" >"$INKPROOF_TRAINING_DIR/$of/train.pid"
echo "training runs as process $!; log: $INKPROOF_TRAINING_DIR/$of/train.log"
