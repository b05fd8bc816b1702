/** Words among a formula's signs, such as "for all": letters close together that spell one of those that formulas use. */
import { type Box, median } from '../../../box.ts';
import { type Print, withoutDot } from '../placing/find-typeface.ts';
import type { ReadSign, SheetSigns } from '../signs/read-signs.ts';
import type { SignMeasures, SignModel } from '../signs/sign-model.ts';

/** Words that stand in formulas, in the languages whose print is read. */
export const formulaWords = new Set(
  (
    'all an and any are as at be because but by each else even every exists for from has hence if in is let not odd of on only or otherwise ' +
    'since so some such that the then there therefore thus to unless when where whenever which with also converges diverges finite infinite ' +
    'avec alors car donc est et les ou où par pour puis quand si sinon tel tout toute tous ' +
    'alle aus dann daß der die es falls für gilt ist mit oder sonst und wenn ' +
    'cada con donde entonces es existe para que si tal todo todos ' +
    'allora altrimenti che con dove ogni per quando se tale tutti'
  ).split(' '),
);
/** Slanted, these are products. */
const uprightWords = /^(?:an|be|car|par|so)$/;
/** Letters of one word are this close, in x-heights; the two of a short word are this far from what is beside them. */
const withinWord = 0.32;
const besideShort = { upright: 0.5, slanted: 0.72 };
const sameBaseline = 0.28;
const sizeSpread = 0.3;

interface Letter {
  sign: ReadSign;
  text: string;
  baseline: number;
}

/** A stem by itself is an l, a ring an o. */
const alike: Record<string, string> = { '1': 'l', I: 'l', '|': 'l', '0': 'o', ı: 'i' };

export function findWords(
  { signs, rules }: SheetSigns,
  { typeface, xHeight }: Print,
  model: SignModel,
): SheetSigns {
  const letters = signs
    .flatMap((sign): Letter[] => {
      const best = sign.guesses[0]!.sign;
      const text = alike[best.text] ?? best.text;
      if (!/^[a-z]$/.test(text) || !/^(?:italic|roman|symbol|delimiter|bold)$/.test(best.face)) return [];
      const face = best.face === 'italic' ? 'italic' : 'roman';
      const measures = typeface.text[model.find(face, text).index];
      if (!measures) return [];
      const fits = ({ height }: SignMeasures) =>
        Math.abs(Math.log((sign.bottom - sign.top) / (height * xHeight))) < sizeSpread;
      if (![measures, ...withoutDot(text, measures)].some(fits)) return [];
      return [{ sign, text, baseline: sign.bottom - (measures.top + measures.height) * xHeight }];
    })
    .sort((a, b) => a.sign.left - b.sign.left);
  const runs: Letter[][] = [];
  for (const letter of letters) {
    const run = runs.find((own) => {
      const last = own.at(-1)!;
      return (
        letter.sign.left - last.sign.right < withinWord * xHeight &&
        letter.sign.left > last.sign.left &&
        Math.abs(letter.baseline - last.baseline) < sameBaseline * xHeight
      );
    });
    if (run) run.push(letter);
    else runs.push([letter]);
  }
  const named = new Map<ReadSign, ReadSign>();
  for (const run of runs) {
    const text = run.map((letter) => letter.text).join('');
    if (!formulaWords.has(text)) continue;
    const isSlanted = run.some(({ sign }) => sign.guesses[0]!.sign.face === 'italic');
    // a sign of an operation has less space beside it than a word
    const room = besideShort[isSlanted ? 'slanted' : 'upright'] * xHeight;
    if ((isSlanted && uprightWords.test(text)) || (text.length < 3 && !standsAlone(run, signs, room)))
      continue;
    const baseline = median(run.map((letter) => letter.baseline));
    for (const letter of run) {
      const { probability } = letter.sign.guesses[0]!;
      named.set(letter.sign, {
        ...letter.sign,
        baseline,
        guesses: [{ sign: model.find('roman', letter.text), probability }],
      });
    }
  }
  return { signs: signs.map((sign) => named.get(sign) ?? sign), rules };
}

/** Whether nothing of its line is close to the run, so that it is no product. */
function standsAlone(run: readonly Letter[], signs: readonly ReadSign[], room: number): boolean {
  const [first, last] = [run[0]!.sign, run.at(-1)!.sign];
  const beside = (sign: Box) => sign.bottom > first.top && sign.top < run[0]!.baseline;
  return signs.every(
    (sign) =>
      run.some((letter) => letter.sign === sign) ||
      !beside(sign) ||
      sign.right < first.left - room ||
      sign.left > last.right + room ||
      (sign.left > first.left && sign.right < last.right),
  );
}
