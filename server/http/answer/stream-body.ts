/** Bodies that are made as they are read: nothing is made ahead, and nothing more once nobody reads. */

/** How long a client may take nothing, in ms, before it counts as gone: what is open for it is closed then. */
const idleMs = 60_000;

/** @param onEnd called once, however it ends: at its end, by an error, or because the client has gone or sleeps */
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
    // what is closed badly now can be told to nobody
    stop().catch(() => {});
  }
}
