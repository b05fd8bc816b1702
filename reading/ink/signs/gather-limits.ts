/** Limits stand below and above their operator, not behind it: signs of a formula that belong to one, whatever is next to them. */
import { around, type Box, heightOf, middleOf, widthOf } from '../../box.ts';
import type { NamedSign } from './place-signs.ts';

/** What has limits below and above it. */
const operator = /^\\(?:sum|prod|lim|max|min|sup|inf|bigcup|bigcap|coprod)$/;
/** A sign may be an operator if that is at most so much less likely than what is likeliest. */
const mostBehind = 3;
/** In usual lengths: how far below or above their operator limits begin, how far apart their signs are, how far they reach beyond it. */
const farthest = 0.9;
const apart = 0.7;
const beyond = 2.5;
/** They may reach into the operator's height by this share of it; how far their middle is from its, in usual lengths and in its widths. */
const mostInside = 0.12;
const offMiddle = 0.4;
const widestOff = 0.3;

/**
 * @param size the usual length of a sign, px
 * @returns the signs that stand in the line, operators with their limits
 */
export function gatherLimits(signs: readonly NamedSign[], size: number): NamedSign[] {
  const taken = new Set<NamedSign>();
  const withLimits = new Map<NamedSign, NamedSign>();
  for (const sign of signs) {
    const named = asOperator(sign);
    if (!named || taken.has(sign)) continue;
    const free = signs.filter((one) => one !== sign && !taken.has(one) && !asOperator(one)?.isName);
    const [low, high] = ([1, -1] as const).map((side) => limitsAt(sign.box, free, side, size));
    const limits = [...low!, ...high!];
    if (limits.length === 0) continue;
    for (const one of limits) taken.add(one);
    withLimits.set(sign, { ...named, limits: { low: low!, high: high! } });
  }
  return signs.filter((sign) => !taken.has(sign)).map((sign) => withLimits.get(sign) ?? sign);
}

/** What it is as an operator; null if it is none. */
function asOperator(sign: NamedSign): NamedSign | null {
  if (sign.said || sign.limits) return null;
  const best = Math.max(...sign.guesses.map(({ log }) => log));
  const guess = sign.guesses.find(({ token, log }) => operator.test(token) && log >= best - mostBehind);
  return guess ? { ...sign, guesses: [guess] } : null;
}

/** @param side 1 below, −1 above */
function limitsAt(box: Box, signs: readonly NamedSign[], side: 1 | -1, size: number): NamedSign[] {
  const gapTo = (other: Box) => (side === 1 ? other.top - box.bottom : box.top - other.bottom);
  const there = signs.filter(
    (sign) =>
      gapTo(sign.box) > -mostInside * heightOf(box) &&
      middleOf(sign.box).x > box.left - beyond * size &&
      middleOf(sign.box).x < box.right + beyond * size,
  );
  let own = there.filter(
    (sign) => gapTo(sign.box) < farthest * size && sign.box.left < box.right && sign.box.right > box.left,
  );
  for (let isGrown = true; isGrown && own.length > 0; ) {
    const all = around(own.map((sign) => sign.box));
    const more = there.filter((sign) => {
      if (own.includes(sign)) return false;
      const aside = Math.max(sign.box.left - all.right, all.left - sign.box.right);
      const level = Math.min(sign.box.bottom, all.bottom) - Math.max(sign.box.top, all.top);
      return aside < apart * size && level > (aside < 0 ? -0.3 * size : 0);
    });
    isGrown = more.length > 0;
    own = [...own, ...more];
  }
  return centred(own, box, size);
}

/** Without the signs at either end that are no limits: these stand in the middle of their operator, more or less. */
function centred(limits: readonly NamedSign[], operator: Box, size: number): NamedSign[] {
  let own = limits.toSorted((a, b) => a.box.left - b.box.left);
  const offOf = (some: readonly NamedSign[]) =>
    middleOf(around(some.map((sign) => sign.box))).x - middleOf(operator).x;
  const most = widestOff * widthOf(operator) + offMiddle * size;
  while (own.length > 0 && Math.abs(offOf(own)) > most)
    own = offOf(own) > 0 ? own.slice(0, -1) : own.slice(1);
  return own;
}
