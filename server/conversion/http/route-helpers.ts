/** What the conversion routes share. */

/** `no-transform` keeps proxies from compressing, and thereby holding back, a stream; X-Accel-Buffering is nginx's own. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;
