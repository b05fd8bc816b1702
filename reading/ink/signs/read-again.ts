/** Formulas that the line model has read, read again sign by sign, those with fractions and roots too. */
import { middleOf } from '../../box.ts';
import { withReadings } from '../choice/other-readings.ts';
import type { SeenLine } from '../choice/settle-letters.ts';
import { type LineCrop, usualOverhang } from '../line/cut-line.ts';
import type { DecodedLine } from '../line/decode-line.ts';
import type { LineModel } from '../line/line-model.ts';
import { compose, type LinePart, type PartReadings } from '../read-parts.ts';
import { meanProbability, signsOf } from '../stacked-lines.ts';
import { type ReadBarred, readSigns } from './read-signs.ts';
import type { ShapeModel } from './shape-model.ts';

/** How far into what a crop extends its box by, signs are the next line's. */
const linesOwn = 0.6;
/** The line model is right more often where it is this sure of each sign, unless it has seen fewer of them. */
const sureOfEach = 0.9;

interface SignDeps {
  /** Height of most letters of the page, px of the crops. */
  letters: number;
  model: LineModel;
  shapes: ShapeModel;
}

/** A line's reading or, if that is not sure of each sign, that of its signs; the other is among its other readings. */
export async function readAgainBySigns(
  seen: SeenLine,
  crop: LineCrop,
  { letters, model, shapes }: SignDeps,
): Promise<DecodedLine> {
  const { read } = seen;
  const bySigns = await readSigns(crop, letters, linesIn(crop), evidenceOf(seen, model), {
    ...model,
    shapes,
  });
  if (!bySigns || saidIn(bySigns) === saidIn(read)) return read;
  const isSure = read.tokens.every(({ probability }) => probability >= sureOfEach);
  if (isSure && signsOf(bySigns) <= signsOf(read)) return read;
  const [signs, line] = [meanProbability(bySigns), meanProbability(read)];
  // where both differ, neither is sure, whatever each says of itself
  return withReadings({ ...bySigns, share: signs / (signs + line) }, [read]);
}

/**
 * Lines, and parts of lines, that have fractions and roots: what is beside them is read sign by sign, and they stand in it
 * where their bars are.
 * @param scale of the page against the reduced one
 * @param restOf what the line model has seen of a rest, in its crop; null if that is text
 * @returns the readings with those as a whole, by their rests
 */
export async function readBarredBySigns(
  parts: readonly LinePart[],
  readings: PartReadings,
  scale: number,
  { letters, model, shapes }: SignDeps,
  restOf: (rest: LinePart) => { seen: SeenLine; crop: LineCrop } | null,
): Promise<PartReadings> {
  const bySigns = new Map<LinePart, DecodedLine>();
  for (const group of groupsOf(parts)) {
    const rest = group.find(({ kind }) => kind === 'rest');
    const own = rest && restOf(rest);
    if (!own) continue;
    const barred = barredIn(group, rest, { ...readings, bySigns }, own.crop, scale);
    if (!barred) continue;
    const evidence = evidenceOf(own.seen, model);
    const read = await readSigns(
      own.crop,
      letters,
      linesIn(own.crop),
      evidence,
      { ...model, shapes },
      barred,
    );
    if (read) bySigns.set(rest, read);
  }
  return { ...readings, bySigns };
}

/** The rows of a crop that are surely its line's. */
function linesIn({ height }: LineCrop): { top: number; bottom: number } {
  const beyond = (linesOwn * usualOverhang * height) / (1 + 2 * usualOverhang);
  return { top: beyond, bottom: height - beyond };
}

const evidenceOf = ({ read, looks }: SeenLine, { tokens }: LineModel) => ({ read, looks, tokens });

/** Parts that make a line or a part together, inner ones first. */
function groupsOf(parts: readonly LinePart[]): LinePart[][] {
  const rows = new Set(parts.map(({ row }) => row));
  const innerOf = (part: LinePart): LinePart[][] =>
    part.parts.length > 0 ? [...part.parts.flatMap(innerOf), part.parts] : [];
  return [...rows].flatMap((row) => {
    const own = parts.filter((part) => part.row === row);
    return [...own.flatMap(innerOf), own];
  });
}

/** The fractions and roots that a rest is beside, as they were read; null if one was not. */
function barredIn(
  parts: readonly LinePart[],
  { without = [] }: LinePart,
  readings: PartReadings,
  { from }: LineCrop,
  scale: number,
): ReadBarred[] | null {
  const all = without.flatMap((one): ReadBarred[] => {
    const read = compose(
      parts.filter(({ of }) => of === one),
      readings,
    );
    if (!read || !from) return [];
    const { left, top, right, bottom } = one.box;
    const x = (at: number) => at * scale - from.x;
    const y = (at: number) => at * scale - from.y;
    return [
      {
        box: { left: x(left), top: y(top), right: x(right), bottom: y(bottom) },
        level: one.kind === 'fraction' ? y(middleOf(one.bar).y) : y((top + bottom) / 2),
        token: one.kind === 'fraction' ? '\\frac{' : '\\sqrt{',
        tokens: read.tokens.slice(1, -1),
      },
    ];
  });
  return all.length === without.length ? all : null;
}

const saidIn = ({ tokens }: DecodedLine) => tokens.map(({ token }) => token).join('');
