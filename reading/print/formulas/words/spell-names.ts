/**
 * Recognizes function names whose letters touch or are broken: "lirn", "li" with an unread sign. If the ink matches
 * the positions of a name's letters in this typeface, and some of them were read, it is that name.
 */

import { around, type Box } from '../../../box.ts';
import { functionNames } from '../../../text-layer/math/symbols.ts';
import type { Print } from '../placing/find-typeface.ts';
import type { ReadSign, SheetSigns } from '../signs/read-signs.ts';
import type { Guess, Sign, SignMeasures, SignModel } from '../signs/sign-model.ts';

/** Largest deviation of a letter's edge from its position in the typeface, in x-heights. */
const edgeSpread = 0.24;
/** Confidence in a letter inferred from its position alone. */
const byPlace = 0.5;
/** A guess with this confidence counts as a letter that was read. */
const leastRead = 0.1;
/** A single sign with this confidence is trusted: "cos" is not "cot". */
const sureOther = 0.5;
const sureForeign = 0.9;
const shortestName = 3;

interface Letter {
  sign: Sign;
  measures: SignMeasures;
  /** The name's origin, in x-heights. */
  at: number;
}

/** Replaces the signs of such names by the name's letters. */
export function spellNames({ signs, rules }: SheetSigns, print: Print, model: SignModel): SheetSigns {
  let spelled = divideIn(signs, print, model);
  for (const letters of namesOf(print, model))
    for (const [at, letter] of letters.entries())
      for (const sign of spelled.filter((one) => isRead(one, letter))) {
        const found = spelled.includes(sign) ? setName(letters, at, sign, spelled, print.xHeight) : null;
        if (found) spelled = [...spelled.filter((one) => !found.replaced.has(one)), ...found.letters];
      }
  return { signs: spelled, rules };
}

/** Of an m that touching signs look like; how far the dot of an i is above the m that its stem became part of, and how close the next letter is, in x-heights. */
const leastM = 0.3;
const dotReach = 0.7;
const besideLetter = 0.3;

/** In "inf" and "sin" the i and the n often touch: an m with a dot over its first stem beside f or s is these two. */
function divideIn(signs: readonly ReadSign[], { typeface, xHeight }: Print, model: SignModel): ReadSign[] {
  const [i, n] = ['i', 'n'].map((text) => model.find('roman', text)) as [Sign, Sign];
  const advance = typeface.text[i.index]?.advance;
  if (advance === undefined) return [...signs];
  let divided = [...signs];
  for (const sign of signs) {
    const { text, face } = sign.guesses[0]!.sign;
    const mayBeM = sign.guesses.some((guess) => guess.sign.text === 'm' && guess.probability > leastM);
    if ((text !== 'm' && !(text === '' && mayBeM)) || face === 'italic') continue;
    const end = sign.left + advance * xHeight;
    const dot = divided.find(
      ({ guesses: [first], left, right, bottom }) =>
        /^[.·˙]$/.test(first!.sign.text) &&
        left > sign.left - 0.2 * xHeight &&
        right < end + 0.1 * xHeight &&
        bottom <= sign.top + 1 &&
        sign.top - bottom < dotReach * xHeight,
    );
    const isBeside = divided.some(({ guesses: [first], left, right, top, bottom }) => {
      if (first!.sign.face === 'italic' || bottom <= sign.top || top > sign.bottom) return false;
      const isBefore = left > sign.left && left - sign.right < besideLetter * xHeight && top < sign.top;
      const isBehind = right < sign.right && sign.left - right < besideLetter * xHeight;
      return (first!.sign.text === 'f' && isBefore) || (first!.sign.text === 's' && isBehind);
    });
    if (!dot || !isBeside) continue;
    const letter = (box: Box, text: Sign): ReadSign => ({
      ...box,
      guesses: [{ sign: text, probability: byPlace }],
    });
    divided = [
      ...divided.filter((one) => one !== sign && one !== dot),
      letter({ left: sign.left, right: end, top: dot.top, bottom: sign.bottom }, i),
      letter({ left: end, right: sign.right, top: sign.top, bottom: sign.bottom }, n),
    ];
  }
  return divided;
}

/** Longest first: "sinh" is not "sin". */
function namesOf({ typeface }: Print, model: SignModel): Letter[][] {
  return [...functionNames]
    .filter((name) => name.length >= shortestName)
    .sort((a, b) => b.length - a.length)
    .map((name) => {
      let at = 0;
      return [...name].flatMap((text): Letter[] => {
        const sign = model.find('roman', text);
        const measures = typeface.text[sign.index];
        at += measures?.advance ?? 0;
        return measures ? [{ sign, measures, at: at - measures.advance }] : [];
      });
    });
}

/** The name's letters, if the one at index `known` is `anchor`; null if the ink does not match. */
function setName(
  letters: readonly Letter[],
  known: number,
  anchor: ReadSign,
  signs: readonly ReadSign[],
  xHeight: number,
): { letters: ReadSign[]; replaced: Set<ReadSign> } | null {
  const { measures: own, at: before } = letters[known]!;
  const origin = anchor.left - (before + own.left) * xHeight;
  const baseline = anchor.bottom - (own.top + own.height) * xHeight;
  const boxes = letters.map(({ measures, at }): Box => {
    const left = origin + (at + measures.left) * xHeight;
    const top = baseline + measures.top * xHeight;
    return { left, top, right: left + measures.width * xHeight, bottom: top + measures.height * xHeight };
  });
  const room = around(boxes);
  const within = signs.filter((sign) => {
    const middle = { x: (sign.left + sign.right) / 2, y: (sign.top + sign.bottom) / 2 };
    return middle.x > room.left && middle.x < room.right && middle.y > room.top && middle.y < room.bottom;
  });
  const out: ReadSign[] = [];
  let read = 0;
  for (const [at, box] of boxes.entries()) {
    const parts = within.filter((sign) => overlap(sign, box) > 0.5 * Math.min(widthOf(sign), widthOf(box)));
    const letter = letters[at]!;
    if (parts.length === 0) return null;
    if (!isNear(parts, box, xHeight)) {
      // letters that touch each other, in ink that is as wide as the name
      if (!isNear(within, room, xHeight) || parts.some((part) => isNoLetter(part, letters))) return null;
      if (parts.some((part) => isRead(part, letter))) read++;
      out.push({ ...box, guesses: [{ sign: letter.sign, probability: byPlace }] });
      continue;
    }
    // nearby specks are part of it
    const whole = parts.find((part) => isRead(part, letter) && isNear([part], box, xHeight));
    if (whole) read++;
    else if (parts.length === 1 && parts[0]!.guesses[0]!.probability > sureOther) return null;
    else if (parts.length > 1 && parts.every((part) => isPoint(part) || isNoLetter(part, letters)))
      return null;
    const probability = whole?.guesses.find((guess) => isOf(guess, letter))?.probability ?? byPlace;
    out.push({ ...(whole ?? box), guesses: [{ sign: letter.sign, probability }] });
  }
  // nothing to correct
  if (read === letters.length && within.length === read) return null;
  if (read < Math.max(2, letters.length - 1)) return null;
  return { letters: out, replaced: new Set(within) };
}

const widthOf = (box: Box) => box.right - box.left;
const overlap = (a: Box, b: Box) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
/** Blurred print looks bold, and a stem is an l, an I, a one or a bar. */
const isOf = ({ sign: { face, text } }: Guess, { sign }: Letter) =>
  sign.text === 'l' && /^[lI1|]$/.test(text)
    ? face !== 'italic'
    : text === sign.text && (face === 'roman' || face === 'bold');

/** Whether a sign is surely none of the name's letters. */
function isNoLetter({ guesses: [first] }: ReadSign, letters: readonly Letter[]): boolean {
  return first!.probability > sureForeign && !letters.some((letter) => isOf(first!, letter));
}

const isPoint = ({ guesses: [first] }: ReadSign) => /^[.·˙,]$/.test(first!.sign.text);

function isRead({ guesses }: ReadSign, letter: Letter): boolean {
  return guesses.some((guess) => isOf(guess, letter) && guess.probability > leastRead);
}

/** Whether the ink's edges match the letter's on all sides. */
function isNear(own: readonly Box[], box: Box, xHeight: number): boolean {
  const seen = around(own);
  const sides = ['left', 'right', 'top', 'bottom'] as const;
  return sides.every((side) => Math.abs(seen[side] - box[side]) < edgeSpread * xHeight);
}
