/** The sign model: classifies cut-out signs and returns the most likely guesses (`training/print`). */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { side, signPicture, stretch } from '../../../ink/signs/sign-picture.ts';
import { openSession, Tensor } from '../../../onnx-runtime.ts';

const mostAtOnce = 256;
const kept = 6;
/** The first of the typefaces are used most. */
const usualTypefaces = 6;

/** Ink's left edge from the origin, its top (downwards from the baseline), width and height, the advance, and the ink's area. */
const Measures = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);
const About = z.object({
  side: z.literal(side),
  stretch: z.literal(stretch),
  signs: z.array(z.object({ face: z.string(), text: z.string() })),
  measures: z.array(z.tuple([z.array(Measures.nullable()), z.array(Measures.nullable())])),
});

/** One of the model's outputs. */
export interface Sign {
  face: string;
  text: string;
  /** Its index among the outputs. */
  index: number;
}

/** How a typeface draws the signs, by their index, in x-heights of its own style; null for missing signs. */
export interface Typeface {
  text: readonly (SignMeasures | null)[];
  script: readonly (SignMeasures | null)[];
}

export interface SignMeasures {
  left: number;
  top: number;
  width: number;
  height: number;
  advance: number;
  /** The area that its ink covers, and the most that it covers in a usual typeface; 0 if that is not known. */
  ink: number;
  mostInk: number;
}

export interface Guess {
  sign: Sign;
  probability: number;
}

interface CutSign {
  /** 0 paper … 1 ink, `width` × `height`. */
  ink: Float32Array;
  width: number;
  height: number;
  /** The text's x-height in the same pixels. */
  xHeight: number;
}

export interface SignModel {
  /** Most common first. */
  readonly typefaces: readonly Typeface[];
  /** The output with that meaning. */
  find(face: string, text: string): Sign;
  /** The most likely guesses for each cut-out sign, most likely first. */
  name(cuts: readonly CutSign[]): Promise<Guess[][]>;
  close(): Promise<void>;
}

/**
 * @param path of `print-signs.onnx`, next to its `.json`
 * @throws Error if one of them is missing or has an unexpected format
 */
export async function openSignModel(path: string): Promise<SignModel> {
  const about = About.parse(JSON.parse(await readFile(path.replace(/\.onnx$/, '.json'), 'utf8')));
  const signs: Sign[] = about.signs.map((sign, index) => ({ ...sign, index }));
  const usual = about.measures.slice(0, usualTypefaces);
  const named = (style: 0 | 1) => (measures: z.infer<typeof Measures> | null, index: number) => {
    if (!measures) return null;
    const [left, top, width, height, advance, ink] = measures;
    // but one: Times takes some of its Greek from a heavier typeface
    const inUsual = usual.map((typeface) => typeface[style][index]?.[5] ?? 0).sort((a, b) => b - a);
    const mostInk = Math.max(ink, inUsual[1] ?? 0);
    return { left, top, width, height, advance, ink, mostInk };
  };
  const session = await openSession(path);
  return {
    typefaces: about.measures.map(([text, script]) => ({
      text: text.map(named(0)),
      script: script.map(named(1)),
    })),
    find(face, text) {
      const found = signs.find((sign) => sign.face === face && sign.text === text);
      if (!found) throw new Error(`the sign model has no ${face} ${text}`);
      return found;
    },
    async name(cuts) {
      const out: Guess[][] = [];
      for (let from = 0; from < cuts.length; from += mostAtOnce) {
        const some = cuts.slice(from, from + mostAtOnce);
        const pictures = new Float32Array(some.length * side * side);
        const sizes = new Float32Array(some.length * 2);
        some.forEach((cut, at) => {
          pictures.set(signPicture(cut), at * side * side);
          sizes[2 * at] = Math.log2(cut.height / cut.xHeight);
          sizes[2 * at + 1] = Math.log2(cut.width / cut.xHeight);
        });
        const { scores } = await session.run({
          pictures: new Tensor('float32', pictures, [some.length, 1, side, side]),
          sizes: new Tensor('float32', sizes, [some.length, 2]),
        });
        if (!scores || scores.dims[1] !== signs.length) throw new Error('the sign model is of another form');
        const values = scores.data as Float32Array;
        for (let at = 0; at < some.length; at++)
          out.push(likeliest(values.subarray(at * signs.length, (at + 1) * signs.length), signs));
      }
      return out;
    },
    close: () => session.release(),
  };
}

/** Only position tells one point from another, a stroke from a comma: both are always among the guesses. */
const twins: Record<string, string> = { '.': '·', '·': '.', ',': '′', '′': ',' };
const twinShare = 0.3;

/** Log probability on real pages relative to training; blurred print looks bold. */
const rarity: Record<string, number> = { bold: 0.03, fraktur: 0.05, calligraphic: 0.5 };
const rareSigns: Record<string, number> = {
  ι: 0.1,
  υ: 0.2,
  ς: 0.2,
  ϱ: 0.3,
  ℑ: 0.3,
  ℵ: 0.3,
  ℘: 0.3,
  '✓': 0.2,
};

/** Bold numbers are rarer still than bold letters. */
const boldDigit = 0.1;

function rarityOf({ face, text }: Sign): number {
  const isBoldDigit = face === 'bold' && /^\d$/.test(text);
  return (rarity[face] ?? 1) * (rareSigns[text] ?? 1) * (isBoldDigit ? boldDigit : 1);
}

/** Indices of the highest scores, highest first, without sorting the others. */
function highest(scores: Float32Array, count: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    if (found.length === count && scores[at]! <= scores[found.at(-1)!]!) continue;
    let place = found.length;
    while (place > 0 && scores[at]! > scores[found[place - 1]!]!) place--;
    found.splice(place, 0, at);
    if (found.length > count) found.pop();
  }
  return found;
}

function likeliest(scores: Float32Array, signs: readonly Sign[]): Guess[] {
  const guesses = highest(scores, 2 * kept).map((at) => {
    const sign = signs[at]!;
    return {
      sign,
      probability: Math.exp(scores[at]!) * rarityOf(sign),
    };
  });
  const [first] = guesses;
  const twin = first && twins[first.sign.text];
  if (twin && !guesses.some(({ sign }) => sign.text === twin)) {
    const sign = signs.find(({ text }) => text === twin);
    if (sign) guesses.push({ sign, probability: twinShare * first.probability });
  }
  for (const guess of guesses)
    if (guess.sign.text === twin)
      guess.probability = Math.max(guess.probability, twinShare * first!.probability);
  const sum = guesses.reduce((all, { probability }) => all + probability, 0);
  return guesses
    .map(({ sign, probability }) => ({ sign, probability: probability / Math.max(1e-12, sum) }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, kept);
}
