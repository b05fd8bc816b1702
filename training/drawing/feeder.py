"""Makes pools of lines in separate processes, so that drawing and training overlap.

Feeder n of m makes pools n, n + m, n + 2m, …; the consumer takes them in turn, so their order is that
of the pool numbers for any number of feeders.
"""

import multiprocessing
import os
from collections.abc import Iterator


def _work(queue, seed: int, first: int, step: int, with_unipen: bool, ramp: int, parent: int) -> None:
    from drawing.samples import LineStream

    stream = LineStream(seed, with_unipen, ramp)
    k = first
    while os.getppid() == parent:
        queue.put((k, stream.pool(k)))
        k += step


def pools(seed: int, first: int, with_unipen: bool, ramp: int, feeders: int = 1) -> Iterator[tuple]:
    """Yields (pool number, batches) from pool `first` on, endlessly; `ramp`: lines until full difficulty."""
    context = multiprocessing.get_context("spawn")
    queues = []
    for n in range(feeders):
        queue = context.Queue(maxsize=2)
        context.Process(
            target=_work, args=(queue, seed, first + n, feeders, with_unipen, ramp, os.getpid()), daemon=True
        ).start()
        queues.append(queue)
    k = first
    while True:
        number, batches = queues[(k - first) % feeders].get()
        assert number == k
        yield number, batches
        k += 1
