/** Response bodies made while they are read: nothing is made ahead, and nothing more once nobody reads. */

/** How long a client may read nothing, in ms, before it counts as gone and what is open for it is closed. */
const idleMs = 60_000;

/** @param onEnd called once, however it ends: at its end, by an error, or because the client has left or stalls */
export function toBody(
  chunks: AsyncGenerator<Uint8Array>,
  onEnd: () => void,
  maxIdleMs = idleMs,
): ReadableStream<Uint8Array> {
  let isOver = false;
  let idle: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(idle);
    if (isOver) return;
    isOver = true;
    onEnd();
  };
  const stop = async () => {
    end();
    await chunks.return(undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        idle = setTimeout(() => sleep(controller), maxIdleMs);
      },
      async pull(controller) {
        clearTimeout(idle);
        try {
          const { done, value } = await chunks.next();
          if (isOver) return;
          if (done) {
            end();
            return controller.close();
          }
          controller.enqueue(value);
          idle = setTimeout(() => sleep(controller), maxIdleMs);
        } catch (error) {
          if (isOver) return;
          end();
          controller.error(error);
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );

  function sleep(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.error(new Error('the client takes nothing'));
    // nobody is left to report a failure of closing to
    stop().catch(() => {});
  }
}
