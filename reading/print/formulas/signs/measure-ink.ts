/** How much ink a sign is: blur spreads it and thresholds cut it, but its amount stays, so that it tells bold signs. */
import { type Box, heightOf, widthOf } from '../../../box.ts';
import type { Sheet } from './pieces.ts';

/** Ink this far (pixels of the page) beyond a sign's box is its blurred edge, where it belongs to no other. */
const edge = 1;
/** A piece with less of its box in the sign's is another's. */
const leastShare = 0.5;

/** @returns the ink of each box, in square pixels of the sheet that are as dark as its darkest */
export function measureInk(sheet: Sheet, boxes: readonly Box[]): number[] {
  const { width, height, labels, ink } = sheet;
  const pieces = boxesOf(sheet);
  const reach = edge * sheet.scale;
  return boxes.map((box) => {
    const own = new Map<number, boolean>([[0, true]]);
    let sum = 0;
    for (let y = Math.max(0, Math.floor(box.top - reach)); y < Math.min(height, box.bottom + reach); y++)
      for (let x = Math.max(0, Math.floor(box.left - reach)); x < Math.min(width, box.right + reach); x++) {
        const label = labels[y * width + x]!;
        let isOwn = own.get(label);
        if (isOwn === undefined) {
          isOwn = isOf(pieces[label]!, box);
          own.set(label, isOwn);
        }
        const isBeyond = x < box.left || x >= box.right || y < box.top || y >= box.bottom;
        if (isOwn && !(isBeyond && label > 0)) sum += Math.max(0, ink[y * width + x]!);
      }
    return sum;
  });
}

/** Whether a piece, or a part of one that was divided, is the sign in a box. */
function isOf(piece: Box, box: Box): boolean {
  const wide = Math.min(piece.right, box.right) - Math.max(piece.left, box.left);
  const tall = Math.min(piece.bottom, box.bottom) - Math.max(piece.top, box.top);
  const isPart = wide >= widthOf(box) - 1 && tall >= heightOf(box) - 1 && heightOf(piece) < 2 * heightOf(box);
  return isPart || wide * tall > leastShare * widthOf(piece) * heightOf(piece);
}

/** The box of each label. */
function boxesOf({ width, labels }: Sheet): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < labels.length; at++) {
    const label = labels[at]!;
    if (label === 0) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    const box = boxes[label];
    if (!box) boxes[label] = { left: x, top: y, right: x + 1, bottom: y + 1 };
    else {
      if (x < box.left) box.left = x;
      if (x >= box.right) box.right = x + 1;
      box.bottom = y + 1;
    }
  }
  return boxes;
}
