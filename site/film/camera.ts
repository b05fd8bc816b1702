/**
 * Records what a browser shows over the DevTools protocol: one picture whenever something has changed, with its time.
 * Pointer, zoom and captions are recorded separately and drawn into the film afterwards (compose-film.ts), so that
 * they move smoothly however busy the machine was.
 */
import type { CDPSession, Page } from '@playwright/test';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Times are in ms since the start of the recording; positions in CSS pixels of the page. */
export interface Recording {
  size: { width: number; height: number };
  lengthMs: number;
  frames: { atMs: number; jpeg: Buffer }[];
  /** The pointer's movements; it rests between them. */
  ways: { fromMs: number; toMs: number; from: Point; to: Point }[];
  presses: number[];
  /** What the film zooms to, reached in `toMs - fromMs` and held. */
  views: { fromMs: number; toMs: number; box: Box }[];
  captions: { fromMs: number; text: string }[];
  /** Times spent only on waiting for the machine, and how much of each the film shows at most. */
  waits: { fromMs: number; toMs: number; longestMs: number }[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Camera {
  now: () => number;
  recording: Recording;
  stop: () => Promise<Recording>;
}

/** Starts recording the page. */
export async function startCamera(page: Page): Promise<Camera> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const size = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const startedMs = Date.now();
  const now = () => Date.now() - startedMs;
  const recording: Recording = {
    size,
    lengthMs: 0,
    frames: [],
    ways: [],
    presses: [],
    views: [],
    captions: [],
    waits: [],
  };
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const atMs = metadata.timestamp === undefined ? now() : metadata.timestamp * 1000 - startedMs;
    recording.frames.push({ atMs, jpeg: Buffer.from(data, 'base64') });
    // fails if the recording has just ended
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 96, everyNthFrame: 1 });
  return {
    now,
    recording,
    async stop() {
      recording.lengthMs = now();
      await session.send('Page.stopScreencast');
      await session.detach();
      return recording;
    },
  };
}
