#!/bin/sh
# Starts or resumes the training in the background at the lowest priority; options go to train.py.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
INKPROOF_TRAINING_DIR=${INKPROOF_TRAINING_DIR:-$HOME/.local/share/inkproof-training}
mkdir -p "$INKPROOF_TRAINING_DIR"
python="$INKPROOF_TRAINING_DIR/venv/bin/python"
[ -x "$python" ] || python=python3
# Keeping freed memory instead of returning it to the system multiplied the throughput.
export INKPROOF_TRAINING_DIR PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=2 \
  MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592 MALLOC_TOP_PAD_=268435456
cd "$here"
# if the kernel schedules by session, the session's priority counts
start='[ ! -w /proc/self/autogroup ] || echo 19 >/proc/self/autogroup; exec nice -n 19 ionice -c 3 "$@"'
setsid nohup sh -c "$start" train "$python" train.py "$@" >>"$INKPROOF_TRAINING_DIR/train.log" 2>&1 </dev/null &
echo "$!" >"$INKPROOF_TRAINING_DIR/train.pid"
echo "training runs as process $!; log: $INKPROOF_TRAINING_DIR/train.log"
