/** Groups pieces of ink into signs: which pieces form one sign, which are rules, and what each sign may be. */
import { around, type Box, heightOf, widthOf } from '../../../box.ts';
import { findDefinitions } from './find-definitions.ts';
import { measureInk } from './measure-ink.ts';
import { mendPieces } from './mend-pieces.ts';
import { cutInk, type Piece, type Sheet } from './pieces.ts';
import { findRadicals } from './radicals.ts';
import { crack, gapOfParts, isFlat, isPoint, leastMended, nameAll, parts } from './shapes.ts';
import type { Guess, SignModel } from './sign-model.ts';
import { splitBars } from './split-bars.ts';
import { isTall, mendTall, tallGuesses } from './tall-signs.ts';

export interface ReadSign extends Box {
  /** Most likely first; never empty. */
  guesses: Guess[];
  /** Of a letter that is known to belong to a word: it is of the text's size, and this is its baseline. */
  baseline?: number;
  /** How much ink it is, in square pixels of its sheet. */
  ink?: number;
  /** Small enough for a speck of dirt: it counts only where a comma or full stop stands. */
  isSpeck?: boolean;
}

/** The contents of a sheet, in its pixels. */
export interface SheetSigns {
  signs: ReadSign[];
  /** Fraction bars, vincula, lines over and under. */
  rules: Box[];
}

/** A piece wider than any minus (in x-heights) is a rule. */
const widestMinus = 2.1;
/** Largest gap between pieces of one sign, and their largest height and width together (in x-heights). */
const farthestPart = 0.75;
const tallestSign = 2.4;
const widestSign = 2.6;
const leastTogether = 0.35;
/** Of an i or an exclamation mark, in x-heights. */
const widestDot = 0.6;
/** A letter is this close below a line over it, and a numerator above its bar. */
const underLine = 0.3;
const overBar = 1.15;
/** Below this confidence a wide piece may be several touching signs. */
const sureAlone = 0.55;
const narrowestSeveral = 0.9;

export async function readSigns(sheet: Sheet, model: SignModel): Promise<SheetSigns> {
  const unit = sheet.xHeight;
  const radicals = await findRadicals(sheet, model);
  const apart = await splitBars(sheet, await mendTall(sheet, radicals.pieces, model), model);
  const rules = [...radicals.vincula, ...apart.bars];
  const { pieces, named } = await mendPieces(sheet, apart.pieces, model);
  const groups = [...pieces.map((piece) => [piece]), ...togetherOf(pieces, unit)];
  const known = groups.map(([piece, ...more]) => (more.length === 0 ? named.get(piece!) : undefined));
  const unnamed = await nameAll(
    sheet,
    groups.filter((_, at) => !known[at]),
    model,
  );
  const guesses = known.map((own) => own ?? unnamed.shift()!);
  const broken = new Set(pieces.filter((_, at) => guesses[at]![0]!.sign.face === 'part'));
  const taken = new Set<Piece>();
  const signs: ReadSign[] = [...radicals.signs];
  const together = groups
    .map((group, at) => ({ group, guesses: guesses[at]! }))
    .filter(
      ({ group, guesses: [best] }) =>
        group.length > 1 &&
        (isWhole(best!, group, unit) || isBroken(best!, group, broken, unit)) &&
        !isBarOverBar(group, pieces, unit),
    )
    .sort((a, b) => b.group.length - a.group.length || b.guesses[0]!.probability - a.guesses[0]!.probability);
  for (const { group, guesses: own } of together) {
    if (group.some((piece) => taken.has(piece))) continue;
    for (const piece of group) taken.add(piece);
    signs.push({ ...around(group), guesses: own });
  }
  const alone = groups
    .map((group, at) => ({ piece: group[0]!, guesses: guesses[at]!, count: group.length }))
    .filter(({ piece, count }) => count === 1 && !taken.has(piece));
  for (const { piece, guesses: own } of alone) {
    const isBar = isFlat(piece, unit) || isShortBar(piece, own[0]!, pieces, unit);
    if (isBar && isRule(piece, [...pieces, ...apart.bars], unit)) rules.push(boxOf(piece));
    else if (isLongArrow(sheet, piece))
      signs.push({
        ...boxOf(piece),
        guesses: [{ sign: model.find('symbol', '→'), probability: arrowProbability }],
      });
    else {
      const mayBe = isTall(piece, unit) ? tallGuesses(own, piece) : own;
      const divided = await divide(sheet, piece, mayBe, model);
      signs.push(...(divided ?? [{ ...boxOf(piece), guesses: withoutParts(mayBe) }]));
    }
  }
  const ink = measureInk(sheet, signs);
  const marked = signs.map((sign, at) => ({
    ...sign,
    ink: ink[at]!,
    ...(isSpeck(sign, unit) && { isSpeck: true }),
  }));
  return findDefinitions({ signs: marked, rules }, unit, model);
}

/** A part that belongs to no other is classified as the sign it resembles. */
function withoutParts(guesses: readonly Guess[]): Guess[] {
  const signs = guesses.filter(({ sign }) => sign.face !== 'part');
  return signs.length > 0 ? signs : [...guesses];
}

/** A smaller point (in x-heights), a lower comma, or a less likely one, is a speck. */
const smallestPoint = 0.19;
const lowestComma = 0.27;
const leastMark = 0.05;

function isSpeck(sign: ReadSign, unit: number): boolean {
  const {
    sign: { text },
    probability,
  } = sign.guesses[0]!;
  if (/^[.·,′]$/.test(text) && probability < leastMark) return true;
  if (/^[.·]$/.test(text)) return Math.max(widthOf(sign), heightOf(sign)) < smallestPoint * unit;
  return /^[,′]$/.test(text) && heightOf(sign) < lowestComma * unit;
}

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });

function isWhole({ sign, probability }: Guess, group: readonly Piece[], unit: number): boolean {
  if (probability < leastTogether || parts.get(sign.text) !== group.length) return false;
  const tallest = Math.max(...group.map(heightOf));
  const lowest = Math.min(...group.map(heightOf));
  if (/^[=≡Ξ]$/.test(sign.text)) return group.every((piece) => isFlat(piece, unit));
  // a stem or a hook with its dot, which is no fraction bar; two dots are a colon, three are \vdots
  if (/^[ij!?;]$/.test(sign.text))
    return (
      tallest > 1.6 * lowest &&
      group.some((piece) => heightOf(piece) === lowest && widthOf(piece) < widestDot * unit)
    );
  return sign.text === ':' || !group.every((piece) => isPoint(piece, unit));
}

/** Whether flat pieces are a fraction's bar and, right below it, a line over its denominator. */
function isBarOverBar(group: readonly Piece[], pieces: readonly Piece[], unit: number): boolean {
  if (!group.every((piece) => isFlat(piece, unit))) return false;
  const box = around(group);
  const beside = pieces.filter((piece) => {
    const middle = (piece.left + piece.right) / 2;
    return !group.includes(piece) && middle > box.left && middle < box.right;
  });
  return (
    beside.some(({ top }) => top >= box.bottom && top - box.bottom < underLine * unit) &&
    beside.some(({ bottom }) => bottom <= box.top && box.top - bottom < overBar * unit)
  );
}

/** Joins parts one above the other, close together, that form a sign. */
function isBroken(
  { sign, probability }: Guess,
  group: readonly Piece[],
  broken: ReadonlySet<Piece>,
  unit: number,
): boolean {
  const [one, other] = group;
  const gap = Math.max(one!.top, other!.top) - Math.min(one!.bottom, other!.bottom);
  const reach = group.every((piece) => broken.has(piece)) ? gapOfParts.above : crack;
  return (
    group.length === 2 &&
    group.some((piece) => broken.has(piece)) &&
    gap < reach * unit &&
    sign.text !== '' &&
    !parts.has(sign.text) &&
    probability > leastMended
  );
}

/** Pieces one above the other, side by side (≪) or nested (⊙) that may be one sign. */
function togetherOf(pieces: readonly Piece[], unit: number): Piece[][] {
  const pairs: Piece[][] = [];
  const fits = (group: readonly Piece[]) => {
    const box = around(group);
    return heightOf(box) < tallestSign * unit && widthOf(box) < widestSign * unit;
  };
  const isNear = (a: Piece, b: Piece) => {
    const overlap = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const gap = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
    const isStacked = overlap > 0.5 * Math.min(widthOf(a), widthOf(b)) && gap < farthestPart * unit;
    const beside = -overlap;
    const isTwin =
      Math.abs(heightOf(a) - heightOf(b)) < 0.15 * unit &&
      Math.abs(a.top - b.top) < 0.15 * unit &&
      Math.abs(widthOf(a) - widthOf(b)) < 0.15 * unit &&
      widthOf(a) > 0.5 * unit &&
      beside < 0.3 * unit;
    // the dot of an italic i or j may be to the right of its stem
    const isDot = Math.max(widthOf(a), heightOf(a)) < 0.5 * unit && beside < 0.25 * unit && gap > 0;
    return isStacked || isTwin || (isDot && gap < farthestPart * unit);
  };
  for (const [at, one] of pieces.entries())
    for (const other of pieces.slice(at + 1)) {
      if (!isNear(one, other) && !isNear(other, one)) continue;
      const isOfThree = pieces.some(
        (third) =>
          third !== one &&
          third !== other &&
          [one, other, third].every((piece) => isPoint(piece, unit)) &&
          Math.abs(third.left - one.left) < 0.2 * unit &&
          Math.min(Math.abs(third.top - one.top), Math.abs(third.top - other.top)) < 1.4 * unit,
      );
      if (isOfThree) continue;
      if (fits([one, other])) pairs.push([one, other]);
    }
  const triples: Piece[][] = [];
  for (const [at, [one, other]] of pairs.entries())
    for (const [first, second] of pairs.slice(at + 1)) {
      const all = [...new Set([one!, other!, first!, second!])];
      if (all.length === 3 && fits(all) && !triples.some((t) => all.every((p) => t.includes(p))))
        triples.push(all);
    }
  return [...pairs, ...triples];
}

/** A flat piece that is not a minus: too wide, with something directly above and below, or over or under letters. */
function isRule(bar: Piece, pieces: readonly Box[], unit: number): boolean {
  if (widthOf(bar) > widestMinus * unit) return true;
  const over = pieces.filter((other) => {
    if (other === bar) return false;
    const middle = (other.left + other.right) / 2;
    return middle > bar.left - 0.15 * unit && middle < bar.right + 0.15 * unit;
  });
  const above = over.some(({ bottom }) => bottom <= bar.top + 1 && bar.top - bottom < 1.15 * unit);
  const below = over.some(({ top }) => top >= bar.bottom - 1 && top - bar.bottom < 1.4 * unit);
  // a minus at the end of a numerator is as close to its fraction's bar
  const close = over.some(
    (other) =>
      other.top >= bar.bottom - 1 &&
      other.top - bar.bottom < 0.55 * unit &&
      !(isFlat(other, unit) && widthOf(other) > widthOf(bar)),
  );
  return (above && below) || close;
}

/** A bar over a letter is blurred to less than three times its height: its width and height at most, in x-heights. */
const shortBar = { height: 0.3, width: 0.45, flatness: 2.1 };
/** A sign that is read so surely is no bar. */
const sureAccent = 0.5;

function isShortBar(piece: Piece, best: Guess, pieces: readonly Box[], unit: number): boolean {
  const [wide, tall] = [widthOf(piece), heightOf(piece)];
  const { height, width, flatness } = shortBar;
  if (wide < width * unit || tall > height * unit || wide < flatness * tall) return false;
  if (best.probability > sureAccent && best.sign.text !== '−') return false;
  return pieces.some((letter) => {
    const middle = (piece.left + piece.right) / 2;
    const gap = letter.top - piece.bottom;
    return (
      middle > letter.left &&
      middle < letter.right &&
      gap > -1 &&
      gap < underLine * unit &&
      heightOf(letter) > 0.9 * unit
    );
  });
}

/** Arrows as long as their labels: a thin shaft with a head at its right end. */
const shortestArrow = 2.6;
const arrowProbability = 0.9;

function isLongArrow(sheet: Sheet, piece: Piece): boolean {
  const unit = sheet.xHeight;
  const [wide, tall] = [widthOf(piece), heightOf(piece)];
  if (wide < shortestArrow * unit || tall > 1.3 * unit || tall < 0.3 * unit) return false;
  const thickness = (x: number) => {
    let count = 0;
    for (let y = piece.top; y < piece.bottom; y++)
      if (sheet.labels[y * sheet.width + x] === piece.label) count++;
    return count;
  };
  const shaft = Array.from({ length: Math.floor(0.7 * wide) }, (_, at) => thickness(piece.left + at));
  const isThin = shaft.filter((count) => count > 0 && count < 0.3 * unit).length > 0.95 * shaft.length;
  const head = Array.from({ length: Math.floor(0.3 * wide) }, (_, at) => thickness(piece.right - 1 - at));
  return isThin && Math.max(...head) > 1.7 * Math.max(...shaft);
}

/** Splits a piece that reads better as two or three adjacent signs; null if it is best left whole. */
async function divide(
  sheet: Sheet,
  piece: Piece,
  whole: readonly Guess[],
  model: SignModel,
): Promise<ReadSign[] | null> {
  const [best] = whole;
  const unit = sheet.xHeight;
  const isSeveral = best!.sign.face === 'several';
  if ((!isSeveral && best!.probability > sureAlone) || widthOf(piece) < narrowestSeveral * unit) return null;
  const columns = thinColumns(sheet, piece);
  const ways = [
    ...columns.map((column) => [column]),
    ...columns.flatMap((one, at) => columns.slice(at + 1).map((other) => [one, other].sort((a, b) => a - b))),
  ].filter((way) => {
    const edges = [piece.left, ...way, piece.right];
    return edges.slice(1).every((edge, at) => edge - edges[at]! > 0.25 * unit);
  });
  if (ways.length === 0) return null;
  const boxes = ways.map((way) => {
    const edges = [piece.left, ...way, piece.right];
    return edges.slice(1).flatMap((edge, at) => trim(sheet, piece, edges[at]!, edge) ?? []);
  });
  const named = await model.name(
    boxes.flat().map((box) => ({ ...cutInk(sheet, new Set([piece.label]), box), xHeight: unit })),
  );
  let from = 0;
  let found: { score: number; signs: ReadSign[] } | null = null;
  for (const own of boxes) {
    const guesses = named.slice(from, from + own.length);
    from += own.length;
    if (own.length < 2 || guesses.some(([first]) => first!.sign.text === '')) continue;
    const score = Math.min(...guesses.map(([first]) => first!.probability)) - 0.08 * (own.length - 2);
    if (!found || score > found.score)
      found = { score, signs: own.map((box, at) => ({ ...box, guesses: guesses[at]! })) };
  }
  const needed = isSeveral ? 0.3 : Math.max(0.6, best!.probability + 0.1);
  return found && found.score > needed ? found.signs : null;
}

/** Columns inside a piece with the least ink, at most five, none adjacent. */
function thinColumns(sheet: Sheet, piece: Piece): number[] {
  const amounts: { x: number; amount: number }[] = [];
  for (let x = piece.left + 2; x < piece.right - 2; x++) {
    let amount = 0;
    for (let y = piece.top; y < piece.bottom; y++)
      if (sheet.labels[y * sheet.width + x] === piece.label) amount += sheet.ink[y * sheet.width + x]!;
    amounts.push({ x, amount });
  }
  const chosen: number[] = [];
  for (const { x } of amounts.sort((a, b) => a.amount - b.amount)) {
    if (chosen.length === 5) break;
    if (chosen.every((other) => Math.abs(other - x) > 0.2 * sheet.xHeight)) chosen.push(x);
  }
  return chosen;
}

function trim(sheet: Sheet, piece: Piece, left: number, right: number): Box | null {
  const box = { left: right, right: left, top: piece.bottom, bottom: piece.top };
  for (let y = piece.top; y < piece.bottom; y++)
    for (let x = left; x < right; x++)
      if (sheet.labels[y * sheet.width + x] === piece.label) {
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x + 1);
        box.top = Math.min(box.top, y);
        box.bottom = Math.max(box.bottom, y + 1);
      }
  return box.right > box.left ? box : null;
}
