/** Corrects a model's boxes of lines by the ink on the page: models are slightly inaccurate. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { KnownLine } from '../positions/align-text.ts';
import type { PageAnswer } from './prompt.ts';

/** A box belongs to a line of ink if their middles are closer than this many of the ink's heights. */
const reach = 0.6;
/** Some models count in thousandths, whatever the prompt says. */
const thousandths = 1_000;

export function toPageBoxes(
  { top, bottom, answer }: { top: number; bottom: number; answer: PageAnswer },
  ink: readonly ShareBox[],
): KnownLine[] {
  const most = Math.max(
    0,
    ...answer.lines.flatMap(({ left, width, top, height }) => [left + width, top + height]),
  );
  const scale = most <= 1.05 ? 1 : most <= 1.05 * thousandths ? thousandths : null;
  if (scale === null) return [];
  return answer.lines.flatMap(({ begins, ...stated }): KnownLine[] => {
    const box: ShareBox = [
      stated.left / scale,
      top + (stated.top / scale) * (bottom - top),
      stated.width / scale,
      (stated.height / scale) * (bottom - top),
    ];
    const isBox = box.every((value) => Number.isFinite(value) && value >= 0) && box[2] > 0 && box[3] > 0;
    return isBox && begins.trim() !== '' ? [{ text: begins, box: nearestInk(box, ink) ?? box }] : [];
  });
}

/** The line of ink that a box refers to; null if none is near. */
function nearestInk([left, top, width, height]: ShareBox, ink: readonly ShareBox[]): ShareBox | null {
  const middle = top + height / 2;
  const near = ink.filter(([x, y, wide, tall]) => {
    const shared = Math.min(x + wide, left + width) - Math.max(x, left);
    return (
      shared > 0.3 * Math.min(wide, width) && Math.abs(y + tall / 2 - middle) < reach * Math.max(tall, height)
    );
  });
  const away = ([, y, , tall]: ShareBox) => Math.abs(y + tall / 2 - middle);
  return near.length === 0 ? null : near.reduce((a, b) => (away(b) < away(a) ? b : a));
}
