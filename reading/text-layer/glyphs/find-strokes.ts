/** What was drawn on a page in addition to its text, for the handwriting reader: a tablet's annotations are strokes or pictures. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { type Box, boxHeight, boxWidth, centreX, centreY, type PageModel } from '../model.ts';

export interface DrawnMarks {
  /** Boxes of strokes and pictures. */
  strokes: ShareBox[];
  /** Boxes of the printed words. */
  words: ShareBox[];
}

/** Smaller ones are dots, larger ones pictures of whole pages: fractions of the page's height and area. */
const minHeight = 0.002;
const maxArea = 0.5;
/** Nobody writes more marks than this on a page: it is a plot or a map. */
const maxStrokes = 5_000;
/** Glyphs of one word are closer than this, in ems. */
const wordGap = 0.6;

/** Null if the page has only text and rules, or more marks than anybody writes. */
export function findStrokes(model: PageModel): DrawnMarks | null {
  const { width, height } = model;
  const share = ({ x0, y0, x1, y1 }: Box): ShareBox => [
    x0 / width,
    y0 / height,
    (x1 - x0) / width,
    (y1 - y0) / height,
  ];
  const strokes = model.drawings.filter(
    (drawing) =>
      drawing.kind !== 'panel' &&
      boxHeight(drawing) > minHeight * height &&
      boxWidth(drawing) * boxHeight(drawing) < maxArea * width * height,
  );
  if (strokes.length === 0 || strokes.length > maxStrokes) return null;
  const words: Box[] = [];
  let last: { box: Box; baseline: number } | null = null;
  for (const { ink, baseline, size } of model.glyphs) {
    const goesOn =
      last &&
      Math.abs(last.baseline - baseline) < 0.5 * size &&
      ink.x0 - last.box.x1 < wordGap * size &&
      ink.x0 >= last.box.x0 - size;
    if (last && goesOn) {
      last.box.x1 = Math.max(last.box.x1, ink.x1);
      last.box.y0 = Math.min(last.box.y0, ink.y0);
      last.box.y1 = Math.max(last.box.y1, ink.y1);
    } else {
      last = { box: { ...ink }, baseline };
      words.push(last.box);
    }
  }
  return { strokes: strokes.map(share), words: words.map(share) };
}

/** The page without the drawings centred in one of these boxes. */
export function withoutStrokes(model: PageModel, boxes: readonly ShareBox[]): PageModel {
  if (boxes.length === 0) return model;
  const { width, height } = model;
  const isOut = (drawing: Box) =>
    boxes.some(([left, top, wide, tall]) => {
      const [x, y] = [centreX(drawing) / width, centreY(drawing) / height];
      return x > left && x < left + wide && y > top && y < top + tall;
    });
  return { ...model, drawings: model.drawings.filter((drawing) => !isOut(drawing)) };
}
