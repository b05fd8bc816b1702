import type { Recording } from './camera.ts';

/** How long before the next caption each one ends, ms. */
const gapMs = 80;

/** The captions of a recording as WebVTT: each is shown until the next, the last until the end. */
export function writeCaptions({ captions }: Pick<Recording, 'captions'>, seconds: number) {
  const cues = captions.map(({ fromMs, text }, index) => {
    const next = captions[index + 1];
    return `${showTime(fromMs)} --> ${showTime(next ? next.fromMs - gapMs : seconds * 1000)}\n${text}\n`;
  });
  return {
    vtt: `WEBVTT\n\n${cues.join('\n')}`,
    /** When the caption starts, ms. */
    momentOf(words: string): number {
      const found = captions.find(({ text }) => text.includes(words));
      if (!found) throw new Error(`There is no caption with “${words}”.`);
      return found.fromMs;
    },
  };
}

/** `00:00:07.250` */
function showTime(ms: number): string {
  const part = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0');
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
