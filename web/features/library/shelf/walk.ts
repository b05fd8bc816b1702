/** Arrow-key navigation in rows: the items' positions on screen decide which is above and below. */

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};

export function directionOf(key: string): Direction | null {
  return directions[key] ?? null;
}

interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

/** @param boxes in list order @returns the index to go to; the same one at an edge */
export function walk(boxes: readonly Box[], from: number, direction: Direction): number {
  const start = boxes[from];
  if (!start) return boxes.length > 0 ? 0 : -1;
  switch (direction) {
    case 'first':
      return 0;
    case 'last':
      return boxes.length - 1;
    case 'left':
      return Math.max(0, from - 1);
    case 'right':
      return Math.min(boxes.length - 1, from + 1);
    case 'up':
    case 'down': {
      const sign = direction === 'down' ? 1 : -1;
      const middle = (box: Box) => box.left + box.width / 2;
      const rows = boxes
        .map((box, index) => ({ index, gap: sign * (box.top - start.top), box }))
        // half a height: items in one row may have different heights
        .filter(({ gap, box }) => gap > Math.min(start.height, box.height) / 2);
      const nearest = Math.min(...rows.map(({ gap }) => gap));
      const row = rows.filter(({ gap, box }) => gap < nearest + box.height / 2);
      const [best] = row.toSorted(
        (one, other) =>
          Math.abs(middle(one.box) - middle(start)) - Math.abs(middle(other.box) - middle(start)),
      );
      return best?.index ?? from;
    }
  }
}
