import type { Box } from '../../box.ts';
import type { ReadSign, SheetSigns } from './read-signs.ts';

/** Of a sign that is not `:=`, read with more confidence than this. */
const sureOther = 0.9;
/** How far to the right of the colon its bars begin, and how exactly they end together, in x-heights. */
const colonWidth = { least: 0.25, most: 0.7 };
const flush = 0.15;

/**
 * `:=` is several pieces, which the model knows only as `:` and `=`: where the colon is close, its dots and the lower
 * bar look like one sign, and the upper bar is a rule within it.
 * @param unit the x-height
 */
export function findDefinitions({ signs, rules }: SheetSigns, unit: number): SheetSigns {
  const used = new Set<Box>();
  const found = signs.map((sign): ReadSign => {
    const { probability } = sign.guesses[0]!;
    if (probability > sureOther) return sign;
    const bar = rules.find(
      (rule) =>
        !used.has(rule) &&
        rule.top >= sign.top &&
        rule.bottom <= sign.bottom &&
        rule.left - sign.left > colonWidth.least * unit &&
        rule.left - sign.left < colonWidth.most * unit &&
        Math.abs(rule.right - sign.right) < flush * unit,
    );
    if (!bar) return sign;
    used.add(bar);
    return { ...sign, guesses: [{ sign: { face: 'symbol', text: '≔', index: -1 }, probability }] };
  });
  return { signs: found, rules: rules.filter((rule) => !used.has(rule)) };
}
