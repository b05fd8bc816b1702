/** Tells bold signs from others by how much ink they are. */
import { median } from '../../../box.ts';
import { levels } from './find-typeface.ts';
import type { Choice, Option } from './place-signs.ts';

/** Ink of a sign compared with what its typeface has: as much more is bold, whose strokes are 1.5 to 1.7 times as wide. */
const boldFrom = 1.33;
/** A bold sign with as much less is none. */
const plainBelow = 0.8;
/** Signs that tell how dark the part is, and how sure they must be. Without them its sizes are weighed as usual. */
const leastSigns = 6;
const sure = 0.8;
const usual = 1.25;

/** Ink in relation to the typeface's, and to that of the one where the sign is heaviest; null where that is not known. */
function ratiosOf(
  { sign }: Pick<Choice, 'sign'>,
  { measures, level }: Option,
  xHeight: number,
): { own: number; least: number } | null {
  if (!measures?.ink || !sign.ink) return null;
  const seen = sign.ink / (levels[level]! * xHeight) ** 2;
  return { own: seen / measures.ink, least: seen / measures.mostInk };
}

/**
 * How much more ink than the typeface's the signs of a part usually are: its darkest ink is less than full. Null if it has
 * too few of them.
 */
export function darknessOf(choices: readonly Choice[], xHeight: number): number | null {
  const ratios = choices.flatMap((choice) => {
    const { guess } = choice.chosen;
    if (guess.probability < sure || guess.sign.face === 'bold') return [];
    return ratiosOf(choice, choice.chosen, xHeight)?.own ?? [];
  });
  return ratios.length < leastSigns ? null : median(ratios);
}

/** Error of a sign's ink (a share of it), and the most that ink says against an option (log probability). */
const inkSpread = 0.15;
const mostMisfit = 3;

/** Makes those options likelier that have as much ink as is seen: a small letter has half of a large one's. */
export function weighOptions(choices: readonly Choice[], known: number | null, xHeight: number): void {
  const darkness = known ?? usual;
  for (const choice of choices) {
    choice.options = choice.options.map((option) => {
      const ratios = ratiosOf(choice, option, xHeight);
      if (!ratios) return option;
      const off = Math.log(ratios.own / darkness) / inkSpread;
      return { ...option, score: option.score - Math.min(mostMisfit, (off * off) / 2) };
    });
    choice.chosen = choice.options.reduce((a, b) => (b.score > a.score ? b : a));
  }
}

/** Makes letters and figures bold, or not, by their ink. */
export function markBold(choices: readonly Choice[], darkness: number | null, xHeight: number): void {
  if (darkness === null) return;
  for (const choice of choices) {
    const { sign } = choice.chosen.guess;
    const ratios = ratiosOf(choice, choice.chosen, xHeight);
    if (!ratios) continue;
    if (sign.face === 'bold') {
      if (ratios.own < plainBelow * darkness) setFace(choice, 'roman');
    } else if (mayBeBold(choice) && ratios.least > boldFrom * darkness) choice.isBold = true;
  }
}

function mayBeBold({ chosen: { guess, level } }: Choice): boolean {
  const { face, text } = guess.sign;
  if (level > 1) return false;
  return /^(?:italic|roman)$/.test(face)
    ? /^\p{L}$/u.test(text)
    : face === 'symbol' && /^\p{Script=Greek}$/u.test(text);
}

function setFace(choice: Choice, face: string): void {
  const { guess } = choice.chosen;
  choice.chosen = { ...choice.chosen, guess: { ...guess, sign: { ...guess.sign, face } } };
}
