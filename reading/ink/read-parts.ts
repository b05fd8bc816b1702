/** Reads lines with fractions and roots part by part: what is above each bar, below it, and between them. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { type Box, heightOf } from '../box.ts';
import type { Bitmap } from '../page.ts';
import { ringMark } from './bars/erase-ring.ts';
import type { Barred } from './bars/find-barred.ts';
import type { InkRows } from './layout/find-ink-lines.ts';
import type { DecodedLine, ReadToken } from './line/decode-line.ts';
import { meanProbability } from './stacked-lines.ts';

/** A part of a line, to be read by itself. */
export interface LinePart {
  /** Index of its line among the rows. */
  row: number;
  kind: 'beside' | 'high' | 'low' | 'inside' | 'rest';
  box: ShareBox;
  /** As `InkRows.foreign`, with all other ink. */
  foreign: Bitmap;
  /** What it is a part of; null beside fractions and roots. */
  of: Barred | null;
  /** Its own parts, if it has fractions and roots. */
  parts: LinePart[];
  /** Of a rest, which is all that is beside fractions and roots: these, from left to right. */
  without?: readonly Barred[];
}

/** What parts were read as. */
export interface PartReadings {
  each: ReadonlyMap<LinePart, DecodedLine>;
  /** What has fractions and roots, read sign by sign: by its rest. */
  bySigns?: ReadonlyMap<LinePart, DecodedLine>;
  isFromScreen: boolean;
}

/** How much surer a line must be if read part by part. */
const surer = 0.05;
const surerOnScreen = 0.2;
/** Less ink than this is no sign, px. */
const leastInk = 6;
/** Height of a part's picture, in heights of most letters. */
const leastHigh = 1.5;
const kinds = { fraction: ['high', 'low'], root: ['inside'] } as const;

/** The parts of rows with fractions and roots, row by row in the order in which they are written in LaTeX. */
export function partsOf({
  boxes,
  maybeJoined,
  built,
  ink,
  size,
  foreign,
  isFromScreen,
}: InkRows): LinePart[] {
  const { width, height } = ink;
  const inBarred = new Set(built.flatMap(({ barred }) => barred.flatMap(({ pixels }) => pixels)));
  return built.flatMap(({ row, barred }) => {
    const part = (
      kind: LinePart['kind'],
      pixels: readonly number[],
      inside: Pick<LinePart, 'of' | 'parts' | 'without'>,
    ): LinePart => ({
      row,
      kind,
      box: shareOf(asHigh(boxAround(pixels, width), isFromScreen ? leastHigh * size : 0), ink),
      foreign: withoutOthers(pixels, ink, foreign),
      ...inside,
    });
    /** @param loose pixels of what is in none of the fractions and roots */
    const partsIn = (loose: readonly number[], some: readonly Barred[]): LinePart[] => {
      const beside = (from: number, to: number): LinePart[] => {
        const pixels = loose.filter((at) => at % width >= from && at % width < to);
        return pixels.length < leastInk ? [] : [part('beside', pixels, { of: null, parts: [] })];
      };
      return [
        ...some.flatMap((one, at) => [
          ...beside(some[at - 1] ? endsOf(some[at - 1]!).right : 0, endsOf(one).left),
          ...one.parts.map(({ pixels, barred: inner }, which) => {
            const inInner = new Set(inner.flatMap((other) => other.pixels));
            const rest = pixels.filter((pixel) => !inInner.has(pixel));
            const parts = inner.length > 0 ? partsIn(rest, inner) : [];
            return part(kinds[one.kind][which]!, pixels, { of: one, parts });
          }),
        ]),
        ...beside(endsOf(some.at(-1)!).right, width),
        ...(isFromScreen && loose.length >= leastInk
          ? [part('rest', loose, { of: null, parts: [], without: some })]
          : []),
      ];
    };
    const [left, top, wide, tall] = boxes[row] ?? maybeJoined[row - boxes.length]!.box;
    const loose: number[] = [];
    for (let y = Math.floor(top * height); y < Math.ceil((top + tall) * height); y++)
      for (let x = Math.max(0, Math.floor(left * width)); x < Math.ceil((left + wide) * width); x++) {
        const at = y * width + x;
        if (ink.data[at] && !inBarred.has(at)) loose.push(at);
      }
    return partsIn(loose, barred);
  });
}

/** These, each with its own parts after it. */
export function withOwnParts(parts: readonly LinePart[]): LinePart[] {
  return parts.flatMap((part) => [part, ...withOwnParts(part.parts)]);
}

/** How a part is read: as a whole, or of its own parts if that is better. */
export function readingOf(part: LinePart, readings: PartReadings): DecodedLine {
  const whole = readings.each.get(part)!;
  const built = compose(part.parts, readings);
  return built && isBetter(built, whole, readings.isFromScreen) ? built : whole;
}

/** What the parts are together, sign by sign if they were read so. */
export function compose(parts: readonly LinePart[], readings: PartReadings): DecodedLine | null {
  const bySigns = parts.flatMap((part) => readings.bySigns?.get(part) ?? []);
  if (bySigns[0]) return bySigns[0];
  return composeLine(
    parts
      .filter(({ kind }) => kind !== 'rest')
      .map((part) => ({ kind: part.kind, read: readingOf(part, readings) })),
  );
}

/** Ink in front of its bar is before it, even above a part that reaches further. */
const endsOf = ({ bar }: Barred) => ({ left: bar.left + 1, right: bar.right - 1 });

/** A lone plus as high as a line would be a t. */
function asHigh(box: Box, least: number): Box {
  const lacking = Math.max(0, least - heightOf(box)) / 2;
  return { ...box, top: Math.max(0, box.top - lacking), bottom: box.bottom + lacking };
}

function boxAround(pixels: readonly number[], width: number): Box {
  const box = { left: width, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
  for (const at of pixels) {
    const x = at % width;
    const y = (at - x) / width;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}

function shareOf({ left, top, right, bottom }: Box, { width, height }: Bitmap): ShareBox {
  return [left / width, top / height, (right - left) / width, (bottom - top) / height];
}

/** All ink but these pixels is foreign, with the pixels next to it. */
function withoutOthers(pixels: readonly number[], { width, height, data }: Bitmap, foreign: Bitmap): Bitmap {
  const own = new Set(pixels);
  const mask = Uint8Array.from(foreign.data);
  for (let at = 0; at < data.length; at++) {
    if (!data[at] || own.has(at)) continue;
    for (const near of [at, at - 1, at + 1, at - width, at + width])
      if (near >= 0 && near < mask.length && !own.has(near)) mask[near] = ringMark;
  }
  return { width, height, channels: 1, data: mask };
}

/**
 * One line of its parts' readings; null if a fraction lacks one.
 * @param parts of one row, with how each is read
 */
export function composeLine(
  parts: readonly { kind: LinePart['kind']; read: DecodedLine }[],
): DecodedLine | null {
  if (parts.length === 0) return null;
  const tokens: ReadToken[] = [];
  let frame = 0;
  let isMaths = false;
  const say = (token: string) => tokens.push({ token, probability: 1, from: frame, to: frame });
  const enter = (wanted: boolean) => {
    if (isMaths === wanted) return;
    say(wanted ? '\\(' : '\\)');
    isMaths = wanted;
  };
  const add = ({ tokens: said }: DecodedLine) => {
    const length = said.reduce((most, { to }) => Math.max(most, to), 0);
    for (const one of said) {
      if (one.token === '\\(' || one.token === '\\)') enter(one.token === '\\(');
      else tokens.push({ ...one, from: one.from + frame, to: one.to + frame });
    }
    frame += length;
  };
  for (const [at, { kind, read }] of parts.entries()) {
    const inside = read.tokens.filter(({ token }) => !/^\\[()]$/.test(token));
    if (kind === 'beside') {
      if (inside.length > 0 && read.tokens[0]!.token !== '\\(') enter(false);
      add(read);
      continue;
    }
    if (inside.length === 0) return null;
    if (kind === 'inside') {
      enter(true);
      say('\\sqrt{');
      add({ ...read, tokens: inside });
      say('}');
      continue;
    }
    if (kind === 'high') {
      if (parts[at + 1]?.kind !== 'low') return null;
      enter(true);
      say('\\frac{');
      add({ ...read, tokens: inside });
      say('}{');
    } else {
      if (parts[at - 1]?.kind !== 'high') return null;
      add({ ...read, tokens: inside });
      say('}');
    }
  }
  enter(false);
  const all = parts.map(({ read }) => read);
  return {
    tokens: withoutPairs(tokens),
    // as of one reading of the whole line: their product would be that of all its parts being right at once
    share: Math.min(...all.map(({ share }) => share)),
    score: all.reduce((sum, { score }) => sum + score, 0),
    fluency: all.reduce((sum, { fluency }) => sum + fluency, 0),
  };
}

/** A formula that ends where the next one begins goes on. */
function withoutPairs(tokens: readonly ReadToken[]): ReadToken[] {
  const out: ReadToken[] = [];
  for (const one of tokens) {
    if (one.token === '\\(' && out.at(-1)?.token === '\\)') out.pop();
    else out.push(one);
  }
  return out;
}

/**
 * With as many fractions and roots, the reading as a whole is taken on paper unless the other is surer; on a screen the other,
 * whose signs were read one by one, unless that as a whole is.
 */
export function isBetter(built: DecodedLine, whole: DecodedLine, isFromScreen: boolean): boolean {
  const barredIn = ({ tokens }: DecodedLine) =>
    tokens.filter(({ token }) => token === '\\frac{' || token === '\\sqrt{').length;
  const [more, gain] = [barredIn(built) - barredIn(whole), meanProbability(built) - meanProbability(whole)];
  return more > 0 || gain > (isFromScreen && more === 0 ? -surerOnScreen : surer);
}
