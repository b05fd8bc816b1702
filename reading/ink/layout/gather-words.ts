/**
 * Matches pieces of ink with the boxes in which text was detected: which pieces are writing, and which form one word.
 */
import type { Box } from '../../box.ts';

interface Piece extends Box {
  pixels: number;
}

/** Heights relative to those of most letters. Flat pieces are separate signs: bars and minus signs. */
const flat = 0.35;
const tall = 2.4;
/**
 * Distance at which writing next to a detected word counts although it was not detected itself: sideways, above or
 * below.
 */
const reachRight = 3;
const reachLeft = 4;
const reachAbove = 1.5;
const bracketReach = 1;
/** A bracket has writing beside at least this share of it. */
const leastBeside = 0.3;
/** Signs are attached to signs attached to a word: brackets, scripts, what follows an equals sign. */
const rounds = 8;

const isIn = (piece: Box, box: Box) => {
  const [x, y] = [(piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2];
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
};

/** The pieces whose middle is inside one of the boxes. */
export function insideOf<P extends Box>(pieces: readonly P[], boxes: readonly Box[]): P[] {
  return pieces.filter((piece) => boxes.some((box) => isIn(piece, box)));
}

/** Rings of a binding are taken for words: narrow, this close to a side, and this many under each other. */
const bindingSide = 0.12;
const widestRing = 0.08;
const leastRings = 6;
/** Distance between their middles, in heights of the higher one; one between them may be missing. */
const ringDistance = 2.6;

export function withoutBinding(words: readonly Box[], width: number): Box[] {
  const middle = ({ left, right }: Box) => (left + right) / 2;
  const level = ({ top, bottom }: Box) => (top + bottom) / 2;
  const rings = [
    (word: Box) => middle(word) < bindingSide * width,
    (word: Box) => middle(word) > (1 - bindingSide) * width,
  ].flatMap((isAside) => {
    const narrow = words
      .filter((word) => isAside(word) && wide(word) < widestRing * width)
      .sort((a, b) => level(a) - level(b));
    const runs = narrow.reduce<Box[][]>((all, word) => {
      const last = all.at(-1)?.at(-1);
      if (last && level(word) - level(last) < ringDistance * Math.max(high(word), high(last)))
        all.at(-1)!.push(word);
      else all.push([word]);
      return all;
    }, []);
    return runs.filter((run) => run.length >= leastRings).flat();
  });
  return words.filter((word) => !rings.includes(word));
}

/**
 * Letters as a share of the detected words' height. Faint letters fall apart into lower pieces, so letters may be this
 * many times higher than those.
 */
const letterShare = 0.4;
const mostGrowth = 1.5;
/** Words are wider than this many times their height; the higher ones of them include several lines. */
const leastAspect = 1.5;
const usualWord = 0.4;

/** Height of most letters by the words they form, where it is more than by their pieces. */
export function sizeIn(words: readonly Box[], sizeOfPieces: number): number {
  const heights = words
    .filter((word) => wide(word) > leastAspect * high(word))
    .map(high)
    .sort((a, b) => a - b);
  const size = letterShare * (heights[Math.floor(usualWord * heights.length)] ?? 0);
  return Math.max(sizeOfPieces, Math.min(mostGrowth * sizeOfPieces, size));
}

/**
 * @param size height of most letters
 * @param isAllWriting pieces far from any word count too
 * @param fractions found by their bars; what is beside them counts, too
 * @returns words, each as one piece around its letters, and separate signs; pieces far from any word are dropped
 */
export function gatherWords(
  pieces: readonly Piece[],
  boxes: readonly Box[],
  size: number,
  isAllWriting = false,
  fractions: readonly Box[] = [],
): Piece[] {
  const words: Piece[] = [];
  const single: Piece[] = [];
  const taken = new Set<Piece>();
  for (const box of boxes) {
    const own = pieces.filter((piece) => !taken.has(piece) && isIn(piece, box));
    for (const piece of own) taken.add(piece);
    const height = (piece: Piece) => piece.bottom - piece.top;
    const letters = own.filter((piece) => height(piece) >= flat * size && height(piece) <= tall * size);
    single.push(...own.filter((piece) => !letters.includes(piece)));
    const word = letters.length > 0 ? letters.reduce(around) : null;
    if (word && height(word) <= tall * size) words.push(word);
    else single.push(...letters);
  }
  let loose = pieces.filter((piece) => !taken.has(piece));
  const kept = [...words, ...single];
  if (isAllWriting) return [...kept, ...loose];
  for (let round = 0; round < rounds; round++) {
    const near = loose.filter(
      (piece) =>
        [...kept, ...fractions].some((other) => hangsOn(piece, other, size)) && !isEdge(piece, kept, size),
    );
    kept.push(...near);
    loose = loose.filter((piece) => !near.includes(piece));
  }
  return kept;
}

function hangsOn(piece: Box, other: Box, size: number): boolean {
  const beside = Math.max(piece.left - other.right, other.left - piece.right);
  const above = Math.max(piece.top - other.bottom, other.top - piece.bottom);
  const least = Math.min(piece.bottom - piece.top, other.bottom - other.top);
  const reach = piece.right <= other.left ? reachLeft : reachRight;
  return (above < -0.3 * least && beside < reach * size) || (above < reachAbove * size && beside < 0);
}

/** The edge of the paper is as high as a bracket, but has writing beside less of it. */
function isEdge(piece: Box, words: readonly Box[], size: number): boolean {
  if (high(piece) <= tall * size) return false;
  const near = words
    .filter((word) => Math.max(piece.left - word.right, word.left - piece.right) < bracketReach * size)
    .map(({ top, bottom }) => ({ top: Math.max(top, piece.top), bottom: Math.min(bottom, piece.bottom) }))
    .filter(({ top, bottom }) => bottom > top)
    .sort((a, b) => a.top - b.top);
  let covered = 0;
  let reached = piece.top;
  for (const { top, bottom } of near) {
    covered += Math.max(0, bottom - Math.max(top, reached));
    reached = Math.max(reached, bottom);
  }
  return covered < leastBeside * high(piece);
}

const around = (a: Piece, b: Piece): Piece => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
  pixels: a.pixels + b.pixels,
});

/** A question's number is well to the left of its line, and hardly ever level with it. */
const widestNumber = 3.5;
const numberReach = 5;

const wide = ({ left, right }: Box) => right - left;
const high = ({ top, bottom }: Box) => bottom - top;
const overlap = (a: Box, b: Box) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);

/** Rows joined with their question's number, where it was taken for a row of its own. */
export function joinNumbers(rows: readonly Piece[], size: number): Piece[] {
  const out = [...rows];
  for (const number of rows) {
    if (wide(number) > widestNumber * size || high(number) > 3 * size) continue;
    const middle = (number.top + number.bottom) / 2;
    const line = out
      .filter(
        (row) =>
          row !== number &&
          wide(row) > wide(number) &&
          row.left >= number.right &&
          row.left - number.right < numberReach * size &&
          (overlap(row, number) > 0.4 * high(number) || (middle > row.top && middle < row.bottom)),
      )
      .sort((a, b) => overlap(b, number) - overlap(a, number))[0];
    if (!line || !out.includes(number)) continue;
    out.splice(out.indexOf(number), 1);
    out[out.indexOf(line)] = around(line, number);
  }
  return out;
}
