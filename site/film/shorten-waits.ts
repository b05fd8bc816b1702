import type { Recording } from './camera.ts';

/** Cuts the middle out of long waits, so that a busy machine makes no longer film than a quiet one. */
export function shortenWaits(recording: Recording): { recording: Recording; isShortened: boolean } {
  const cuts = recording.waits
    .filter(({ fromMs, toMs, longestMs }) => toMs - fromMs > longestMs)
    .map(({ fromMs, toMs, longestMs }) => ({ fromMs: fromMs + longestMs / 2, toMs: toMs - longestMs / 2 }));
  const move = (ms: number) =>
    cuts.reduce((left, cut) => left - Math.max(0, Math.min(ms, cut.toMs) - cut.fromMs), ms);
  // a movement or zoom in progress when a wait is cut keeps its duration
  const moveBoth = <T extends { fromMs: number; toMs: number }>(one: T): T => ({
    ...one,
    fromMs: move(one.fromMs),
    toMs: move(one.fromMs) + one.toMs - one.fromMs,
  });
  return {
    recording: {
      ...recording,
      lengthMs: move(recording.lengthMs),
      frames: recording.frames.map((frame) => ({ ...frame, atMs: move(frame.atMs) })),
      ways: recording.ways.map(moveBoth),
      views: recording.views.map(moveBoth),
      waits: [],
      presses: recording.presses.map(move),
      captions: recording.captions.map((caption) => ({ ...caption, fromMs: move(caption.fromMs) })),
    },
    isShortened: cuts.length > 0,
  };
}
