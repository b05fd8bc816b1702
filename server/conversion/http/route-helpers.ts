/** What the conversion routes share. */

/** `no-transform` keeps proxies from compressing a stream, and so buffering it; X-Accel-Buffering is nginx's own. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;
