import { type Box, contains, middleOf } from '../../../box.ts';
import type { ReadSign, SheetSigns } from './read-signs.ts';
import type { Sign, SignModel } from './sign-model.ts';

/** Of a sign that is not `:=`, read with more confidence than this. */
const sureOther = 0.9;
/** How far to the right of the colon its bars begin, and how exactly they end together, in x-heights. */
const colonWidth = { least: 0.25, most: 0.7 };
const flush = 0.15;
/** Its bars are at least this wide, in x-heights; a narrower one is a script's, behind a letter: "i=". */
const leastBar = 1.2;
/** What it looks like where all its pieces touch, and how wide and high it is then, in x-heights. */
const asOne = /^[⊨⇌]$/;
const sizeAsOne = { width: [1.6, 2.2], height: [0.8, 1.25] } as const;

const definition: Sign = { face: 'symbol', text: '≔', index: -1 };
const isBetween = (value: number, [least, most]: readonly [number, number]) => value > least && value < most;

/**
 * `:=` is several pieces, which the model knows only as `:` and `=`: where the colon is close, its dots and the lower
 * bar look like one sign, and the upper bar is a rule within it. So it is with the i of "i=" in a limit.
 * @param unit the x-height
 */
export function findDefinitions({ signs, rules }: SheetSigns, unit: number, model: SignModel): SheetSigns {
  const used = new Set<Box>();
  const found = signs.flatMap((sign): ReadSign[] => {
    const { sign: best, probability } = sign.guesses[0]!;
    if (probability > sureOther) return [sign];
    const bar = rules.find(
      (rule) =>
        !used.has(rule) &&
        rule.top >= sign.top &&
        rule.bottom <= sign.bottom &&
        rule.left - sign.left > colonWidth.least * unit &&
        rule.left - sign.left < colonWidth.most * unit &&
        Math.abs(rule.right - sign.right) < flush * unit,
    );
    const named = { ...sign, guesses: [{ sign: definition, probability }] };
    if (!bar)
      return asOne.test(best.text) &&
        isBetween((sign.right - sign.left) / unit, sizeAsOne.width) &&
        isBetween((sign.bottom - sign.top) / unit, sizeAsOne.height)
        ? [named]
        : [sign];
    used.add(bar);
    if (bar.right - bar.left > leastBar * unit) return [named];
    const { left, top, right, bottom } = sign;
    const edge = bar.left - 1;
    const room = (bottom - top) / 3;
    return [
      { left, top, right: edge, bottom, guesses: [{ sign: model.find('italic', 'i'), probability }] },
      {
        left: bar.left,
        top: bar.top,
        right,
        bottom: Math.min(bottom, bar.top + room),
        guesses: [{ sign: model.find('symbol', '='), probability }],
      },
    ];
  });
  // its bars, where they do not touch its colon
  const definitions = found.filter(({ guesses: [first] }) => first!.sign === definition);
  const isOfOne = (sign: ReadSign) =>
    /^[−=]$/.test(sign.guesses[0]!.sign.text) &&
    definitions.some((own) => own !== sign && contains(own, middleOf(sign)));
  return {
    signs: found.filter((sign) => !isOfOne(sign)),
    rules: rules.filter((rule) => !used.has(rule)),
  };
}
